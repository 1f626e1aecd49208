/* SPDX-License-Identifier: MIT */
/*
 * batch.h - memory, contexts and batches of commands on the simulator's DRM node.
 *
 * Encodings are spelled out here once more, from the PRMs, so that the simulator's are tested.
 */
#ifndef GPUOA_SELFTEST_BATCH_H
#define GPUOA_SELFTEST_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uapi/gpuoa_sim.h"
#include "wait.h"

#define CS_GPR(n) (0x2600 + 8 * (n))
#define CS_TIMESTAMP 0x2358
#define CS_TIMESTAMP_UDW 0x235c
#define CS_TIMESTAMP_BITS 36

struct gpu {
	int fd; /* DRM file */
	char platform[16]; /* as in struct gpuoa_unit_info */
	uint64_t features; /* enum gpuoa_feature, of its OA unit */
	uint64_t frequency; /* of the timestamp, Hz */
	uint64_t max_frequency; /* of the GPU's clock, Hz */
	bool wide; /* addresses in commands have two dwords: gen8 and later */
};

/* Open the DRM node of the first GPU; 0 or -errno. */
int gpu_open(struct gpu *gpu);
void gpu_close(struct gpu *gpu);

struct gpu_buffer {
	uint64_t address;
	uint64_t size;
	uint32_t handle;
	uint32_t *map;
};

/* Make an object of @size bytes, map it and bind it at @address; 0 or -errno. */
int gpu_buffer_create(struct gpu *gpu, struct gpu_buffer *buffer, uint64_t address, uint64_t size);
void gpu_buffer_unmap(struct gpu_buffer *buffer);
int gpu_bind(struct gpu *gpu, uint32_t handle, uint64_t address);
int gpu_unbind(struct gpu *gpu, uint64_t address);
int gpu_gem_close(struct gpu *gpu, uint32_t handle);

/* Commands, one behind the other from @buffer's begin. Too many of them abort the program. */
struct batch {
	const struct gpu *gpu;
	struct gpu_buffer *buffer;
	size_t n; /* dwords */
};

struct batch batch_begin(const struct gpu *gpu, struct gpu_buffer *buffer);
void batch_emit(struct batch *batch, uint32_t dword);
void batch_noop(struct batch *batch);
void batch_end(struct batch *batch);
void batch_store(struct batch *batch, uint64_t address, uint32_t value);
void batch_store_qword(struct batch *batch, uint64_t address, uint64_t value);
void batch_load_register(struct batch *batch, uint32_t reg, uint32_t value);
void batch_load_register_mem(struct batch *batch, uint32_t reg, uint64_t address);
void batch_load_register_reg(struct batch *batch, uint32_t to, uint32_t from);
void batch_store_register(struct batch *batch, uint64_t address, uint32_t reg);
/* MI_REPORT_PERF_COUNT; @address: a multiple of 64 */
void batch_report(struct batch *batch, uint64_t address, uint32_t id);
/* Flush; then write the timestamp, or @value, to @address, a multiple of 8. */
void batch_flush_timestamp(struct batch *batch, uint64_t address);
void batch_flush_write(struct batch *batch, uint64_t address, uint64_t value);
/* Keep the units busy; @scene: GPUOA_SIM_SCENE_* */
void batch_work(struct batch *batch, uint32_t scene, uint64_t clocks);

/* Handle of a new syncobj, 0 if there is none. */
uint32_t syncobj_create(struct gpu *gpu);
void syncobj_destroy(struct gpu *gpu, uint32_t syncobj);
/* Wait until the batch has ended; 0, -ETIME after @ms times the slowness, or another -errno. */
int syncobj_wait(struct gpu *gpu, uint32_t syncobj, unsigned int ms);
/* A file that another process, or this one with another DRM file, can import; -errno. */
int syncobj_export(struct gpu *gpu, uint32_t syncobj);
uint32_t syncobj_import(struct gpu *gpu, int fd);
/* A sync_file of the syncobj's fence; -errno. */
int syncobj_sync_file(struct gpu *gpu, uint32_t syncobj);

/* Queue the batch at @address; 0 or -errno. */
int gpu_exec(struct gpu *gpu, uint32_t context, uint64_t address, uint32_t syncobj);
int gpu_result(struct gpu *gpu, uint32_t syncobj, struct drm_gpuoa_sim_result *result);
/* Queue a batch and wait for its end: its status, or another -errno. @result may be NULL. */
int gpu_run(struct gpu *gpu, uint32_t context, const struct batch *batch,
	    struct drm_gpuoa_sim_result *result);

#endif
