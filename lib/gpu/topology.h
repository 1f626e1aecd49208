/* SPDX-License-Identifier: MIT */
/* topology.h - constants from the description of a unit's GPU */
#ifndef GPUOA_LIB_GPU_TOPOLOGY_H
#define GPUOA_LIB_GPU_TOPOLOGY_H

#include "gpuoa.h"

/*
 * Create constants of the GPU that @desc describes; the caller frees them. If @platform is NULL,
 * *constants is NULL. Returns 0 or -ENOMEM.
 */
int topology_constants(const struct gpuoa_unit_desc *desc, const struct gpuoa_platform *platform,
		       struct gpuoa_constants **constants);

#endif /* GPUOA_LIB_GPU_TOPOLOGY_H */
