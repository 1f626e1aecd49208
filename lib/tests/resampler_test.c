// SPDX-License-Identifier: MIT
/* resampler_test.c - Compare resampling into fixed intervals with a simple reference. */
#include <errno.h>
#include <stdlib.h>

#include "fixture.h"
#include "tap.h"

static const char definition[] =
	"platform t \"Test\"\n"
	"constant GpuTimestampFrequency \"-\"\n"
	"metric Ticks \"-\" \"-\" = TIMESTAMP uint64 x event\n"
	"metric One \"-\" \"-\" = A0 uint64 x event\n"
	"metric Two \"-\" \"-\" = A1 uint64 x event\n"
	"metric Ns \"-\" \"-\" = TIMESTAMP * 1000000000 // GpuTimestampFrequency uint64 x event\n"
	"metric Share \"-\" \"-\" = One * 100 / Two float x event\n"
	"info Id \"-\" \"-\" = REPORT_ID uint64 x raw\n"
	"info Time \"-\" \"-\" = TIMESTAMP uint64 x raw\n"
	"set S \"Set\" { uuid \"00000000-0000-4000-8000-000000000001\"\n"
	"	format A45_B8_C8 metrics { Ticks One Two Share Ns } }\n";

enum { TICKS, ONE, TWO, SHARE, NS, ID, TIME, COLUMNS };

#define FREQUENCY 12500000
#define ROWS_MAX 8192

/* A resampler, and its rows */
struct bench {
	struct fixture fixture;
	struct gpuoa_constants *constants;
	struct gpuoa_resampler_options options;
	struct gpuoa_resampler *windows;
	size_t count;
	struct gpuoa_window rows[ROWS_MAX];
	union gpuoa_value values[ROWS_MAX][COLUMNS];
};

static struct bench bench;

static bool setup(void)
{
	memset(&bench, 0, sizeof(bench));
	bench.options.size = sizeof(bench.options);
	if (fixture_compile(&bench.fixture, definition)) {
		printf("# %s\n", bench.fixture.diagnostic.text);
		return false;
	}
	return !gpuoa_constants_new(fixture_platform(&bench.fixture), &bench.constants) &&
	       !gpuoa_constants_set(bench.constants, "GpuTimestampFrequency", FREQUENCY);
}

static int reopen(void)
{
	gpuoa_resampler_close(bench.windows);
	bench.windows = NULL;
	bench.count = 0;
	return gpuoa_resampler_open(gpuoa_platform_get_set(fixture_platform(&bench.fixture), 0),
				    bench.constants, GPUOA_REPORT_A45_B8_C8, &bench.options,
				    &bench.windows, NULL, 0);
}

static void teardown(void)
{
	gpuoa_resampler_close(bench.windows);
	gpuoa_constants_free(bench.constants);
	fixture_free(&bench.fixture);
}

/* A report of one input */
struct moment {
	uint32_t id;
	uint32_t time;
	uint32_t one;
	uint32_t two;
	bool gap; /* before this report */
};

static void write_report(uint32_t *report, const struct moment *moment)
{
	memset(report, 0, 4 * REPORT_WORDS);
	report[0] = moment->id;
	report[1] = moment->time;
	report[3] = moment->one;
	report[4] = moment->two;
}

#define PIECE_MAX 200

/*
 * Feed @count reports without a discontinuity, with space for only @max rows in each call. Returns
 * the number of reports consumed.
 */
static size_t feed(uint32_t input, const struct moment *moments, size_t count, size_t max)
{
	static uint32_t reports[PIECE_MAX][REPORT_WORDS];
	size_t used, rows;

	for (size_t i = 0; i < count; i++)
		write_report(reports[i], &moments[i]);
	rows = gpuoa_resampler_run(bench.windows, input, reports, count, bench.values[bench.count],
				   bench.rows + bench.count, max, &used);
	CHECK(rows <= max && used <= count);
	bench.count += rows;
	return used;
}

static void feed_all(const struct moment *moments, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (moments[i].gap)
			gpuoa_resampler_discontinuity(bench.windows, 0);
		CHECK(feed(0, &moments[i], 1, ROWS_MAX - bench.count) == 1);
	}
}

static void flush(size_t max)
{
	size_t rows;

	do {
		rows = gpuoa_resampler_flush(bench.windows, bench.values[bench.count],
					     bench.rows + bench.count, max);
		bench.count += rows;
	} while (rows == max);
}

/* ---- opening ---- */

static void resampler_has_at_most_1024_inputs(void)
{
	REQUIRE(setup());
	bench.options.period_ticks = 1;
	bench.options.inputs = 1024;
	CHECK(reopen() == 0);
	bench.options.inputs = 1025;
	CHECK(reopen() == -E2BIG);
	bench.options.inputs = UINT32_MAX;
	CHECK(reopen() == -E2BIG);
	teardown();
}

