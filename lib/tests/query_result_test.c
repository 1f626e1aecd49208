// SPDX-License-Identifier: MIT
/*
 * query_result_test.c - Test the limits of each check of a query's result, with simulated reports.
 */
#include <math.h>
#include <stdlib.h>

#include "simulated_query.h"

#define MANY 64 /* reports of a stream */

/* ---- times ---------------------------------------------------------------------------------- */

/* A query's report may be 4 times as long as its commands, and 100,000 ticks longer. */
static void times_of_reports_and_commands_are_compared(void)
{
	static const struct {
		uint64_t length, begin, end; /* reports; commands, as they were written */
		uint32_t flags;
	} cases[] = {
		{ 0, 7, 7, GPUOA_QUERY_EMPTY },
		{ 1, 7, 7, 0 },
		{ 400003, 7, 7, 0 },
		{ 400004, 7, 7, GPUOA_QUERY_INCONSISTENT },
		{ 400203, 7, 57, 0 },
		{ 400204, 7, 57, GPUOA_QUERY_INCONSISTENT },
		/* The 36 bits of the command streamer's timestamp wrap. */
		{ 400203, 0xffffffff0, 34, 0 },
		{ 400204, 0xffffffff0, 34, GPUOA_QUERY_INCONSISTENT },
		{ 1, 7, 50000, 0 },
		/* The times of commands are missing. */
		{ 400204, UINT64_MAX, 7, 0 },
		{ 400204, 7, UINT64_MAX, 0 },
	};

	if (!begin_with("sklgt2", "RenderBasic", 1))
		return;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const bool bad = cases[i].flags & GPUOA_QUERY_INCONSISTENT;

		CHECK(!gpuoa_query_reset(pool, 0, 1, NULL, 0));
		query_once(0, 5000, cases[i].length, 0, 100);
		put64(note_of(0, false, NOTE_TICKS), cases[i].begin);
		put64(note_of(0, true, NOTE_TICKS), cases[i].end);
		if (!CHECK(get(0) == (bad ? -EILSEQ : 0) && result.flags == cases[i].flags))
			printf("# case %zu: flags %#x\n", i, result.flags);
		CHECK(result.begin_command_ticks == cases[i].begin);
		CHECK(result.end_command_ticks == cases[i].end);
		CHECK(result.interval.begin == 5000);
		CHECK(result.interval.end == 5000 + cases[i].length);
		/* 12 MHz */
		CHECK(result.gpu_time_ns == cases[i].length * 1000 / 12);
		if (bad)
			CHECK_STRING(error, "query 0: times of its reports are apart");
	}
	end_of();
}

static void longer_time_of_both_clocks_counts_for_wraps(void)
{
	uint64_t longest;

	if (!begin_with("sklgt2", "RenderBasic", 1))
		return;
	longest = desc.longest_ticks;
	query_once(0, 5000, 12, 0, 100);
	put64(note_of(0, false, NOTE_TICKS), 1);
	put64(note_of(0, true, NOTE_TICKS), 1 + longest);
	CHECK(!get(0) && result.flags == 0);
	put64(note_of(0, true, NOTE_TICKS), 2 + longest);
	CHECK(!get(0) && result.flags == GPUOA_QUERY_WRAP);
	put64(note_of(0, true, NOTE_TICKS), UINT64_MAX);
	CHECK(!get(0) && result.flags == 0);
	end_of();
}

/* ---- missing and foreign reports ------------------------------------------------------------ */

