/* SPDX-License-Identifier: MIT */
/*
 * quantile.h - quantiles of many values in bounded memory
 *
 * Up to QUANTILE_EXACT values are stored, and their quantiles are exact. More values are counted in
 * buckets with a relative width of 1/128, so that a quantile's relative error is at most
 * QUANTILE_ERROR. There, magnitudes below 2^-64 count as 0, and those above 2^64 are saturated.
 */
#ifndef GPUOA_QUANTILE_H
#define GPUOA_QUANTILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define QUANTILE_EXACT 16384
#define QUANTILE_ERROR (1.0 / 256)

/* Zero-initialize. */
struct quantile {
	uint64_t count;
	double least;
	double largest;
	double *values; /* NULL: values are counted in buckets */
	uint64_t *positive; /* buckets by magnitude; NULL: none yet */
	uint64_t *negative;
};

/* Add a value; NAN and infinity are ignored. Returns false if out of memory. */
bool quantile_add(struct quantile *quantile, double value);

/*
 * Return the smallest value that is not exceeded by at least @share (0 to 1) of all values; 0 if
 * there are none. May sort the stored values.
 */
double quantile_get(struct quantile *quantile, double share);

/* Return whether all values are stored. */
bool quantile_is_exact(const struct quantile *quantile);

void quantile_free(struct quantile *quantile);

#endif /* GPUOA_QUANTILE_H */
