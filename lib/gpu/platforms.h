/* SPDX-License-Identifier: MIT */
/* platforms.h - facts of each platform, from platforms/platforms.txt */
#ifndef GPUOA_LIB_GPU_PLATFORMS_H
#define GPUOA_LIB_GPU_PLATFORMS_H

#include "gpu/gpu.h"

/* A version of a platform, whose GPUs have other numbers of parts */
struct gpu_variant {
	uint8_t mdapi_version; /* 0: there is none */
	uint8_t subslice_stride;
	uint8_t node_banks;
	uint8_t sqidis;
};

/*
 * A platform and its facts. Texts are stored in the record, so that the table needs no relocation.
 */
struct gpu_platform {
	char name[8]; /* in the metric definitions */
	char title[24];
	/* reason why the library has no metrics for the platform; "": it has some */
	char no_metrics[64];
	/* name of the usual part, which is assumed if the actual GPU is unknown; "": none */
	char part[32];
	/* facts of the usual part, with all slices and EUs enabled */
	uint64_t facts[GPU_PART_FACTS];
	uint16_t generation; /* graphics version, times 10 */
	bool discrete;
	bool batches; /* batches of this platform can request reports of unit OA */
	uint8_t mdapi_index; /* number of the platform in MDAPI's enumeration; 0: none */
	/* number of subslices that MDAPI counts for each bit of the subslice mask */
	uint8_t mdapi_subslices;
	struct gpu_variant variant;
};

#define GENERATION_HASWELL 75
#define GENERATION_12 120
#define GENERATION_12_5 125
#define GENERATION_XE2 200

/* Return the platform at @index of the table, or NULL after the last one. */
const struct gpu_platform *gpu_platform_get(size_t index);

/* Find a platform by name; NULL if unknown. */
const struct gpu_platform *gpu_platform_find(const char *name);

/* Return the generation of a platform, or 0 if it is unknown. */
unsigned int gpu_generation(const char *name);

/* Find the platform of a PCI device id of vendor 0x8086; NULL if unknown. */
const struct gpu_platform *gpu_platform_of_device(uint64_t device);

/*
 * Return MDAPI's version of a GPU; 0 if the platform has only one version. Returns -1 if it has
 * several and the version of the device is unknown.
 */
int gpu_mdapi_version(const struct gpu_platform *platform, uint64_t device);

/* Return a fact of the usual part. If that of the device's version differs, return that instead. */
uint64_t gpu_usual(const struct gpu_platform *platform, uint64_t device, enum gpu_fact fact);

#endif /* GPUOA_LIB_GPU_PLATFORMS_H */
