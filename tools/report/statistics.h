/* SPDX-License-Identifier: MIT */
/*
 * statistics.h - quantiles of many values, and comparison of means
 *
 * Up to QUANTILE_EXACT values are stored, and their quantiles are exact. More values are counted in
 * buckets with a relative width of 1/128, so that a quantile's relative error is at most
 * QUANTILE_ERROR. There, magnitudes below 2^-64 count as 0, and those above 2^64 are saturated.
 */
#ifndef GPUOA_TOOLS_REPORT_STATISTICS_H
#define GPUOA_TOOLS_REPORT_STATISTICS_H

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

/* Statistics of the means of blocks */
struct sample {
	size_t count;
	double mean;
	double variance;
	double autocorrelation; /* autocorrelation of lag 1, clamped to 0..0.95 */
	double worth; /* effective sample size */
};

struct sample sample_of(const double *values, size_t count);

/* The difference between two samples */
struct difference {
	bool known; /* both samples are large enough */
	double mean; /* mean of the second sample minus that of the first */
	double margin; /* half width of the 95 % confidence interval */
	double p; /* probability of a difference at least as large by chance */
};

struct difference difference_of(const struct sample *a, const struct sample *b);

/*
 * Correct p for the number of tests (Holm): the probability of any false positive below a level of
 * p is at most that level.
 */
void statistics_correct(double *const *p, size_t count);

/*
 * Return the two-sided p of Student's t distribution: the probability of a value at least as far
 * from 0 as @t.
 */
double student_p(double t, double degrees);

/* Return the t for which student_p() is @p. */
double student_t(double p, double degrees);

#endif /* GPUOA_TOOLS_REPORT_STATISTICS_H */
