// SPDX-License-Identifier: MIT
/* calc_test.c - Test the rows, times and totals that a calculator produces from reports. */
#include <errno.h>
#include <stdlib.h>

#include "fixture.h"
#include "tap.h"

#define UUID "00000000-0000-4000-8000-000000000001"

/* Definition of a platform that has one set with the given metrics, in this order */
#define PLATFORM(constants, metrics, list)                                         \
	"platform t \"Test\"\n" constants metrics "\nset S \"Set\" { uuid \"" UUID \
	"\" format A45_B8_C8 metrics { " list " } }\n"

#define INTEGER(symbol, equation) "\nmetric " symbol " \"-\" \"-\" = " equation " uint64 x event "
#define FLOAT(symbol, equation) "\nmetric " symbol " \"-\" \"-\" = " equation " float x event "
#define INFO(symbol, equation) "\ninfo " symbol " \"-\" \"-\" = " equation " uint64 x raw "

#define COLUMNS_MAX 80

/* A calculator for a definition, and the next report to pass to it */
struct bench {
	struct fixture fixture;
	struct gpuoa_constants *constants;
	struct gpuoa_calc *calc;
	uint32_t report[REPORT_WORDS];
	union gpuoa_value values[COLUMNS_MAX];
	struct gpuoa_interval interval;
};

static int bench_compile(struct bench *bench, const char *text)
{
	int error;

	memset(bench, 0, sizeof(*bench));
	error = fixture_compile(&bench->fixture, text);
	if (error) {
		printf("# %s\n", bench->fixture.diagnostic.text);
		return error;
	}
	return gpuoa_constants_new(fixture_platform(&bench->fixture), &bench->constants);
}

static int bench_open_calc(struct bench *bench, uint32_t format)
{
	return gpuoa_calc_open(gpuoa_platform_get_set(fixture_platform(&bench->fixture), 0),
			       bench->constants, format, NULL, &bench->calc, NULL, 0);
}

static int bench_open(struct bench *bench, const char *text)
{
	int error = bench_compile(bench, text);

	return error ? error : bench_open_calc(bench, GPUOA_REPORT_A45_B8_C8);
}

static void bench_close(struct bench *bench)
{
	gpuoa_calc_close(bench->calc);
	gpuoa_constants_free(bench->constants);
	fixture_free(&bench->fixture);
}

static uint32_t *counter_a(struct bench *bench, int index)
{
	return &bench->report[3 + index];
}

static uint32_t *timestamp(struct bench *bench)
{
	return &bench->report[1];
}

/* Calculate the current report; the row is stored in .values. Returns the number of rows. */
static size_t bench_report(struct bench *bench)
{
	size_t used;
	size_t rows = gpuoa_calc_run(bench->calc, bench->report, 1, bench->values, &bench->interval,
				     1, &used);

	CHECK(used == 1);
	return rows;
}

/* Calculate the first interval, in which A0 counts @a and A1 counts @b. */
static void bench_interval(struct bench *bench, uint32_t a, uint32_t b)
{
	gpuoa_calc_discontinuity(bench->calc);
	*counter_a(bench, 0) = *counter_a(bench, 1) = 0;
	CHECK(bench_report(bench) == 0);
	*counter_a(bench, 0) = a;
	*counter_a(bench, 1) = b;
	CHECK(bench_report(bench) == 1);
}

/* ---- opening ---- */

static void missing_constant_returns_unset_constants(void)
{
	struct bench bench;
	const struct gpuoa_set *set;

	REQUIRE(!bench_compile(&bench, PLATFORM("constant K \"-\" constant L \"-\"",
						INTEGER("M", "A0 * K") "max L", "M")));
	set = gpuoa_platform_get_set(fixture_platform(&bench.fixture), 0);
	CHECK_STRING(gpuoa_calc_missing_constant(set, bench.constants, NULL, 0), "K");
	CHECK_STRING(gpuoa_calc_missing_constant(set, bench.constants, NULL, 1), "L");
	CHECK(!gpuoa_calc_missing_constant(set, bench.constants, NULL, 2));
	CHECK(bench_open_calc(&bench, GPUOA_REPORT_A45_B8_C8) == -ENODATA);
	gpuoa_constants_set(bench.constants, "K", 0);
	CHECK_STRING(gpuoa_calc_missing_constant(set, bench.constants, NULL, 0), "L");
	CHECK(bench_open_calc(&bench, GPUOA_REPORT_A45_B8_C8) == -ENODATA);
	gpuoa_constants_set(bench.constants, "L", 0);
	CHECK(!gpuoa_calc_missing_constant(set, bench.constants, NULL, 0));
	CHECK(!bench_open_calc(&bench, GPUOA_REPORT_A45_B8_C8));
	bench_close(&bench);
}

