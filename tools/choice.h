/* SPDX-License-Identifier: MIT */
/*
 * choice.h - which metrics to show to who has not asked for any
 */
#ifndef GPUOA_CHOICE_H
#define GPUOA_CHOICE_H

#include "series.h"

/*
 * Return how early a person looks at a column, by its metadata: less is earlier. It is at least
 * CHOICE_NEVER for what is no metric or has no value.
 */
#define CHOICE_NEVER 1000
int choice_rank(const struct column *column);

/*
 * Choose columns by what their metadata says they are good for: first those that tell how the whole
 * GPU is, of the best tiers; of these, what is not the same all the time.
 *
 * @chosen: room for @max numbers of columns; what was chosen, in the order of the columns
 *
 * Returns how many were chosen.
 */
size_t choice_make(const struct columns *columns, const struct series *series, size_t *chosen,
		   size_t max);

#endif /* GPUOA_CHOICE_H */
