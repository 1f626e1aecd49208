// SPDX-License-Identifier: MIT
/*
 * calc_options_test.c - Test calculators that are restricted to some metrics, to reports with some
 * reasons, or to one context.
 */
#include <errno.h>
#include <stdlib.h>

#include "calc/calc.h"
#include "fixture.h"
#include "tap.h"

/* A set with metrics that depend on each other and on constants, and a second set */
static const char definition[] =
	"platform t \"Test\"\n"
	"constant K \"-\" constant L \"-\" constant N \"-\" constant Z \"-\"\n"
	"info Id \"-\" \"-\" = REPORT_ID + N uint64 x raw\n"
	"metric Alone \"-\" \"-\" = A0 uint64 x event\n"
	"metric Scaled \"-\" \"-\" = A0 * K uint64 x event\n"
	"metric Twice \"-\" \"-\" = Scaled + Scaled uint64 x event\n"
	"metric Most \"-\" \"-\" = A1 max L uint64 x event\n"
	"metric Limit \"-\" \"-\" = A2 max Twice float x event\n"
	"metric Absent \"-\" \"-\" = A1 / K if Z float x event\n"
	"metric Missing \"-\" \"-\" = A1 + L if Z uint64 x event\n"
	"set S \"Set\" { uuid \"00000000-0000-4000-8000-000000000001\"\n"
	"	format A45_B8_C8\n"
	"	metrics { Alone Scaled Twice Most Limit Absent Missing } }\n"
	"set T \"Set\" { uuid \"00000000-0000-4000-8000-000000000002\"\n"
	"	format A45_B8_C8 metrics { Alone Scaled } }\n";

#define WANTED_MAX 8

/* The compiled definition, and the requested metrics of its set S */
struct bench {
	struct fixture fixture;
	struct gpuoa_constants *constants;
	const struct gpuoa_set *set;
	const struct gpuoa_metric *wanted[WANTED_MAX];
	struct gpuoa_calc_options options;
	struct gpuoa_calc *calc;
};

static bool bench_open(struct bench *bench)
{
	memset(bench, 0, sizeof(*bench));
	if (fixture_compile(&bench->fixture, definition)) {
		printf("# %s\n", bench->fixture.diagnostic.text);
		return false;
	}
	bench->set = gpuoa_platform_find_set(fixture_platform(&bench->fixture), "S", NULL, NULL);
	bench->options.size = sizeof(bench->options);
	bench->options.metrics = bench->wanted;
	return !gpuoa_constants_new(fixture_platform(&bench->fixture), &bench->constants);
}

static void bench_close(struct bench *bench)
{
	gpuoa_calc_close(bench->calc);
	gpuoa_constants_free(bench->constants);
	fixture_free(&bench->fixture);
}

static void bench_want(struct bench *bench, const char *symbol)
{
	bench->wanted[bench->options.metric_count++] = gpuoa_set_find_metric(bench->set, symbol);
}

static void bench_constants(struct bench *bench)
{
	gpuoa_constants_set(bench->constants, "K", 3);
	gpuoa_constants_set(bench->constants, "L", 100);
	gpuoa_constants_set(bench->constants, "N", 1000);
	gpuoa_constants_set(bench->constants, "Z", 0);
}

static int bench_calc(struct bench *bench)
{
	gpuoa_calc_close(bench->calc);
	bench->calc = NULL;
	return gpuoa_calc_open(bench->set, bench->constants, GPUOA_REPORT_A45_B8_C8,
			       &bench->options, &bench->calc, NULL, 0);
}

/*
 * Calculate one interval, in which A0 counts 5, A1 7 and A2 9. The id of the second report is 17.
 */
static void bench_run(struct bench *bench, union gpuoa_value *values)
{
	uint32_t reports[2][REPORT_WORDS] = { { 0 }, { 17, 50, 0, 5, 7, 9 } };
	size_t used;

	CHECK(gpuoa_calc_run(bench->calc, reports, 2, values, NULL, 1, &used) == 1);
}

/* ---- options ---- */

