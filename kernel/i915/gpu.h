/* SPDX-License-Identifier: GPL-2.0-only */
/* gpu.h - GPU driven by i915 with gpuoa attached. */
#ifndef _GPUOA_I915_GPU_H
#define _GPUOA_I915_GPU_H

#include <linux/io.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>

#include "gpuoa_i915_decode.h"

struct cred;
struct drm_device;
struct gpuoa_unit;
struct kthread_worker;
struct page;
struct pci_dev;
struct platform;

/**
 * struct i915_stream - exclusive i915-perf stream, which gives gpuoa control of the OA unit
 * @file: stream file; NULL if there is none
 * @buffer: GPU address of i915's OABUFFER
 * @context: context id of the stream's context in OACONTROL
 * @content: data to verify the buffer's pages
 * @pages: buffer pages passed to the core
 * @leaked: the unit did not stop, so the file is never closed
 */
struct i915_stream {
	struct file *file;
	u32 buffer;
	u32 context;
	struct buffer_content content;
	struct page **pages;
	bool leaked;
};

/**
 * struct gpu - GPU
 * @pdev: PCI device, bound to i915
 * @platform: GPU platform
 * @drm: DRM device
 * @worker: thread that calls i915 for this GPU
 * @guc: the GuC submits contexts and assigns the context ids in reports
 * @frequency: frequency of the GPU clock, Hz
 * @regs: mapped registers
 * @gtt: physical address of the GGTT
 * @gtt_size: size of the GGTT, bytes
 * @unit: OA unit registered with gpuoa
 * @cred: credentials of the unit's opener, NULL while it is idle; access is serialized by the core
 * @lock: protects the members after it
 * @stream: exclusive stream
 * @probed: a probe write has verified the buffer address from the page table
 * @anchor: time base of the clock; constant while a stream is open
 * @contexts: contexts of users' requests, struct user_context
 */
struct gpu {
	struct pci_dev *pdev;
	const struct platform *platform;
	struct drm_device *drm;
	struct kthread_worker *worker;
	bool guc;
	u64 frequency;
	void __iomem *regs;
	resource_size_t gtt;
	resource_size_t gtt_size;
	struct gpuoa_unit *unit;
	const struct cred *cred;

	struct mutex lock; /* see above */
	struct i915_stream stream;
	bool probed;
	struct clock_anchor anchor;
	struct list_head contexts;
};

static inline u32 gpu_read(const struct gpu *gpu, u32 reg)
{
	return readl(gpu->regs + reg);
}

static inline void gpu_write(const struct gpu *gpu, u32 reg, u32 value)
{
	writel(value, gpu->regs + reg);
}

#endif /* _GPUOA_I915_GPU_H */
