/* SPDX-License-Identifier: MIT */
/*
 * i915.h - helpers for tests of the stock i915: buffers, batches, queries of the virtual GPU.
 */
#ifndef SELFTESTS_I915_H
#define SELFTESTS_I915_H

#include <stdbool.h>
#include <stdint.h>

#include <i915_drm.h>

#define MI(opcode) ((uint32_t)(opcode) << 23)
#define MI_BATCH_END MI(0x0a)
#define MI_ARB_CHECK MI(0x05)
#define I915_PAGE 4096

#define I915_MAX_RELOCATIONS 64

struct i915 {
	int fd;
	int gen;
	bool wide; /* addresses take two dwords */
	bool a24u40; /* reports of streams have the format of DG2 */
};

/* A batch, and the target buffer of its commands */
struct i915_batch {
	const struct i915 *gpu;
	uint64_t address; /* address of the batch; unused with relocations */
	uint32_t handle;
	uint32_t target;
	uint32_t *dwords;
	uint32_t *data;
	unsigned int n;
	struct drm_i915_gem_relocation_entry relocations[I915_MAX_RELOCATIONS];
	unsigned int n_relocations;
};

int i915_open(struct i915 *gpu);
int i915_param(const struct i915 *gpu, int param);
uint32_t i915_context(const struct i915 *gpu);
int i915_context_priority(const struct i915 *gpu, uint32_t context, int priority);

int batch_create(const struct i915 *gpu, struct i915_batch *batch);
void batch_destroy(struct i915_batch *batch);
void batch_reset(struct i915_batch *batch);
void batch_emit(struct i915_batch *batch, uint32_t dword);
void batch_address(struct i915_batch *batch, uint32_t handle, uint32_t offset);
void batch_store(struct i915_batch *batch, uint32_t offset, uint32_t value);
void batch_load_register(struct i915_batch *batch, uint32_t reg, uint32_t value);
void batch_store_register(struct i915_batch *batch, uint32_t reg, uint32_t offset);
void batch_report(struct i915_batch *batch, uint32_t offset, uint32_t id);
int batch_submit(struct i915_batch *batch, uint32_t context, unsigned int engine);
int batch_wait(struct i915_batch *batch, double seconds);
int batch_run(struct i915_batch *batch, uint32_t context, unsigned int engine);

#endif /* SELFTESTS_I915_H */
