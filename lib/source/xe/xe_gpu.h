/* SPDX-License-Identifier: MIT */
/*
 * xe_gpu.h - what xe tells of the GPU that a unit belongs to
 */
#ifndef GPUOA_LIB_SOURCE_XE_XE_GPU_H
#define GPUOA_LIB_SOURCE_XE_XE_GPU_H

#include "source/xe/xe.h"

/* Fill in what .desc tells of the GPU; .desc.gt is known. -EOPNOTSUPP: it is older than Xe2. */
int xe_gpu_describe(struct xe_unit *unit);

#endif /* GPUOA_LIB_SOURCE_XE_XE_GPU_H */
