/* SPDX-License-Identifier: MIT */
/*
 * unit_constants.h - Constants of a GPU, computed from the kernel's description of its unit without
 * sharing code with the library
 */
#ifndef GPUOA_LIB_TESTS_UNIT_CONSTANTS_H
#define GPUOA_LIB_TESTS_UNIT_CONSTANTS_H

#include "rpn.h"
#include "uapi/gpuoa.h"

/* Set .values for .names. Exits if a name is unknown here. */
void unit_constants(const struct gpuoa_unit_info *info, struct rpn_constants *constants);

#endif /* GPUOA_LIB_TESTS_UNIT_CONSTANTS_H */
