// SPDX-License-Identifier: GPL-2.0-only
/*
 * observation.c - DRM_IOCTL_XE_OBSERVATION, and who may use it: sysctl dev.xe.observation_paranoid.
 */
#include <linux/capability.h>
#include <linux/errno.h>
#include <linux/sysctl.h>

#include <gpuoa_compat.h>

#include "metrics.h"
#include "oa_open.h"
#include "observation.h"
#include "xe.h"

static unsigned int observation_paranoid = 1;

static struct ctl_table observation_table[] = {
	{
		.procname = "observation_paranoid",
		.data = &observation_paranoid,
		.maxlen = sizeof(observation_paranoid),
		.mode = 0644,
		.proc_handler = proc_dointvec_minmax,
		.extra1 = SYSCTL_ZERO,
		.extra2 = SYSCTL_ONE,
	},
	GPUOA_SYSCTL_SENTINEL
};

static struct ctl_table_header *observation_header;

/**
 * sim_xe_observation_init - make the sysctl
 *
 * Return: 0 or -ENOMEM
 */
int sim_xe_observation_init(void)
{
	observation_header = register_sysctl("dev/xe", observation_table);

	return observation_header ? 0 : -ENOMEM;
}

/**
 * sim_xe_observation_exit - undo sim_xe_observation_init()
 */
void sim_xe_observation_exit(void)
{
	unregister_sysctl_table(observation_header);
}

/**
 * sim_xe_may_observe - may this task see what others do on the GPU?
 *
 * Return: true with CAP_PERFMON, or if sysctl dev.xe.observation_paranoid is 0
 */
bool sim_xe_may_observe(void)
{
	return !READ_ONCE(observation_paranoid) || perfmon_capable();
}

/**
 * sim_xe_observation_ioctl - DRM_IOCTL_XE_OBSERVATION
 * @drm: the DRM device
 * @data: struct drm_xe_observation_param
 * @file: who asks
 *
 * Return: a file descriptor, an id, 0, or a negative errno, as the operation says
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
