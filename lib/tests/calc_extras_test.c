// SPDX-License-Identifier: MIT
/*
 * calc_extras_test.c - Test validity, maxima and absence of metrics, and the combined constants of
 * several GPUs.
 *
 * rpn_oracle_test compares maxima and validity of all metrics with an independent evaluator.
 */
#include <errno.h>

#include "fixture.h"
#include "tap.h"

static const char definition[] =
	"platform t \"Test\"\n"
	"constant K \"-\" constant Z \"-\"\n"
	"info Id \"-\" \"-\" = REPORT_ID uint64 x raw\n"
	"metric Sum \"-\" \"-\" = A0 + A1 uint64 x event max A2 * 2\n"
	"metric Ratio \"-\" \"-\" = A0 / A1 float x ratio max 5\n"
	"metric Whole \"-\" \"-\" = A0 // A1 uint64 x event\n"
	"metric Above \"-\" \"-\" = Ratio + 1 float x ratio max Above + A0\n"
	"metric Scaled \"-\" \"-\" = A0 / (A1 * 0.5) float x ratio\n"
	"metric Literal \"-\" \"-\" = A0 // K uint64 x event\n"
	"metric Absent \"-\" \"-\" = A0 uint64 x event if Z max 7\n"
	"metric OfAbsent \"-\" \"-\" = Absent + A0 uint64 x event\n"
	"set S \"Set\" { uuid \"00000000-0000-4000-8000-000000000001\"\n"
	"	format A45_B8_C8\n"
	"	metrics { Sum Ratio Whole Above Scaled Literal Absent OfAbsent } }\n";

enum { SUM, RATIO, WHOLE, ABOVE, SCALED, LITERAL, ABSENT, OF_ABSENT, METRICS };

/* Column numbers in a row of metrics and one information item */
#define MAX (METRICS + 1)
#define VALID (2 * METRICS + 1)
#define COLUMNS (3 * METRICS + 1)

#define ROWS_MAX 200

/* The compiled definition, a calculator and its rows */
static struct {
	struct fixture fixture;
	struct gpuoa_constants *constants;
	const struct gpuoa_set *set;
	struct gpuoa_calc *calc;
	uint32_t reports[ROWS_MAX + 1][REPORT_WORDS];
	size_t count;
	union gpuoa_value values[ROWS_MAX][COLUMNS];
} bench;

static const struct gpuoa_calc_options extras = {
	.size = sizeof(extras),
	.maxima = true,
	.validity = true,
};

static bool bench_open(const struct gpuoa_calc_options *options)
{
	memset(&bench, 0, sizeof(bench));
	if (fixture_compile(&bench.fixture, definition)) {
		printf("# %s\n", bench.fixture.diagnostic.text);
		return false;
	}
	bench.set = gpuoa_platform_get_set(fixture_platform(&bench.fixture), 0);
	return !gpuoa_constants_new(fixture_platform(&bench.fixture), &bench.constants) &&
	       !gpuoa_constants_set(bench.constants, "K", 0) &&
	       !gpuoa_constants_set(bench.constants, "Z", 0) &&
	       !gpuoa_calc_open(bench.set, bench.constants, GPUOA_REPORT_A45_B8_C8, options,
				&bench.calc, NULL, 0);
}

static void bench_close(void)
{
	gpuoa_calc_close(bench.calc);
	gpuoa_constants_free(bench.constants);
	fixture_free(&bench.fixture);
}

/* Append a report in which counters A0 to A2 advanced by these amounts. */
static void add_report(uint32_t a0, uint32_t a1, uint32_t a2)
{
	uint32_t *report = bench.reports[bench.count];

	report[0] = 1;
	report[1] = bench.count * 100;
	report[3] = a0;
	report[4] = a1;
	report[5] = a2;
	for (size_t i = 3; bench.count && i < 6; i++)
		report[i] += report[i - REPORT_WORDS];
	bench.count++;
}

