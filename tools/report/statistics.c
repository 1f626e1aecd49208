// SPDX-License-Identifier: MIT
/*
 * statistics.c - significance test of the difference between the means of two series
 */
#define _GNU_SOURCE /* lgamma_r */
#include <math.h>
#include <stdlib.h>

#include "report/statistics.h"

#define LEVEL 0.05
#define AUTOCORRELATION_MOST 0.95
#define COUNT_LEAST 5 /* minimum sample size */

/* Evaluate the continued fraction of the incomplete beta function, by Lentz's method. */
static double beta_fraction(double x, double a, double b)
{
	double c = 1, d = 1 - (a + b) * x / (a + 1), fraction;

	d = 1 / (fabs(d) < 1e-300 ? 1e-300 : d);
	fraction = d;
	for (int m = 1; m < 300; m++) {
		const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double factor;

		d = 1 + even * d;
		c = 1 + even / c;
		d = 1 / (fabs(d) < 1e-300 ? 1e-300 : d);
		fraction *= c * d;
		d = 1 + odd * d;
		c = 1 + odd / c;
		d = 1 / (fabs(d) < 1e-300 ? 1e-300 : d);
		factor = c * d;
		fraction *= factor;
		if (fabs(factor - 1) < 1e-15)
			break;
	}
	return fraction;
}

/* Return the regularized incomplete beta function. */
static double beta(double x, double a, double b)
{
	double front;
	int sign;

	if (x <= 0 || x >= 1)
		return x > 0;
	front = exp(lgamma_r(a + b, &sign) - lgamma_r(a, &sign) - lgamma_r(b, &sign) + a * log(x) +
		    b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(x, a, b) / a;
	return 1 - front * beta_fraction(1 - x, b, a) / b;
}

double student_p(double t, double degrees)
{
	return beta(degrees / (degrees + t * t), degrees / 2, 0.5);
}

double student_t(double p, double degrees)
{
	double low = 0, high = 1;

	while (student_p(high, degrees) > p && high < 1e12)
		high *= 2;
	for (int i = 0; i < 100; i++) {
		const double middle = (low + high) / 2;

		if (student_p(middle, degrees) > p)
			low = middle;
		else
			high = middle;
	}
	return high;
}

static double autocorrelation_of(const double *values, size_t count, double mean)
{
	double all = 0, neighbours = 0;

	for (size_t i = 0; i < count; i++) {
		all += (values[i] - mean) * (values[i] - mean);
		if (i)
			neighbours += (values[i] - mean) * (values[i - 1] - mean);
	}
	if (all <= 0 || neighbours <= 0)
		return 0;
	return fmin(neighbours / all, AUTOCORRELATION_MOST);
}

struct sample sample_of(const double *values, size_t count)
{
	struct sample sample = { .count = count };

	if (!count)
		return sample;
	for (size_t i = 0; i < count; i++)
		sample.mean += values[i];
	sample.mean /= count;
	for (size_t i = 0; i < count && count > 1; i++)
		sample.variance +=
			(values[i] - sample.mean) * (values[i] - sample.mean) / (count - 1);
	sample.autocorrelation = autocorrelation_of(values, count, sample.mean);
	sample.worth = count * (1 - sample.autocorrelation) / (1 + sample.autocorrelation);
	/* The variance needs at least two values. */
	sample.worth = fmax(sample.worth, fmin(count, 2));
	return sample;
}

struct difference difference_of(const struct sample *a, const struct sample *b)
{
	const double square_a = a->count ? a->variance / a->worth : 0;
	const double square_b = b->count ? b->variance / b->worth : 0;
	const double square = square_a + square_b;
	struct difference difference = { .p = 1 };
	double degrees;

	if (a->count < COUNT_LEAST || b->count < COUNT_LEAST)
		return difference;
	difference.known = true;
	difference.mean = b->mean - a->mean;
	/* A smaller difference may come from rounding. */
	if (fabs(difference.mean) <= 1e-6 * fmax(fabs(a->mean), fabs(b->mean)))
		return difference;
	/* Both series are constant. */
	if (!square) {
		difference.p = 0;
		return difference;
	}
	degrees = square * square /
		  (square_a * square_a / (a->worth - 1) + square_b * square_b / (b->worth - 1));
	difference.margin = student_t(LEVEL, degrees) * sqrt(square);
	difference.p = student_p(difference.mean / sqrt(square), degrees);
	return difference;
}

static int by_p(const void *a, const void *b)
{
	const double left = **(double *const *)a, right = **(double *const *)b;

	return (left > right) - (left < right);
}

void statistics_correct(double *const *p, size_t count)
{
	double **sorted = calloc(count + 1, sizeof(*sorted)), most = 0;

	if (!sorted)
		return;
	for (size_t i = 0; i < count; i++)
		sorted[i] = p[i];
	qsort(sorted, count, sizeof(*sorted), by_p);
	for (size_t i = 0; i < count; i++) {
		most = fmax(most, fmin(1, *sorted[i] * (count - i)));
		*sorted[i] = most;
	}
	free(sorted);
}
