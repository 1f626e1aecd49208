/* SPDX-License-Identifier: MIT */
/* unit_raw_config.h - the configurations that the kernel knows */
#ifndef GPUOA_LIB_SOURCE_STREAM_UNIT_RAW_CONFIG_H
#define GPUOA_LIB_SOURCE_STREAM_UNIT_RAW_CONFIG_H

#include "gpuoa.h"
#include "uapi/gpuoa.h"

/* All registered configurations, to be freed by the caller. NULL: *err says why. */
struct gpuoa_config_entry *unit_list_configs(struct gpuoa_unit *unit, uint32_t *count, int *err);

#endif /* GPUOA_LIB_SOURCE_STREAM_UNIT_RAW_CONFIG_H */
