/* SPDX-License-Identifier: MIT */
/*
 * unit_constants.h - Constants of a GPU, computed from the kernel's description of its unit. The
 * computation shares no code with the library.
 */
#ifndef GPUOA_LIB_TESTS_UNIT_CONSTANTS_H
#define GPUOA_LIB_TESTS_UNIT_CONSTANTS_H

#include "gpuoa-constants.h"
#include "rpn.h"
#include "uapi/gpuoa.h"

/*
 * Set the names of @constants to those of @known, and compute their values from @info. Exits if the
 * value of a name cannot be computed.
 *
 * @known: the library's constants, of which only the names are used
 */
void unit_constants(const struct gpuoa_unit_info *info, const struct gpuoa_constants *known,
		    struct rpn_constants *constants);

#endif /* GPUOA_LIB_TESTS_UNIT_CONSTANTS_H */
