/* SPDX-License-Identifier: MIT */
/*
 * topology.h - what a unit is, as constants of its platform's equations
 */
#ifndef GPUOA_LIB_GPU_TOPOLOGY_H
#define GPUOA_LIB_GPU_TOPOLOGY_H

#include "gpuoa.h"

/*
 * Constants of the GPU that @desc describes, to be freed by the caller; none and 0 if @platform is
 * NULL. -ENOMEM.
 */
int topology_constants(const struct gpuoa_unit_desc *desc, const struct gpuoa_platform *platform,
		       struct gpuoa_constants **constants);

#endif /* GPUOA_LIB_GPU_TOPOLOGY_H */
