/* SPDX-License-Identifier: MIT */
/*
 * sim.h - the simulator's debugfs switches and statistics, and its DRM node.
 */
#ifndef GPUOA_SELFTEST_SIM_H
#define GPUOA_SELFTEST_SIM_H

#include <stdint.h>

/* Number in /sys/kernel/debug/gpuoa_sim/0/@file; UINT64_MAX if it can't be read. */
uint64_t sim_get(const char *file);
/* 0 or -errno */
int sim_set(const char *file, const char *value);
/* What a counter has counted between two 32-bit timestamps; UINT64_MAX if that is not known. */
uint64_t sim_truth(uint32_t from, uint32_t to, const char *counter);
/*
 * The same of a unit whose file "truth" is at @path: "FROM TO", or "FROM TO SLOT" for what one
 * context has counted
 */
uint64_t file_truth(const char *path, const char *question, const char *counter);
/* Number in /sys/class/gpuoa/gpuoa0/@file; UINT64_MAX if it can't be read. */
uint64_t unit_get(const char *file);
/* Number in any file */
uint64_t file_get(const char *path);
int file_set(const char *path, const char *value);

/* Open the simulator's DRM render node; -errno. */
int sim_drm_open(void);
/* The same, of the GPU with this number. */
int sim_drm_open_number(unsigned int number);
/* 0 or -errno */
int sim_context_create(int drm_fd, uint32_t *handle);
int sim_context_destroy(int drm_fd, uint32_t handle);

#endif
