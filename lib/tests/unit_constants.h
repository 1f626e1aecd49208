/* SPDX-License-Identifier: MIT */
/*
 * unit_constants.h - constants of a GPU from what the kernel says of its unit: a
 * second statement of that, which shares nothing with the library.
 */
#ifndef GPUOA_LIB_TESTS_UNIT_CONSTANTS_H
#define GPUOA_LIB_TESTS_UNIT_CONSTANTS_H

#include "rpn.h"
#include "uapi/gpuoa.h"

/* Fill in .values of .names. A name that is not known here ends the program. */
void unit_constants(const struct gpuoa_unit_info *info, struct rpn_constants *constants);

#endif /* GPUOA_LIB_TESTS_UNIT_CONSTANTS_H */