static void open_checks_size_of_options(void)
{
	struct {
		struct gpuoa_calc_options options;
		char newer[8];
	} large;
	struct bench bench;

	REQUIRE(bench_open(&bench));
	bench_constants(&bench);
	bench.options.metrics = NULL;
	bench.options.size = 0;
	CHECK(bench_calc(&bench) == -EINVAL);
	bench.options.size = offsetof(struct gpuoa_calc_options, isa);
	CHECK(bench_calc(&bench) == -EINVAL);
	memset(&large, 0, sizeof(large));
	large.options.size = sizeof(large);
	CHECK(!gpuoa_calc_open(bench.set, bench.constants, GPUOA_REPORT_A45_B8_C8, &large.options,
			       &bench.calc, NULL, 0));
	large.newer[7] = 1;
	gpuoa_calc_close(bench.calc);
	bench.calc = NULL;
	CHECK(gpuoa_calc_open(bench.set, bench.constants, GPUOA_REPORT_A45_B8_C8, &large.options,
			      &bench.calc, NULL, 0) == -E2BIG);
	CHECK(!bench.calc);
	bench_close(&bench);
}

/* Outputs are numbered by 16 bits. */
static void outputs_are_limited(void)
{
	static const struct {
		size_t metrics;
		bool maxima, validity;
	} cases[] = {
		{ 65536, false, false },
		{ 32768, true, false },
		{ 32768, false, true },
		{ 21846, true, true },
	};
	const struct gpuoa_metric **metrics = calloc(65536, sizeof(*metrics));
	struct bench bench;

	REQUIRE(metrics && bench_open(&bench));
	bench_constants(&bench);
	for (size_t i = 0; i < 65536; i++)
		metrics[i] = gpuoa_set_get_metric(bench.set, 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct gpuoa_calc_options options = { .size = sizeof(options),
							    .metrics = metrics,
							    .metric_count = cases[i].metrics,
							    .no_infos = true,
							    .maxima = cases[i].maxima,
							    .validity = cases[i].validity };

		CHECK(gpuoa_calc_open(bench.set, bench.constants, GPUOA_REPORT_A45_B8_C8, &options,
				      &bench.calc, NULL, 0) == -E2BIG);
	}
	bench.calc = NULL;
	bench_close(&bench);
	free(metrics);
}

static void isa_is_selected_by_name(void)
{
	static const char *const kinds[] = { "plain", "sse2", "avx2", "avx512" };
	struct bench bench;

	REQUIRE(bench_open(&bench));
	bench_constants(&bench);
	bench_want(&bench, "Alone");
	for (int i = 0; i < 4; i++) {
		bench.options.isa = kinds[i];
		if (bench_calc(&bench) == 0)
			CHECK_STRING(bench.calc->program->vector->name, kinds[i]);
		else
			CHECK(i != 0);
	}
	bench.options.isa = "mmx";
	CHECK(bench_calc(&bench) == -EOPNOTSUPP);
	bench.options.isa = "";
	CHECK(bench_calc(&bench) == -EOPNOTSUPP);
	bench_close(&bench);
}

/* ---- some metrics ---- */

static void outputs_follow_order_of_requested_metrics(void)
{
	union gpuoa_value values[WANTED_MAX];
	struct bench bench;

	REQUIRE(bench_open(&bench));
	bench_constants(&bench);
	bench_want(&bench, "Limit");
	bench_want(&bench, "Twice");
	bench_want(&bench, "Alone");
	bench_want(&bench, "Twice");
	REQUIRE(!bench_calc(&bench));
	CHECK(gpuoa_calc_output_count(bench.calc) == 5);
	CHECK(gpuoa_calc_output_type(bench.calc, 0) == GPUOA_TYPE_FLOAT);
	for (size_t i = 1; i < 7; i++)
		CHECK(gpuoa_calc_output_type(bench.calc, i) == GPUOA_TYPE_UINT64);
	bench_run(&bench, values);
	CHECK(values[0].f32 == 9);
	CHECK(values[1].u64 == 30);
	CHECK(values[2].u64 == 5);
	CHECK(values[3].u64 == 30);
	CHECK(values[4].u64 == 1017);
	memset(values, 0xff, sizeof(values));
	REQUIRE(!gpuoa_calc_total(bench.calc, values, NULL, false));
	CHECK(values[0].f32 == 9);
	CHECK(values[1].u64 == 30);
	CHECK(values[2].u64 == 5);
	CHECK(values[3].u64 == 30);
	CHECK(values[4].u64 == 1017);
	REQUIRE(!gpuoa_calc_total_max(bench.calc, values));
	CHECK(values[0].f32 == 30);
	CHECK(values[1].u64 == 0);
	CHECK(values[4].u64 == 0);
	bench_close(&bench);
}