static void exactly_one_interval_option_is_required(void)
{
	const struct gpuoa_interval list[] = { { 1, 2 } };

	REQUIRE(setup());
	CHECK(reopen() == -EINVAL);
	bench.options.period_ticks = 1;
	CHECK(reopen() == 0);
	bench.options.period_ns = 80;
	CHECK(reopen() == -EINVAL);
	bench.options.period_ticks = 0;
	CHECK(reopen() == 0);
	bench.options.list = list;
	bench.options.list_count = 1;
	CHECK(reopen() == -EINVAL);
	bench.options.period_ns = 0;
	CHECK(reopen() == 0);
	bench.options.list_count = 0;
	CHECK(reopen() == -EINVAL);
	bench.options.list_count = 1;
	bench.options.size = 8;
	CHECK(reopen() == -EINVAL);
	CHECK(!bench.windows);
	CHECK(gpuoa_resampler_open(gpuoa_platform_get_set(fixture_platform(&bench.fixture), 0),
				   bench.constants, GPUOA_REPORT_A45_B8_C8, NULL, &bench.windows,
				   NULL, 0) == -EINVAL);
	teardown();
}

static int open_list(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	const struct gpuoa_interval list[] = { { a, b }, { c, d } };

	bench.options.list = list;
	bench.options.list_count = 2;
	return reopen();
}

static void list_must_be_sorted_and_disjoint(void)
{
	REQUIRE(setup());
	CHECK(open_list(0, 10, 10, 11) == 0);
	CHECK(open_list(0, 10, 9, 11) == -EINVAL);
	CHECK(open_list(20, 30, 0, 10) == -EINVAL);
	CHECK(open_list(0, 0, 1, 2) == -EINVAL);
	CHECK(open_list(0, 1, 3, 2) == -EINVAL);
	teardown();
}

static void period_below_one_tick_returns_erange(void)
{
	REQUIRE(setup());
	bench.options.period_ns = 79;
	CHECK(reopen() == -ERANGE);
	bench.options.period_ns = 80;
	CHECK(reopen() == 0);
	bench.options.period_ns = UINT64_MAX;
	CHECK(reopen() == 0);
	teardown();
}

static void options_of_calculator_are_checked(void)
{
	struct gpuoa_calc_options calc = { .size = sizeof(calc), .isa = "none" };

	REQUIRE(setup());
	bench.options.period_ticks = 10;
	bench.options.calc = &calc;
	CHECK(reopen() == -EOPNOTSUPP);
	calc.isa = NULL;
	calc.no_infos = true;
	CHECK(reopen() == 0);
	CHECK(gpuoa_resampler_output_count(bench.windows) == COLUMNS - 2);
	CHECK(gpuoa_resampler_output_type(bench.windows, SHARE) == GPUOA_TYPE_FLOAT);
	CHECK(gpuoa_resampler_output_type(bench.windows, NS) == GPUOA_TYPE_UINT64);
	bench.options.calc = NULL;
	gpuoa_constants_free(bench.constants);
	REQUIRE(!gpuoa_constants_new(fixture_platform(&bench.fixture), &bench.constants));
	CHECK(reopen() == -ENODATA);
	gpuoa_resampler_close(NULL);
	teardown();
}

/* ---- expected values that were calculated by hand ---- */

static void check_row(size_t row, uint64_t begin, uint64_t end, uint64_t covered, uint64_t one)
{
	const struct gpuoa_window *window = &bench.rows[row];

	if (!CHECK(row < bench.count && window->begin == begin && window->end == end &&
		   window->covered == covered && bench.values[row][ONE].u64 == one &&
		   bench.values[row][TICKS].u64 == covered))
		printf("# row %zu of %zu: %ju to %ju, %ju, %ju\n", row, bench.count,
		       (uintmax_t)window->begin, (uintmax_t)window->end, (uintmax_t)window->covered,
		       (uintmax_t)bench.values[row][ONE].u64);
}

static void interval_across_edge_is_divided_by_time(void)
{
	static const struct moment moments[] = {
		{ .time = 150, .one = 1000 },
		{ .time = 190, .one = 1010 },
		{ .id = 5, .time = 220, .one = 1021, .two = 4 },
		{ .id = 6, .time = 300, .one = 1022, .two = 9 },
	};

	REQUIRE(setup());
	bench.options.period_ticks = 100;
	REQUIRE(reopen() == 0);
	feed_all(moments, 4);
	REQUIRE(bench.count == 2);
	/*
	 * 10 events until time 190, then 10 of 30 ticks of the next interval, which has 11 events:
	 * 13 in total
	 */
	check_row(0, 100, 200, 50, 13);
	CHECK(bench.rows[0].number == 1);
	CHECK(bench.rows[0].data.begin == 150);
	CHECK(bench.rows[0].data.end == 200);
	CHECK(bench.values[0][TWO].u64 == 1);
	CHECK(bench.values[0][SHARE].f32 == 1300);
	CHECK(bench.values[0][ID].u64 == 5);
	CHECK(bench.values[0][TIME].u64 == 200);
	check_row(1, 200, 300, 100, 9);
	CHECK(bench.rows[1].number == 2);
	CHECK(bench.values[1][TWO].u64 == 8);
	CHECK(bench.values[1][NS].u64 == 8000);
	CHECK(bench.values[1][ID].u64 == 6);
	flush(4);
	CHECK(bench.count == 2);
	teardown();
}