static void constants_of_absent_metrics_are_not_required(void)
{
	struct bench bench;

	REQUIRE(!bench_compile(&bench, PLATFORM("constant K \"-\" constant L \"-\"",
						INTEGER("M", "A0 * K") "if L", "M")));
	CHECK_STRING(gpuoa_calc_missing_constant(
			     gpuoa_platform_get_set(fixture_platform(&bench.fixture), 0),
			     bench.constants, NULL, 0),
		     "L");
	gpuoa_constants_set(bench.constants, "L", 0);
	CHECK(!bench_open_calc(&bench, GPUOA_REPORT_A45_B8_C8));
	bench_close(&bench);
}

static void format_without_counter_returns_enxio(void)
{
	struct bench bench;

	REQUIRE(!bench_compile(&bench, PLATFORM("", INTEGER("M", "A13"), "M")));
	CHECK(bench_open_calc(&bench, GPUOA_REPORT_A13) == -ENXIO);
	CHECK(bench_open_calc(&bench, 0) == -EINVAL);
	CHECK(bench_open_calc(&bench, 99) == -EINVAL);
	CHECK(!bench_open_calc(&bench, GPUOA_REPORT_A29));
	bench_close(&bench);
}

static void constants_of_another_platform_are_rejected(void)
{
	struct gpuoa_constants *constants = haswell_gt2();
	struct gpuoa_calc *calc;
	struct bench bench;

	REQUIRE(!bench_compile(&bench, PLATFORM("", INTEGER("M", "A0"), "M")));
	CHECK(gpuoa_calc_open(gpuoa_platform_get_set(fixture_platform(&bench.fixture), 0),
			      constants, GPUOA_REPORT_A45_B8_C8, NULL, &calc, NULL, 0) == -EINVAL);
	gpuoa_constants_free(constants);
	bench_close(&bench);
}

static void calc_keeps_constants_as_of_open(void)
{
	struct bench bench;

	REQUIRE(!bench_compile(&bench, PLATFORM("constant K \"-\"", INTEGER("M", "A0 * K"), "M")));
	gpuoa_constants_set(bench.constants, "K", 3);
	REQUIRE(!bench_open_calc(&bench, GPUOA_REPORT_A45_B8_C8));
	gpuoa_constants_set(bench.constants, "K", 4);
	bench_interval(&bench, 5, 0);
	CHECK(bench.values[0].u64 == 15);
	REQUIRE(!gpuoa_calc_total(bench.calc, bench.values, NULL, false));
	CHECK(bench.values[0].u64 == 15);
	bench_close(&bench);
}

static void close_accepts_null(void)
{
	gpuoa_calc_close(NULL);
	CHECK(true);
}

/* ---- differences ---- */

static void counter_wrap_is_counted(void)
{
	struct bench bench;

	REQUIRE(!bench_open(&bench, PLATFORM("", INTEGER("M", "A0"), "M")));
	*counter_a(&bench, 0) = 0xfffffff0;
	CHECK(bench_report(&bench) == 0);
	*counter_a(&bench, 0) = 0x00000010;
	CHECK(bench_report(&bench) == 1);
	CHECK(bench.values[0].u64 == 0x20);
	*counter_a(&bench, 0) = 0x0000000f;
	CHECK(bench_report(&bench) == 1);
	CHECK(bench.values[0].u64 == 0xffffffff);
	bench_close(&bench);
}

static void counter_value_is_equal_in_every_format(void)
{
	static const uint32_t formats[] = { GPUOA_REPORT_B4_C8, GPUOA_REPORT_A45_B8_C8,
					    GPUOA_REPORT_A13_B8_C8, GPUOA_REPORT_B4_C8_A16 };
	static const int words[] = { 8, 56, 24, 8 };
	struct bench bench;

	REQUIRE(!bench_compile(&bench, PLATFORM("", INTEGER("M", "C0"), "M")));
	for (int i = 0; i < 4; i++) {
		REQUIRE(!bench_open_calc(&bench, formats[i]));
		bench.report[words[i]] = 7;
		bench_report(&bench);
		bench.report[words[i]] = 19;
		bench_report(&bench);
		CHECK(bench.values[0].u64 == 12);
		gpuoa_calc_close(bench.calc);
		bench.calc = NULL;
	}
	bench_close(&bench);
}

