/* SPDX-License-Identifier: MIT */
/* program_linear.h - find the outputs that are sums of inputs times a factor */
#ifndef GPUOA_LIB_CALC_COLUMNS_PROGRAM_LINEAR_H
#define GPUOA_LIB_CALC_COLUMNS_PROGRAM_LINEAR_H

#include "calc/columns/program_place.h"

/* Find the linear outputs of a fast-path program. Returns 0 or -ENOMEM. */
int program_find_linears(struct placer *placer);

#endif /* GPUOA_LIB_CALC_COLUMNS_PROGRAM_LINEAR_H */
