/* SPDX-License-Identifier: MIT */
/* gpu.h - facts of one GPU, from which all constants of equations are derived */
#ifndef GPUOA_LIB_GPU_GPU_H
#define GPUOA_LIB_GPU_GPU_H

#include "gpuoa.h"

struct gpu_platform;

enum gpu_fact {
	GPU_TIMESTAMP_FREQUENCY, /* Hz */
	GPU_MIN_FREQUENCY, /* Hz */
	GPU_MAX_FREQUENCY, /* Hz */
	GPU_SLICES, /* mask */
	GPU_SUBSLICES, /* mask of subslices; on later GPUs, of dual subslices or Xe cores */
	GPU_SUBSLICE_STRIDE, /* number of bits of the subslice mask for each slice */
	GPU_EUS,
	GPU_THREADS, /* per EU */
	GPU_L3_BANKS, /* mask */
	GPU_COMPUTE_ENGINES,
	GPU_REVISION,
	GPU_GEOMETRY_PIPES, /* per slice */
	GPU_SQIDIS, /* number of SQIDIs; 0: one for each L3 node */
	GPU_NODE_BANKS, /* number of L3 banks per node; 0: four */
	/*
	 * the facts above are equal for all GPUs of one kind; those below depend on the GPU or unit
	 */
	GPU_PART_FACTS,
	GPU_DEVICE_ID = GPU_PART_FACTS, /* PCI device id */
	GPU_TIMESTAMP_BITS, /* of a report */
	GPU_BUFFER_MIN, /* smallest OABUFFER of the render unit, in bytes */
	GPU_BUFFER_MAX,
	GPU_MEDIA_BUFFER_MIN, /* smallest OABUFFER of a media unit, in bytes */
	GPU_MEDIA_BUFFER_MAX,
	/* bits 64 to 127 of the mask of subslices; 0 if they were not reported */
	GPU_SUBSLICES_HIGH,
	GPU_FACT_COUNT,
};

struct gpu {
	const struct gpu_platform *platform; /* NULL: unknown */
	uint64_t facts[GPU_FACT_COUNT];
	uint8_t provenances[GPU_FACT_COUNT]; /* enum gpuoa_provenance */
};

/* Set a fact reported by the unit or by the user. */
void gpu_give(struct gpu *gpu, enum gpu_fact fact, uint64_t value);

/*
 * Derive further facts from known ones and, if @assume is true, assume the usual values of the
 * platform. Call it again after each change.
 */
void gpu_complete(struct gpu *gpu, bool assume);

/*
 * True if the library knows a usual part of the platform, whose values gpu_complete() can assume.
 */
bool gpu_has_part(const struct gpu *gpu);

static inline bool gpu_knows(const struct gpu *gpu, enum gpu_fact fact)
{
	return gpu->provenances[fact] != GPUOA_PROVENANCE_NONE;
}

#endif /* GPUOA_LIB_GPU_GPU_H */