/* ---- arithmetic: rows and totals agree if both can represent the result ---- */

struct arithmetic {
	const char *equation;
	uint32_t a;
	uint32_t b;
	double expected;
};

/* Check the row and the total of an equation that is chosen at run time. */
static void check_equation(const struct arithmetic *test, bool real)
{
	static const char format[] = PLATFORM("", INTEGER("I", "%s") FLOAT("F", "%s"), "%s");
	char text[2048];
	struct bench bench;
	union gpuoa_value row;

	snprintf(text, sizeof(text), format, test->equation, test->equation, real ? "F" : "I");
	REQUIRE(!bench_open(&bench, text));
	bench_interval(&bench, test->a, test->b);
	row = bench.values[0];
	CHECK(real ? row.f32 == (float)test->expected : row.u64 == (uint64_t)test->expected);
	REQUIRE(!gpuoa_calc_total(bench.calc, bench.values, NULL, true));
	if (!CHECK(bench.values[0].u64 == row.u64) || !tap.good)
		printf("# %s with A0 = %u, A1 = %u\n", test->equation, test->a, test->b);
	bench_close(&bench);
}

static void integer_equations_are_exact(void)
{
	static const struct arithmetic tests[] = {
		{ "A0 + A1", 0xffffffff, 0xffffffff, 0x1fffffffep0 },
		{ "A0 - A1", 7, 5, 2 },
		{ "A0 - A1", 5, 7, 0 },
		{ "A0 - A1 + 10", 5, 7, 10 },
		{ "A0 * A1", 70000, 70000, 4.9e9 },
		{ "A0 // A1", 7, 2, 3 },
		{ "A0 // A1", 7, 0, 0 },
		{ "A0 // 0", 7, 0, 0 },
		{ "A0 // 3 * 3", 8, 0, 6 },
		{ "A0 * 3 // 3", 8, 0, 8 },
		{ "100 - (A0 + A1)", 30, 20, 50 },
		{ "2 + 3 * 4", 0, 0, 14 },
		{ "(2 + 3) * 4", 0, 0, 20 },
		{ "100 - 10 - 1", 0, 0, 89 },
		{ "100 // 10 // 2", 0, 0, 5 },
		{ "min(A0, A1)", 3, 4, 3 },
		{ "max(A0, A1)", 3, 4, 4 },
		{ "A0 & 0xff", 0x1234, 0, 0x34 },
		{ "A0 & 6 == 4", 12, 0, 1 },
		{ "A0 << 4 >> 2", 3, 0, 12 },
		{ "A0 << A1", 1, 64, 0 },
		{ "A0 >> A1", 1, 64, 0 },
		{ "A0 << 1 + 1", 1, 0, 4 },
		{ "A0 == A1", 3, 3, 1 },
		{ "A0 != A1", 3, 3, 0 },
		{ "A0 < A1", 3, 3, 0 },
		{ "A0 <= A1", 3, 3, 1 },
		{ "A0 > A1", 4, 3, 1 },
		{ "A0 >= A1", 2, 3, 0 },
		{ "A0 and A1", 2, 1, 1 },
		{ "A0 and A1", 2, 0, 0 },
		{ "A0 or A1", 0, 4, 1 },
		{ "A0 or A1", 0, 0, 0 },
		{ "1 or 1 and 0", 0, 0, 1 },
		{ "A0 > 1 and A1 < 5 or 0", 2, 4, 1 },
	};

	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		check_equation(&tests[i], false);
}

static void fraction_operand_makes_operation_real(void)
{
	static const struct arithmetic tests[] = {
		{ "A0 / A1", 7, 2, 3.5 },
		{ "A0 / A1", 7, 0, 0 },
		{ "A0 / 0", 7, 0, 0 },
		{ "A0 / A1 + 1", 7, 2, 4.5 },
		{ "1 + A0 / A1", 7, 2, 4.5 },
		{ "1 - A0 / A1", 7, 2, -2.5 },
		{ "float(A0) - A1", 5, 7, -2 },
		{ "A0 - float(A1)", 5, 7, -2 },
		{ "float(float(A0))", 5, 0, 5 },
		{ "A0 * 0.5", 5, 0, 2.5 },
		{ "2.25 * 4", 0, 0, 9 },
		{ "max(A0, 2.5)", 2, 0, 2.5 },
		{ "min(A0 / 2, A1)", 7, 4, 3.5 },
		{ "A0 // 2 / 2", 7, 0, 1.5 },
		{ "A0 * A1", 3, 4, 12 },
	};

	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		check_equation(&tests[i], true);
}