static void empty_metric_list_leaves_information_items(void)
{
	union gpuoa_value values[WANTED_MAX];
	struct bench bench;

	REQUIRE(bench_open(&bench));
	gpuoa_constants_set(bench.constants, "N", 1000);
	REQUIRE(!bench_calc(&bench));
	CHECK(gpuoa_calc_output_count(bench.calc) == 1);
	bench_run(&bench, values);
	CHECK(values[0].u64 == 1017);
	bench_close(&bench);
}

static void no_outputs_still_returns_intervals(void)
{
	uint32_t reports[3][REPORT_WORDS] = { { 0 }, { 0, 40 }, { 0, 70 } };
	struct gpuoa_interval intervals[2];
	struct bench bench;
	size_t used;

	REQUIRE(bench_open(&bench));
	bench.options.no_infos = true;
	REQUIRE(!bench_calc(&bench));
	CHECK(gpuoa_calc_output_count(bench.calc) == 0);
	CHECK(gpuoa_calc_run(bench.calc, reports, 3, NULL, intervals, 2, &used) == 2);
	CHECK(intervals[0].begin == 0 && intervals[0].end == 40);
	CHECK(intervals[1].begin == 40 && intervals[1].end == 70);
	bench_close(&bench);
}

static void no_infos_omits_information_items(void)
{
	union gpuoa_value values[WANTED_MAX];
	struct bench bench;

	REQUIRE(bench_open(&bench));
	bench_want(&bench, "Alone");
	bench.options.no_infos = true;
	REQUIRE(!bench_calc(&bench));
	CHECK(gpuoa_calc_output_count(bench.calc) == 1);
	values[1].u64 = 4711;
	bench_run(&bench, values);
	CHECK(values[0].u64 == 5);
	CHECK(values[1].u64 == 4711);
	CHECK(!gpuoa_calc_total(bench.calc, values, NULL, false));
	CHECK(values[0].u64 == 5);
	CHECK(values[1].u64 == 4711);
	bench_close(&bench);
}

static void metrics_of_another_set_return_einval(void)
{
	const struct gpuoa_set *other;
	struct bench bench;

	REQUIRE(bench_open(&bench));
	bench_constants(&bench);
	other = gpuoa_platform_find_set(fixture_platform(&bench.fixture), "T", NULL, NULL);
	bench_want(&bench, "Alone");
	bench_want(&bench, "Alone");
	bench.wanted[1] = gpuoa_set_find_metric(other, "Alone");
	CHECK(bench_calc(&bench) == -EINVAL);
	bench.wanted[1] = NULL;
	CHECK(bench_calc(&bench) == -EINVAL);
	CHECK(!gpuoa_calc_missing_constant(bench.set, bench.constants, &bench.options, 0));
	bench_close(&bench);
}

static void check_missing(struct bench *bench, const char *expected)
{
	const char *missing =
		gpuoa_calc_missing_constant(bench->set, bench->constants, &bench->options, 0);

	if (!expected) {
		CHECK(!missing);
		CHECK(!bench_calc(bench));
		return;
	}
	CHECK_STRING(missing, expected);
	CHECK(bench_calc(bench) == -ENODATA);
	CHECK(!gpuoa_constants_set(bench->constants, expected, 0));
}

static void open_requires_constants_of_requested_metrics_only(void)
{
	struct bench bench;

	REQUIRE(bench_open(&bench));
	bench_want(&bench, "Alone");
	check_missing(&bench, "N");
	check_missing(&bench, NULL);
	bench_want(&bench, "Most");
	check_missing(&bench, "L");
	check_missing(&bench, NULL);
	/* Metric Limit needs the constant K for its maximum. */
	bench_want(&bench, "Limit");
	check_missing(&bench, "K");
	check_missing(&bench, NULL);
	bench_want(&bench, "Absent");
	check_missing(&bench, "Z");
	check_missing(&bench, NULL);
	bench_close(&bench);
}

