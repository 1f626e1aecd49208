/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * xe.h - the xe face of a virtual GPU: a second DRM device, with the interface of the xe driver.
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
 * DOC: The xe face
 *
 * xe needs firmware (GuC) to drive a GPU, so it can't drive a virtual one. For programs and
 * libraries that are written for xe there is this: what include/uapi/drm/xe_drm.h of Linux 6.12
 * documents, answered by the same model of a GPU that gpuoa.ko programs. It is a driver like xe: it
 * knows of the GPU what its registers and its memory say, and programs the OA units as xe does.
 *
 * A GPU that has this face is xe's, as a real one would be: gpuoa.ko is not told of it.
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
 * @gt: where it is
 * @registers: its registers
 * @stream: who uses it, under &sim_xe.oa_lock
 */
struct sim_xe_unit {
	u32 type;
	u32 gt;
	const struct sim_xe_registers *registers;
	struct sim_xe_stream *stream;
};

/**
 * struct sim_xe - the face
 * @drm: its DRM device
 * @instance: the GPU, whose memory it keeps
 * @gpu: what xe knows of such a GPU
 * @units: OA units, by their id
 * @oa_lock: protects their streams
 * @metrics_lock: protects @metrics
 * @metrics: the configurations, by id
 * @metrics_dir: their directory in sysfs
 * @tile: directory of its tile in sysfs
 * @gts: those of its GTs
 * @freqs: those of their clocks
 * @workqueue: where queues hand batches to the engine
 * @ufence_wait: where programs wait for user fences
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