static void reals_truncate_to_integers(void)
{
	static const struct arithmetic tests[] = {
		{ "A0 / A1", 7, 4, 1 },
		{ "float(A0) - A1", 5, 7, 0 },
		{ "float(A0) - A1 + 10", 5, 7, 8 },
	};

	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		check_equation(&tests[i], false);
}

static void reals_out_of_range_saturate(void)
{
	struct bench bench;

	REQUIRE(!bench_open(&bench, PLATFORM("", INTEGER("M", "float(A0) * A0 * A0"), "M")));
	bench_interval(&bench, 0xffffffff, 0);
	CHECK(bench.values[0].u64 == UINT64_MAX);
	REQUIRE(!gpuoa_calc_total(bench.calc, bench.values, NULL, false));
	CHECK(bench.values[0].u64 == UINT64_MAX);
	bench_close(&bench);
}

static void products_wrap_in_rows_but_not_in_totals(void)
{
	struct bench bench;

	REQUIRE(!bench_open(&bench, PLATFORM("",
					     INTEGER("M", "A0 * 1000000000000 // 1000")
						     INTEGER("N", "A0 * A0 * A0"),
					     "M N")));
	bench_interval(&bench, 4000000000u, 0);
	CHECK(bench.values[0].u64 == 4000000000ull * 1000000000000ull / 1000);
	CHECK(bench.values[1].u64 == 4000000000ull * 4000000000ull * 4000000000ull);
	REQUIRE(!gpuoa_calc_total(bench.calc, bench.values, NULL, false));
	CHECK(bench.values[0].u64 == 4000000000000000000ull);
	CHECK(bench.values[1].u64 == UINT64_MAX);
	bench_close(&bench);
}

static void operand_metric_is_not_rounded_to_float(void)
{
	struct bench bench;

	REQUIRE(!bench_open(&bench,
			    PLATFORM("",
				     FLOAT("Third", "A0 / 3") FLOAT("Error", "Third * 3 - A0")
					     INTEGER("Cut", "A0 / 3") FLOAT("Back", "Cut * 3.0"),
				     "Third Error Cut Back")));
	bench_interval(&bench, 1000000001, 0);
	CHECK(bench.values[0].f32 == (float)(1000000001 / 3.0));
	CHECK(bench.values[1].f32 == 0);
	CHECK(bench.values[2].u64 == 333333333);
	CHECK(bench.values[3].f32 == 999999999.0f);
	REQUIRE(!gpuoa_calc_total(bench.calc, bench.values, NULL, false));
	CHECK(bench.values[1].f32 == 0);
	CHECK(bench.values[3].f32 == 999999999.0f);
	bench_close(&bench);
}

static void absent_metric_is_0_in_other_equations(void)
{
	struct bench bench;

	REQUIRE(!bench_compile(&bench,
			       PLATFORM("constant K \"-\"",
					INTEGER("M", "A0") "if K & 2 max 7" INTEGER("N", "M + A1")
						FLOAT("R", "A0 / 2") "if K & 2" FLOAT("Q", "R + 1"),
					"M N R Q")));
	gpuoa_constants_set(bench.constants, "K", 1);
	REQUIRE(!bench_open_calc(&bench, GPUOA_REPORT_A45_B8_C8));
	bench_interval(&bench, 5, 6);
	CHECK(bench.values[0].u64 == 0);
	CHECK(bench.values[1].u64 == 6);
	CHECK(bench.values[2].u64 == 0);
	CHECK(bench.values[3].f32 == 1);
	REQUIRE(!gpuoa_calc_total(bench.calc, bench.values, NULL, false));
	CHECK(bench.values[0].u64 == 0);
	CHECK(bench.values[1].u64 == 6);
	CHECK(bench.values[3].f32 == 1);
	REQUIRE(!gpuoa_calc_total_max(bench.calc, bench.values));
	CHECK(bench.values[0].u64 == 0);
	bench_close(&bench);
}

/* ---- rows ---- */

#define MANY 500

static const struct gpuoa_set *render_basic(void)
{
	return gpuoa_platform_find_set(gpuoa_platform_find("hsw"), "RenderBasic", NULL, NULL);
}

static uint32_t *many_reports(void)
{
	uint32_t *reports = calloc(MANY, 4 * REPORT_WORDS);
	uint64_t state = 3;

	for (size_t i = 1; reports && i < MANY; i++)
		fixture_next_report(&state, reports + (i - 1) * REPORT_WORDS,
				    reports + i * REPORT_WORDS);
	return reports;
}

