/* SPDX-License-Identifier: MIT */
/*
 * statistics.h - calculate quantiles of many values, and compare means
 *
 * Up to QUANTILE_EXACT values are stored, and their quantiles are exact. If there are more, all
 * values are counted in buckets with a relative width of 1/128, so that the relative error of a
 * quantile is at most QUANTILE_ERROR. In buckets, a magnitude below 2^-64 counts as 0, and one
 * above 2^64 counts as 2^64.
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
	double *values; /* the stored values; NULL: they are counted in buckets instead */
	uint64_t *positive; /* number of values in each bucket, by magnitude; NULL: no value yet */
	uint64_t *negative;
};

/* Add a value. NAN and infinity are ignored. Returns false if there is no memory. */
bool quantile_add(struct quantile *quantile, double value);

/*
 * Return the smallest of the values such that the fraction @share (0 to 1) of all values is not
 * larger; 0 if there are no values. The function may sort the stored values.
 */
double quantile_get(struct quantile *quantile, double share);

/* Return whether all values are stored, so that quantiles are exact. */
bool quantile_is_exact(const struct quantile *quantile);

void quantile_free(struct quantile *quantile);

/* Statistics of a recording's means in blocks of time */
struct sample {
	size_t count;
	double mean;
	double variance;
	double autocorrelation; /* autocorrelation between adjacent blocks, clamped to 0..0.95 */
	double worth; /* effective sample size */
};

struct sample sample_of(const double *values, size_t count);

/* The difference between two samples */
struct difference {
	bool known; /* both samples are large enough */
	double mean; /* mean of the second sample minus that of the first */
	double margin; /* half width of the 95 % confidence interval */
	double p; /* probability that chance causes a difference at least as large */
};

struct difference difference_of(const struct sample *a, const struct sample *b);

/*
 * Correct each p for the number of tests by Holm's method. After the correction, the probability
 * that any test falsely has a p below a level is at most this level.
 */
void statistics_correct(double *const *p, size_t count);

/*
 * Return the two-sided p of Student's t distribution, which is the probability of a value that is
 * at least as far from 0 as @t.
 */
double student_p(double t, double degrees);

/* Return the t for which student_p() returns @p. */
double student_t(double p, double degrees);

#endif /* GPUOA_TOOLS_REPORT_STATISTICS_H */