/* A disabled unit writes the id only. A timestamp of 0 alone is valid. */
static void empty_reports_are_lost(void)
{
	static const struct {
		bool end, no_time, no_id, no_clock;
		int err;
		uint32_t flags;
	} cases[] = {
		{ false, true, false, false, 0, 0 },
		{ false, true, false, true, -ENODATA, GPUOA_QUERY_LOST },
		{ false, true, true, false, -ENODATA, GPUOA_QUERY_LOST },
		{ false, true, true, true, -ENODATA, GPUOA_QUERY_LOST },
		{ false, false, true, true, -EBADMSG, GPUOA_QUERY_ID_MISMATCH },
		{ false, false, false, true, 0, 0 },
		{ true, true, false, false, 0, 0 },
		{ true, true, false, true, -ENODATA, GPUOA_QUERY_LOST },
		{ true, true, true, false, -ENODATA, GPUOA_QUERY_LOST },
		{ true, false, true, true, -EBADMSG, GPUOA_QUERY_ID_MISMATCH },
	};

	if (!begin_with("sklgt2", "RenderBasic", 1))
		return;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint32_t id;
		char *report;

		CHECK(!gpuoa_query_reset(pool, 0, 1, NULL, 0));
		/* The timestamp is 0 at one of the ends, modulo its 32 bits. */
		id = query_once(0, cases[i].end ? UINT32_MAX - 99 : 0, 100, 3, 100);
		report = report_of(0, cases[i].end);
		if (!cases[i].no_time)
			put_field(report, GPUOA_FIELD_TIMESTAMP, 0, 50);
		if (cases[i].no_id)
			put_field(report, GPUOA_FIELD_REPORT_ID, 0, 0);
		if (cases[i].no_clock)
			put_field(report, GPUOA_FIELD_CLOCK, 0, 0);
		put64(note_of(0, false, NOTE_TICKS), 1000);
		put64(note_of(0, true, NOTE_TICKS), UINT32_MAX);
		if (!CHECK(get(0) == cases[i].err &&
			   (result.flags & ~(uint32_t)GPUOA_QUERY_WRAP) == cases[i].flags))
			printf("# case %zu: %s, flags %#x\n", i, error, result.flags);
		CHECK(result.begin_command_ticks == 1000);
		CHECK(result.end_command_ticks == UINT32_MAX);
		CHECK(result.begin_id == (cases[i].no_id && !cases[i].end ? 0 : id));
		CHECK(result.end_id == (cases[i].no_id && cases[i].end ? 0 : id + 1));
	}
	end_of();
}

/* After a reset, memory that no command has written yields no result. */
static void queries_without_any_write_have_no_result(void)
{
	static const struct gpuoa_query_hints executed = { .size = sizeof(executed),
							   .executed = true };

	if (!begin_with("sklgt2", "RenderBasic", 1))
		return;
	/* The ids are 1 and 2. */
	CHECK(gpuoa_query_begin(pool, 0, dwords, DWORDS, NULL, 0) > 0);
	CHECK(gpuoa_query_end(pool, 0, dwords, DWORDS, NULL, 0) > 0);
	CHECK(get(0) == -EAGAIN && get_with(0, &executed) == -ENODATA);
	CHECK_STRING(error, "query 0: its end did not run");
	play(0, true, 2, 1000, 5);
	CHECK(get(0) == -ENODATA && result.flags == GPUOA_QUERY_NOT_EXECUTED);
	CHECK_STRING(error, "query 0: its begin did not run");
	put64(note_of(0, false, NOTE_TAG), 1);
	CHECK(get(0) == -ENODATA && result.flags == GPUOA_QUERY_LOST);
	CHECK_STRING(error,
		     "query 0: there is no report. Does a stream of this set run, from gen12 "
		     "on one of this context?");
	end_of();
}

static void errors_name_the_query_and_its_reports(void)
{
	uint32_t id;

	if (!begin_with("sklgt2", "RenderBasic", 8))
		return;
	id = query_once(5, 1000, TICKS, 0, 100);
	CHECK(!get(5) && !*error);
	put_field(report_of(5, true), GPUOA_FIELD_REPORT_ID, 0, 99);
	CHECK(get(5) == -EBADMSG && result.end_id == 99 && result.begin_id == id);
	CHECK_STRING(error, "query 5: ids of reports are 1 and 99, not 1 and 2");
	put_field(report_of(5, false), GPUOA_FIELD_REPORT_ID, 0, 98);
	put_field(report_of(5, true), GPUOA_FIELD_REPORT_ID, 0, 2);
	CHECK(get(5) == -EBADMSG);
	CHECK_STRING(error, "query 5: ids of reports are 98 and 2, not 1 and 2");
	put64(note_of(5, false, NOTE_TAG), id + 2);
	CHECK(get(5) == -ENODATA && result.flags == GPUOA_QUERY_NOT_EXECUTED);
	CHECK_STRING(error, "query 5: its begin did not run");
	CHECK(!result.begin_command_ticks && !result.end_command_ticks);
	CHECK(!result.interval.end && !result.has_context);
	put64(note_of(5, true, NOTE_TAG), id);
	CHECK(get(5) == -EAGAIN && !result.flags);
	CHECK_STRING(error, "query 5 is not over");
	CHECK(get_with(5, &(struct gpuoa_query_hints){ .size = sizeof(struct gpuoa_query_hints),
						       .executed = true }) == -ENODATA);
	CHECK_STRING(error, "query 5: its end did not run");
	CHECK(get(6) == -ENOENT && !result.flags);
	CHECK_STRING(error, "query 6 has not been ended");
	CHECK(get(8) == -ERANGE);
	CHECK_STRING(error, "there is no query 8: the pool has 8");
	end_of();
}