static void first_report_returns_no_row(void)
{
	struct bench bench;

	REQUIRE(!bench_open(&bench, PLATFORM("", INTEGER("M", "A0"), "M")));
	CHECK(gpuoa_calc_output_count(bench.calc) == 1);
	CHECK(bench_report(&bench) == 0);
	CHECK(bench_report(&bench) == 1);
	bench_close(&bench);
}

static void zero_reports_return_no_row(void)
{
	struct bench bench;
	size_t used = 7;

	REQUIRE(!bench_open(&bench, PLATFORM("", INTEGER("M", "A0"), "M")));
	CHECK(gpuoa_calc_run(bench.calc, bench.report, 0, bench.values, NULL, 1, &used) == 0);
	CHECK(used == 0);
	bench_close(&bench);
}

static void run_stops_when_rows_are_full(void)
{
	struct bench bench;
	uint32_t reports[4][REPORT_WORDS] = { { 0 } };
	size_t used;

	REQUIRE(!bench_open(&bench, PLATFORM("", INTEGER("M", "A0"), "M")));
	for (uint32_t i = 0; i < 4; i++)
		reports[i][3] = i * i;
	CHECK(gpuoa_calc_run(bench.calc, reports, 4, bench.values, NULL, 0, &used) == 0);
	CHECK(used == 1);
	CHECK(gpuoa_calc_run(bench.calc, reports[1], 3, bench.values, NULL, 2, &used) == 2);
	CHECK(used == 2);
	CHECK(bench.values[0].u64 == 1 && bench.values[1].u64 == 3);
	CHECK(gpuoa_calc_run(bench.calc, reports[3], 1, bench.values, NULL, 2, &used) == 1);
	CHECK(used == 1);
	CHECK(bench.values[0].u64 == 5);
	bench_close(&bench);
}

/* Calculate @reports in batches of @piece reports; the rows must equal @whole. */
static void check_pieces(const uint32_t *reports, size_t piece, const union gpuoa_value *whole,
			 const struct gpuoa_interval *times)
{
	struct gpuoa_constants *constants = haswell_gt2();
	struct gpuoa_interval intervals[MANY];
	union gpuoa_value *values;
	struct gpuoa_calc *calc;
	size_t columns, rows = 0, used;

	REQUIRE(!gpuoa_calc_open(render_basic(), constants, GPUOA_REPORT_A45_B8_C8, NULL, &calc,
				 NULL, 0));
	columns = gpuoa_calc_output_count(calc);
	values = calloc(MANY * columns, sizeof(*values));
	REQUIRE(values);
	for (size_t i = 0; i < MANY; i += piece) {
		size_t count = MANY - i < piece ? MANY - i : piece;

		rows += gpuoa_calc_run(calc, reports + i * REPORT_WORDS, count,
				       values + rows * columns, intervals + rows, MANY - rows,
				       &used);
		CHECK(used == count);
	}
	CHECK(rows == MANY - 1);
	CHECK(!memcmp(values, whole, rows * columns * sizeof(*values)));
	CHECK(!memcmp(intervals, times, rows * sizeof(*times)));
	free(values);
	gpuoa_calc_close(calc);
	gpuoa_constants_free(constants);
}

static void split_runs_return_equal_rows(void)
{
	static const size_t pieces[] = { 1, 2, 7, 63, 64, 65, 128, 499 };
	struct gpuoa_constants *constants = haswell_gt2();
	struct gpuoa_interval intervals[MANY];
	uint32_t *reports = many_reports();
	union gpuoa_value *values;
	struct gpuoa_calc *calc;
	size_t columns, used;

	REQUIRE(reports && !gpuoa_calc_open(render_basic(), constants, GPUOA_REPORT_A45_B8_C8, NULL,
					    &calc, NULL, 0));
	columns = gpuoa_calc_output_count(calc);
	values = calloc(MANY * columns, sizeof(*values));
	REQUIRE(values);
	CHECK(gpuoa_calc_run(calc, reports, MANY, values, intervals, MANY, &used) == MANY - 1);
	CHECK(used == MANY);
	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++)
		check_pieces(reports, pieces[i], values, intervals);
	free(values);
	free(reports);
	gpuoa_calc_close(calc);
	gpuoa_constants_free(constants);
}

