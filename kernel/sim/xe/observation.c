// SPDX-License-Identifier: GPL-2.0-only
/*
 * observation.c - DRM_IOCTL_XE_OBSERVATION: dispatches the operations.
 */
#include <linux/errno.h>

#include "metrics.h"
#include "oa_open.h"
#include "observation.h"
#include "xe.h"

/**
 * sim_xe_observation_ioctl() - Handle DRM_IOCTL_XE_OBSERVATION.
 * @drm: the DRM device
 * @data: struct drm_xe_observation_param
 * @file: the calling file
 *
 * Return: -EINVAL, or the operation's result: a file descriptor, an ID, 0 or a negative errno
 */
int sim_xe_observation_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_xe_observation_param *args = data;
	struct sim_xe *xe = sim_xe_of(drm);

	if (args->extensions || args->observation_type != DRM_XE_OBSERVATION_TYPE_OA)
		return -EINVAL;
	switch (args->observation_op) {
	case DRM_XE_OBSERVATION_OP_STREAM_OPEN:
		return sim_xe_stream_open(xe, args->param, file);
	case DRM_XE_OBSERVATION_OP_ADD_CONFIG:
		return sim_xe_metrics_add(xe, args->param);
	case DRM_XE_OBSERVATION_OP_REMOVE_CONFIG:
		return sim_xe_metrics_remove(xe, args->param);
	default:
		return -EINVAL;
	}
}