static void gap_is_not_covered(void)
{
	static const struct moment moments[] = {
		{ .time = 110, .one = 0 },
		{ .time = 120, .one = 10 },
		{ .time = 140, .one = 500, .gap = true },
		{ .time = 150, .one = 502 },
		{ .time = 990, .one = 900, .gap = true },
		{ .time = 1010, .one = 920 },
	};

	REQUIRE(setup());
	bench.options.period_ticks = 100;
	REQUIRE(reopen() == 0);
	feed_all(moments, 4);
	CHECK(bench.count == 0);
	feed_all(moments + 4, 2);
	REQUIRE(bench.count == 2);
	check_row(0, 100, 200, 20, 12);
	CHECK(bench.rows[0].data.begin == 110);
	CHECK(bench.rows[0].data.end == 150);
	check_row(1, 900, 1000, 10, 10);
	flush(1);
	REQUIRE(bench.count == 3);
	check_row(2, 1000, 1100, 10, 10);
	teardown();
}

static void listed_intervals_have_rows_without_data(void)
{
	static const struct gpuoa_interval list[] = {
		{ 0, 10 }, { 100, 120 }, { 130, 131 }, { 400, 500 }, { 500, 501 },
	};
	static const struct moment moments[] = {
		{ .id = 1, .time = 50, .one = 0, .two = 1 },
		{ .id = 2, .time = 150, .one = 1000, .two = 3 },
		{ .id = 3, .time = 300, .one = 1000, .two = 3 },
	};

	REQUIRE(setup());
	bench.options.list = list;
	bench.options.list_count = 5;
	REQUIRE(reopen() == 0);
	feed_all(moments, 3);
	CHECK(bench.count == 3);
	memset(bench.values[3], 0xff, sizeof(bench.values[3]));
	flush(1);
	REQUIRE(bench.count == 5);
	check_row(0, 0, 10, 0, 0);
	CHECK(bench.rows[0].data.end == 0 && bench.values[0][ID].u64 == 0);
	check_row(1, 100, 120, 20, 200);
	/*
	 * The counts at each edge are interpolated from those that remain: 500, 300, then 100 in 10
	 * ticks.
	 */
	check_row(2, 130, 131, 1, 10);
	check_row(3, 400, 500, 0, 0);
	CHECK(bench.values[3][ID].u64 == 0 && bench.values[3][TIME].u64 == 0);
	check_row(4, 500, 501, 0, 0);
	for (int i = 0; i < 5; i++)
		CHECK(bench.rows[i].number == (uint64_t)i);
	feed_all(moments, 3);
	flush(1);
	CHECK(bench.count == 5);
	teardown();
}

static void one_interval_may_cover_everything(void)
{
	static const struct moment moments[] = {
		{ .time = 4000000000u, .one = 0 },
		{ .time = 3000000000u, .one = 10 },
		{ .time = 2000000000u, .one = 20 },
	};

	for (int ns = 0; ns < 2; ns++) {
		REQUIRE(setup());
		if (ns)
			bench.options.period_ns = UINT64_MAX;
		else
			bench.options.period_ticks = UINT64_MAX;
		REQUIRE(reopen() == 0);
		feed_all(moments, 3);
		CHECK(bench.count == 0);
		flush(2);
		REQUIRE(bench.count == 1);
		check_row(0, 0, UINT64_MAX, 2ull * 3294967296, 20);
		CHECK(bench.rows[0].data.begin == 4000000000);
		CHECK(bench.rows[0].data.end == 4000000000 + 2ull * 3294967296);
		teardown();
	}
}

static void reports_before_start_are_skipped(void)
{
	static const struct moment moments[] = {
		{ .time = 0, .one = 0 },
		{ .time = 40, .one = 40 },
		{ .time = 60, .one = 80 },
		{ .time = 80, .one = 81 },
	};

	REQUIRE(setup());
	bench.options.period_ticks = 20;
	bench.options.start = 50;
	REQUIRE(reopen() == 0);
	feed_all(moments, 4);
	flush(9);
	REQUIRE(bench.count == 2);
	check_row(0, 50, 70, 20, 20);
	check_row(1, 70, 90, 10, 1);
	teardown();
}

static void nanosecond_edges_do_not_drift(void)
{
	struct moment moment = { 0 };

	REQUIRE(setup());
	bench.options.period_ns = 100; /* 1.25 ticks */
	REQUIRE(reopen() == 0);
	feed_all(&moment, 1);
	moment.time = moment.one = 1000;
	feed_all(&moment, 1);
	REQUIRE(bench.count == 800);
	for (size_t i = 0; i < 800; i++) {
		uint64_t begin = i * 5 / 4, end = (i + 1) * 5 / 4;

		check_row(i, begin, end, end - begin, end - begin);
	}
	teardown();
}

static void rows_without_room_are_kept(void)
{
	struct moment moments[2] = { { .time = 5 }, { .time = 1000, .one = 995 } };

	REQUIRE(setup());
	bench.options.period_ticks = 10;
	REQUIRE(reopen() == 0);
	CHECK(feed(0, moments, 2, 0) == 2);
	CHECK(feed(0, moments, 0, 0) == 0);
	CHECK(bench.count == 0);
	while (feed(0, moments, 0, 7) == 0 && bench.count % 7 == 0)
		;
	CHECK(bench.count == 100);
	check_row(0, 0, 10, 5, 5);
	check_row(99, 990, 1000, 10, 10);
	teardown();
}

