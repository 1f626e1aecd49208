/* SPDX-License-Identifier: MIT */
/* xe_gpu.h - query xe for the GPU of a unit */
#ifndef GPUOA_LIB_READER_XE_XE_GPU_H
#define GPUOA_LIB_READER_XE_XE_GPU_H

#include "reader/xe/xe.h"

/*
 * Fill in the GPU's members of .desc; .desc.gt must be set. Returns 0, or -EOPNOTSUPP if the GPU is
 * older than Xe2.
 */
int xe_gpu_describe(struct xe_unit *unit);

#endif /* GPUOA_LIB_READER_XE_XE_GPU_H */
