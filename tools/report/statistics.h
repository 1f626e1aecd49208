/* SPDX-License-Identifier: MIT */
/*
 * statistics.h - significance test of the difference between the means of two series
 *
 * This is Welch's t-test, which allows different variances. Consecutive reports are correlated, so
 * the samples are the means of a few blocks of time. The remaining autocorrelation of the blocks
 * reduces the effective sample size.
 */
#ifndef GPUOA_REPORT_STATISTICS_H
#define GPUOA_REPORT_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

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

#endif /* GPUOA_REPORT_STATISTICS_H */
