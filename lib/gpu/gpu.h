/* SPDX-License-Identifier: MIT */
/*
 * gpu.h - the facts of one GPU that all constants of equations follow from.
 */
#ifndef GPUOA_LIB_GPU_GPU_H
#define GPUOA_LIB_GPU_GPU_H

#include "gpuoa.h"

enum gpu_fact {
	GPU_TIMESTAMP_FREQUENCY, /* Hz */
	GPU_MIN_FREQUENCY, /* Hz */
	GPU_MAX_FREQUENCY, /* Hz */
	GPU_SLICES, /* mask */
	GPU_SUBSLICES, /* mask; subslices, dual subslices or Xe cores */
	GPU_SUBSLICE_STRIDE, /* bits of that mask for each slice */
	GPU_EUS,
	GPU_THREADS, /* of an EU */
	GPU_L3_BANKS, /* mask */
	GPU_COMPUTE_ENGINES,
	GPU_REVISION,
	GPU_GEOMETRY_PIPES, /* of a slice */
	GPU_SQIDIS, /* 0: one for each L3 node */
	GPU_PART_FACTS, /* those above are of a kind of GPU, those below of one, or of a unit */
	GPU_DEVICE_ID = GPU_PART_FACTS, /* PCI's */
	GPU_TIMESTAMP_BITS, /* of a report */
	GPU_BUFFER_MIN, /* bytes: an OABUFFER of the render unit ... */
	GPU_BUFFER_MAX,
	GPU_MEDIA_BUFFER_MIN, /* ... or of a media unit */
	GPU_MEDIA_BUFFER_MAX,
	GPU_FACT_COUNT,
};

/* A GPU without fuses, as it is sold under one platform's name. */
struct gpu_part {
	char platform[8]; /* in the record itself: the table needs no relocation */
	char title[32];
	uint64_t facts[GPU_PART_FACTS];
};

/* The part to assume for a platform; NULL if none is known. */
const struct gpu_part *gpu_part_find(const char *platform);

struct gpu {
	const struct gpu_part *part; /* of its platform, as of gpu_complete(); NULL: not known */
	uint64_t facts[GPU_FACT_COUNT];
	uint8_t origins[GPU_FACT_COUNT]; /* enum gpuoa_origin */
};

/* Give a fact: the unit or the user knows it. */
void gpu_give(struct gpu *gpu, enum gpu_fact fact, uint64_t value);

/*
 * Complete what was given with what follows from it and, if @assume is not NULL, with
 * what is usual for this part. To be called again whenever something was given.
 * @platform_part: for what is the same on all GPUs of the platform; may be NULL.
 */
void gpu_complete(struct gpu *gpu, const struct gpu_part *platform_part,
		  const struct gpu_part *assume);

static inline bool gpu_knows(const struct gpu *gpu, enum gpu_fact fact)
{
	return gpu->origins[fact] != GPUOA_ORIGIN_NONE;
}

#endif /* GPUOA_LIB_GPU_GPU_H */