/* After a reset, each register that is not stored again is missing. */
static void registers_that_were_not_stored_are_flagged(void)
{
	static const struct {
		const char *platform;
		uint32_t offset, size;
	} cases[] = {
		{ "hsw", NOTE_PERFCNT0, 8 },	{ "hsw", NOTE_STATUS, 4 },
		{ "sklgt2", NOTE_PERFCNT0, 8 }, { "sklgt2", NOTE_FREQUENCY, 4 },
		{ "sklgt2", NOTE_STATUS, 4 },	{ "mtlgt2", 40, 4 },
		{ "mtlgt2", NOTE_STATUS, 4 },	{ "lnl", NOTE_STATUS, 4 },
	};
	char saved[8];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (int end = 0; end < 2; end++) {
			char *at;

			if (!begin_with(cases[i].platform, "RenderBasic", 1))
				return;
			/* The value after a reset */
			at = note_of(0, end, cases[i].offset);
			memcpy(saved, at, cases[i].size);
			query_once(0, 1000, TICKS, 0, 100);
			/* A36 and A37 */
			put64(note_of(0, false, 40), 1);
			put64(note_of(0, true, 40), 2);
			CHECK(!get(0) && !result.flags);
			memcpy(at, saved, cases[i].size);
			if (!CHECK(!get(0) && result.flags & GPUOA_QUERY_NO_REGISTERS))
				printf("# case %zu at the %s\n", i, end ? "end" : "begin");
			CHECK(!(result.flags & GPUOA_QUERY_OVERRUN));
			CHECK(result.severity == GPUOA_SEVERITY_RECOVERABLE);
			end_of();
		}
}

/* The memory of registers that commands do not store is not looked at. */
static void registers_left_out_are_not_missing(void)
{
	static const char *const platforms[] = { "hsw", "sklgt2", "tglgt2", "mtlgt2", "lnl" };
	static const enum note notes[] = { NOTE_PERFCNT0, NOTE_PERFCNT1, NOTE_FREQUENCY };
	struct gpuoa_query_options options = options_of(1);

	options.leave_out = GPUOA_QUERY_REGISTER_PERFCNT | GPUOA_QUERY_REGISTER_FREQUENCY |
			    GPUOA_QUERY_REGISTER_STATUS;
	for (size_t i = 0; i < sizeof(platforms) / sizeof(platforms[0]); i++) {
		if (!choose(platforms[i], "RenderBasic"))
			return;
		REQUIRE(!open_pool(&options));
		query_once(0, 1000, TICKS, 0, 100);
		for (int end = 0; end < 2; end++) {
			/* The status follows the frequency. */
			for (size_t k = 0; k < 3; k++)
				put64(note_of(0, end, notes[k]), UINT64_MAX);
			/* A36 and A37, which are stored on mtlgt2 */
			put64(note_of(0, end, 40), strcmp(platforms[i], "mtlgt2") ? UINT64_MAX : 5);
		}
		CHECK(!get(0) && !result.flags && !result.begin_hz && !result.end_hz);
		end_of();
	}
	/* A frequency that was not stored is unknown. */
	if (!begin_with("sklgt2", "RenderBasic", 1))
		return;
	query_once(0, 1000, TICKS, 0, 100);
	put32(note_of(0, false, NOTE_FREQUENCY), UINT32_MAX);
	put32(note_of(0, true, NOTE_FREQUENCY), 60u << 23);
	CHECK(!get(0) && !result.begin_hz && result.end_hz == 1000000000);
	CHECK(result.flags == (GPUOA_QUERY_NO_REGISTERS | GPUOA_QUERY_FREQUENCY_CHANGE));
	end_of();
}

static void overrun_is_a_bit_of_the_status_at_either_end(void)
{
	static const struct {
		uint32_t begin, end;
		bool overrun;
	} cases[] = { { 0, 0, false }, { 1, 0, true }, { 0, 1, true },	{ 2, 0, true },
		      { 0, 2, true },  { 3, 3, true }, { 4, 8, false }, { 0xfc, 1, true } };

	if (!begin_with("tglgt2", "RenderBasic", 1))
		return;
	query_once(0, 1000, TICKS, 0, 100);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		put32(note_of(0, false, NOTE_STATUS), cases[i].begin);
		put32(note_of(0, true, NOTE_STATUS), cases[i].end);
		CHECK(!get(0) && result.flags == (cases[i].overrun ? GPUOA_QUERY_OVERRUN : 0));
		CHECK(result.severity == GPUOA_SEVERITY_INFO);
	}
	end_of();
}