/* ---- filter by context or by report reason ---- */

#define TIMER 1
#define TRIGGER 2
#define SWITCH 8

/* The header of a report. All its counters derive from @clock. */
struct header {
	uint32_t reason;
	uint32_t valid;
	uint32_t context;
	uint32_t time;
	uint32_t clock;
};

/* A bit of the context field that is not part of the context id */
#define NOISE 0x00400000

static void write_report(uint32_t *report, const struct header *header)
{
	memset(report, 0, 4 * REPORT_WORDS);
	report[0] = header->reason << 19 | header->valid << 16 | 0x123;
	report[1] = header->time;
	report[2] = header->context;
	report[3] = header->clock;
	/* counter A7: its low 32 bits, and its upper byte */
	report[4 + 7] = header->clock * 3;
	((unsigned char *)report)[160 + 7] = (uint64_t)header->clock * 3 >> 32 & 0xff;
}

/*
 * Open a calculator of the core clocks of a GPU and, unless @no_infos, information items, with a
 * filter by report reasons and context.
 */
static struct gpuoa_calc *open_filter_with(const char *platform, uint32_t reasons,
					   const uint32_t *context, bool no_infos)
{
	const struct gpuoa_set *set =
		gpuoa_platform_find_set(gpuoa_platform_find(platform), "RenderBasic", NULL, NULL);
	const struct gpuoa_metric *metrics[] = {
		gpuoa_set_find_metric(set, "GpuCoreClocks"),
	};
	const struct gpuoa_calc_options options = {
		.size = sizeof(options),
		.metrics = metrics,
		.metric_count = 1,
		.reasons = reasons,
		.context_filter = context,
		.context_id = context ? *context : 0,
		.no_infos = no_infos,
	};
	struct gpuoa_calc *calc = NULL;
	struct gpuoa_constants *constants;
	struct gpuoa_set_desc desc;

	gpuoa_set_describe(set, &desc, sizeof(desc));
	CHECK(!gpuoa_constants_new(gpuoa_platform_find(platform), &constants));
	CHECK(!gpuoa_constants_assume(constants));
	CHECK(!gpuoa_calc_open(set, constants, desc.format, &options, &calc, NULL, 0));
	gpuoa_constants_free(constants);
	return calc;
}

static struct gpuoa_calc *open_filter(const char *platform, uint32_t reasons,
				      const uint32_t *context)
{
	return open_filter_with(platform, reasons, context, true);
}

#define REPORTS_MAX 32

/* Calculate the rows of reports with these headers in one call. Returns the number of rows. */
static size_t run_headers(struct gpuoa_calc *calc, const struct header *headers, size_t count,
			  union gpuoa_value *values, struct gpuoa_interval *intervals)
{
	static uint32_t reports[REPORTS_MAX][REPORT_WORDS];
	size_t used, rows;

	for (size_t i = 0; i < count; i++)
		write_report(reports[i], &headers[i]);
	rows = gpuoa_calc_run(calc, reports, count, values, intervals, REPORTS_MAX, &used);
	CHECK(used == count);
	return rows;
}

static const struct header life_of_two[] = {
	{ TIMER, 1, 7, 100, 1000 },  { TIMER, 1, 7, 200, 1100 }, /* context 7 from 100 */
	{ SWITCH, 1, 9, 230, 1130 }, /* context 7 from 200 */
	{ TIMER, 1, 9, 300, 1230 },  { SWITCH, 1, 7 | NOISE, 340, 1330 },
	{ SWITCH, 0, 7, 360, 1350 }, /* context 7 ran from 340; afterwards the GPU is idle */
	{ TIMER, 0, 7, 400, 1360 },  { SWITCH, 1, 7, 410, 1370 },
	{ TIMER, 1, 7, 500, 1470 }, /* context 7 from 410 */
};

#define LIFE (sizeof(life_of_two) / sizeof(life_of_two[0]))