static void run(void)
{
	size_t used;

	CHECK(gpuoa_calc_run(bench.calc, bench.reports, bench.count, bench.values[0], NULL,
			     ROWS_MAX, &used) == bench.count - 1);
}

static void output_describe_returns_role_and_type(void)
{
	struct gpuoa_output_desc desc;

	REQUIRE(bench_open(&extras));
	REQUIRE(gpuoa_calc_output_count(bench.calc) == COLUMNS);
	CHECK(!gpuoa_calc_output_describe(bench.calc, RATIO, &desc, sizeof(desc)));
	CHECK(desc.role == GPUOA_OUTPUT_METRIC && desc.type == GPUOA_TYPE_FLOAT);
	CHECK(!gpuoa_calc_output_describe(bench.calc, METRICS, &desc, sizeof(desc)));
	CHECK(desc.role == GPUOA_OUTPUT_INFO && desc.info && !desc.metric);
	CHECK(!gpuoa_calc_output_describe(bench.calc, MAX + RATIO, &desc, sizeof(desc)));
	CHECK(desc.role == GPUOA_OUTPUT_MAX && desc.type == GPUOA_TYPE_FLOAT);
	CHECK(desc.metric == gpuoa_set_get_metric(bench.set, RATIO));
	CHECK_STRING(desc.symbol, "Ratio");
	CHECK(!gpuoa_calc_output_describe(bench.calc, VALID + RATIO, &desc, sizeof(desc)));
	CHECK(desc.role == GPUOA_OUTPUT_VALID && desc.type == GPUOA_TYPE_UINT64);
	CHECK(desc.metric == gpuoa_set_get_metric(bench.set, RATIO));
	CHECK_STRING(desc.units, "");
	CHECK(gpuoa_calc_output_type(bench.calc, MAX + RATIO) == GPUOA_TYPE_FLOAT);
	CHECK(gpuoa_calc_output_type(bench.calc, VALID + RATIO) == GPUOA_TYPE_UINT64);
	CHECK(gpuoa_calc_output_describe(bench.calc, COLUMNS, &desc, sizeof(desc)) == -ERANGE);
	CHECK(gpuoa_calc_output_type(bench.calc, COLUMNS) == GPUOA_TYPE_UINT64);
	CHECK(gpuoa_calc_output_type(bench.calc, SIZE_MAX) == GPUOA_TYPE_UINT64);
	bench_close();
}

static void maxima_follow_metrics_without_information_items(void)
{
	const struct gpuoa_calc_options options = {
		.size = sizeof(options), .maxima = true, .validity = true, .no_infos = true
	};
	struct gpuoa_output_desc desc;

	REQUIRE(bench_open(&options));
	for (size_t i = 0; i < 3 * METRICS; i++) {
		CHECK(!gpuoa_calc_output_describe(bench.calc, i, &desc, sizeof(desc)));
		CHECK(desc.role == (i < METRICS	    ? GPUOA_OUTPUT_METRIC :
				    i < 2 * METRICS ? GPUOA_OUTPUT_MAX :
						      GPUOA_OUTPUT_VALID));
		CHECK(desc.metric == gpuoa_set_get_metric(bench.set, i % METRICS));
	}
	CHECK(gpuoa_calc_output_describe(bench.calc, 3 * METRICS, &desc, sizeof(desc)) == -ERANGE);
	bench_close();
}

static bool valid(const union gpuoa_value *row, int metric)
{
	return row[VALID + metric].u64;
}

static void check_row(const union gpuoa_value *row, bool divisible)
{
	CHECK(valid(row, SUM));
	CHECK(valid(row, RATIO) == divisible && valid(row, WHOLE) == divisible);
	CHECK(valid(row, ABOVE) == divisible && valid(row, SCALED) == divisible);
	CHECK(!valid(row, LITERAL) && !valid(row, ABSENT) && !valid(row, OF_ABSENT));
}

