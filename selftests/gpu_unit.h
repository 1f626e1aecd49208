/* SPDX-License-Identifier: MIT */
/*
 * gpu_unit.h - OA units of simulated GPUs: PMU, debugfs and DRM node.
 */
#ifndef GPUOA_SELFTEST_GPU_UNIT_H
#define GPUOA_SELFTEST_GPU_UNIT_H

#include <stdbool.h>
#include <stdint.h>

struct gpu_unit {
	unsigned int index; /* N of gpuoa<N> */
	int pmu_type;
	char gpu[64]; /* debugfs directory of the GPU */
	char debugfs[80]; /* debugfs directory of the unit, or of the GPU if it has one unit only */
};

/* Find the first unit of this platform and type ("OA", "OAM0", ...). */
bool gpu_unit_find(struct gpu_unit *unit, const char *platform, const char *type);
/* Open the DRM render node of the unit's GPU. Return the fd or -errno. */
int gpu_unit_drm_open(const struct gpu_unit *unit);
/* Write to a debugfs file of the unit's GPU. Return 0 or -errno. */
int gpu_unit_set(const struct gpu_unit *unit, const char *file, const char *value);
/* Current GPU time, ticks */
uint64_t gpu_unit_tick(const struct gpu_unit *unit);
/* Return the value of a register; 0 if it was never written. */
uint32_t gpu_unit_register(const struct gpu_unit *unit, uint32_t reg);

struct gpu_context {
	int drm;
	uint32_t handle;
	unsigned int slot; /* time slot in the simulator's workloads */
	uint32_t hw_id;
};

/* Create a context. Return 0 or -errno. */
int gpu_context_create(const struct gpu_unit *unit, int drm, struct gpu_context *context);

#define GPU_UNIT_GLOBAL (~0U)

/*
 * Read the expected increments of the counters from @from to @to, of the context in @slot or, with
 * GPU_UNIT_GLOBAL, of all contexts, as lines of "counter <name> <events>". Return 0 or -errno.
 */
int gpu_unit_reference(const struct gpu_unit *unit, uint64_t from, uint64_t to, unsigned int slot,
		       char *answer, unsigned int size);
/*
 * Find a counter in the lines read by gpu_unit_reference(). Return UINT64_MAX if it is not there.
 */
uint64_t gpu_reference_counter(const char *answer, const char *name);

#endif
