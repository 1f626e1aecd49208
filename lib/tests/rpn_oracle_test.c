// SPDX-License-Identifier: MIT
/* rpn_oracle_test.c - every metric of Haswell, bit for bit, against an independent statement of it. */
#include <stdio.h>
#include <stdlib.h>

#include "fixture.h"
#include "rpn.h"
#include "tap.h"

#define PAIRS 10000

static FILE *facts;
static struct gpuoa_constants *constants;

static bool constant(const char *name, uint64_t *value)
{
	return !gpuoa_constants_get(constants, name, value);
}

/* Call @check for each set of the facts. */
static void for_each_set(void (*check)(struct rpn_set *facts,
				       const struct gpuoa_set *set))
{
	static struct rpn_set set;
	size_t count = 0;

	rewind(facts);
	for (; rpn_read_set(facts, &set); count++) {
		const struct gpuoa_set *known = gpuoa_platform_find_set(
			gpuoa_platform_find("hsw"), set.symbol);

		REQUIRE(known);
		check(&set, known);
	}
	CHECK(count == gpuoa_platform_set_count(gpuoa_platform_find("hsw")));
}

static void check_list(struct rpn_set *facts, const struct gpuoa_set *set)
{
	struct gpuoa_set_desc desc;

	gpuoa_set_describe(set, &desc, sizeof(desc));
	CHECK_STRING(desc.uuid, facts->uuid);
	REQUIRE(desc.metric_count == facts->count);
	for (size_t i = 0; i < facts->count; i++) {
		const struct rpn_metric *fact = &facts->metrics[i];
		struct gpuoa_metric_desc metric;

		gpuoa_metric_describe(gpuoa_set_metric(set, i), &metric,
				      sizeof(metric));
		CHECK_STRING(metric.symbol, fact->symbol);
		CHECK((metric.type == GPUOA_FLOAT) == fact->is_float);
		CHECK(!*metric.max == (fact->max[0] == '-'));
		CHECK(!*metric.availability == (fact->condition[0] == '-'));
	}
}

static void sets_have_these_metrics_in_this_order(void)
{
	for_each_set(check_list);
}

static bool same(const struct rpn_metric *metric, struct rpn_value expected,
		 union gpuoa_value value)
{
	union gpuoa_value wanted = { .u64 = 0 };

	if (metric->is_float)
		wanted.f32 = rpn_float(expected);
	else
		wanted.u64 = rpn_integer(expected);
	if (wanted.u64 == value.u64)
		return true;
	printf("# %s: %#llx, but should be %#llx\n", metric->symbol,
	       (unsigned long long)value.u64, (unsigned long long)wanted.u64);
	return false;
}

static uint32_t *random_reports(uint64_t seed)
{
	uint32_t *reports = calloc(PAIRS + 1, 4 * REPORT_WORDS);

	for (size_t i = 0; reports && i < PAIRS; i++)
		fixture_next_report(&seed, reports + i * REPORT_WORDS,
				    reports + (i + 1) * REPORT_WORDS);
	return reports;
}

static void compare_rows(struct rpn_set *facts, const uint32_t *reports,
			 const union gpuoa_value *values, size_t columns)
{
	for (size_t row = 0; row < PAIRS && tap.good; row++) {
		struct rpn_input input = { reports + row * REPORT_WORDS,
					   reports + (row + 1) * REPORT_WORDS,
					   constant };

		rpn_evaluate(facts, &input);
		for (size_t i = 0; i < facts->count; i++)
			CHECK(same(&facts->metrics[i], facts->values[i],
				   values[row * columns + i]));
	}
}

static void check_rows(struct rpn_set *facts, const struct gpuoa_set *set)
{
	uint32_t *reports = random_reports(facts->count);
	union gpuoa_value *values;
	struct gpuoa_calc *calc;
	size_t columns, used;

	REQUIRE(!gpuoa_calc_open(set, constants, GPUOA_REPORT_A45_B8_C8,
				 &calc));
	columns = gpuoa_calc_columns(calc);
	values = calloc(PAIRS * columns, sizeof(*values));
	if (CHECK(reports && values)) {
		CHECK(gpuoa_calc_run(calc, reports, PAIRS + 1, values, NULL,
				     PAIRS, &used) == PAIRS);
		compare_rows(facts, reports, values, columns);
	}
	gpuoa_calc_close(calc);
	free(reports);
	free(values);
}

static void rows_are_the_same_to_the_last_bit(void)
{
	for_each_set(check_rows);
}

/* Where no product passes 64 bits, a total of one row is the row, and maxima are as simple. */
static void check_maxima(struct rpn_set *facts, const struct gpuoa_set *set)
{
	union gpuoa_value values[RPN_METRICS_MAX + 8];
	uint32_t reports[2][REPORT_WORDS] = { { 0 } };
	struct gpuoa_calc *calc;
	uint64_t state = 7;

	REQUIRE(!gpuoa_calc_open(set, constants, GPUOA_REPORT_A45_B8_C8,
				 &calc));
	for (int round = 0; round < 1000 && tap.good; round++) {
		struct rpn_input input = { reports[0], reports[1], constant };
		size_t used;

		fixture_next_report(&state, reports[0], reports[1]);
		gpuoa_calc_gap(calc);
		gpuoa_calc_run(calc, reports, 2, values, NULL, 1, &used);
		REQUIRE(!gpuoa_calc_total(calc, values, NULL, true));
		REQUIRE(!gpuoa_calc_total_max(calc, values));
		rpn_evaluate(facts, &input);
		for (size_t i = 0; i < facts->count; i++) {
			const struct rpn_metric *metric = &facts->metrics[i];
			struct rpn_value expected = { .integer = 0 };

			if (metric->max[0] != '-' &&
			    strcmp(metric->condition, "1 $QueryMode and"))
				expected = rpn_evaluate_text(facts, metric->max,
							     &input);
			CHECK(same(metric, expected, values[i]));
		}
		memcpy(reports[0], reports[1], sizeof(reports[0]));
	}
	gpuoa_calc_close(calc);
}

static void maxima_are_the_same_to_the_last_bit(void)
{
	for_each_set(check_maxima);
}

int main(void)
{
	facts = fopen("lib/tests/hsw.rpn", "r");
	if (!facts) {
		printf("Bail out! lib/tests/hsw.rpn: run from the top of the tree\n");
		return 1;
	}
	constants = haswell_gt2();
	RUN(sets_have_these_metrics_in_this_order);
	RUN(rows_are_the_same_to_the_last_bit);
	RUN(maxima_are_the_same_to_the_last_bit);
	gpuoa_constants_free(constants);
	fclose(facts);
	return tap_end();
}