static void valid_is_0_only_after_division_by_zero(void)
{
	REQUIRE(bench_open(&extras));
	add_report(0, 0, 0);
	add_report(6, 3, 50);
	add_report(0, 3, 0);
	add_report(6, 0, 9);
	run();
	check_row(bench.values[0], true);
	check_row(bench.values[1], true);
	CHECK(bench.values[1][RATIO].f32 == 0);
	check_row(bench.values[2], false);
	CHECK(bench.values[2][RATIO].f32 == 0 && bench.values[2][ABOVE].f32 == 1);
	bench_close();
}

static void rows_have_maxima(void)
{
	REQUIRE(bench_open(&extras));
	add_report(0, 0, 0);
	add_report(6, 3, 50);
	add_report(1, 1, 4);
	run();
	CHECK(bench.values[0][MAX + SUM].u64 == 100 && bench.values[1][MAX + SUM].u64 == 8);
	CHECK(bench.values[0][MAX + RATIO].f32 == 5);
	CHECK(bench.values[0][MAX + ABOVE].f32 == 9 && bench.values[1][MAX + ABOVE].f32 == 3);
	CHECK(!bench.values[0][MAX + WHOLE].u64 && !bench.values[0][MAX + ABSENT].u64);
	bench_close();
}

static void totals_have_maxima(void)
{
	union gpuoa_value total[COLUMNS];

	REQUIRE(bench_open(&extras));
	add_report(0, 0, 0);
	add_report(6, 0, 50);
	add_report(6, 3, 2);
	run();
	check_row(bench.values[0], false);
	REQUIRE(!gpuoa_calc_total(bench.calc, total, NULL, true));
	check_row(total, true);
	CHECK(total[RATIO].f32 == 4 && total[MAX + SUM].u64 == 104);
	CHECK(total[MAX + RATIO].f32 == 5 && total[METRICS].u64 == 1);
	CHECK(!gpuoa_calc_total_max(bench.calc, total));
	CHECK(total[SUM].u64 == 104 && !total[VALID].u64);
	bench_close();
}

/*
 * Values do not depend on whether validity and maxima are calculated: in batches of small
 * differences, in other batches, and in the last rows.
 */
static void values_are_equal_with_and_without_extras(void)
{
	static union gpuoa_value plain[ROWS_MAX][METRICS + 1];
	struct gpuoa_calc *calc;
	size_t used;

	REQUIRE(bench_open(&extras));
	for (uint32_t i = 0; i <= ROWS_MAX - 1; i++)
		add_report(i * 7, i % 5, i % 71 ? i : 1u << 30);
	run();
	REQUIRE(!gpuoa_calc_open(bench.set, bench.constants, GPUOA_REPORT_A45_B8_C8, NULL, &calc,
				 NULL, 0));
	gpuoa_calc_run(calc, bench.reports, bench.count, plain[0], NULL, ROWS_MAX, &used);
	for (size_t i = 0; i < bench.count - 1; i++) {
		CHECK(!memcmp(plain[i], bench.values[i], sizeof(plain[i])));
		check_row(bench.values[i], (i + 1) % 5);
	}
	gpuoa_calc_close(calc);
	bench_close();
}

static void summarize_counts_valid_rows(void)
{
	static struct gpuoa_summary summaries[COLUMNS];

	REQUIRE(bench_open(&extras));
	for (uint32_t i = 0; i <= 150; i++)
		add_report(10, i % 3, 1);
	CHECK(gpuoa_calc_summarize(bench.calc, bench.reports, bench.count, summaries) == 150);
	CHECK(summaries[VALID + SUM].sum == 150 && summaries[VALID + RATIO].sum == 100);
	CHECK(summaries[VALID + ABSENT].sum == 0 && summaries[MAX + RATIO].sum == 750);
	bench_close();
}

