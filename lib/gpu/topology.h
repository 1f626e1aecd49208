/* SPDX-License-Identifier: MIT */
/*
 * topology.h - makes constants of what the kernel tells of a unit's GPU
 */
#ifndef GPUOA_LIB_GPU_TOPOLOGY_H
#define GPUOA_LIB_GPU_TOPOLOGY_H

#include "gpuoa.h"

/*
 * Constants of the GPU that @desc describes, to be freed by the caller. If @platform is NULL, there
 * are none: *constants is NULL. 0 or -ENOMEM.
 */
int topology_constants(const struct gpuoa_unit_desc *desc, const struct gpuoa_platform *platform,
		       struct gpuoa_constants **constants);

#endif /* GPUOA_LIB_GPU_TOPOLOGY_H */