static void rows_end_at_gap(void)
{
	struct bench bench;

	REQUIRE(!bench_open(&bench, PLATFORM("", INTEGER("M", "A0"), "M")));
	bench_report(&bench);
	*counter_a(&bench, 0) = 5;
	CHECK(bench_report(&bench) == 1);
	gpuoa_calc_discontinuity(bench.calc);
	*counter_a(&bench, 0) = 1000;
	CHECK(bench_report(&bench) == 0);
	*counter_a(&bench, 0) = 1003;
	CHECK(bench_report(&bench) == 1);
	CHECK(bench.values[0].u64 == 3);
	REQUIRE(!gpuoa_calc_total(bench.calc, bench.values, NULL, false));
	CHECK(bench.values[0].u64 == 8);
	bench_close(&bench);
}

static void across_gaps_bridges_gap(void)
{
	const struct gpuoa_calc_options options = { .size = sizeof(options), .across_gaps = true };
	struct bench bench;

	REQUIRE(!bench_compile(&bench, PLATFORM("", INTEGER("M", "A0"), "M")));
	REQUIRE(!gpuoa_calc_open(gpuoa_platform_get_set(fixture_platform(&bench.fixture), 0),
				 bench.constants, GPUOA_REPORT_A45_B8_C8, &options, &bench.calc,
				 NULL, 0));
	*timestamp(&bench) = 100;
	*counter_a(&bench, 0) = 5;
	CHECK(bench_report(&bench) == 0);
	gpuoa_calc_discontinuity(bench.calc);
	*timestamp(&bench) = 300;
	*counter_a(&bench, 0) = 1005;
	CHECK(bench_report(&bench) == 1);
	CHECK(bench.values[0].u64 == 1000);
	CHECK(bench.interval.begin == 100 && bench.interval.end == 300);
	bench_close(&bench);
}

/* ---- time ---- */

static void time_extends_wrapping_timestamp(void)
{
	struct bench bench;

	REQUIRE(!bench_open(&bench, PLATFORM("", INTEGER("M", "TIMESTAMP"), "M")));
	*timestamp(&bench) = 0xffffff00;
	bench_report(&bench);
	*timestamp(&bench) = 0x00000100;
	bench_report(&bench);
	CHECK(bench.values[0].u64 == 0x200);
	CHECK(bench.interval.begin == 0xffffff00);
	CHECK(bench.interval.end == 0x100000100);
	*timestamp(&bench) = 0x00000080;
	bench_report(&bench);
	CHECK(bench.interval.begin == 0x100000100);
	CHECK(bench.interval.end == 0x200000080);
	bench_close(&bench);
}

static void time_extends_timestamp_across_gap(void)
{
	struct bench bench;

	REQUIRE(!bench_open(&bench, PLATFORM("", INTEGER("M", "A0"), "M")));
	*timestamp(&bench) = 0xfffffff0;
	bench_report(&bench);
	gpuoa_calc_discontinuity(bench.calc);
	*timestamp(&bench) = 0x10;
	bench_report(&bench);
	*timestamp(&bench) = 0x20;
	bench_report(&bench);
	CHECK(bench.interval.begin == 0x100000010);
	CHECK(bench.interval.end == 0x100000020);
	bench_close(&bench);
}

static void check_anchor(uint64_t anchor, uint32_t stamp, uint64_t expected)
{
	struct bench bench;

	REQUIRE(!bench_open(&bench, PLATFORM("", INTEGER("M", "A0"), "M")));
	gpuoa_calc_set_time_base(bench.calc, anchor);
	*timestamp(&bench) = stamp;
	bench_report(&bench);
	*timestamp(&bench) = stamp + 5;
	bench_report(&bench);
	CHECK(bench.interval.begin == expected);
	CHECK(bench.interval.end == expected + 5);
	bench_close(&bench);
}

static void time_base_may_precede_or_follow_report(void)
{
	check_anchor(0x500000000, 0x00000010, 0x500000010);
	check_anchor(0x500000010, 0x00000000, 0x500000000);
	check_anchor(0x500000010, 0xfffffff0, 0x4fffffff0);
	check_anchor(0x4fffffff0, 0x00000010, 0x500000010);
	check_anchor(0x500000000, 0x00000000, 0x500000000);
	check_anchor(0x500000000, 0x7fffffff, 0x57fffffff);
	check_anchor(0x10, 0xfffffff0, 0xfffffff0);
}

