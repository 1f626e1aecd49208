/* SPDX-License-Identifier: GPL-2.0-only */
/* gpu.h - GPU driven by i915 with gpuoa attached. */
#ifndef _GPUOA_I915_GPU_H
#define _GPUOA_I915_GPU_H

#include <linux/container_of.h>
#include <linux/list.h>
#include <linux/types.h>

#include "../lease/lease.h"
#include "gpuoa_i915_decode.h"

struct platform;

/**
 * struct i915_stream - state of the exclusive i915-perf stream
 * @context: context id of the stream's context in OACONTROL
 * @content: data to verify the buffer's pages
 */
struct i915_stream {
	u32 context;
	struct buffer_content content;
};

/**
 * struct gpu - GPU
 * @lease: part that all drivers have
 * @unit: OA unit; its lock protects @stream, @probed and @contexts
 * @platform: GPU platform
 * @guc: the GuC submits contexts and assigns the context ids in reports
 * @gtt: physical address of the GGTT
 * @gtt_size: size of the GGTT, bytes
 * @stream: state of the exclusive stream
 * @probed: a probe write has verified the buffer address from the page table
 * @contexts: contexts of users' requests, struct user_context
 */
struct gpu {
	struct lease_gpu lease;
	struct lease_unit unit;
	const struct platform *platform;
	bool guc;
	resource_size_t gtt;
	resource_size_t gtt_size;
	struct i915_stream stream;
	bool probed;
	struct list_head contexts;
};

static inline struct gpu *gpu_of(struct lease_unit *unit)
{
	return container_of(unit, struct gpu, unit);
}

static inline u32 gpu_read(const struct gpu *gpu, u32 reg)
{
	return lease_read(&gpu->lease, reg);
}

#endif /* _GPUOA_I915_GPU_H */
