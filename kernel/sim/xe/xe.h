/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * xe.h - the emulated xe device of a virtual GPU: a second DRM device with xe's uAPI.
 */
#ifndef _SIM_XE_H
#define _SIM_XE_H

#include <drm/drm_device.h>
#include <linux/mutex.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>

#include "third_party/drm/xe_drm.h"

/**
 * DOC: The emulated xe device
 *
 * The xe driver needs firmware (GuC), so it cannot drive a virtual GPU. For tests of programs that
 * use xe, this driver implements include/uapi/drm/xe_drm.h of Linux 6.12 on the GPU model that
 * gpuoa.ko also programs. Like xe, it accesses the GPU only through registers and memory, and
 * programs the OA units in xe's order.
 *
 * A GPU with an emulated xe device is not registered with gpuoa.ko, because xe owns real GPUs in
 * the same way.
 */

#define SIM_XE_NAME "xe"
#define SIM_XE_MAX_UNITS 2
#define SIM_XE_N_GTS 2

struct kobject;
struct sim_instance;
struct sim_xe_gpu;
struct sim_xe_registers;
struct sim_xe_stream;

/**
 * struct sim_xe_unit - an OA unit
 * @type: enum drm_xe_oa_unit_type
 * @gt: ID of the unit's GT
 * @registers: MMIO offsets of the unit's registers
 * @stream: open stream of the unit or NULL, under &sim_xe.oa_lock
 */
struct sim_xe_unit {
	u32 type;
	u32 gt;
	const struct sim_xe_registers *registers;
	struct sim_xe_stream *stream;
};

/**
 * struct sim_xe - an emulated xe device
 * @drm: DRM device
 * @instance: the GPU; holds a reference to its DRM device
 * @gpu: static description of the GPU
 * @units: OA units, indexed by ID
 * @oa_lock: protects the streams of @units
 * @metrics_lock: protects @metrics and @metrics_dir
 * @metrics: OA configurations, by ID
 * @metrics_dir: sysfs directory of @metrics, NULL after the device was removed
 * @tile: sysfs directory of the tile
 * @gts: sysfs directories of the GTs
 * @freqs: sysfs directories of the GTs' clocks
 * @workqueue: runs &sim_xe_queue.work
 * @ufence_wait: wait queue for user fences and for queues to become empty
 */
struct sim_xe {
	struct drm_device drm;
	struct sim_instance *instance;
	const struct sim_xe_gpu *gpu;
	struct sim_xe_unit units[SIM_XE_MAX_UNITS];
	struct mutex oa_lock; /* see above */
	struct mutex metrics_lock; /* see above */
	struct xarray metrics;
	struct kobject *metrics_dir;
	struct kobject *tile;
	struct kobject *gts[SIM_XE_N_GTS];
	struct kobject *freqs[SIM_XE_N_GTS];
	struct workqueue_struct *workqueue;
	wait_queue_head_t ufence_wait;
};

static inline struct sim_xe *sim_xe_of(struct drm_device *drm)
{
	return container_of(drm, struct sim_xe, drm);
}

struct sim_xe *sim_xe_drm_create(struct device *parent, struct sim_instance *instance);
void sim_xe_drm_remove(struct sim_xe *xe);

#endif /* _SIM_XE_H */
