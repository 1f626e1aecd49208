/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * instance.h - a virtual GPU and its Linux device.
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
#include "provider.h"
#include "vgpu/model/gpu.h"
#include "vgpu/model/oa.h"
#include "vgpu/model/platforms.h"
#include "owner.h"

struct dentry;
struct gpuoa_unit;
struct platform_device;

/**
 * struct sim_attached - an OA unit of an instance
 * @oa: the simulated unit
 * @unit: the unit registered with gpuoa.ko
 * @debugfs: debugfs directory of the unit
 * @half_full: half-full interrupt of the unit
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
 * @parent: parent device
 * @index: number of the instance
 * @interrupts: the GPU's units raise an interrupt when their buffers become half full
 * @debugfs: debugfs directory of the GPU
 * @link: entry in the list of instances
 * @pm: PM domain, for callbacks of the system's suspend
 * @pm_lock: serializes suspend, resume and reset
 * @suspended: the GPU is suspended, under @pm_lock
 * @gpu: the GPU
 * @mutex: serializes changes of @gpu's timeline, time slots and address space
 * @attached: the OA units, as many as @gpu has
 * @pinned: bit of the type of the unit that has pinned the clock, or 0; under @mutex
 * @ggtt: GPU address space
 * @exec: engine of the GPU
 * @n_contexts: number of contexts ever created
 * @owners: owners of the contexts, under @mutex
 * @unknown: last accessed register that does not exist
 * @notice: prints @unknown outside of the locks of the access
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