/* ---- reports of a stream -------------------------------------------------------------------- */

/* A report of the stream: ticks since the begin of the query, clock, reasons; context */
struct played_report {
	int ticks;
	uint32_t clock, reasons;
	enum { OWN, OTHER, NONE } context;
};

#define TIMER 1
#define SWITCH 8

static struct gpuoa_query_hints play_reports(const struct played_report *reports, size_t count,
					     uint32_t begin)
{
	for (uint32_t i = 0; i < count; i++)
		play_stream(i,
			    REASON(reports[i].reasons) | (reports[i].context == NONE ? 0 : VALID),
			    begin + (uint32_t)reports[i].ticks, reports[i].clock,
			    reports[i].context == OTHER ? CONTEXT + 1 : CONTEXT);
	return (struct gpuoa_query_hints){ .size = sizeof(struct gpuoa_query_hints),
					   .reports = stream,
					   .report_count = count,
					   .report_format = GPUOA_REPORT_A32U40_A4U32_B8_C8 };
}

/* The query lasts 12,000 ticks and 1000 clocks. */
static void stream_reports_show_when_the_context_ran(void)
{
	static const struct {
		struct played_report reports[4];
		uint32_t count, between, clocks, flags;
	} cases[] = {
		/* Reports at the times of begin and end are not between them. */
		{ { { 0, 0, SWITCH, OTHER }, { TICKS, 900, SWITCH, OTHER } }, 2, 0, 1000, 0 },
		{ { { 1, 1, TIMER, OWN }, { TICKS - 1, 999, TIMER, OWN } }, 2, 2, 1000, 0 },
		{ { { -1, 0, SWITCH, OTHER }, { TICKS + 1, 1001, SWITCH, OTHER } }, 2, 0, 1000, 0 },
		{ { { -500, 0, SWITCH, OTHER },
		    { 100, 10, TIMER, OWN },
		    { TICKS, 1000, SWITCH, OTHER } },
		  3,
		  1,
		  1000,
		  0 },
		/* The context gives way, and is back later. */
		{ { { 3000, 300, SWITCH, OTHER }, { 9600, 800, SWITCH, OWN } },
		  2,
		  2,
		  500,
		  GPUOA_QUERY_CONTEXT_SWITCH | GPUOA_QUERY_SPLIT },
		/* It is back, which only the report at the end shows. */
		{ { { 3000, 300, SWITCH, OTHER } },
		  1,
		  1,
		  300,
		  GPUOA_QUERY_CONTEXT_SWITCH | GPUOA_QUERY_SPLIT },
		/* The GPU is idle: the report has no valid context. */
		{ { { 3000, 300, SWITCH, NONE }, { 9600, 800, SWITCH, OWN } },
		  2,
		  2,
		  500,
		  GPUOA_QUERY_CONTEXT_SWITCH | GPUOA_QUERY_SPLIT },
		/* A switch to the context itself */
		{ { { 3000, 300, SWITCH, OWN }, { 9600, 800, SWITCH, OWN } },
		  2,
		  2,
		  1000,
		  GPUOA_QUERY_CONTEXT_SWITCH },
		/* The switches are lost, but not the reports in between. */
		{ { { 3000, 300, TIMER, OTHER },
		    { 4000, 500, TIMER, OTHER },
		    { 9000, 700, TIMER, OWN } },
		  3,
		  3,
		  600,
		  0 },
		{ { { 3000, 300, SWITCH, OTHER },
		    { 4000, 400, TIMER, OWN },
		    { 5000, 600, TIMER, OWN } },
		  3,
		  3,
		  900,
		  GPUOA_QUERY_CONTEXT_SWITCH | GPUOA_QUERY_SPLIT },
	};
	static const uint32_t begins[] = { 1000, UINT32_MAX - 5000 };

	for (size_t b = 0; b < 2; b++) {
		if (!begin_with("sklgt2", "RenderBasic", 1))
			return;
		query_once(0, begins[b], TICKS, 0, 1000);
		for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
			const struct gpuoa_query_hints hints =
				play_reports(cases[i].reports, cases[i].count, begins[b]);

			REQUIRE(!get_with(0, &hints));
			if (!CHECK(result.reports_between == cases[i].between &&
				   value("GpuCoreClocks") == cases[i].clocks &&
				   result.flags == cases[i].flags))
				printf("# case %zu: %u reports, %f clocks, flags %#x\n", i,
				       result.reports_between, value("GpuCoreClocks"),
				       result.flags);
			CHECK(result.severity == GPUOA_SEVERITY_INFO);
		}
		end_of();
	}
}