static void flush_splits_interval_into_two_rows(void)
{
	static const struct moment moments[] = {
		{ .time = 0, .one = 0 },
		{ .time = 40, .one = 40 },
		{ .time = 60, .one = 80 },
		{ .time = 120, .one = 140 },
	};

	REQUIRE(setup());
	bench.options.period_ticks = 100;
	REQUIRE(reopen() == 0);
	feed_all(moments, 2);
	flush(4);
	flush(4);
	feed_all(moments + 2, 2);
	REQUIRE(bench.count == 2);
	check_row(0, 0, 100, 40, 40);
	check_row(1, 0, 100, 60, 80);
	teardown();
}

static void time_base_moves_later_reports(void)
{
	static const struct moment moments[] = {
		{ .time = 10, .one = 0 },
		{ .time = 20, .one = 10 },
		{ .time = 30, .one = 30 },
		{ .time = 40, .one = 31 },
	};

	REQUIRE(setup());
	bench.options.period_ticks = 100;
	REQUIRE(reopen() == 0);
	gpuoa_resampler_set_time_base(bench.windows, 0, 0x100000000);
	feed_all(moments, 2);
	gpuoa_resampler_set_time_base(bench.windows, 0, 0x500000000);
	feed_all(moments + 2, 1);
	/* If the time base returns to an earlier time, the current window is complete. */
	gpuoa_resampler_set_time_base(bench.windows, 0, 0x100000000);
	feed_all(moments + 3, 1);
	flush(4);
	REQUIRE(bench.count == 2);
	check_row(0, 4294967300, 4294967400, 10, 10);
	check_row(1, 21474836500, 21474836600, 10, 20);
	teardown();
}

/* The test has two tiles. The clock of the second one is 1000 ticks late. */
static void inputs_sum_counts_but_not_time(void)
{
	static const struct moment first[] = {
		{ .time = 1000, .one = 0, .two = 0 },
		{ .time = 1100, .one = 50, .two = 10 },
		{ .time = 1200, .one = 60, .two = 10 },
	};
	static const struct moment second[] = {
		{ .time = 0, .one = 7, .two = 3 },
		{ .time = 50, .one = 9, .two = 4 },
		{ .time = 150, .one = 19, .two = 6 },
	};
	static const int64_t offsets[] = { 0, 1000 };

	REQUIRE(setup());
	bench.options.period_ticks = 100;
	bench.options.inputs = 2;
	bench.options.offsets = offsets;
	REQUIRE(reopen() == 0);
	/* An input is consumed only as far as the other input has reached the same time. */
	CHECK(feed(0, first, 3, 9) == 1);
	CHECK(feed(0, first + 1, 2, 9) == 0);
	CHECK(feed(1, second, 3, 9) == 3);
	CHECK(feed(1, second, 1, 9) == 0);
	CHECK(bench.count == 0);
	CHECK(feed(0, first + 1, 2, 9) == 2);
	REQUIRE(bench.count == 1);
	check_row(0, 1000, 1100, 100, 50 + 2 + 5);
	CHECK(bench.values[0][TWO].u64 == 10 + 1 + 1);
	gpuoa_resampler_end(bench.windows, 1);
	CHECK(feed(0, first, 0, 9) == 0);
	REQUIRE(bench.count == 2);
	check_row(1, 1100, 1200, (100 + 50) / 2, 10 + 5);
	CHECK(bench.rows[1].data.begin == 1100);
	CHECK(bench.rows[1].data.end == 1200);
	teardown();
}

static void run_waits_for_missing_input(void)
{
	static const struct moment moments[] = {
		{ .time = 1000, .one = 0 },
		{ .time = 1300, .one = 50 },
	};

	REQUIRE(setup());
	bench.options.period_ticks = 100;
	bench.options.inputs = 2;
	REQUIRE(reopen() == 0);
	CHECK(feed(0, moments, 2, 9) == 1);
	CHECK(bench.count == 0);
	gpuoa_resampler_end(bench.windows, 1);
	CHECK(feed(0, moments + 1, 1, 9) == 1);
	CHECK(bench.count == 3);
	gpuoa_resampler_end(bench.windows, 0);
	CHECK(feed(0, moments, 0, 9) == 0);
	CHECK(bench.count == 3);
	teardown();
}

/*
 * ---- random reports and windows, compared with a loop over all edges of windows and reports ----
 */

#define MOMENTS 300
#define EDGES_MAX 8192
#define INPUTS_MAX 3

struct history {
	struct moment moments[INPUTS_MAX][MOMENTS];
	int64_t offsets[INPUTS_MAX];
	uint32_t inputs;
};

/* Expected row of a window */
struct window {
	struct gpuoa_interval span;
	struct gpuoa_interval data;
	bool any;
	uint64_t sums[3]; /* TICKS, ONE, TWO */
	uint32_t id;
};

static struct window windows[EDGES_MAX];
static size_t window_count;

/*
 * Add the counts between two adjacent edges to the window that contains both edges, if there is
 * one.
 */
static void put_part(uint64_t begin, uint64_t end, const uint64_t *sums, uint32_t id)
{
	for (size_t i = 0; i < window_count; i++) {
		struct window *window = &windows[i];

		if (begin < window->span.begin || begin >= window->span.end)
			continue;
		for (int n = 0; n < 3; n++)
			window->sums[n] += sums[n];
		if (!window->any || begin < window->data.begin)
			window->data.begin = begin;
		if (end >= window->data.end) {
			window->data.end = end;
			window->id = id;
		}
		window->any = true;
	}
}

