/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gpu.h - a GPU that i915 drives and that gpuoa is attached to.
 */
#ifndef _GPUOA_I915_GPU_H
#define _GPUOA_I915_GPU_H

#include <linux/io.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/types.h>

#include "clock.h"
#include "proof.h"

struct cred;
struct drm_device;
struct gpuoa_unit;
struct kthread_worker;
struct page;
struct pci_dev;
struct platform;

/**
 * struct lease - the i915-perf stream by which the OA unit is ours
 * @stream: its file; NULL: the unit is not ours
 * @buffer: GPU address of i915's OABUFFER
 * @context: of the context that the stream is for, as OACONTROL names it
 * @proof: by what the buffer's memory is known to be that
 * @pages: pages of the buffer that core has
 * @leaked: the unit did not stop: the file is never closed
 */
struct lease {
	struct file *stream;
	u32 buffer;
	u32 context;
	struct proof proof;
	struct page **pages;
	bool leaked;
};

/**
 * struct gpu - a GPU
 * @pdev: its PCI device, bound to i915
 * @platform: what it is
 * @drm: its DRM device
 * @worker: thread that calls i915 for this GPU
 * @guc: firmware submits contexts, and chooses what their reports bear
 * @frequency: of its clock, Hz
 * @regs: its registers
 * @gtt: physical address of its GGTT
 * @gtt_size: bytes of that
 * @unit: gpuoa's unit
 * @cred: credentials of the opener of the unit, NULL while it is idle; core serializes access
 * @lock: protects all below
 * @lease: the stream
 * @tried: the unit writes where the page table says that its buffer is
 * @anchor: of @unit's clock; constant while the unit is ours
 * @contexts: what users want to measure, struct user_context
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
	struct lease lease;
	bool tried;
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
