/* SPDX-License-Identifier: MIT */
/* drm_config.h - configurations that a stock driver lists in sysfs */
#ifndef GPUOA_LIB_READER_DRM_DRM_CONFIG_H
#define GPUOA_LIB_READER_DRM_DRM_CONFIG_H

#include "reader/stream/unit.h"

/* Implement add_config() of struct backend. @add: the driver's ioctl; returns an id or -errno. */
int drm_add_config(struct gpuoa_unit *unit, const struct unit_config *config, uint32_t *id,
		   int (*add)(struct gpuoa_unit *unit, const struct unit_config *config));

/* Implements list_configs() of struct backend. */
int drm_list_configs(struct gpuoa_unit *unit, struct registered_config **configs);

#endif /* GPUOA_LIB_READER_DRM_DRM_CONFIG_H */