/* When the timestamp has wrapped, reports have the same times again. */
static void stream_reports_end_with_the_query(void)
{
	static const struct played_report reports[] = {
		{ 3000, 300, TIMER, OWN },
		{ TICKS + 5, 2000, TIMER, OTHER },
		{ 5000, 600, SWITCH, OTHER },
	};
	struct gpuoa_query_hints hints;

	if (!begin_with("sklgt2", "RenderBasic", 1))
		return;
	query_once(0, 1000, TICKS, 0, 1000);
	for (int late = 0; late < 2; late++) {
		struct played_report played[3];

		memcpy(played, reports, sizeof(played));
		played[1].ticks = TICKS + 5 * late;
		hints = play_reports(played, 3, 1000);
		REQUIRE(!get_with(0, &hints));
		CHECK(result.reports_between == 1 && result.flags == 0);
		CHECK(result.reasons == GPUOA_REASON_TIMER && value("GpuCoreClocks") == 1000);
	}
	end_of();
}

/* Values of a batch of queries are not added to those of a query with reports of a stream. */
static void values_do_not_include_those_of_other_queries(void)
{
	static const struct played_report reports[] = { { 3000, 300, SWITCH, OTHER },
							{ 9600, 800, SWITCH, OWN } };
	struct gpuoa_query_hints hints;
	union gpuoa_value *rows;

	if (!begin_with("sklgt2", "RenderBasic", 10))
		return;
	rows = calloc(10 * gpuoa_calc_output_count(gpuoa_query_calc(pool)), sizeof(*rows));
	for (uint32_t i = 0; i < 10; i++)
		query_once(i, 1000, TICKS, 0, 1000);
	hints = play_reports(reports, 2, 1000);
	CHECK(gpuoa_query_get(pool, 0, 10, NULL, rows, NULL, 0, NULL, 0) == 10);
	CHECK(!get_with(5, &hints) && value("GpuCoreClocks") == 500);
	CHECK(!get_with(6, &hints) && value("GpuCoreClocks") == 500);
	free(rows);
	end_of();
}

/* Times are extended to 64 bits with reports of a stream as without. */
static void times_are_near_the_given_one_with_reports(void)
{
	static const struct played_report reports[] = { { 3000, 300, SWITCH, OTHER },
							{ 9600, 800, SWITCH, OWN } };
	struct gpuoa_query_hints hints;
	double begin;

	if (!begin_with("sklgt2", "RenderBasic", 1))
		return;
	query_once(0, 0xfffffe00, TICKS, 0, 1000);
	CHECK(!get(0));
	begin = value("QueryBeginTime");
	hints = play_reports(reports, 2, 0xfffffe00);
	hints.near_ticks = 0x7ffffff00;
	CHECK(!get_with(0, &hints) && value("GpuCoreClocks") == 500);
	CHECK(result.interval.begin == 0x7fffffe00);
	CHECK(value("QueryBeginTime") > begin + 0x6ffffffff * 80.0);
	end_of();
}

/* Reports of Haswell have neither a context nor reasons, so switches are not visible. */
static void haswell_queries_have_no_context(void)
{
	const struct played_report report = { 3000, 300, SWITCH, OTHER };
	struct gpuoa_query_hints hints;

	if (!begin_with("hsw", "RenderBasic", 1))
		return;
	query_once(0, 1000, TICKS, 0, 1000);
	CHECK(!get(0) && !result.has_context && !result.context_id);
	hints = play_reports(&report, 1, 1000);
	hints.report_format = desc.format;
	REQUIRE(!get_with(0, &hints));
	CHECK(!result.flags && !result.reasons && result.reports_between == 1);
	CHECK(value("GpuCoreClocks") == 1000);
	end_of();
}

/* Open a pool with one metric. @mode: 0 or GPUOA_QUERY_GLOBAL */
static bool begin_metric(const char *platform, const char *symbol, enum gpuoa_query_mode mode)
{
	const struct gpuoa_metric *metric;
	const struct gpuoa_calc_options calc = { .size = sizeof(calc),
						 .metrics = &metric,
						 .metric_count = 1 };
	struct gpuoa_query_options options = options_of(1);

	if (!choose(platform, "RenderBasic"))
		return false;
	metric = gpuoa_set_find_metric(set, symbol);
	options.mode = mode;
	options.calc = &calc;
	return CHECK(!open_pool(&options));
}

static char many[MANY * STREAM_REPORT];