/* The extremes of a summary are those of its rows, and not of earlier ones. */
static void summaries_of_calls_are_independent(void)
{
	static struct gpuoa_summary summaries[2][METRICS];
	static const struct gpuoa_calc_options plain = { .size = sizeof(plain), .no_infos = true };

	REQUIRE(bench_open(&plain));
	for (uint32_t i = 0; i <= 100; i++)
		add_report(i == 50 ? 1 : i == 70 ? 9000 : 3000, i == 60 ? 1 : 50, 1);
	for (uint32_t i = 0; i < 100; i++)
		add_report(10 + i % 5, 40, 1);
	CHECK(gpuoa_calc_summarize(bench.calc, bench.reports, 101, summaries[0]) == 100);
	CHECK(gpuoa_calc_summarize(bench.calc, bench.reports[101], 100, summaries[1]) == 100);
	CHECK(summaries[0][SUM].least == 51 && summaries[0][SUM].largest == 9050);
	CHECK(summaries[1][SUM].least == 50 && summaries[1][SUM].largest == 54);
	CHECK(summaries[1][SUM].sum == 20 * (50 + 51 + 52 + 53 + 54));
	/* Once more, added to the first ones */
	CHECK(gpuoa_calc_summarize(bench.calc, bench.reports[101], 100, summaries[0]) > 0);
	CHECK(summaries[0][SUM].largest >= 9050);
	bench_close();
}

static void resampled_rows_have_maxima(void)
{
	const struct gpuoa_resampler_options options = {
		.size = sizeof(options),
		.period_ticks = 200,
		.calc = &extras,
	};
	struct gpuoa_window rows[4];
	struct gpuoa_resampler *windows;
	struct gpuoa_output_desc desc;
	size_t used;

	REQUIRE(bench_open(&extras));
	for (int i = 0; i < 5; i++)
		add_report(4, i > 2, 3);
	REQUIRE(!gpuoa_resampler_open(bench.set, bench.constants, GPUOA_REPORT_A45_B8_C8, &options,
				      &windows, NULL, 0));
	CHECK(!gpuoa_resampler_output_describe(windows, VALID, &desc, sizeof(desc)));
	CHECK(desc.role == GPUOA_OUTPUT_VALID);
	CHECK(gpuoa_resampler_run(windows, 0, bench.reports, bench.count, bench.values[0], rows, 4,
				  &used) == 2);
	check_row(bench.values[0], false);
	check_row(bench.values[1], true);
	CHECK(bench.values[0][MAX + SUM].u64 == 12 && bench.values[1][RATIO].f32 == 4);
	gpuoa_resampler_close(windows);
	bench_close();
}

static void excluded_returns_absent_metrics(void)
{
	const struct gpuoa_metric *wanted[2];
	struct gpuoa_calc_options some = { .size = sizeof(some), .metrics = wanted };
	char reason[64] = "";

	REQUIRE(bench_open(NULL));
	CHECK(gpuoa_calc_excluded(bench.calc, 0, reason, sizeof(reason)) ==
	      gpuoa_set_find_metric(bench.set, "Absent"));
	CHECK(strstr(reason, "Z"));
	CHECK(!gpuoa_calc_excluded(bench.calc, 1, NULL, 0));
	wanted[0] = gpuoa_set_find_metric(bench.set, "Sum");
	wanted[1] = gpuoa_set_find_metric(bench.set, "OfAbsent");
	some.metric_count = 2;
	gpuoa_calc_close(bench.calc);
	REQUIRE(!gpuoa_calc_open(bench.set, bench.constants, GPUOA_REPORT_A45_B8_C8, &some,
				 &bench.calc, NULL, 0));
	CHECK(!gpuoa_calc_excluded(bench.calc, 0, NULL, 0));
	bench_close();
}

static uint64_t constant(const struct gpuoa_constants *constants, const char *name)
{
	uint64_t value = 0;

	CHECK(!gpuoa_constants_get(constants, name, &value));
	return value;
}