/* Return the first edge of a window after @ticks; UINT64_MAX: there is none. */
static uint64_t next_edge(uint64_t ticks)
{
	uint64_t edge = UINT64_MAX;

	for (size_t i = 0; i < window_count; i++) {
		const struct gpuoa_interval *span = &windows[i].span;

		if (span->begin > ticks && span->begin < edge)
			edge = span->begin;
		if (span->end > ticks && span->end < edge)
			edge = span->end;
	}
	return edge;
}

static void put_interval(uint64_t begin, uint64_t end, uint64_t *rest, uint32_t id)
{
	uint64_t edge, part[3];

	while ((edge = next_edge(begin)) < end) {
		for (int n = 0; n < 3; n++) {
			part[n] = rest[n] * (edge - begin) / (end - begin);
			rest[n] -= part[n];
		}
		put_part(begin, edge, part, id);
		begin = edge;
	}
	put_part(begin, end, rest, id);
}

static void expect(const struct history *history)
{
	for (uint32_t input = 0; input < history->inputs; input++) {
		const struct moment *moments = history->moments[input];
		uint64_t ticks = moments[0].time + history->offsets[input];

		for (size_t i = 1; i < MOMENTS; i++) {
			const struct moment *now = &moments[i], *last = now - 1;
			uint64_t sums[3] = {
				(uint32_t)(now->time - last->time),
				(uint32_t)(now->one - last->one),
				(uint32_t)(now->two - last->two),
			};
			uint64_t begin = ticks;

			ticks += sums[0];
			if (!now->gap)
				put_interval(begin, ticks, sums, now->id);
		}
	}
}

/* Feed a random number of reports of one input. */
static void feed_some(const struct history *history, uint32_t input, size_t *done, uint64_t *state)
{
	size_t count = 0, want = 1 + fixture_random(state) % 100;
	size_t used, max = fixture_random(state) % 5;
	const struct moment *moments = history->moments[input] + *done;

	while (*done + count < MOMENTS && count < want && (!count || !moments[count].gap))
		count++;
	if (count && moments->gap)
		gpuoa_resampler_discontinuity(bench.windows, input);
	used = feed(input, moments, count, max);
	*done += used;
	if (*done == MOMENTS)
		gpuoa_resampler_end(bench.windows, input);
}

static void feed_history(const struct history *history, uint64_t *state)
{
	size_t done[INPUTS_MAX] = { 0 }, all = 0;

	while (all < history->inputs * MOMENTS) {
		all = 0;
		for (uint32_t i = 0; i < history->inputs; i++) {
			feed_some(history, i, &done[i], state);
			all += done[i];
		}
	}
	flush(1 + fixture_random(state) % 5);
}

static bool same_row(const struct window *window, size_t row, const struct history *history)
{
	const struct gpuoa_window *got = &bench.rows[row];
	const union gpuoa_value *values = bench.values[row];
	const uint64_t *sums = window->sums;
	uint64_t ticks = sums[0] / history->inputs;
	float share = sums[2] ? (float)((double)(sums[1] * 100) / sums[2]) : 0;

	return got->begin == window->span.begin && got->end == window->span.end &&
	       got->data.begin == window->data.begin && got->data.end == window->data.end &&
	       got->covered == ticks && values[TICKS].u64 == ticks && values[ONE].u64 == sums[1] &&
	       values[TWO].u64 == sums[2] && values[SHARE].f32 == share &&
	       values[NS].u64 == ticks * 1000000000 / FREQUENCY &&
	       values[TIME].u64 == window->data.end &&
	       (history->inputs > 1 || values[ID].u64 == window->id);
}

static void check_history(const struct history *history, uint64_t *state)
{
	size_t row = 0;

	REQUIRE(reopen() == 0);
	expect(history);
	feed_history(history, state);
	for (size_t i = 0; i < window_count; i++) {
		if (!windows[i].any && !bench.options.list)
			continue;
		if (!CHECK(row < bench.count && same_row(&windows[i], row, history)))
			printf("# window %zu, row %zu of %zu\n", i, row, bench.count);
		if (!tap.good)
			return;
		row++;
	}
	CHECK(row == bench.count);
}

/* Reports of several inputs at the same time, near the wrap of the timestamp */
static void make_history(struct history *history, uint64_t *state)
{
	memset(history, 0, sizeof(*history));
	history->inputs = 1 + fixture_random(state) % INPUTS_MAX;
	for (uint32_t input = 0; input < history->inputs; input++) {
		struct moment moment = { .time = UINT32_MAX - 20000 };

		history->offsets[input] = (int64_t)(fixture_random(state) % 4001) - 2000;
		for (size_t i = 0; i < MOMENTS; i++) {
			uint64_t random = fixture_random(state);

			moment.id = i;
			moment.time += (random & 7) ? random >> 8 & 255 : 0;
			moment.one += random >> 16 & 0xffff;
			moment.two += random >> 32 & 0xffff;
			moment.gap = i && (random >> 48 & 31) == 0;
			if (moment.gap)
				moment.time += random >> 56 & 0xff;
			history->moments[input][i] = moment;
		}
	}
	bench.options.inputs = history->inputs;
	bench.options.offsets = history->offsets;
}

#define BEGIN 4294940000u /* before the first report */

