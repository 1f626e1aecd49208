/* SPDX-License-Identifier: MIT */
/*
 * evaluation_print.h - rows, windows and totals on stdout, or to who takes them
 */
#ifndef GPUOA_EVALUATION_PRINT_H
#define GPUOA_EVALUATION_PRINT_H

#include "evaluation.h"

/* At once, so that it is there even if no row follows. */
void evaluation_print_header(struct evaluation *evaluation);

void evaluation_print_row(struct evaluation *evaluation, const struct gpuoa_interval *interval,
			  const union gpuoa_value *row);

/* So many rows of windows, as they stand in the evaluation. */
void evaluation_print_windows(struct evaluation *evaluation, size_t rows);

/* The totals of the interval, which stand in the evaluation. */
void evaluation_print_totals(struct evaluation *evaluation, const struct gpuoa_interval *interval);

#endif /* GPUOA_EVALUATION_PRINT_H */
