/* SPDX-License-Identifier: MIT */
/*
 * evaluation_print.h - output of rows, windows and totals to stdout or to a sink
 */
#ifndef GPUOA_EVALUATION_PRINT_H
#define GPUOA_EVALUATION_PRINT_H

#include "common/evaluation.h"

/* Print the header at once, so that it is printed even if no row follows. */
void evaluation_print_header(struct evaluation *evaluation);

void evaluation_print_row(struct evaluation *evaluation, const struct gpuoa_interval *interval,
			  const union gpuoa_value *row);

/* Print the first @rows rows of windows that the evaluation holds. */
void evaluation_print_windows(struct evaluation *evaluation, size_t rows);

/* Print the totals of the interval, from the values that the evaluation holds. */
void evaluation_print_totals(struct evaluation *evaluation, const struct gpuoa_interval *interval);

#endif /* GPUOA_EVALUATION_PRINT_H */
