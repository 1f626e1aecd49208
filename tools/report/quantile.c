// SPDX-License-Identifier: MIT
/*
 * quantile.c - quantiles of many values in bounded memory
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/quantile.h"

/* A bucket is identified by the exponent of a double and the first bits of its fraction. */
#define FRACTION_BITS 7
#define SHIFT (52 - FRACTION_BITS)
#define FIRST ((uint64_t)(1023 - 64) << FRACTION_BITS) /* bucket of 2^-64 */
#define BUCKETS (2 * 64 << FRACTION_BITS)

/* Return the bucket of a magnitude; -1: it counts as 0. */
static long bucket_of(double magnitude)
{
	uint64_t bits, name;

	memcpy(&bits, &magnitude, sizeof(bits));
	name = bits >> SHIFT;
	if (name < FIRST)
		return -1;
	return name - FIRST < BUCKETS ? (long)(name - FIRST) : BUCKETS - 1;
}

/* Return the middle of a bucket. */
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
		return true; /* zeros are values in no bucket */
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

/* Move the stored values to buckets. */
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

/* Return the value of a rank, counted from 1 for the smallest. */
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
