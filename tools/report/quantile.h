/* SPDX-License-Identifier: MIT */
/*
 * quantile.h - quantiles of many values in little memory
 *
 * Up to QUANTILE_EXACT values are kept, and their quantiles are exact. More of them are counted in
 * buckets whose edges are 1/128 apart, so that a quantile is right to within QUANTILE_ERROR of its
 * value; values between -2^-64 and 2^-64 are taken for 0, and those beyond 2^64 for the largest.
 */
#ifndef GPUOA_QUANTILE_H
#define GPUOA_QUANTILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define QUANTILE_EXACT 16384
#define QUANTILE_ERROR (1.0 / 256)

/* Zero at first. */
struct quantile {
	uint64_t count;
	double least;
	double largest;
	double *values; /* while there are few */
	uint64_t *positive; /* buckets by magnitude; NULL: there is none yet */
	uint64_t *negative;
};

/* Take a value; one that is no number or infinite is left out. False: out of memory. */
bool quantile_add(struct quantile *quantile, double value);

/*
 * The smallest value that at least @share (0 to 1) of all values do not exceed; 0 if there are
 * none. What is kept may be sorted by this.
 */
double quantile_get(struct quantile *quantile, double share);

/* Has each value been kept? */
bool quantile_is_exact(const struct quantile *quantile);

void quantile_free(struct quantile *quantile);

#endif /* GPUOA_QUANTILE_H */
