/* SPDX-License-Identifier: MIT */
/* program_columns.h - allocate columns to the values of a program */
#ifndef GPUOA_LIB_CALC_COLUMNS_PROGRAM_COLUMNS_H
#define GPUOA_LIB_CALC_COLUMNS_PROGRAM_COLUMNS_H

#include "calc/columns/program_place.h"

/* Allocate columns and fill those of literals. Returns 0 or -ENOMEM. */
int program_allocate_columns(struct program *program, const struct placer *placer);

#endif /* GPUOA_LIB_CALC_COLUMNS_PROGRAM_COLUMNS_H */