/* Simulate reports at these times since the begin of the query, with these clocks. */
static struct gpuoa_query_hints play_times(const uint64_t *times, const uint64_t *clocks,
					   size_t count)
{
	for (size_t i = 0; i < count; i++) {
		play_stream(0, REASON(TIMER) | VALID, (uint32_t)(1000 + times[i]),
			    clocks ? clocks[i] : 0, CONTEXT);
		memcpy(many + i * STREAM_REPORT, stream, STREAM_REPORT);
	}
	return (struct gpuoa_query_hints){ .size = sizeof(struct gpuoa_query_hints),
					   .reports = many,
					   .report_count = count,
					   .report_format = GPUOA_REPORT_A32U40_A4U32_B8_C8 };
}

static bool wraps(const struct gpuoa_query_hints *hints)
{
	CHECK(!get_with(0, hints) && (!result.flags || result.flags == GPUOA_QUERY_WRAP));
	CHECK(result.severity == (result.flags ? GPUOA_SEVERITY_RECOVERABLE : GPUOA_SEVERITY_INFO));
	return result.flags & GPUOA_QUERY_WRAP;
}

/* Between two reports, a counter of the same clock can advance for the longest time. */
static void reports_at_the_longest_distance_exclude_wraps(void)
{
	/* Query, then reports: multiples of the longest time, and the difference in ticks */
	static const struct {
		int count, length, early[2]; /* each report is that much earlier */
		bool wraps;
	} cases[] = {
		{ 1, 2, { 0 }, false },	   { 1, 2, { 1 }, true },     { 1, 2, { -1 }, true },
		{ 2, 3, { 0, 0 }, false }, { 2, 3, { -1, 0 }, true }, { 2, 3, { 1, 0 }, true },
		{ 2, 3, { 0, -1 }, true }, { 2, 3, { 0, 1 }, true },  { 2, 2, { 5, 5 }, false },
		{ 2, 2, { -1, 0 }, true },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct gpuoa_query_hints hints;
		uint64_t longest, times[2];

		if (!begin_metric("sklgt2", "GpuCoreClocks", GPUOA_QUERY_GLOBAL))
			return;
		longest = desc.longest_ticks;
		query_once(0, 1000, (uint64_t)cases[i].length * longest, 0, 0);
		CHECK(wraps(NULL));
		for (int k = 0; k < 2; k++)
			times[k] = (k + 1) * longest - (uint64_t)cases[i].early[k];
		if (cases[i].length == 2 && cases[i].count == 2)
			times[1] = 2 * longest - 10;
		hints = play_times(times, NULL, (size_t)cases[i].count);
		if (!CHECK(wraps(&hints) == cases[i].wraps))
			printf("# case %zu\n", i);
		end_of();
	}
}

/* The time after the last report is the longest one, and as long as it may be. */
static void last_report_may_be_the_longest_time_before_the_end(void)
{
	for (uint64_t more = 0; more < 2; more++) {
		struct gpuoa_query_hints hints;
		uint64_t longest, time;

		if (!begin_metric("sklgt2", "GpuCoreClocks", GPUOA_QUERY_GLOBAL))
			return;
		longest = desc.longest_ticks;
		time = longest - 1;
		query_once(0, 1000, 2 * longest - 1 + more, 0, 0);
		CHECK(wraps(NULL));
		hints = play_times(&time, NULL, 1);
		CHECK(wraps(&hints) == more);
		end_of();
	}
}

/* Registers are stored alongside the reports of queries only. */
static void registers_count_for_the_whole_of_a_long_query(void)
{
	struct gpuoa_query_hints hints;
	uint64_t longest;

	if (!begin_with("hsw", "SamplerBalance", 1))
		return;
	longest = desc.longest_ticks;
	query_once(0, 1000, 2 * longest, 0, 100);
	put64(note_of(0, false, NOTE_PERFCNT1), 1000000);
	put64(note_of(0, true, NOTE_PERFCNT1), 1000777);
	CHECK(!get(0) && result.flags == GPUOA_QUERY_WRAP && value("LlcHits") == 777);
	hints = play_times(&longest, NULL, 1);
	hints.report_format = desc.format;
	CHECK(!get_with(0, &hints) && !result.flags && result.reports_between == 1);
	CHECK(value("LlcHits") == 777 && value("GpuTime") == (double)(2 * longest) * 80);
	end_of();
}

