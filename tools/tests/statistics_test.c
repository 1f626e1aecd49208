// SPDX-License-Identifier: MIT
/*
 * statistics_test.c - compare quantiles with sorted values and Student's t distribution with
 * tables, and check the rate of false positives
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "report/html_text.h"
#include "report/statistics.h"
#include "tap.h"

#define MANY (5 * QUANTILE_EXACT)

/* Return a pseudorandom number from 0 to 1. */
static double chance(uint64_t *state)
{
	*state = *state * 6364136223846793005ull + 1442695040888963407ull;
	return (double)(*state >> 11) / (1ull << 53);
}

static int compare(const void *a, const void *b)
{
	const double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

static void check_quantiles(size_t count, double (*value)(uint64_t *state), double error)
{
	static const double shares[] = { 0, 0.01, 0.25, 0.5, 0.9, 0.99, 0.999, 1 };
	double *values = malloc(count * sizeof(*values));
	struct quantile quantile = { 0 };
	uint64_t state = 1;

	for (size_t i = 0; i < count; i++) {
		values[i] = value(&state);
		CHECK(quantile_add(&quantile, values[i]));
	}
	qsort(values, count, sizeof(*values), compare);
	CHECK(quantile_is_exact(&quantile) == (error == 0));
	CHECK(quantile.least == values[0] && quantile.largest == values[count - 1]);
	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
		const double rank = fmax(ceil(shares[i] * count), 1);
		const double right = values[(size_t)rank - 1];
		const double found = quantile_get(&quantile, shares[i]);

		if (!CHECK(fabs(found - right) <= error * fabs(right)))
			printf("# of %zu, %g: %g, not %g\n", count, shares[i], found, right);
	}
	quantile_free(&quantile);
	free(values);
}

static double percent(uint64_t *state)
{
	return 100 * chance(state);
}

static double wide(uint64_t *state)
{
	return exp(60 * chance(state) - 30);
}

static double both_signs(uint64_t *state)
{
	const double value = chance(state) - 0.5;

	return fabs(value) < 0.1 ? 0 : value;
}

static void quantiles_of_few_values_are_exact(void)
{
	for (size_t count = 1; count <= QUANTILE_EXACT; count = 3 * count + 1)
		check_quantiles(count, percent, 0);
	check_quantiles(QUANTILE_EXACT, both_signs, 0);
}

static void quantiles_of_many_values_are_within_error(void)
{
	check_quantiles(QUANTILE_EXACT + 1, percent, QUANTILE_ERROR);
	check_quantiles(MANY, percent, QUANTILE_ERROR);
	check_quantiles(MANY, wide, QUANTILE_ERROR);
	check_quantiles(MANY, both_signs, QUANTILE_ERROR);
}

static void nan_and_infinity_are_skipped(void)
{
	struct quantile quantile = { 0 };

	CHECK(quantile_get(&quantile, 0.99) == 0);
	CHECK(quantile_add(&quantile, NAN) && quantile_add(&quantile, INFINITY));
	CHECK(quantile.count == 0);
	CHECK(quantile_add(&quantile, 3));
	CHECK(quantile_get(&quantile, 0.99) == 3);
	quantile_free(&quantile);
}

static void student_distribution_equals_tables(void)
{
	static const struct {
		double t, degrees, p;
	} table[] = {
		{ 12.7062, 1, 0.05 },  { 4.30265, 2, 0.05 },   { 2.22814, 10, 0.05 },
		{ 2.04227, 30, 0.05 }, { 1.95996, 1e7, 0.05 }, { 63.6567, 1, 0.01 },
		{ 3.16927, 10, 0.01 }, { 4.58689, 10, 0.001 }, { 0, 5, 1 },
		{ 1, 1, 0.5 },	       { 0.764892, 3, 0.5 },
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const double p = student_p(table[i].t, table[i].degrees);

		if (!CHECK(fabs(p - table[i].p) < 2e-6))
			printf("# t %g with %g degrees: %.8f\n", table[i].t, table[i].degrees, p);
		if (table[i].t)
			CHECK(fabs(student_t(table[i].p, table[i].degrees) / table[i].t - 1) <
			      1e-4);
	}
}

/*
 * A Welch test that was calculated by hand: two samples of 5 values, with means 3 and 6 and
 * variances 2.5 and 10.
 */
static void welch_test_equals_worked_example(void)
{
	struct sample a = sample_of((const double[]){ 1, 5, 2, 4, 3 }, 5);
	struct sample b = sample_of((const double[]){ 6, 2, 10, 4, 8 }, 5);
	struct difference difference;

	CHECK(a.mean == 3 && fabs(a.variance - 2.5) < 1e-12);
	CHECK(b.mean == 6 && fabs(b.variance - 10) < 1e-12);
	CHECK(a.autocorrelation == 0 && a.worth == 5);
	CHECK(b.autocorrelation == 0 && b.worth == 5);
	difference = difference_of(&a, &b);
	/*
	 * By hand: t = 3 / sqrt(0.5 + 2), degrees of freedom = 2.5^2 / (0.25 / 4 + 4 / 4) = 100 /
	 * 17
	 */
	CHECK(difference.known && difference.mean == 3);
	CHECK(fabs(difference.p - student_p(3 / sqrt(2.5), 100.0 / 17)) < 1e-12);
	CHECK(fabs(difference.margin - student_t(0.05, 100.0 / 17) * sqrt(2.5)) < 1e-9);
}

