/* SPDX-License-Identifier: MIT */
/*
 * row.h - conversion of rows to output fields
 */
#ifndef GPUOA_ROW_H
#define GPUOA_ROW_H

#include "common/evaluation.h"

/* Upper bound of the number of fields before the values */
#define ROW_HEAD_FIELDS 8

/* Convert GPU time to ns, on the clock that the user selected. */
uint64_t row_ns(const struct evaluation *evaluation, uint64_t ticks);

/* Convert a row to fields. Returns their number. */
size_t row_fields(const struct evaluation *evaluation, const struct gpuoa_interval *interval,
		  const union gpuoa_value *row, struct field *fields);

/* Convert the row of a window to fields. Returns their number. */
size_t row_window_fields(const struct evaluation *evaluation, const struct gpuoa_window *window,
			 const union gpuoa_value *row, struct field *fields);

#endif /* GPUOA_ROW_H */
