/* SPDX-License-Identifier: MIT */
/* gpu_name.h - names of GPUs that users may give */
#ifndef GPUOA_LIB_EXTRA_DEVICE_GPU_NAME_H
#define GPUOA_LIB_EXTRA_DEVICE_GPU_NAME_H

#include "gpuoa-device.h"

/* Returns whether @name is one of the names of this GPU that gpuoa_unit_open() accepts. */
bool gpu_is_called(const struct gpuoa_device_desc *gpu, const char *name);

#endif /* GPUOA_LIB_EXTRA_DEVICE_GPU_NAME_H */