static void context_filter_starts_rows_at_its_reports(void)
{
	static const struct gpuoa_interval expected[] = {
		{ 100, 200 },
		{ 200, 230 },
		{ 340, 360 },
		{ 410, 500 },
	};
	static const uint64_t clocks[] = { 100, 30, 20, 100 };
	struct gpuoa_interval intervals[REPORTS_MAX], interval;
	union gpuoa_value values[REPORTS_MAX];
	const uint32_t context = 7;
	struct gpuoa_calc *calc = open_filter("sklgt2", 0, &context);

	REQUIRE(calc);
	REQUIRE(run_headers(calc, life_of_two, LIFE, values, intervals) == 4);
	CHECK(!memcmp(intervals, expected, sizeof(expected)));
	for (int i = 0; i < 4; i++)
		CHECK(values[i].u64 == clocks[i]);
	REQUIRE(!gpuoa_calc_total(calc, values, &interval, false));
	CHECK(values[0].u64 == 250);
	CHECK(interval.begin == 100 && interval.end == 500);
	gpuoa_calc_close(calc);
}

static void totals_have_items_of_the_last_row_of_the_context(void)
{
	const uint32_t context = 7;
	struct gpuoa_calc *calc = open_filter_with("sklgt2", 0, &context, false);
	union gpuoa_value values[REPORTS_MAX * 16], totals[16];
	struct gpuoa_output_desc output;
	size_t outputs, reason = 0;

	REQUIRE(calc);
	outputs = gpuoa_calc_output_count(calc);
	REQUIRE(outputs <= 16);
	for (size_t i = 0; i < outputs; i++)
		if (!gpuoa_calc_output_describe(calc, i, &output, sizeof(output)) &&
		    !strcmp(output.symbol, "ReportReason"))
			reason = i;
	REQUIRE(reason);
	REQUIRE(run_headers(calc, life_of_two, 7, values, NULL) == 3);
	REQUIRE(!gpuoa_calc_total(calc, totals, NULL, false));
	CHECK(values[reason].u64 == TIMER);
	CHECK(values[outputs + reason].u64 == SWITCH);
	CHECK(values[2 * outputs + reason].u64 == SWITCH);
	CHECK(totals[reason].u64 == SWITCH);
	gpuoa_calc_close(calc);
}

static void context_persists_across_runs_but_not_gaps(void)
{
	struct gpuoa_interval intervals[REPORTS_MAX];
	union gpuoa_value values[REPORTS_MAX];
	const uint32_t context = 7;
	struct gpuoa_calc *calc = open_filter("tglgt2", 0, &context);

	REQUIRE(calc);
	CHECK(run_headers(calc, life_of_two, 2, values, intervals) == 1);
	CHECK(run_headers(calc, life_of_two + 2, 1, values, intervals) == 1);
	CHECK(intervals[0].begin == 200 && intervals[0].end == 230);
	CHECK(values[0].u64 == 30);
	CHECK(run_headers(calc, life_of_two + 3, 2, values, intervals) == 0);
	gpuoa_calc_discontinuity(calc);
	CHECK(run_headers(calc, life_of_two + 5, 3, values, intervals) == 0);
	CHECK(run_headers(calc, life_of_two + 8, 1, values, intervals) == 1);
	CHECK(intervals[0].begin == 410 && intervals[0].end == 500);
	REQUIRE(!gpuoa_calc_total(calc, values, NULL, false));
	CHECK(values[0].u64 == 230);
	gpuoa_calc_close(calc);
}

static const struct header life_of_two_later[] = {
	{ TIMER, 0, 0, 50, 900 },     { SWITCH, 1, 7, 100, 1000 },
	{ TIMER, 0, 0, 200, 1100 }, /* context 7 from 100 */
	{ TRIGGER, 0, 9, 230, 1130 }, /* context 7 ran from 200; 9 is a marker, not a context */
	{ SWITCH, 1, 9, 300, 1230 }, /* context 7 from 230 */
	{ TIMER, 0, 7, 340, 1330 },   { SWITCH, 1, 7, 360, 1350 },
	{ SWITCH, 1, 9, 400, 1360 }, /* context 7 from 360 */
	{ TIMER, 0, 7, 410, 1370 },   { TIMER, 0, 7, 500, 1470 },
};

