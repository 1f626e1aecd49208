// SPDX-License-Identifier: MIT
/*
 * statistics.c - calculate quantiles of many values, and compare means
 */
#define _GNU_SOURCE /* lgamma_r */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/statistics.h"

/*
 * A bucket contains all values with the same exponent and the same first bits of the fraction of a
 * double.
 */
#define FRACTION_BITS 7
#define SHIFT (52 - FRACTION_BITS)
#define FIRST ((uint64_t)(1023 - 64) << FRACTION_BITS) /* bucket of 2^-64 */
#define BUCKETS (2 * 64 << FRACTION_BITS)

/* Return the bucket for a magnitude; -1: the magnitude is so small that it counts as 0. */
static long bucket_of(double magnitude)
{
	uint64_t bits, name;

	memcpy(&bits, &magnitude, sizeof(bits));
	name = bits >> SHIFT;
	if (name < FIRST)
		return -1;
	return name - FIRST < BUCKETS ? (long)(name - FIRST) : BUCKETS - 1;
}

/* Return the value in the middle of a bucket. */
static double value_of(long bucket)
{
	const uint64_t half = (uint64_t)1 << (SHIFT - 1);
	const uint64_t bits = ((FIRST + (uint64_t)bucket) << SHIFT) + half;
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static bool count(uint64_t **buckets, double magnitude)
{
	const long bucket = bucket_of(magnitude);

	if (bucket < 0)
		return true; /* zeros are counted, but they are in no bucket */
	if (!*buckets)
		*buckets = calloc(BUCKETS, sizeof(**buckets));
	if (*buckets)
		(*buckets)[bucket]++;
	return *buckets;
}

static bool count_value(struct quantile *quantile, double value)
{
	return value < 0 ? count(&quantile->negative, -value) : count(&quantile->positive, value);
}

/* Count the stored values in buckets, and free the array of values. */
static bool pour(struct quantile *quantile)
{
	for (size_t i = 0; i < QUANTILE_EXACT; i++)
		if (!count_value(quantile, quantile->values[i]))
			return false;
	free(quantile->values);
	quantile->values = NULL;
	return true;
}

bool quantile_add(struct quantile *quantile, double value)
{
	if (!isfinite(value))
		return true;
	if (!quantile->count || value < quantile->least)
		quantile->least = value;
	if (!quantile->count || value > quantile->largest)
		quantile->largest = value;
	if (!quantile->count)
		quantile->values = malloc(QUANTILE_EXACT * sizeof(*quantile->values));
	if (quantile->count < QUANTILE_EXACT) {
		if (!quantile->values)
			return false;
		quantile->values[quantile->count++] = value;
		return true;
	}
	if (quantile->count == QUANTILE_EXACT && !pour(quantile))
		return false;
	quantile->count++;
	return count_value(quantile, value);
}

static int compare(const void *a, const void *b)
{
	const double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

static uint64_t sum_of(const uint64_t *buckets)
{
	uint64_t sum = 0;

	for (long i = 0; buckets && i < BUCKETS; i++)
		sum += buckets[i];
	return sum;
}

/* Return the value that has a rank in the order of size; rank 1 is the smallest value. */
static double find(const struct quantile *quantile, uint64_t rank)
{
	const uint64_t *negative = quantile->negative, *positive = quantile->positive;
	const uint64_t zeros = quantile->count - sum_of(negative) - sum_of(positive);
	uint64_t passed = 0;

	for (long i = BUCKETS; negative && i-- > 0;) {
		passed += negative[i];
		if (passed >= rank)
			return -value_of(i);
	}
	passed += zeros;
	if (passed >= rank)
		return 0;
	for (long i = 0; positive && i < BUCKETS; i++) {
		passed += positive[i];
		if (passed >= rank)
			return value_of(i);
	}
	return quantile->largest;
}

double quantile_get(struct quantile *quantile, double share)
{
	uint64_t rank = ceil(share * quantile->count);

	if (!quantile->count)
		return 0;
	if (rank < 1)
		rank = 1;
	if (rank > quantile->count)
		rank = quantile->count;
	if (!quantile_is_exact(quantile))
		return fmin(fmax(find(quantile, rank), quantile->least), quantile->largest);
	qsort(quantile->values, quantile->count, sizeof(*quantile->values), compare);
	return quantile->values[rank - 1];
}

bool quantile_is_exact(const struct quantile *quantile)
{
	return quantile->count <= QUANTILE_EXACT;
}

void quantile_free(struct quantile *quantile)
{
	free(quantile->values);
	free(quantile->positive);
	free(quantile->negative);
	*quantile = (struct quantile){ 0 };
}

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
	/* The effective sample size is at least two, because fewer values have no variance. */
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
	/* A difference this small may be caused by rounding. */
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
