/* SPDX-License-Identifier: MIT */
/*
 * batch.h - memory, contexts and batches on the simulator's DRM node.
 *
 * Commands are encoded here a second time, following the PRMs, to test the simulator's encodings.
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
	char platform[16]; /* platform of struct gpuoa_unit_info */
	uint64_t features; /* features of the OA unit, GPUOA_FEATURE_* */
	uint64_t frequency; /* frequency of the timestamp, Hz */
	uint64_t max_frequency; /* maximum frequency of the GPU, Hz */
	bool wide; /* addresses in commands take two dwords: gen8 and later */
};

/* Open the DRM node of the first GPU. Return 0 or -errno. */
int gpu_open(struct gpu *gpu);
void gpu_close(struct gpu *gpu);

struct gpu_buffer {
	uint64_t address;
	uint64_t size;
	uint32_t handle;
	uint32_t *map;
};

/* Create an object of @size bytes, map it and bind it at @address. Return 0 or -errno. */
int gpu_buffer_create(struct gpu *gpu, struct gpu_buffer *buffer, uint64_t address, uint64_t size);
void gpu_buffer_unmap(struct gpu_buffer *buffer);
int gpu_bind(struct gpu *gpu, uint32_t handle, uint64_t address);
int gpu_unbind(struct gpu *gpu, uint64_t address);
int gpu_gem_close(struct gpu *gpu, uint32_t handle);

/*
 * Batch to which commands are appended, from the start of @buffer on. If the buffer is full, the
 * program aborts.
 */
struct batch {
	const struct gpu *gpu;
	struct gpu_buffer *buffer;
	size_t n; /* length, dwords */
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
/* Emit MI_REPORT_PERF_COUNT. @address is a multiple of 64. */
void batch_report(struct batch *batch, uint64_t address, uint32_t id);
/* Emit a flush. After it, the GPU writes the timestamp, or @value, to @address, a multiple of 8. */
void batch_flush_timestamp(struct batch *batch, uint64_t address);
void batch_flush_write(struct batch *batch, uint64_t address, uint64_t value);
/* Keep the GPU busy for @clocks. @workload is one of GPUOA_SIM_WORKLOAD_*. */
void batch_work(struct batch *batch, uint32_t workload, uint64_t clocks);

/* Create a syncobj. Return its handle, or 0 on failure. */
uint32_t syncobj_create(struct gpu *gpu);
void syncobj_destroy(struct gpu *gpu, uint32_t syncobj);
/* Wait for the batch. Return 0, -ETIME after @ms (scaled by timeout_scale()), or another -errno. */
int syncobj_wait(struct gpu *gpu, uint32_t syncobj, unsigned int ms);
/*
 * Export the syncobj to a file that another process or DRM file can import. Return the fd or
 * -errno.
 */
int syncobj_export(struct gpu *gpu, uint32_t syncobj);
uint32_t syncobj_import(struct gpu *gpu, int fd);
/* Export the syncobj's fence as a sync_file. Return its fd or -errno. */
int syncobj_sync_file(struct gpu *gpu, uint32_t syncobj);

/* Submit the batch at @address. Return 0 or -errno. */
int gpu_exec(struct gpu *gpu, uint32_t context, uint64_t address, uint32_t syncobj);
int gpu_result(struct gpu *gpu, uint32_t syncobj, struct drm_gpuoa_sim_result *result);
/* Submit a batch and wait for it. Return its status, or another -errno. @result may be NULL. */
int gpu_run(struct gpu *gpu, uint32_t context, const struct batch *batch,
	    struct drm_gpuoa_sim_result *result);

#endif