/* Counters that cannot have wrapped need no reports of their width. */
static void reports_need_only_counters_that_may_have_wrapped(void)
{
	static const uint32_t formats[] = { GPUOA_REPORT_A32U40_A4U32_B8_C8,
					    GPUOA_REPORT_A12_B8_C8 };
	const struct gpuoa_metric *metrics[2];
	const struct gpuoa_calc_options calc = { .size = sizeof(calc),
						 .metrics = metrics,
						 .metric_count = 2 };
	struct gpuoa_query_options options = options_of(1);

	if (!choose("tglgt2", "RenderBasic"))
		return;
	metrics[0] = gpuoa_set_find_metric(set, "GpuCoreClocks");
	metrics[1] = gpuoa_set_find_metric(set, "VsThreads"); /* a counter of 40 bits */
	options.calc = &calc;
	REQUIRE(!open_pool(&options));
	for (int i = 0; i < 2; i++) {
		const uint64_t longest = desc.longest_ticks;
		const uint64_t times[] = { longest / 4, longest };
		struct gpuoa_query_hints hints;

		CHECK(!gpuoa_query_reset(pool, 0, 1, NULL, 0));
		query_once(0, 1000, longest + longest / 5, 0, 0);
		CHECK(wraps(NULL));
		hints = play_times(times, NULL, 2);
		if (i)
			memmove(many + 128, many + STREAM_REPORT, 128);
		hints.report_format = formats[i];
		CHECK(!wraps(&hints) && result.reports_between == 2);
	}
	end_of();
}

/* If the timestamps of reports may have wrapped, their order is unknown. */
static void reports_of_wrapped_timestamps_exclude_nothing(void)
{
	const uint64_t timestamps = UINT64_C(1) << 31;

	for (uint64_t more = 0; more < 2; more++) {
		struct gpuoa_query_hints hints;
		uint64_t times[MANY - 1];

		if (!begin_metric("sklgt2", "GpuCoreClocks", GPUOA_QUERY_GLOBAL))
			return;
		query_once(0, 1000, timestamps + more, 0, 0);
		for (uint64_t i = 0; i < MANY - 1; i++)
			times[i] = (i + 1) * (timestamps / MANY);
		CHECK(desc.longest_ticks > timestamps / MANY + 1);
		hints = play_times(times, NULL, MANY - 1);
		CHECK(wraps(&hints) == more);
		end_of();
	}
}

/*
 * The counter of a context cannot have advanced more than that of the unit did, and not faster than
 * it can before the first report and after the last one.
 */
static void unit_reports_limit_counters_of_a_context(void)
{
	static const struct {
		double first, last; /* times of reports, multiples of the longest time */
		uint64_t clocks; /* of the unit between them */
		bool wraps;
	} cases[] = {
		{ 0.25, 1.25, 0, true }, /* 0.25 and 0.75 before and after: all bits */
		{ 0.25, 1.26, 0, true }, /* more than the longest time between them */
		{ 0.5, 1.5, 0, true },	 { 0.51, 1.5, 0, true }, { 0.52, 1.5, 0, true },
	};
	const struct {
		double first, middle, last;
		uint64_t clocks;
		bool wraps;
	} three[] = {
		{ 0.25, 1, 1.75, 0x7ffff000, false }, { 0.25, 1, 1.75, 0x80001000, true },
		{ 0.25, 1, 1.95, 0xb3330000, false }, { 0.25, 1, 1.95, 0xb3340000, true },
		{ 0.05, 1, 1.75, 0xb3330000, false }, { 0.05, 1, 1.75, 0xb3340000, true },
	};

	if (!begin_metric("tglgt2", "GpuCoreClocks", 0))
		return;
	query_once(0, 1000, 2 * desc.longest_ticks, 0, 0);
	CHECK(wraps(NULL));
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const double longest = (double)desc.longest_ticks;
		const uint64_t times[] = { (uint64_t)(cases[i].first * longest),
					   (uint64_t)(cases[i].last * longest) };
		const uint64_t clocks[] = { 77, 77 + cases[i].clocks };
		const struct gpuoa_query_hints hints = play_times(times, clocks, 2);

		CHECK(wraps(&hints) == cases[i].wraps);
	}
	/* The exact limit */
	for (uint64_t more = 0; more < 2; more++) {
		const uint64_t longest = desc.longest_ticks;
		const uint64_t times[] = { longest / 4, longest, 2 * longest - longest / 5 };
		const double edges = (double)(times[0] + 2 * longest - times[2]);
		const double limit = ceil((1 - edges / (double)longest) * 0x1p32);
		const uint64_t clocks[] = { 5, 500, 4 + (uint64_t)limit + more };
		const struct gpuoa_query_hints hints = play_times(times, clocks, 3);

		CHECK(wraps(&hints) == more);
	}
	for (size_t i = 0; i < sizeof(three) / sizeof(three[0]); i++) {
		const double longest = (double)desc.longest_ticks;
		const uint64_t times[] = { (uint64_t)(three[i].first * longest),
					   (uint64_t)(three[i].middle * longest),
					   (uint64_t)(three[i].last * longest) };
		/* The clock of the unit wraps in the second half. */
		const uint64_t clocks[] = { 0xf0000000, 0xf0000000 + three[i].clocks / 3,
					    0xf0000000 + three[i].clocks };
		const struct gpuoa_query_hints hints = play_times(times, clocks, 3);

		if (!CHECK(wraps(&hints) == three[i].wraps))
			printf("# case %zu\n", i);
	}
	end_of();
}