#define LIFE_LATER (sizeof(life_of_two_later) / sizeof(life_of_two_later[0]))

static const struct gpuoa_interval intervals_later[] = {
	{ 100, 200 },
	{ 200, 230 },
	{ 230, 300 },
	{ 360, 400 },
};

static void context_lasts_until_next_switch_report(void)
{
	struct gpuoa_interval intervals[REPORTS_MAX];
	union gpuoa_value values[REPORTS_MAX];
	const uint32_t context = 7;
	struct gpuoa_calc *calc = open_filter("mtlgt2", 0, &context);

	REQUIRE(calc);
	REQUIRE(run_headers(calc, life_of_two_later, LIFE_LATER, values, intervals) == 4);
	CHECK(!memcmp(intervals, intervals_later, sizeof(intervals_later)));
	REQUIRE(!gpuoa_calc_total(calc, values, NULL, true));
	CHECK(values[0].u64 == 100 + 30 + 100 + 10);
	/* After a discontinuity, the running context is unknown. */
	CHECK(run_headers(calc, life_of_two_later + 1, 2, values, intervals) == 1);
	gpuoa_calc_discontinuity(calc);
	CHECK(run_headers(calc, life_of_two_later + 2, 2, values, intervals) == 0);
	gpuoa_calc_close(calc);
}

static void filtered_reports_update_context(void)
{
	struct gpuoa_interval intervals[REPORTS_MAX];
	union gpuoa_value values[REPORTS_MAX];
	const uint32_t context = 7;
	struct gpuoa_calc *calc = open_filter("mtlgt2", TIMER | TRIGGER, &context);

	REQUIRE(calc);
	REQUIRE(run_headers(calc, life_of_two_later, LIFE_LATER, values, intervals) == 2);
	CHECK(intervals[0].begin == 200 && intervals[0].end == 230);
	CHECK(intervals[1].begin == 230 && intervals[1].end == 340);
	gpuoa_calc_close(calc);
}

/* Test reports with a header of 64-bit words. */
static void context_filter_reads_64_bit_headers(void)
{
	static uint64_t reports[LIFE_LATER][576 / 8];
	struct gpuoa_interval intervals[REPORTS_MAX];
	union gpuoa_value values[REPORTS_MAX];
	const uint32_t context = 7;
	struct gpuoa_calc *calc = open_filter("bmg", 0, &context);
	size_t used;

	REQUIRE(calc && gpuoa_format_size(GPUOA_REPORT_PEC64U64) == sizeof(reports[0]));
	for (size_t i = 0; i < LIFE_LATER; i++) {
		const struct header *header = &life_of_two_later[i];

		reports[i][0] = header->reason << 19 | header->valid << 16;
		reports[i][1] = header->time;
		reports[i][2] = header->context;
		reports[i][3] = header->clock;
	}
	REQUIRE(gpuoa_calc_run(calc, reports, LIFE_LATER, values, intervals, REPORTS_MAX, &used) ==
		4);
	CHECK(!memcmp(intervals, intervals_later, sizeof(intervals_later)));
	gpuoa_calc_close(calc);
}

static void reason_filter_skips_other_reports(void)
{
	static const struct gpuoa_interval expected[] = {
		{ 230, 340 },
		{ 340, 360 },
		{ 360, 410 },
	};
	static const uint64_t clocks[] = { 200, 20, 20 };
	struct gpuoa_interval intervals[REPORTS_MAX];
	union gpuoa_value values[REPORTS_MAX];
	struct gpuoa_calc *calc = open_filter("sklgt2", SWITCH | TRIGGER, NULL);

	REQUIRE(calc);
	REQUIRE(run_headers(calc, life_of_two, LIFE, values, intervals) == 3);
	CHECK(!memcmp(intervals, expected, sizeof(expected)));
	for (int i = 0; i < 3; i++)
		CHECK(values[i].u64 == clocks[i]);
	REQUIRE(!gpuoa_calc_total(calc, values, NULL, false));
	CHECK(values[0].u64 == 240);
	gpuoa_calc_close(calc);
}