static void time_base_in_stream_changes_time_only(void)
{
	struct bench bench;

	REQUIRE(!bench_open(&bench, PLATFORM("", INTEGER("M", "TIMESTAMP"), "M")));
	*timestamp(&bench) = 100;
	bench_report(&bench);
	gpuoa_calc_set_time_base(bench.calc, 0x700000000);
	*timestamp(&bench) = 130;
	CHECK(bench_report(&bench) == 1);
	CHECK(bench.values[0].u64 == 30);
	CHECK(bench.interval.begin == 0x700000000 + 100);
	CHECK(bench.interval.end == 0x700000000 + 130);
	bench_close(&bench);
}

static void information_items_use_later_report(void)
{
	struct bench bench;

	REQUIRE(!bench_open(&bench, PLATFORM(INFO("Id", "REPORT_ID") INFO(
						     "Ns", "TIMESTAMP * 1000000000 // 12500000"),
					     INTEGER("M", "A0"), "M")));
	CHECK(gpuoa_calc_output_count(bench.calc) == 3);
	gpuoa_calc_set_time_base(bench.calc, 1ull << 40);
	bench.report[0] = 17;
	bench_report(&bench);
	bench.report[0] = 18;
	*timestamp(&bench) = 25;
	bench_report(&bench);
	CHECK(bench.values[1].u64 == 18);
	CHECK(bench.values[2].u64 == (1ull << 40) * 80 + 25 * 80);
	memset(bench.values, 0, sizeof(bench.values));
	REQUIRE(!gpuoa_calc_total(bench.calc, bench.values, NULL, false));
	CHECK(bench.values[1].u64 == 18);
	CHECK(bench.values[2].u64 == (1ull << 40) * 80 + 25 * 80);
	bench_close(&bench);
}

/* ---- totals ---- */

static void total_without_rows_returns_enodata(void)
{
	struct bench bench;

	REQUIRE(!bench_open(&bench, PLATFORM("", INTEGER("M", "A0"), "M")));
	CHECK(gpuoa_calc_total(bench.calc, bench.values, NULL, false) == -ENODATA);
	CHECK(gpuoa_calc_total_max(bench.calc, bench.values) == -ENODATA);
	bench_report(&bench);
	CHECK(gpuoa_calc_total(bench.calc, bench.values, NULL, false) == -ENODATA);
	bench_close(&bench);
}

static void total_evaluates_equation_on_sums(void)
{
	struct gpuoa_interval interval;
	struct bench bench;

	REQUIRE(!bench_open(&bench,
			    PLATFORM("", FLOAT("Share", "A0 * 100 / A1") INTEGER("Sum", "A0 + A1"),
				     "Share Sum")));
	*timestamp(&bench) = 1000;
	bench_report(&bench);
	*timestamp(&bench) = 1010;
	*counter_a(&bench, 0) = 10;
	*counter_a(&bench, 1) = 10;
	bench_report(&bench);
	CHECK(bench.values[0].f32 == 100);
	*timestamp(&bench) = 1050;
	*counter_a(&bench, 1) = 40;
	bench_report(&bench);
	CHECK(bench.values[0].f32 == 0);
	REQUIRE(!gpuoa_calc_total(bench.calc, bench.values, &interval, false));
	CHECK(bench.values[0].f32 == 25);
	CHECK(bench.values[1].u64 == 50);
	CHECK(interval.begin == 1000 && interval.end == 1050);
	bench_close(&bench);
}

static void restart_begins_new_total(void)
{
	struct gpuoa_interval interval;
	struct bench bench;

	REQUIRE(!bench_open(&bench, PLATFORM("", INTEGER("M", "A0") "max A0 * 2", "M")));
	bench_report(&bench);
	*counter_a(&bench, 0) = 10;
	*timestamp(&bench) = 10;
	bench_report(&bench);
	REQUIRE(!gpuoa_calc_total(bench.calc, bench.values, NULL, true));
	CHECK(bench.values[0].u64 == 10);
	REQUIRE(!gpuoa_calc_total_max(bench.calc, bench.values));
	CHECK(bench.values[0].u64 == 20);
	CHECK(gpuoa_calc_total(bench.calc, bench.values, NULL, true) == -ENODATA);
	*counter_a(&bench, 0) = 13;
	*timestamp(&bench) = 14;
	bench_report(&bench);
	REQUIRE(!gpuoa_calc_total(bench.calc, bench.values, &interval, true));
	CHECK(bench.values[0].u64 == 3);
	CHECK(interval.begin == 10 && interval.end == 14);
	bench_close(&bench);
}

