/* SPDX-License-Identifier: MIT */
/*
 * row.h - rows of an evaluation as fields
 */
#ifndef GPUOA_ROW_H
#define GPUOA_ROW_H

#include "evaluation.h"

/* Fields that stand before the values, at most */
#define ROW_HEAD_FIELDS 8

/* A time, on the clock that was asked for */
uint64_t row_ns(const struct evaluation *evaluation, uint64_t ticks);

/* Fields of a row. Returns their number. */
size_t row_fields(const struct evaluation *evaluation, const struct gpuoa_interval *interval,
		  const union gpuoa_value *row, struct field *fields);

/* Fields of a window's row. Returns their number. */
size_t row_window_fields(const struct evaluation *evaluation, const struct gpuoa_window *window,
			 const union gpuoa_value *row, struct field *fields);

#endif /* GPUOA_ROW_H */