static void time_base_applies_to_next_accepted_report(void)
{
	struct gpuoa_interval intervals[REPORTS_MAX];
	union gpuoa_value values[REPORTS_MAX];
	struct gpuoa_calc *calc = open_filter("sklgt2", SWITCH, NULL);

	REQUIRE(calc);
	gpuoa_calc_set_time_base(calc, 0x300000000);
	CHECK(run_headers(calc, life_of_two, LIFE, values, intervals) == 3);
	CHECK(intervals[0].begin == 0x300000000 + 230);
	CHECK(intervals[2].end == 0x300000000 + 410);
	gpuoa_calc_close(calc);
}

static void filters_missing_from_header_are_rejected(void)
{
	struct gpuoa_constants *constants = haswell_gt2();
	const struct gpuoa_set *set =
		gpuoa_platform_find_set(gpuoa_platform_find("hsw"), "RenderBasic", NULL, NULL);
	struct gpuoa_calc_options options = { .size = sizeof(options), .reasons = TIMER };
	struct gpuoa_calc *calc = NULL;

	CHECK(gpuoa_calc_open(set, constants, GPUOA_REPORT_A45_B8_C8, &options, &calc, NULL, 0) ==
	      -EOPNOTSUPP);
	options.reasons = 0;
	options.context_filter = true;
	CHECK(gpuoa_calc_open(set, constants, GPUOA_REPORT_A45_B8_C8, &options, &calc, NULL, 0) ==
	      -EOPNOTSUPP);
	CHECK(!calc);
	gpuoa_constants_free(constants);
}

/* The information items of a set have no fixed order. */
static void reason_may_be_the_first_information_item(void)
{
	static const char first[] =
		"platform t \"Test\"\n"
		"info ReportReason \"-\" \"-\" = REPORT_ID uint64 x raw\n"
		"metric Alone \"-\" \"-\" = A0 uint64 x event\n"
		"set S \"Set\" { uuid \"00000000-0000-4000-8000-000000000001\"\n"
		"	format A45_B8_C8 metrics { Alone } }\n";
	struct bench bench = { .options = { .size = sizeof(bench.options), .reasons = TIMER } };

	REQUIRE(!fixture_compile(&bench.fixture, first));
	bench.set = gpuoa_platform_find_set(fixture_platform(&bench.fixture), "S", NULL, NULL);
	REQUIRE(!gpuoa_constants_new(fixture_platform(&bench.fixture), &bench.constants));
	CHECK(!bench_calc(&bench));
	bench_close(&bench);
}

/* ---- random reports, compared with a simple loop ---- */

#define MANY 400

struct row {
	uint64_t begin;
	uint64_t end;
	uint64_t clocks;
};

/* A filter, the reports, and the discontinuities between them */
struct history {
	uint32_t reasons;
	bool one_context;
	/* of gen12.5 or later: only reports of context switches have a context id, valid or not */
	bool later;
	struct header headers[MANY];
	bool gaps[MANY];
};

static void make_history(struct history *history, uint64_t *state)
{
	uint32_t time = (uint32_t)fixture_random(state);

	for (size_t i = 0; i < MANY; i++) {
		uint64_t random = fixture_random(state);

		time += 1 + (random >> 40 & 0xff) * (random >> 48 & 0xffff);
		history->headers[i] = (struct header){
			.reason = 1u << (random & 3),
			.valid = (random >> 4 & 7) != 0,
			.context = 7 + (random >> 8 & 1),
			.time = time,
			.clock = (uint32_t)(random >> 16),
		};
		history->gaps[i] = (random >> 12 & 31) == 0;
	}
}

static size_t expected_rows(const struct history *history, struct row *rows)
{
	const struct header *last = NULL;
	uint64_t ticks = 0;
	bool begun = false, new = true, runs = false, ran = false;
	size_t count = 0;

	for (size_t i = 0; i < MANY; i++) {
		const struct header *now = &history->headers[i];

		new |= history->gaps[i];
		if (history->later ? now->reason == SWITCH : now->valid)
			runs = now->context == 7;
		else if (history->gaps[i] || !history->later)
			runs = false;
		if (history->reasons && !(now->reason & history->reasons))
			continue;
		ticks = begun ? ticks + (uint32_t)(now->time - last->time) : now->time;
		if (!new && (!history->one_context || ran))
			rows[count++] = (struct row){
				.begin = ticks - (uint32_t)(now->time - last->time),
				.end = ticks,
				.clocks = (uint32_t)(now->clock - last->clock),
			};
		last = now;
		ran = runs;
		begun = true;
		new = false;
	}
	return count;
}

