// SPDX-License-Identifier: GPL-2.0-only
/*
 * oa_open.c - opening a stream of an OA unit: its properties, and what is wrong with them.
 */
#include <drm/drm_file.h>
#include <linux/errno.h>
#include <linux/uaccess.h>

#include "gpus.h"
#include "metrics.h"
#include "oa_open.h"
#include "oa_stream.h"
#include "oa_unit.h"
#include "observation.h"
#include "queue.h"
#include "sync.h"
#include "xe.h"

/* As many properties as xe reads */
#define MAX_PROPERTIES 16
#define MAX_EXPONENT 31

static int open_set(struct sim_xe_open *open, u32 property, u64 value)
{
	switch (property) {
	case DRM_XE_OA_PROPERTY_OA_UNIT_ID:
		open->unit_id = value;
		return value < SIM_XE_MAX_UNITS ? 0 : -EINVAL;
	case DRM_XE_OA_PROPERTY_SAMPLE_OA:
		open->sample = value;
		return 0;
	case DRM_XE_OA_PROPERTY_OA_FORMAT:
		open->format = sim_xe_format_find(value);
		return open->format ? 0 : -EINVAL;
	case DRM_XE_OA_PROPERTY_OA_PERIOD_EXPONENT:
		open->exponent = value;
		return value <= MAX_EXPONENT ? 0 : -EINVAL;
	case DRM_XE_OA_PROPERTY_OA_DISABLED:
		open->disabled = value;
		return 0;
	case DRM_XE_OA_PROPERTY_EXEC_QUEUE_ID:
		open->queue_id = value;
		return 0;
	case DRM_XE_OA_PROPERTY_OA_ENGINE_INSTANCE:
		open->engine_instance = value;
		return 0;
	case DRM_XE_OA_PROPERTY_NO_PREEMPT:
		open->no_preempt = value;
		return 0;
	default:
		return -EINVAL;
	}
}

/* The properties that a stream which is open may be given anew */
static int open_change(struct sim_xe_open *open, u32 property, u64 value)
{
	switch (property) {
	case DRM_XE_OA_PROPERTY_OA_METRIC_SET:
		open->metric_set = value;
		return 0;
	case DRM_XE_OA_PROPERTY_NUM_SYNCS:
		open->n_syncs = value;
		return value <= DRM_XE_MAX_SYNCS ? 0 : -EINVAL;
	case DRM_XE_OA_PROPERTY_SYNCS:
		open->syncs = value;
		return 0;
	default:
		return -EINVAL;
	}
}

/**
 * sim_xe_open_parse - read a chain of properties
 * @open: gets what they say; it has the defaults
 * @chain: address of the first struct drm_xe_ext_set_property
 * @change: they are for a stream that is open
 *
 * Return: 0, -EINVAL, -EFAULT, or -E2BIG: there are more than 16
 */
int sim_xe_open_parse(struct sim_xe_open *open, u64 chain, bool change)
{
	struct drm_xe_ext_set_property extension;
	unsigned int n = 0;
	int ret;

	do {
		if (n++ == MAX_PROPERTIES)
			return -E2BIG;
		if (copy_from_user(&extension, u64_to_user_ptr(chain), sizeof(extension)))
			return -EFAULT;
		if (extension.base.pad || extension.pad ||
		    extension.base.name != DRM_XE_OA_EXTENSION_SET_PROPERTY)
			return -EINVAL;
		ret = open_change(open, extension.property, extension.value);
		if (ret && !change)
			ret = open_set(open, extension.property, extension.value);
		if (ret)
			return ret;
		chain = extension.base.next_extension;
	} while (chain);

	return 0;
}

/* Who wants nothing but what batches of his own queue report needs no privilege. */
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

/* The unit must be the one that counts for the queue. */
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

/**
 * sim_xe_open_syncs - read what a configuration waits for, and what it signals
 * @open: says where
 * @file: whose syncobjs they are
 * @syncs: gets them; sim_xe_syncs_free() frees it, also when this fails
 *
 * Return: 0, or what sim_xe_syncs_read() says
 */
int sim_xe_open_syncs(const struct sim_xe_open *open, struct drm_file *file,
		      struct sim_xe_syncs *syncs)
{
	*syncs = (struct sim_xe_syncs){};
	if (open->n_syncs && !open->syncs)
		return -EINVAL;

	return sim_xe_syncs_read(syncs, file, open->syncs, open->n_syncs, 0);
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
 * sim_xe_stream_open - DRM_XE_OBSERVATION_OP_STREAM_OPEN
 * @xe: the face
 * @param: address of the first property
 * @file: who asks
 *
 * Return: a file descriptor; -EACCES: not allowed; -EBUSY: the unit has a stream; -ENOENT: there is
 * no such queue; -EINVAL, -E2BIG, -EFAULT, -ENOMEM
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