static void periods_in_ticks_equal_plain_loop(void)
{
	static struct history history;
	uint64_t state = 7;

	REQUIRE(setup());
	for (int round = 0; round < 60 && tap.good; round++) {
		uint64_t period = 20 + fixture_random(&state) % 1000;

		make_history(&history, &state);
		memset(windows, 0, sizeof(windows));
		bench.options.period_ticks = period;
		bench.options.start = BEGIN + fixture_random(&state) % 20000;
		for (window_count = 0; window_count < 4000; window_count++) {
			struct gpuoa_interval *span = &windows[window_count].span;

			span->begin = bench.options.start + window_count * period;
			span->end = span->begin + period;
		}
		check_history(&history, &state);
	}
	teardown();
}

static void periods_in_nanoseconds_equal_plain_loop(void)
{
	static struct history history;
	uint64_t state = 8;

	REQUIRE(setup());
	for (int round = 0; round < 60 && tap.good; round++) {
		uint64_t ns = 2000 + fixture_random(&state) % 30000;
		uint64_t first = BEGIN * 80ull / ns;

		make_history(&history, &state);
		memset(windows, 0, sizeof(windows));
		bench.options.period_ns = ns;
		for (window_count = 0; window_count < 4000; window_count++) {
			struct gpuoa_interval *span = &windows[window_count].span;

			span->begin = (first + window_count) * ns / 80;
			span->end = (first + window_count + 1) * ns / 80;
		}
		check_history(&history, &state);
	}
	teardown();
}

static void listed_intervals_equal_plain_loop(void)
{
	static struct gpuoa_interval list[200];
	static struct history history;
	uint64_t state = 9;

	REQUIRE(setup());
	for (int round = 0; round < 60 && tap.good; round++) {
		uint64_t ticks = BEGIN, longest = 1 + (round % 4) * 300;

		make_history(&history, &state);
		memset(windows, 0, sizeof(windows));
		for (window_count = 0; window_count < 200; window_count++) {
			uint64_t random = fixture_random(&state);

			ticks += (random & 1) ? random >> 8 & 511 : 0;
			list[window_count].begin = ticks;
			ticks += 1 + (random >> 32) % longest;
			list[window_count].end = ticks;
			windows[window_count].span = list[window_count];
		}
		bench.options.list = list;
		bench.options.list_count = window_count;
		check_history(&history, &state);
	}
	teardown();
}

/* ---- filters ---- */

static void context_filter_limits_coverage(void)
{
	static const uint32_t headers[][4] = {
		{ 1 << 16, 0, 7, 0 },	  { 1 << 16, 30, 9, 30 },   { 1 << 16, 50, 7, 80 },
		{ 1 << 16, 80, 7, 110 },  { 1 << 16, 120, 9, 150 }, { 1 << 16, 200, 7, 160 },
		{ 1 << 16, 300, 7, 170 },
	};
	static uint32_t reports[7][REPORT_WORDS];
	const struct gpuoa_platform *platform = gpuoa_platform_find("sklgt2");
	const struct gpuoa_set *set = gpuoa_platform_find_set(platform, "RenderBasic", NULL, NULL);
	const struct gpuoa_metric *clocks = gpuoa_set_find_metric(set, "GpuCoreClocks");
	const struct gpuoa_calc_options calc = {
		.size = sizeof(calc),
		.metrics = &clocks,
		.metric_count = 1,
		.context_filter = true,
		.context_id = 7,
		.no_infos = true,
	};
	const struct gpuoa_resampler_options options = {
		.size = sizeof(options),
		.period_ticks = 100,
		.calc = &calc,
	};
	struct gpuoa_constants *constants;
	struct gpuoa_resampler *windows;
	struct gpuoa_window rows[4];
	union gpuoa_value values[4];
	size_t used;

	REQUIRE(!gpuoa_constants_new(platform, &constants) && !gpuoa_constants_assume(constants));
	REQUIRE(!gpuoa_resampler_open(set, constants, GPUOA_REPORT_A32U40_A4U32_B8_C8, &options,
				      &windows, NULL, 0));
	for (int i = 0; i < 7; i++)
		memcpy(reports[i], headers[i], sizeof(headers[i]));
	CHECK(gpuoa_resampler_run(windows, 0, reports, 7, values, rows, 4, &used) == 3);
	CHECK(used == 7);
	/*
	 * The context's data covers 0 to 30, 50 to 80, and half of 80 to 120. Context 9 runs in the
	 * rest.
	 */
	CHECK(rows[0].covered == 80 && values[0].u64 == 30 + 30 + 20);
	CHECK(rows[0].data.begin == 0 && rows[0].data.end == 100);
	CHECK(rows[1].covered == 20 && values[1].u64 == 20);
	CHECK(rows[1].data.begin == 100 && rows[1].data.end == 120);
	CHECK(rows[2].covered == 100 && values[2].u64 == 10);
	gpuoa_resampler_close(windows);
	gpuoa_constants_free(constants);
}

/* Feed one report for every 10 ticks. The counters of the reports count ticks. */
static void feed_ticks(uint32_t from, uint32_t to)
{
	for (uint32_t time = from; time < to; time += 10) {
		const struct moment moment = { 1, time, time, 2 * time, false };

		CHECK(feed(0, &moment, 1, ROWS_MAX - bench.count) == 1);
	}
}

