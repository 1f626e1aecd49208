// SPDX-License-Identifier: GPL-2.0-only
/*
 * oa_open.c - validates the properties of a new stream and opens it.
 */
#include <drm/drm_file.h>
#include <linux/errno.h>

#include "gpus.h"
#include "metrics.h"
#include "oa_open.h"
#include "oa_properties.h"
#include "oa_life.h"
#include "oa_unit.h"
#include "paranoid.h"
#include "queue.h"
#include "sync.h"
#include "xe.h"

/* A stream needs no privilege if it has no OA buffer reports and is for a queue of the caller. */
static int open_check_rights(const struct sim_xe_open *open)
{
	bool privileged = !open->queue || open->sample || open->no_preempt;

	if (open->no_preempt && !open->queue)
		return -EINVAL;
	if (privileged && !sim_xe_may_observe())
		return -EACCES;
	if (!open->queue && !open->sample)
		return -EINVAL;
	return 0;
}

static int open_check_format(const struct sim_xe_open *open)
{
	u32 type = open->unit->type == DRM_XE_OA_UNIT_TYPE_OAG ? DRM_XE_OA_FMT_TYPE_PEC :
								 DRM_XE_OA_FMT_TYPE_OAM_MPEC;

	if (!open->format || open->format->type != type)
		return -EINVAL;
	if (open->exponent >= 0 && !open->sample)
		return -EINVAL;
	return 0;
}

/* The unit must be the one that measures the queue's engine. */
static int open_check_engine(const struct sim_xe *xe, const struct sim_xe_open *open)
{
	struct drm_xe_engine_class_instance engine;

	if (!open->queue)
		return 0;
	engine = open->queue->engine;
	engine.engine_instance = open->engine_instance;
	if (!sim_xe_engine_find(xe->gpu, &engine) || sim_xe_engine_unit(&engine) != open->unit_id)
		return -EINVAL;
	return 0;
}

static int open_check(struct sim_xe *xe, struct sim_xe_open *open)
{
	int ret = open_check_rights(open);

	if (!ret)
		ret = open_check_engine(xe, open);
	if (ret)
		return ret;
	open->unit = &xe->units[open->unit_id];
	ret = open_check_format(open);
	if (ret)
		return ret;
	open->metrics = sim_xe_metrics_get(xe, open->metric_set);
	return open->metrics ? 0 : -EINVAL;
}

static int open_stream(struct sim_xe *xe, struct sim_xe_open *open, struct drm_file *file)
{
	struct sim_xe_syncs syncs;
	int ret;

	ret = sim_xe_open_syncs(open, file, &syncs);
	if (!ret)
		ret = sim_xe_syncs_wait(&syncs);
	if (!ret)
		ret = sim_xe_stream_create(xe, open, file);
	if (ret >= 0)
		sim_xe_syncs_done(&syncs);
	sim_xe_syncs_free(&syncs);
	return ret;
}

/**
 * sim_xe_stream_open() - Handle DRM_XE_OBSERVATION_OP_STREAM_OPEN.
 * @xe: the emulated xe device
 * @param: address of the first property
 * @file: the calling file
 *
 * Return: a file descriptor; -EACCES without privilege; -EBUSY if the unit has a stream; -ENOENT if
 * the queue does not exist; -EINVAL, -E2BIG, -EFAULT or -ENOMEM
 */
int sim_xe_stream_open(struct sim_xe *xe, u64 param, struct drm_file *file)
{
	struct sim_xe_open open = { .exponent = -1 };
	int ret;

	ret = sim_xe_open_parse(&open, param, false);
	if (ret)
		return ret;
	if (open.queue_id) {
		open.queue = sim_xe_queue_get(file->driver_priv, open.queue_id);
		if (!open.queue)
			return -ENOENT;
	}
	ret = open_check(xe, &open);
	if (!ret)
		ret = open_stream(xe, &open, file);
	if (open.metrics)
		sim_xe_metrics_put(open.metrics);
	if (open.queue)
		sim_xe_queue_put(open.queue);
	return ret;
}