static void total_max_evaluates_maxima_on_sums(void)
{
	struct bench bench;

	REQUIRE(!bench_open(
		&bench,
		PLATFORM("",
			 INTEGER("None", "A0") FLOAT("Share", "A0 / A1") "max 1" INTEGER(
				 "Bytes", "A0") "max A1 * 64" INTEGER("Self", "A0") "max Self + 1",
			 "None Share Bytes Self")));
	bench_interval(&bench, 5, 7);
	REQUIRE(!gpuoa_calc_total(bench.calc, bench.values, NULL, false));
	REQUIRE(!gpuoa_calc_total_max(bench.calc, bench.values));
	CHECK(bench.values[0].u64 == 0);
	CHECK(bench.values[1].f32 == 1);
	CHECK(bench.values[2].u64 == 448);
	CHECK(bench.values[3].u64 == 6);
	bench_close(&bench);
}

/* Four hours at 12.5 MHz: the product of ticks and 10^9 exceeds 64 bits. */
static void total_of_four_hours_is_exact(void)
{
	struct bench bench;
	const uint32_t minute = 60u * 12500000;

	REQUIRE(!bench_compile(
		&bench,
		PLATFORM("constant F \"-\"",
			 INTEGER("Time", "TIMESTAMP * 1000000000 // F") INTEGER("Clocks", "A0")
				 INTEGER("Rate", "Clocks * 1000000000 // Time"),
			 "Time Clocks Rate")));
	gpuoa_constants_set(bench.constants, "F", 12500000);
	REQUIRE(!bench_open_calc(&bench, GPUOA_REPORT_A45_B8_C8));
	bench_report(&bench);
	for (int i = 0; i < 240; i++) {
		*timestamp(&bench) += minute;
		*counter_a(&bench, 0) += 4000000000u;
		bench_report(&bench);
		CHECK(bench.values[0].u64 == 60000000000ull);
	}
	REQUIRE(!gpuoa_calc_total(bench.calc, bench.values, NULL, false));
	CHECK(bench.values[0].u64 == 240 * 60000000000ull);
	CHECK(bench.values[1].u64 == 240 * 4000000000ull);
	CHECK(bench.values[2].u64 == 66666666);
	bench_close(&bench);
}

static void calculators_are_independent(void)
{
	struct bench one, two;

	REQUIRE(!bench_open(&one, PLATFORM("", INTEGER("M", "A0"), "M")));
	REQUIRE(!bench_open(&two, PLATFORM("", INTEGER("M", "A0 * 2"), "M")));
	bench_report(&one);
	*counter_a(&two, 0) = 5;
	bench_report(&two);
	*counter_a(&one, 0) = 3;
	*counter_a(&two, 0) = 9;
	CHECK(bench_report(&one) == 1 && bench_report(&two) == 1);
	CHECK(one.values[0].u64 == 3);
	CHECK(two.values[0].u64 == 8);
	bench_close(&one);
	bench_close(&two);
}

int main(void)
{
	RUN(missing_constant_returns_unset_constants);
	RUN(constants_of_absent_metrics_are_not_required);
	RUN(format_without_counter_returns_enxio);
	RUN(constants_of_another_platform_are_rejected);
	RUN(calc_keeps_constants_as_of_open);
	RUN(close_accepts_null);
	RUN(counter_wrap_is_counted);
	RUN(counter_value_is_equal_in_every_format);
	RUN(integer_equations_are_exact);
	RUN(fraction_operand_makes_operation_real);
	RUN(reals_truncate_to_integers);
	RUN(reals_out_of_range_saturate);
	RUN(products_wrap_in_rows_but_not_in_totals);
	RUN(operand_metric_is_not_rounded_to_float);
	RUN(absent_metric_is_0_in_other_equations);
	RUN(first_report_returns_no_row);
	RUN(zero_reports_return_no_row);
	RUN(run_stops_when_rows_are_full);
	RUN(split_runs_return_equal_rows);
	RUN(rows_end_at_gap);
	RUN(across_gaps_bridges_gap);
	RUN(time_extends_wrapping_timestamp);
	RUN(time_extends_timestamp_across_gap);
	RUN(time_base_may_precede_or_follow_report);
	RUN(time_base_in_stream_changes_time_only);
	RUN(information_items_use_later_report);
	RUN(total_without_rows_returns_enodata);
	RUN(total_evaluates_equation_on_sums);
	RUN(restart_begins_new_total);
	RUN(total_max_evaluates_maxima_on_sums);
	RUN(total_of_four_hours_is_exact);
	RUN(calculators_are_independent);
	return tap_end();
}