static void added_intervals_equal_list(void)
{
	static const struct gpuoa_interval list[] = { { 95, 200 },  { 200, 355 },   { 600, 601 },
						      { 605, 777 }, { 1000, 1500 }, { 1600, 1700 } };
	struct gpuoa_window rows[6];

	REQUIRE(setup());
	bench.options.list = list;
	bench.options.list_count = 6;
	REQUIRE(!reopen());
	CHECK(gpuoa_resampler_add(bench.windows, list, 1, NULL, 0) == -EOPNOTSUPP);
	feed_ticks(0, 1800);
	REQUIRE(bench.count == 6);
	memcpy(rows, bench.rows, sizeof(rows));

	bench.options.list = NULL;
	bench.options.list_count = 0;
	bench.options.list_grows = true;
	REQUIRE(!reopen());
	feed_ticks(0, 90);
	flush(10);
	CHECK(!gpuoa_resampler_add(bench.windows, list, 1, NULL, 0));
	CHECK(!gpuoa_resampler_add(bench.windows, list + 1, 1, NULL, 0));
	feed_ticks(90, 500);
	CHECK(bench.count == 2);
	/* A window that overlaps those already added, or precedes them, is rejected. */
	CHECK(gpuoa_resampler_add(bench.windows, list + 1, 1, NULL, 0) == -EINVAL);
	CHECK(gpuoa_resampler_add(bench.windows, (struct gpuoa_interval[]){ { 600, 600 } }, 1, NULL,
				  0) == -EINVAL);
	CHECK(!gpuoa_resampler_add(bench.windows, list + 2, 0, NULL, 0));
	CHECK(!gpuoa_resampler_add(bench.windows, list + 2, 3, NULL, 0));
	feed_ticks(500, 1200);
	CHECK(!gpuoa_resampler_add(bench.windows, list + 5, 1, NULL, 0));
	feed_ticks(1200, 1800);
	REQUIRE(bench.count == 6);
	CHECK(!memcmp(rows, bench.rows, sizeof(rows)));
	flush(10);
	CHECK(bench.count == 6);
	teardown();
}

/* When windows 4 and then 5 are added, window 0 is complete, 1 is open, and 2 and 3 are pending. */
static void add_keeps_pending_intervals(void)
{
	static const struct gpuoa_interval list[] = { { 100, 200 }, { 200, 300 }, { 300, 400 },
						      { 400, 500 }, { 500, 600 }, { 600, 700 } };

	REQUIRE(setup());
	bench.options.list_grows = true;
	REQUIRE(!reopen());
	CHECK(!gpuoa_resampler_add(bench.windows, list, 4, NULL, 0));
	feed_ticks(90, 250);
	CHECK(bench.count == 1);
	CHECK(!gpuoa_resampler_add(bench.windows, list + 4, 1, NULL, 0));
	feed_ticks(250, 350);
	CHECK(bench.count == 2);
	/* Windows 0 and 1 are no longer in the list, so the number of a window is not its index. */
	CHECK(!gpuoa_resampler_add(bench.windows, list + 5, 1, NULL, 0));
	feed_ticks(350, 720);
	REQUIRE(bench.count == 6);
	for (size_t i = 0; i < 6; i++) {
		CHECK(bench.rows[i].number == i && bench.rows[i].begin == list[i].begin);
		CHECK(bench.rows[i].covered == 100 && bench.values[i][ONE].u64 == 100);
	}
	teardown();
}

/*
 * Add two million windows one by one. If each call copied the pending windows, 32 TB would be
 * copied in total.
 */
static void adding_single_intervals_is_linear(void)
{
	const uint64_t count = 1 << 21;

	REQUIRE(setup());
	bench.options.list_grows = true;
	REQUIRE(!reopen());
	for (uint64_t i = 0; i < count; i++) {
		const struct gpuoa_interval window = { 10 * i, 10 * i + 5 };

		if (!CHECK(!gpuoa_resampler_add(bench.windows, &window, 1, NULL, 0)))
			break;
	}
	feed_ticks(0, 100);
	CHECK(bench.count == 9 && bench.rows[8].begin == 80);
	teardown();
}

/* Each window is added when two are pending, so that old ones make room for new ones. */
static void windows_are_kept_while_old_ones_are_dropped(void)
{
	REQUIRE(setup());
	bench.options.list_grows = true;
	REQUIRE(!reopen());
	for (uint32_t i = 0; i < 200; i++) {
		const struct gpuoa_interval window = { 10 * i, 10 * i + 5 + i % 5 };

		CHECK(!gpuoa_resampler_add(bench.windows, &window, 1, NULL, 0));
		if (i > 1)
			feed_ticks(10 * (i - 2), 10 * (i - 1));
	}
	flush(10);
	REQUIRE(bench.count == 200);
	for (uint32_t i = 0; i < 197; i++) {
		CHECK(bench.rows[i].number == i && bench.rows[i].begin == 10 * i);
		CHECK(bench.rows[i].end == 10 * i + 5 + i % 5);
		CHECK(bench.rows[i].covered == 5 + i % 5);
		CHECK(bench.values[i][ONE].u64 == 5 + i % 5);
	}
	teardown();
}

