/* SPDX-License-Identifier: MIT */
/* drm_config.h - configurations that a stock driver lists in sysfs */
#ifndef GPUOA_LIB_SOURCE_DRM_DRM_CONFIG_H
#define GPUOA_LIB_SOURCE_DRM_DRM_CONFIG_H

#include "source/stream/unit.h"

/* Implement add_config() of struct origin. @add: the driver's ioctl; returns an id or -errno. */
int drm_add_config(struct gpuoa_unit *unit, const struct unit_config *config, uint32_t *id,
		   int (*add)(struct gpuoa_unit *unit, const struct unit_config *config));

/* Implements list_configs() of struct origin. */
int drm_list_configs(struct gpuoa_unit *unit, struct gpuoa_unit_config **configs);

#endif /* GPUOA_LIB_SOURCE_DRM_DRM_CONFIG_H */
