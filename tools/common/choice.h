/* SPDX-License-Identifier: MIT */
/*
 * choice.h - default metrics: which columns to show if the user selected none
 */
#ifndef GPUOA_CHOICE_H
#define GPUOA_CHOICE_H

#include "common/series.h"

/*
 * Rank a column by its metadata; a lower rank is shown first. CHOICE_NEVER or more: not a metric,
 * or without a value.
 */
#define CHOICE_NEVER 1000
int choice_rank(const struct column *column);

/*
 * Select the default columns: by metadata, metrics of the whole GPU and of the lowest tiers first;
 * among these, metrics whose value changes.
 *
 * @chosen: array of @max column numbers; filled in column order
 *
 * Returns the number of columns selected.
 */
size_t choice_make(const struct columns *columns, const struct series *series, size_t *chosen,
		   size_t max);

#endif /* GPUOA_CHOICE_H */