static bool same_row(const struct row *row, const struct gpuoa_interval *interval,
		     union gpuoa_value value)
{
	return row->begin == interval->begin && row->end == interval->end &&
	       row->clocks == value.u64;
}

/*
 * Calculate the reports up to the next discontinuity, at most @piece in each call, with room for
 * only a few rows.
 */
static size_t run_piece(struct gpuoa_calc *calc, const struct history *history, size_t *at,
			size_t piece, size_t max, union gpuoa_value *values,
			struct gpuoa_interval *intervals)
{
	static uint32_t reports[MANY][REPORT_WORDS];
	size_t count = 0, used, rows;

	while (*at + count < MANY && count < piece && (!count || !history->gaps[*at + count])) {
		write_report(reports[count], &history->headers[*at + count]);
		count++;
	}
	rows = gpuoa_calc_run(calc, reports, count, values, intervals, max, &used);
	CHECK(used == count || rows == max);
	*at += used;
	return rows;
}

static void check_history(const struct history *history, uint64_t *state)
{
	static struct row rows[MANY];
	static union gpuoa_value values[MANY];
	static struct gpuoa_interval intervals[MANY];
	const uint32_t context = 7;
	struct gpuoa_calc *calc = open_filter(history->later ? "mtlgt2" : "sklgt2",
					      history->reasons,
					      history->one_context ? &context : NULL);
	size_t expected = expected_rows(history, rows), done = 0;
	uint64_t sum = 0;

	REQUIRE(calc);
	for (size_t at = 0; at < MANY;) {
		size_t max = 1 + fixture_random(state) % 150;

		if (history->gaps[at])
			gpuoa_calc_discontinuity(calc);
		done += run_piece(calc, history, &at, 1 + fixture_random(state) % 150,
				  max < MANY - done ? max : MANY - done, values + done,
				  intervals + done);
	}
	REQUIRE(done == expected);
	for (size_t i = 0; i < done; i++) {
		CHECK(same_row(&rows[i], &intervals[i], values[i]));
		sum += rows[i].clocks;
	}
	if (done && CHECK(!gpuoa_calc_total(calc, values, intervals, false))) {
		CHECK(values[0].u64 == sum);
		CHECK(intervals[0].begin == rows[0].begin);
		CHECK(intervals[0].end == rows[done - 1].end);
	}
	gpuoa_calc_close(calc);
}

static void filters_equal_plain_loop(void)
{
	static struct history history;
	uint64_t state = 11;

	for (int round = 0; round < 200 && tap.good; round++) {
		history.later = round & 4;
		make_history(&history, &state);
		history.reasons = round & 1 ? fixture_random(&state) & 15 : 0;
		history.one_context = round & 2;
		check_history(&history, &state);
	}
}

int main(void)
{
	RUN(open_checks_size_of_options);
	RUN(outputs_are_limited);
	RUN(isa_is_selected_by_name);
	RUN(outputs_follow_order_of_requested_metrics);
	RUN(empty_metric_list_leaves_information_items);
	RUN(no_outputs_still_returns_intervals);
	RUN(no_infos_omits_information_items);
	RUN(metrics_of_another_set_return_einval);
	RUN(open_requires_constants_of_requested_metrics_only);
	RUN(context_filter_starts_rows_at_its_reports);
	RUN(totals_have_items_of_the_last_row_of_the_context);
	RUN(context_persists_across_runs_but_not_gaps);
	RUN(context_lasts_until_next_switch_report);
	RUN(filtered_reports_update_context);
	RUN(context_filter_reads_64_bit_headers);
	RUN(reason_filter_skips_other_reports);
	RUN(time_base_applies_to_next_accepted_report);
	RUN(filters_missing_from_header_are_rejected);
	RUN(reason_may_be_the_first_information_item);
	RUN(filters_equal_plain_loop);
	return tap_end();
}