static void few_values_are_not_significant(void)
{
	const struct sample few = sample_of((const double[]){ 1, 2, 3, 4 }, 4);
	const struct sample enough = sample_of((const double[]){ 8, 6, 9, 7, 8, 6 }, 6);

	CHECK(!difference_of(&few, &enough).known);
	CHECK(!difference_of(&enough, &few).known);
}

static void constant_values_are_compared_exactly(void)
{
	const struct sample five = sample_of((const double[]){ 5, 5, 5, 5, 5 }, 5);
	const struct sample six = sample_of((const double[]){ 6, 6, 6, 6, 6 }, 5);

	CHECK(difference_of(&five, &five).p == 1);
	CHECK(difference_of(&five, &six).p == 0);
	CHECK(difference_of(&five, &six).known);
}

/*
 * Return the fraction of pairs of series that are reported as different although their means are
 * equal.
 */
static double false_alarms(double memory, int rounds)
{
	uint64_t state = 7;
	int alarms = 0;

	for (int round = 0; round < rounds; round++) {
		double values[2][32], now = 0;
		struct sample samples[2];

		for (int side = 0; side < 2; side++) {
			for (int i = 0; i < 32; i++) {
				now = memory * now + chance(&state) + chance(&state) - 1;
				values[side][i] = now;
			}
			samples[side] = sample_of(values[side], 32);
			now = 0;
		}
		alarms += difference_of(&samples[0], &samples[1]).p < 0.05;
	}
	return (double)alarms / rounds;
}

static void false_positives_are_rare(void)
{
	const double independent = false_alarms(0, 4000), alike = false_alarms(0.5, 4000);

	printf("# of 5 %%: %.1f %% of independent blocks, %.1f %% of alike ones\n",
	       100 * independent, 100 * alike);
	CHECK(independent > 0.01 && independent < 0.06);
	CHECK(alike > 0.01 && alike < 0.09);
}

static void holm_correction_equals_worked_example(void)
{
	double p[] = { 0.01, 0.04, 0.03, 0.005, 0.9 };
	double *const list[] = { &p[0], &p[1], &p[2], &p[3], &p[4] };
	static const double right[] = { 0.04, 0.09, 0.09, 0.025, 0.9 };

	statistics_correct(list, 5);
	for (size_t i = 0; i < 5; i++)
		CHECK(fabs(p[i] - right[i]) < 1e-12);
}

static const char *written(void (*put)(FILE *file, const char *text), const char *text)
{
	static char out[256];
	FILE *file = fmemopen(out, sizeof(out), "w");

	put(file, text);
	fclose(file);
	return out;
}

static void html_text_is_escaped(void)
{
	CHECK_STRING(written(html_put_text, "<a href=\"x\">&'"),
		     "&#60;a href=&#34;x&#34;&#62;&#38;&#39;");
	CHECK_STRING(written(html_put_string, "</script>\"\\\n&'"),
		     "\"\\u003c/script\\u003e\\\"\\\\\\u000a\\u0026\\u0027\"");
	CHECK_STRING(written(html_put_text, "gr\xc3\xbc\xc3\x9f"), "gr\xc3\xbc\xc3\x9f");
	CHECK_STRING(written(html_put_text, "a\xff\xc0\x80z"),
		     "a\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz");
	CHECK_STRING(written(html_put_text, "\xe2\x82"), "\xef\xbf\xbd\xef\xbf\xbd");
	CHECK_STRING(written(html_put_text, "\xed\xa0\x80"),
		     "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}

static void html_bytes_are_base64(void)
{
	static const char *const right[] = { "\"\"",	    "\"Zg==\"",	    "\"Zm8=\"",
					     "\"Zm9v\"",    "\"Zm9vYg==\"", "\"Zm9vYmE=\"",
					     "\"Zm9vYmFy\"" };

	for (size_t n = 0; n <= 6; n++) {
		char out[64] = "";
		FILE *file = fmemopen(out, sizeof(out), "w");

		html_put_bytes(file, "foobar", n);
		fclose(file);
		CHECK_STRING(out, right[n]);
	}
}

int main(void)
{
	RUN(quantiles_of_few_values_are_exact);
	RUN(quantiles_of_many_values_are_within_error);
	RUN(nan_and_infinity_are_skipped);
	RUN(student_distribution_equals_tables);
	RUN(welch_test_equals_worked_example);
	RUN(few_values_are_not_significant);
	RUN(constant_values_are_compared_exactly);
	RUN(false_positives_are_rare);
	RUN(holm_correction_equals_worked_example);
	RUN(html_text_is_escaped);
	RUN(html_bytes_are_base64);
	return tap_end();
}
