/* SPDX-License-Identifier: MIT */
/*
 * sim.h - the simulator's debugfs files, and its DRM node.
 */
#ifndef GPUOA_SELFTEST_SIM_H
#define GPUOA_SELFTEST_SIM_H

#include <stdint.h>

/* Get the number in /sys/kernel/debug/gpuoa_sim/0/@file, or UINT64_MAX. */
uint64_t sim_get(const char *file);
/* Write @value to /sys/kernel/debug/gpuoa_sim/0/@file. Return 0 or -errno. */
int sim_set(const char *file, const char *value);
/* Return the expected increment of a counter between two timestamps, or UINT64_MAX on error. */
uint64_t sim_reference(uint32_t from, uint32_t to, const char *counter);
/*
 * Do the same as sim_reference(), for a unit whose file "reference" is at @path. @question is "FROM
 * TO", or "FROM TO SLOT" for one context.
 */
uint64_t file_reference(const char *path, const char *question, const char *counter);
/* Get the number in /sys/class/gpuoa/gpuoa0/@file, or UINT64_MAX. */
uint64_t unit_get(const char *file);
/* Return the number in a file with any path, or UINT64_MAX. */
uint64_t file_get(const char *path);
int file_set(const char *path, const char *value);

/* Open the simulator's DRM render node. Return the fd or -errno. */
int sim_drm_open(void);
/* Open the DRM render node of the GPU with this number. Return the fd or -errno. */
int sim_drm_open_number(unsigned int number);
/* Create a context. Return 0 or -errno. */
int sim_context_create(int drm_fd, uint32_t *handle);
int sim_context_destroy(int drm_fd, uint32_t handle);

#endif
