/* SPDX-License-Identifier: MIT */
/*
 * statistics.h - are the means of two series different by more than chance?
 *
 * Welch's t-test, which lets the variances differ. Reports that follow each other are alike, and no
 * sample of independent values; so it takes means of blocks of time, of which there are few. What
 * likeness is left between neighbouring blocks (their autocorrelation) makes them count for less.
 */
#ifndef GPUOA_REPORT_STATISTICS_H
#define GPUOA_REPORT_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

/* Means of blocks, in a word. */
struct sample {
	size_t count;
	double mean;
	double variance;
	double autocorrelation; /* of neighbours, 0 to 0.95 */
	double worth; /* so many independent values tell as much */
};

struct sample sample_of(const double *values, size_t count);

/* How two of them differ. */
struct difference {
	bool known; /* there is enough of both */
	double mean; /* of the second one, less that of the first */
	double margin; /* the true one is within this, in 95 of 100 cases */
	double p; /* how often chance alone would make it as large */
};

struct difference difference_of(const struct sample *a, const struct sample *b);

/*
 * Correct p for the number of tests (Holm): among all that stay below a level, there is a false one
 * in no more than that share of cases.
 */
void statistics_correct(double *const *p, size_t count);

/* Student's distribution: how often is a value at least as far from 0 as @t? */
double student_p(double t, double degrees);

/* The t of which student_p() is @p. */
double student_t(double p, double degrees);

#endif /* GPUOA_REPORT_STATISTICS_H */