/* A GPU with two tiles has twice as many EUs as one tile, and the same number of threads per EU. */
static void constants_add_sums_two_tiles(void)
{
	const struct gpuoa_platform *platform = gpuoa_platform_find("tglgt2");
	struct gpuoa_constants *both, *one, *other;

	REQUIRE(!gpuoa_constants_new(platform, &one) && !gpuoa_constants_assume(one));
	REQUIRE(!gpuoa_constants_copy(one, &both));
	CHECK(!gpuoa_constants_add(both, one));
	CHECK(constant(both, "EuCoresTotalCount") == 2 * constant(one, "EuCoresTotalCount"));
	CHECK(constant(both, "EuDualSubslicesTotalCount") ==
	      2 * constant(one, "EuDualSubslicesTotalCount"));
	CHECK(constant(both, "EuThreadsCount") == constant(one, "EuThreadsCount"));
	CHECK(constant(both, "GpuTimestampFrequency") == constant(one, "GpuTimestampFrequency"));
	/* After a GPU without constants is added, the totals are unknown. */
	REQUIRE(!gpuoa_constants_new(platform, &other));
	CHECK(!gpuoa_constants_add(both, other));
	CHECK(gpuoa_constants_get(both, "EuCoresTotalCount", &(uint64_t){ 0 }) == -ENODATA);
	gpuoa_constants_free(other);
	REQUIRE(!gpuoa_constants_new(gpuoa_platform_find("bdw"), &other));
	CHECK(gpuoa_constants_add(both, other) == -EINVAL);
	gpuoa_constants_free(other);
	gpuoa_constants_free(both);
	gpuoa_constants_free(one);
}

/* A report in format A32U40_A4U32_B8_C8: dwords 40 to 47 hold the upper bytes of counters. */
static void make_report(uint32_t *report, uint32_t number)
{
	for (uint32_t k = 0; k < REPORT_WORDS; k++)
		report[k] = k >= 40 && k < 48 ? 0 : number * (k + 5) * 2000;
	report[0] = 1 << 19;
	report[1] = number * 1000;
}

/* Resample @inputs tiles, which have equal reports, into one interval. */
static void run_tiles(const struct gpuoa_set *set, const struct gpuoa_constants *constants,
		      uint32_t inputs, union gpuoa_value *values)
{
	const struct gpuoa_resampler_options options = { .size = sizeof(options),
							 .period_ticks = UINT64_MAX,
							 .inputs = inputs };
	uint32_t reports[3][REPORT_WORDS];
	struct gpuoa_resampler *windows;
	struct gpuoa_window row;
	size_t used;

	for (uint32_t i = 0; i < 3; i++)
		make_report(reports[i], i);
	REQUIRE(!gpuoa_resampler_open(set, constants, GPUOA_REPORT_A32U40_A4U32_B8_C8, &options,
				      &windows, NULL, 0));
	for (uint32_t i = 0; i < inputs; i++)
		gpuoa_resampler_run(windows, i, reports, 3, values, &row, 1, &used);
	CHECK(gpuoa_resampler_flush(windows, values, &row, 1) == 1);
	gpuoa_resampler_close(windows);
}

static size_t index_of(const struct gpuoa_set *set, const char *symbol)
{
	struct gpuoa_metric_desc desc;

	gpuoa_metric_describe(gpuoa_set_find_metric(set, symbol), &desc, sizeof(desc));
	return desc.index;
}

/* The two tiles together have the same shares as each tile alone, and twice the events. */
static void resampler_of_two_tiles_uses_summed_constants(void)
{
	const struct gpuoa_platform *platform = gpuoa_platform_find("tglgt2");
	const struct gpuoa_set *set = gpuoa_platform_find_set(platform, "RenderBasic", NULL, NULL);
	const size_t share = index_of(set, "EuActive"), events = index_of(set, "VsThreads");
	union gpuoa_value alone[128], together[128];
	struct gpuoa_constants *constants, *both;

	REQUIRE(!gpuoa_constants_new(platform, &constants) && !gpuoa_constants_assume(constants));
	REQUIRE(!gpuoa_constants_copy(constants, &both));
	CHECK(!gpuoa_constants_add(both, constants));
	run_tiles(set, constants, 1, alone);
	run_tiles(set, both, 2, together);
	CHECK(alone[share].f32 > 0 && alone[share].f32 == together[share].f32);
	CHECK(alone[events].u64 > 0 && 2 * alone[events].u64 == together[events].u64);
	gpuoa_constants_free(constants);
	gpuoa_constants_free(both);
}