static void late_interval_is_partly_covered(void)
{
	REQUIRE(setup());
	bench.options.list_grows = true;
	REQUIRE(!reopen());
	feed_ticks(0, 110);
	CHECK(!gpuoa_resampler_add(bench.windows, (struct gpuoa_interval[]){ { 60, 160 } }, 1, NULL,
				   0));
	feed_ticks(110, 200);
	REQUIRE(bench.count == 1);
	CHECK(bench.rows[0].covered == 60 && bench.rows[0].data.begin == 100);
	CHECK(bench.values[0][ONE].u64 == 60);
	/* The window is entirely in the past when it is added. */
	CHECK(!gpuoa_resampler_add(bench.windows, (struct gpuoa_interval[]){ { 160, 170 } }, 1,
				   NULL, 0));
	feed_ticks(200, 210);
	REQUIRE(bench.count == 2);
	CHECK(bench.rows[1].number == 1 && bench.rows[1].covered == 0);
	/* Rows left at the end */
	CHECK(!gpuoa_resampler_add(bench.windows, (struct gpuoa_interval[]){ { 200, 300 } }, 1,
				   NULL, 0));
	feed_ticks(210, 250);
	flush(10);
	REQUIRE(bench.count == 3);
	CHECK(bench.rows[2].covered == 40);
	teardown();
}

/* Seven periods end 1 tick before the last one that 64 bits can represent. */
static void window_at_the_end_of_time_is_cut(void)
{
	static const struct moment moments[] = {
		{ .time = UINT32_MAX - 999, .one = 0 },
		{ .time = UINT32_MAX, .one = 999 },
	};

	for (uint64_t start = 0; start < 15; start += 7) {
		const uint64_t period = (UINT64_MAX - start) / 7;
		const uint64_t last = start + 7 * period;

		REQUIRE(setup());
		bench.options.period_ticks = period;
		bench.options.start = start;
		REQUIRE(!reopen());
		gpuoa_resampler_set_time_base(bench.windows, 0, UINT64_MAX - 999);
		feed_all(moments, 2);
		flush(3);
		REQUIRE(bench.count == (last < UINT64_MAX ? 2 : 1));
		check_row(0, start + 6 * period, last, last - (UINT64_MAX - 999),
			  last - (UINT64_MAX - 999));
		CHECK(bench.rows[0].number == 6);
		if (last < UINT64_MAX) {
			check_row(1, last, UINT64_MAX, UINT64_MAX - last, UINT64_MAX - last);
			CHECK(bench.rows[1].number == 7);
			CHECK(bench.rows[1].data.end == UINT64_MAX);
		}
		teardown();
	}
}

static void unknown_input_consumes_nothing(void)
{
	const uint32_t report[REPORT_WORDS] = { 0 };
	size_t used = 7;

	REQUIRE(setup());
	bench.options.period_ticks = 100;
	REQUIRE(!reopen());
	CHECK(gpuoa_resampler_run(bench.windows, 1, report, 1, bench.values[0], bench.rows,
				  ROWS_MAX, &used) == 0);
	CHECK(used == 0);
	gpuoa_resampler_discontinuity(bench.windows, 1);
	gpuoa_resampler_set_time_base(bench.windows, UINT32_MAX, 5);
	gpuoa_resampler_end(bench.windows, UINT32_MAX);
	teardown();
}

static void output_describe_returns_names_and_types(void)
{
	struct gpuoa_output_desc desc;

	REQUIRE(setup());
	bench.options.period_ticks = 100;
	REQUIRE(!reopen());
	CHECK(!gpuoa_resampler_output_describe(bench.windows, SHARE, &desc, sizeof(desc)));
	CHECK_STRING(desc.symbol, "Share");
	CHECK(desc.type == GPUOA_TYPE_FLOAT && desc.metric && !desc.info);
	CHECK(!gpuoa_resampler_output_describe(bench.windows, TIME, &desc, sizeof(desc)));
	CHECK_STRING(desc.symbol, "Time");
	CHECK(gpuoa_resampler_output_describe(bench.windows, COLUMNS, &desc, sizeof(desc)) ==
	      -ERANGE);
	teardown();
}

int main(void)
{
	RUN(exactly_one_interval_option_is_required);
	RUN(resampler_has_at_most_1024_inputs);
	RUN(list_must_be_sorted_and_disjoint);
	RUN(period_below_one_tick_returns_erange);
	RUN(options_of_calculator_are_checked);
	RUN(interval_across_edge_is_divided_by_time);
	RUN(gap_is_not_covered);
	RUN(listed_intervals_have_rows_without_data);
	RUN(one_interval_may_cover_everything);
	RUN(reports_before_start_are_skipped);
	RUN(nanosecond_edges_do_not_drift);
	RUN(rows_without_room_are_kept);
	RUN(flush_splits_interval_into_two_rows);
	RUN(time_base_moves_later_reports);
	RUN(inputs_sum_counts_but_not_time);
	RUN(run_waits_for_missing_input);
	RUN(periods_in_ticks_equal_plain_loop);
	RUN(periods_in_nanoseconds_equal_plain_loop);
	RUN(listed_intervals_equal_plain_loop);
	RUN(context_filter_limits_coverage);
	RUN(added_intervals_equal_list);
	RUN(add_keeps_pending_intervals);
	RUN(adding_single_intervals_is_linear);
	RUN(windows_are_kept_while_old_ones_are_dropped);
	RUN(late_interval_is_partly_covered);
	RUN(window_at_the_end_of_time_is_cut);
	RUN(unknown_input_consumes_nothing);
	RUN(output_describe_returns_names_and_types);
	return tap_end();
}
