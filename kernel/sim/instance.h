/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * instance.h - an instance: a virtual GPU and what makes it a device of Linux.
 */
#ifndef _SIM_INSTANCE_H
#define _SIM_INSTANCE_H

#include <drm/drm_device.h>
#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/pm.h>

#include "exec.h"
#include "memory.h"
#include "host.h"
#include "vgpu/model/gpu.h"
#include "vgpu/model/oa.h"
#include "vgpu/model/platforms.h"
#include "owner.h"

struct dentry;
struct gpuoa_unit;
struct platform_device;
struct sim_xe_bus;

/**
 * struct sim_attached - an OA unit of an instance
 * @oa: the unit itself
 * @unit: as gpuoa.ko knows it
 * @debugfs: its directory
 * @half_full: its interrupt
 */
struct sim_attached {
	struct sim_oa *oa;
	struct gpuoa_unit *unit;
	struct dentry *debugfs;
	struct sim_half_full half_full;
};

/**
 * struct sim_instance - an instance
 * @drm: DRM device; it owns the memory of the instance
 * @parent: what it hangs on
 * @index: number of the instance
 * @interrupts: its units interrupt when their buffers become half full
 * @debugfs: its directory
 * @link: in the list of instances
 * @pm: tells of the system's suspend
 * @pm_lock: one at a time suspends, resumes or resets the GPU
 * @suspended: it is suspended, under @pm_lock
 * @gpu: the GPU
 * @mutex: one at a time changes the timeline of @gpu, its time slots, or its address space
 * @attached: the OA units, as many as @gpu has
 * @xe: the bus of its xe face, if it has one; then gpuoa.ko is not told of its units
 * @pinned: bit of the type of the unit that has pinned the clock, under @mutex; 0: none has
 * @ggtt: GPU address space
 * @exec: its engine
 * @n_contexts: contexts made so far
 * @owners: whose they are, under @mutex
 * @unknown: last register that was asked for and does not exist
 * @notice: tells the world of @unknown, outside of the locks of whoever asked
 */
struct sim_instance {
	struct drm_device drm;
	struct platform_device *parent;
	unsigned int index;
	bool interrupts;
	struct dentry *debugfs;
	struct list_head link;
	struct dev_pm_domain pm;
	struct mutex pm_lock; /* see above */
	bool suspended;

	struct sim_gpu gpu;
	struct mutex mutex; /* see above */
	struct sim_attached attached[SIM_MAX_UNITS];
	struct sim_xe_bus *xe;
	unsigned int pinned;
	struct sim_ggtt ggtt;
	struct sim_exec exec;
	unsigned int n_contexts;
	struct sim_owners owners;
	u32 unknown;
	struct irq_work notice;
};

static inline struct sim_instance *sim_instance_of(const struct sim_gpu *gpu)
{
	return container_of(gpu, struct sim_instance, gpu);
}

static inline struct sim_attached *sim_attached_of(const struct sim_oa *oa)
{
	return &sim_instance_of(oa->gpu)->attached[oa->index];
}

#endif /* _SIM_INSTANCE_H */
