// SPDX-License-Identifier: MIT
/* xe_observe.c - call xe's observation ioctl */
#include "reader/xe/xe_observe.h"

#include <xe_drm.h>

#include "reader/drm/drm_node.h"

int xe_observe(int fd, uint64_t operation, const void *param)
{
	struct drm_xe_observation_param args = {
		.observation_type = DRM_XE_OBSERVATION_TYPE_OA,
		.observation_op = operation,
		.param = (uintptr_t)param,
	};

	return drm_ioctl(fd, DRM_IOCTL_XE_OBSERVATION, &args);
}
