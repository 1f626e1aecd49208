/* SPDX-License-Identifier: MIT */
/* program_columns.h - assigns columns to the values of a program. */
#ifndef GPUOA_LIB_CALC_COLUMNS_PROGRAM_COLUMNS_H
#define GPUOA_LIB_CALC_COLUMNS_PROGRAM_COLUMNS_H

#include "calc/columns/program_place.h"

/* Give values columns, fill those of literals. -ENOMEM. */
int program_allocate_columns(struct program *program, const struct placer *placer);

#endif /* GPUOA_LIB_CALC_COLUMNS_PROGRAM_COLUMNS_H */