/* ---- results -------------------------------------------------------------------------------- */

/* Each of the outputs may be missing, and results may be of another size. */
static void outputs_are_optional(void)
{
	struct {
		struct gpuoa_query_result result;
		uint64_t more;
	} longer[2];
	struct gpuoa_query_hints hints;
	union gpuoa_value rows[2][COLUMNS];
	size_t columns;

	if (!begin_with("sklgt2", "RenderBasic", 2))
		return;
	columns = gpuoa_calc_output_count(gpuoa_query_calc(pool));
	for (uint32_t i = 0; i < 2; i++)
		query_once(i, 1000, TICKS, 0, 1000 + i);
	hints = play_reports(&(struct played_report){ 3000, 300, TIMER, OWN }, 1, 1000);
	for (int with = 0; with < 2; with++) {
		const struct gpuoa_query_hints *of = with ? &hints : NULL;

		memset(longer, 0x55, sizeof(longer));
		CHECK(gpuoa_query_get(pool, 0, 2, of, NULL, &longer[0].result, sizeof(longer[0]),
				      error, sizeof(error)) == 2);
		CHECK(!longer[0].more && !longer[1].more);
		CHECK(longer[1].result.end_id == longer[0].result.end_id + 2);
		CHECK(longer[1].result.reports_between == (with ? 1 : 0));
		memset(rows, 0x55, sizeof(rows));
		CHECK(gpuoa_query_get(pool, 0, 2, of, rows[0], NULL, 0, NULL, 0) == 2);
		CHECK(rows[0][1].u64 == 1000 && rows[0][columns + 1].u64 == 1001);
		CHECK(rows[0][2 * columns].u64 == 0x5555555555555555);
		CHECK(gpuoa_query_get(pool, 0, 2, of, NULL, NULL, 0, NULL, 0) == 2);
	}
	/* A result without values is returned, but not if there is none. */
	put_field(report_of(0, false), GPUOA_FIELD_REPORT_ID, 0, 99);
	CHECK(gpuoa_query_get(pool, 0, 2, NULL, NULL, NULL, 0, NULL, 0) == -EBADMSG);
	CHECK(!gpuoa_query_reset(pool, 0, 1, NULL, 0));
	memset(&longer, 0x55, sizeof(longer));
	CHECK(gpuoa_query_get(pool, 0, 1, NULL, NULL, &longer[0].result, sizeof(longer[0].result),
			      NULL, 0) == -ENOENT);
	CHECK(longer[0].result.flags == 0x55555555);
	end_of();
}

int main(void)
{
	RUN(times_of_reports_and_commands_are_compared);
	RUN(longer_time_of_both_clocks_counts_for_wraps);
	RUN(empty_reports_are_lost);
	RUN(queries_without_any_write_have_no_result);
	RUN(errors_name_the_query_and_its_reports);
	RUN(registers_that_were_not_stored_are_flagged);
	RUN(registers_left_out_are_not_missing);
	RUN(overrun_is_a_bit_of_the_status_at_either_end);
	RUN(stream_reports_show_when_the_context_ran);
	RUN(stream_reports_end_with_the_query);
	RUN(values_do_not_include_those_of_other_queries);
	RUN(times_are_near_the_given_one_with_reports);
	RUN(haswell_queries_have_no_context);
	RUN(reports_at_the_longest_distance_exclude_wraps);
	RUN(last_report_may_be_the_longest_time_before_the_end);
	RUN(registers_count_for_the_whole_of_a_long_query);
	RUN(reports_need_only_counters_that_may_have_wrapped);
	RUN(reports_of_wrapped_timestamps_exclude_nothing);
	RUN(unit_reports_limit_counters_of_a_context);
	RUN(outputs_are_optional);
	programmed_put(programmed);
	return tap_end();
}
