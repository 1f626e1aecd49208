/* SPDX-License-Identifier: MIT */
/*
 * gpu_unit.h - any of the OA units of any of the simulated GPUs: its PMU, its debugfs, its DRM
 * node.
 */
#ifndef GPUOA_SELFTEST_GPU_UNIT_H
#define GPUOA_SELFTEST_GPU_UNIT_H

#include <stdbool.h>
#include <stdint.h>

struct gpu_unit {
	unsigned int index; /* N of gpuoa<N> */
	int pmu_type;
	char gpu[64]; /* debugfs directory of its GPU */
	char debugfs[80]; /* its own; the GPU's if it has none */
};

/* The first unit of this platform and type ("OA", "OAM0", ...) */
bool gpu_unit_find(struct gpu_unit *unit, const char *platform, const char *type);
/* Open the DRM render node of its GPU; -errno. */
int gpu_unit_drm_open(const struct gpu_unit *unit);
/* Write to a switch of its GPU; 0 or -errno. */
int gpu_unit_set(const struct gpu_unit *unit, const char *file, const char *value);
/* GPU time now */
uint64_t gpu_unit_tick(const struct gpu_unit *unit);
/* Value of a register that is not 0; else 0 */
uint32_t gpu_unit_register(const struct gpu_unit *unit, uint32_t reg);

struct gpu_context {
	int drm;
	uint32_t handle;
	unsigned int slot; /* time slot that the simulator gave it */
	uint32_t hw_id;
};

/* 0 or -errno */
int gpu_context_create(const struct gpu_unit *unit, int drm, struct gpu_context *context);

#define GPU_UNIT_GLOBAL (~0U)

/*
 * What its counters have counted from one moment to another, for the context in a slot or, with
 * GPU_UNIT_GLOBAL, for all: lines of "counter <name> <events>". 0 or -errno
 */
int gpu_unit_truth(const struct gpu_unit *unit, uint64_t from, uint64_t to, unsigned int slot,
		   char *answer, unsigned int size);
/* One of these; UINT64_MAX if there is none of this name */
uint64_t gpu_truth_counter(const char *answer, const char *name);

#endif