/*
 * If the low dword of a 40-bit counter wraps and its upper byte does not change, the counter has
 * advanced by almost 2^40.
 */
static void wraps_without_carry_are_large_deltas(void)
{
	/* Counter i wraps after row WRAP of batch i; all others advance by 1. */
	enum { COUNTERS = 32, BATCH = 64, ROWS = COUNTERS * BATCH, WRAP = 9 };
	const uint32_t begin = UINT32_MAX - 2 * ROWS;

	static uint32_t reports[1 + ROWS][REPORT_WORDS];
	static union gpuoa_value values[ROWS][COUNTERS];
	static char text[8192];
	const struct gpuoa_calc_options options = { .size = sizeof(options), .no_infos = true };
	struct gpuoa_constants *constants;
	struct gpuoa_calc *calc;
	struct fixture fixture;
	size_t used;
	int n;

	n = sprintf(text, "platform t \"Test\"\n");
	for (int i = 0; i < COUNTERS; i++)
		n += sprintf(text + n, "metric M%d \"-\" \"-\" = A%d uint64 x event\n", i, i);
	n += sprintf(text + n, "set S \"-\" { uuid \"00000000-0000-4000-8000-000000000001\"\n"
			       "format A32u40_A4u32_B8_C8 metrics {");
	for (int i = 0; i < COUNTERS; i++)
		n += sprintf(text + n, " M%d", i);
	sprintf(text + n, " } }\n");
	REQUIRE(!fixture_compile(&fixture, text));
	REQUIRE(!gpuoa_constants_new(fixture_platform(&fixture), &constants));
	REQUIRE(!gpuoa_calc_open(gpuoa_platform_get_set(fixture_platform(&fixture), 0), constants,
				 GPUOA_REPORT_A32U40_A4U32_B8_C8, &options, &calc, NULL, 0));
	for (int row = 0; row <= ROWS; row++) {
		reports[row][1] = (uint32_t)row * 100;
		for (int i = 0; i < COUNTERS; i++)
			reports[row][4 + i] = (row > i * BATCH + WRAP ? 0 : begin) + row;
	}
	REQUIRE(gpuoa_calc_run(calc, reports, 1 + ROWS, values[0], NULL, ROWS, &used) == ROWS);
	for (int row = 0; row < ROWS && tap.good; row++)
		for (int i = 0; i < COUNTERS; i++)
			CHECK(values[row][i].u64 ==
			      (row == i * BATCH + WRAP ? (UINT64_C(1) << 40) - begin + 1 : 1));
	gpuoa_calc_close(calc);
	gpuoa_constants_free(constants);
	fixture_free(&fixture);
}

int main(void)
{
	RUN(output_describe_returns_role_and_type);
	RUN(maxima_follow_metrics_without_information_items);
	RUN(valid_is_0_only_after_division_by_zero);
	RUN(rows_have_maxima);
	RUN(totals_have_maxima);
	RUN(values_are_equal_with_and_without_extras);
	RUN(summarize_counts_valid_rows);
	RUN(summaries_of_calls_are_independent);
	RUN(resampled_rows_have_maxima);
	RUN(excluded_returns_absent_metrics);
	RUN(constants_add_sums_two_tiles);
	RUN(resampler_of_two_tiles_uses_summed_constants);
	RUN(wraps_without_carry_are_large_deltas);
	return tap_end();
}
