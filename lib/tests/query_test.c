// SPDX-License-Identifier: MIT
/*
 * query_test.c - Test queries: requirements, invalid arguments, and results of simulated reports.
 */
#include <math.h>
#include <stdlib.h>

#include "simulated_query.h"

/* ---- pool requirements ---------------------------------------------------------------------- */

static void pool_describe_returns_sizes(void)
{
	const uint32_t old = GPUOA_QUERY_REGISTER_PERFCNT | GPUOA_QUERY_REGISTER_STATUS;
	const uint32_t frequency = GPUOA_QUERY_REGISTER_FREQUENCY;
	const uint32_t status = GPUOA_QUERY_REGISTER_STATUS;
	const struct {
		const char *platform;
		uint32_t format, slot, begin, end, registers;
	} known[] = {
		{ "hsw", GPUOA_REPORT_A45_B8_C8, 640, 27, 28, old },
		{ "bdw", GPUOA_REPORT_A32U40_A4U32_B8_C8, 640, 38, 40, old | frequency },
		{ "chv", GPUOA_REPORT_A32U40_A4U32_B8_C8, 640, 34, 36, old },
		{ "sklgt2", GPUOA_REPORT_A32U40_A4U32_B8_C8, 640, 38, 40, old | frequency },
		{ "icl", GPUOA_REPORT_A32U40_A4U32_B8_C8, 640, 38, 40, old | frequency },
		{ "tglgt2", GPUOA_REPORT_A32U40_A4U32_B8_C8, 640, 22, 24, status | frequency },
		{ "mtlgt2", GPUOA_REPORT_OAR_A32U40_A4U32_B8_C8, 640, 26, 28,
		  status | GPUOA_QUERY_REGISTER_A36_A37 },
		{ "lnl", GPUOA_REPORT_PEC64U64, 1280, 18, 20, status },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const struct gpuoa_query_options options = options_of(3);

		if (!choose(known[i].platform, "RenderBasic"))
			return;
		REQUIRE(!gpuoa_query_describe(set, constants, &options, &desc, sizeof(desc), error,
					      sizeof(error)));
		CHECK(desc.format == known[i].format && desc.alignment == 64);
		CHECK(desc.slot_size == known[i].slot && desc.memory_size == 3ull * desc.slot_size);
		CHECK(desc.end_offset == desc.slot_size / 2);
		CHECK(desc.begin_dwords == known[i].begin && desc.end_dwords == known[i].end);
		CHECK(desc.registers == known[i].registers);
		end_of();
	}
}

/* Test all sets of units with reports that batches can write. */
static void every_set_supports_queries(void)
{
	const struct gpuoa_query_options options = options_of(1);
	size_t lacking = 0, sets = 0;

	for (size_t i = 0; i < gpuoa_platform_count(); i++) {
		const struct gpuoa_platform *platform = gpuoa_platform_get(i);

		REQUIRE(!gpuoa_constants_new(platform, &constants));
		REQUIRE(!gpuoa_constants_assume(constants));
		for (size_t j = 0; j < gpuoa_platform_set_count(platform); j++) {
			struct gpuoa_set_desc what;
			int err;

			set = gpuoa_platform_get_set(platform, j);
			gpuoa_set_describe(set, &what, sizeof(what));
			err = gpuoa_query_describe(set, constants, &options, &desc, sizeof(desc),
						   error, sizeof(error));
			sets += !err;
			CHECK(!err == !!(what.sampling & GPUOA_SAMPLING_QUERY) || err == -ENXIO);
			CHECK(what.query_report_size == (err ? 0 : gpuoa_format_size(desc.format)));
			lacking += err == -ENXIO;
		}
		gpuoa_constants_free(constants);
	}
	constants = NULL;
	CHECK(sets > 1000 && lacking == 0);
}

static void pool_errors_have_errno_and_message(void)
{
	const struct gpuoa_query_options good = options_of(2);
	struct gpuoa_query_options options;
	struct gpuoa_constants *foreign;

	if (!choose("hsw", "RenderBasic"))
		return;
#define REFUSED(err, text, ...)                      \
	do {                                         \
		options = good;                      \
		__VA_ARGS__;                         \
		CHECK(open_pool(&options) == (err)); \
		if (!CHECK(strstr(error, text)))     \
			printf("# %s\n", error);     \
	} while (0)
	REFUSED(-EINVAL, "the size in the options is 0", options.size = 0);
	REFUSED(-E2BIG, "1 to 1048576 queries, not 0", options.count = 0);
	REFUSED(-E2BIG, "not 4294967295", options.count = UINT32_MAX);
	REFUSED(-EOPNOTSUPP, "leave it out of the batch", options.null_hardware = true);
	REFUSED(-EINVAL, "no query mode 9", options.mode = 9);
	REFUSED(-EINVAL, "no format 99", options.format = 99);
	REFUSED(-ENXIO, "lack a counter of RenderBasic", options.format = GPUOA_REPORT_A13);
	REFUSED(-ENOBUFS, "need 671088640 bytes", options.count = 1048576);
	CHECK(open_pool(NULL) == -EINVAL);

	CHECK(open_at(NULL, constants, &good, memory, POOL_SIZE, 0) == -EINVAL);
	CHECK(open_at(set, NULL, &good, memory, POOL_SIZE, 0) == -EINVAL);
	CHECK(open_at(set, constants, &good, memory, POOL_SIZE, 32) == -EDOM);
	CHECK(open_at(set, constants, &good, memory + 4, POOL_SIZE - 4, 0) == -EDOM);
	CHECK(open_at(set, constants, &good, memory, POOL_SIZE, 1ull << 32) == -EOVERFLOW);
	CHECK(open_at(set, constants, &good, memory, POOL_SIZE, 0xffffff00) == -EOVERFLOW);
	REQUIRE(!gpuoa_constants_new(gpuoa_platform_find("bdw"), &foreign));
	CHECK(open_at(set, foreign, &good, memory, POOL_SIZE, 0) == -EINVAL);
	CHECK_STRING(error, "the constants are not those of hsw");
	gpuoa_constants_free(foreign);
	REQUIRE(!gpuoa_constants_new(gpuoa_platform_find("hsw"), &foreign));
	CHECK(open_at(set, foreign, &good, memory, POOL_SIZE, 0) == -ENODATA);
	CHECK(strstr(error, "has no value"));
	gpuoa_constants_free(foreign);
	end_of();
}

static void unsupported_queries_return_eopnotsupp(void)
{
	struct gpuoa_query_options options = options_of(1);

	if (!choose("tglgt2", "RenderBasic"))
		return;
	options.mode = GPUOA_QUERY_GLOBAL;
	CHECK(open_pool(&options) == -EOPNOTSUPP && strstr(error, "use a stream"));
	end_of();

	if (!choose("mtlgt2", "RenderBasic"))
		return;
	options.mode = GPUOA_QUERY_COMPUTE;
	CHECK(open_pool(&options) == -EOPNOTSUPP && strstr(error, "on the render engine"));
	options.mode = GPUOA_QUERY_RENDER;
	options.format = GPUOA_REPORT_A24U40_A14U32_B8_C8;
	CHECK(open_pool(&options) == -EOPNOTSUPP && strstr(error, "OAR_A32u40_A4u32_B8_C8 only"));
	end_of();

	if (!choose("lnl", "RenderBasic"))
		return;
	set = gpuoa_platform_find_set(gpuoa_platform_find("lnl"), "MediaSet1", "OAM0", NULL);
	options = options_of(1);
	CHECK(open_pool(&options) == -EOPNOTSUPP && strstr(error, "OAM0"));
	end_of();
}

static void pool_accepts_metric_list(void)
{
	const struct gpuoa_metric *metric[2];
	struct gpuoa_calc_options calc = {
		.size = sizeof(calc), .metrics = metric, .metric_count = 1, .no_infos = true
	};
	struct gpuoa_query_options options = options_of(1);

	options.calc = &calc;
	if (!choose("hsw", "RenderBasic"))
		return;
	metric[0] = gpuoa_set_find_metric(set, "GpuTime");
	REQUIRE(!open_pool(&options));
	CHECK(gpuoa_calc_output_count(gpuoa_query_calc(pool)) == 1);
	gpuoa_query_pool_close(pool);

	metric[0] = gpuoa_set_find_metric(gpuoa_platform_find_set(gpuoa_platform_find("hsw"),
								  "ComputeBasic", NULL, NULL),
					  "GpuTime");
	CHECK(open_pool(&options) == -EINVAL && strstr(error, "not one of RenderBasic"));
	metric[0] = gpuoa_set_find_metric(set, "GpuTime");
	calc.reasons = GPUOA_REASON_TIMER;
	CHECK(open_pool(&options) == -EINVAL && strstr(error, "filtered"));
	pool = NULL;
	end_of();
}

/* ---- begin, end, reset ---------------------------------------------------------------------- */

static void begin_and_end_require_order(void)
{
	if (!begin_with("tglgt2", "RenderBasic", 2))
		return;
#define BEGIN(query, room) gpuoa_query_begin(pool, query, dwords, room, error, sizeof(error))
#define END(query, room) gpuoa_query_end(pool, query, dwords, room, error, sizeof(error))
	CHECK(END(0, DWORDS) == -EPROTO);
	CHECK_STRING(error, "query 0 has not been begun");
	CHECK(BEGIN(0, desc.begin_dwords - 1) == -ENOSPC);
	CHECK_STRING(error, "22 dwords are needed, and there are 21");
	CHECK(BEGIN(2, DWORDS) == -ERANGE);
	CHECK_STRING(error, "there is no query 2: the pool has 2");
	CHECK(BEGIN(0, desc.begin_dwords) == (int)desc.begin_dwords && !*error);
	CHECK(BEGIN(0, DWORDS) == -EALREADY);
	CHECK_STRING(error, "query 0 has been begun: reset it");
	CHECK(gpuoa_query_ready(pool, 0) == -ENOENT && get(0) == -ENOENT);
	CHECK(END(0, 1) == -ENOSPC);
	CHECK(END(0, desc.end_dwords) == (int)desc.end_dwords);
	CHECK(END(0, DWORDS) == -EALREADY);
	CHECK_STRING(error, "query 0 has been ended: reset it");
	CHECK(gpuoa_query_ready(pool, 0) == 0 && get(0) == -EAGAIN);
	CHECK(gpuoa_query_ready(pool, 2) == -ERANGE);
	CHECK(gpuoa_query_reset(pool, 1, 2, error, sizeof(error)) == -ERANGE);
	CHECK_STRING(error, "the pool has 2 queries, not 3");
	CHECK(gpuoa_query_reset(pool, UINT32_MAX, UINT32_MAX, NULL, 0) == -ERANGE);
	CHECK(!gpuoa_query_reset(pool, 0, 2, NULL, 0));
	CHECK(BEGIN(0, DWORDS) == (int)desc.begin_dwords);
	end_of();
}

static void reset_discards_earlier_result(void)
{
	uint32_t id;

	if (!begin_with("sklgt2", "RenderBasic", 1))
		return;
	id = query_once(0, 1000, TICKS, 0, 5000);
	CHECK(!get(0) && result.begin_id == id);
	CHECK(!get(0));
	CHECK(!gpuoa_query_reset(pool, 0, 1, NULL, 0));
	CHECK(BEGIN(0, DWORDS) > 0 && END(0, DWORDS) > 0);
	/* Execute the previous commands again. */
	play(0, false, id, 1000, 0);
	play(0, true, id + 1, 1000 + TICKS, 5000);
	CHECK(gpuoa_query_ready(pool, 0) == 0 && get(0) == -EAGAIN);
	end_of();
}

static void queries_write_inside_their_slots_only(void)
{
	const struct gpuoa_query_options options = options_of(4);

	if (!choose("lnl", "RenderBasic"))
		return;
	memset(memory, 0x55, sizeof(memory));
	REQUIRE(!open_pool(&options));
	for (size_t i = desc.memory_size; i < sizeof(memory); i++)
		REQUIRE(memory[i] == 0x55);
	end_of();
}

/* ---- values --------------------------------------------------------------------------------- */

/*
 * The calculator of a pool accepts any two reports of the format, whether from a stream or a query.
 */
static void result_equals_calc_of_two_reports(void)
{
	static const char *const platforms[] = { "hsw", "sklgt2", "tglgt2", "lnl" };

	for (size_t i = 0; i < sizeof(platforms) / sizeof(platforms[0]); i++) {
		static char both[2 * 1024] __attribute__((aligned(64)));
		static union gpuoa_value expected[COLUMNS];
		struct gpuoa_query_options options = options_of(2);
		struct gpuoa_interval interval;
		struct gpuoa_calc *calc;
		size_t size, used;

		/* Leave out the counters that exist in queries only. */
		options.leave_out = GPUOA_QUERY_REGISTER_PERFCNT;
		if (!choose(platforms[i], "RenderBasic"))
			return;
		REQUIRE(!open_pool(&options));
		/* Counters and timestamp wrap. */
		query_once(1, UINT32_MAX - 100, TICKS, UINT32_MAX - 7, 1234567);
		REQUIRE(!get(1));
		size = gpuoa_format_size(desc.format);
		memcpy(both, report_of(1, false), size);
		memcpy(both + size, report_of(1, true), size);
		REQUIRE(!gpuoa_calc_open(set, constants, desc.format, NULL, &calc, NULL, 0));
		REQUIRE(gpuoa_calc_output_count(calc) ==
			gpuoa_calc_output_count(gpuoa_query_calc(pool)));
		CHECK(gpuoa_calc_run(calc, both, 2, expected, &interval, 1, &used) == 1);
		CHECK(!memcmp(expected, values,
			      gpuoa_calc_output_count(calc) * sizeof(union gpuoa_value)));
		CHECK(!memcmp(&interval, &result.interval, sizeof(interval)));
		CHECK(result.interval.end - result.interval.begin == TICKS);
		CHECK(value("GpuCoreClocks") == 1234567);
		CHECK(result.flags == 0);
		gpuoa_calc_close(calc);
		end_of();
	}
}

#define SOME 70

static void get_returns_several_results(void)
{
	static struct gpuoa_query_result results[SOME];
	union gpuoa_value *rows;
	size_t columns;
	uint32_t i;

	if (!begin_with("sklgt2", "RenderBasic", SOME + 3))
		return;
	columns = gpuoa_calc_output_count(gpuoa_query_calc(pool));
	rows = calloc(SOME * columns, sizeof(*rows));
	/*
	 * The queries were not executed in the order of their numbers, the timestamp wraps, and the
	 * last query has not ended.
	 */
	for (i = 0; i < SOME; i++)
		query_once(1 + i, UINT32_MAX - 977 * (i * 37 % SOME), TICKS + i, 12345 * i,
			   1000 * i);
	CHECK(BEGIN(SOME + 1, DWORDS) > 0 && END(SOME + 1, DWORDS) > 0);
#define GET(from, count)                                                                   \
	gpuoa_query_get(pool, from, count, NULL, rows, results, sizeof(results[0]), error, \
			sizeof(error))
	CHECK(GET(1, SOME) == SOME && !*error);
	for (i = 0; i < SOME; i++) {
		REQUIRE(!get(1 + i));
		CHECK(!memcmp(values, rows + i * columns, columns * sizeof(*rows)));
		CHECK(!memcmp(&result, &results[i], sizeof(result)));
		CHECK(result.interval.end - result.interval.begin == TICKS + i);
	}
	/* No more than requested, although more have ended */
	memset(&results[40], 0x55, sizeof(results[40]));
	memset(rows + 40 * columns, 0x55, sizeof(*rows));
	CHECK(GET(1, 40) == 40 && results[40].flags == 0x55555555);
	CHECK(rows[40 * columns].u64 == 0x5555555555555555);
	CHECK(GET(SOME - 1, 10) == 2 && !*error);
	CHECK(GET(SOME + 1, 10) == -EAGAIN && *error);
	CHECK(GET(0, 10) == -ENOENT && GET(SOME + 3, 1) == -ERANGE && GET(1, 0) == -EINVAL);
	/* An invalid result ends the preceding batch of results; the next call returns it first. */
	put32(report_of(40, false), 77);
	CHECK(GET(1, SOME) == 39);
	memset(results, 0, sizeof(results));
	CHECK(GET(40, SOME) == -EBADMSG && results[0].flags == GPUOA_QUERY_ID_MISMATCH);
	CHECK(GET(41, SOME) == SOME - 40);
	free(rows);
	end_of();
}

static void near_ticks_extends_times(void)
{
	struct gpuoa_query_hints near = { .size = sizeof(near), .near_ticks = 0x7ffffff00 };
	double begin;

	if (!begin_with("hsw", "RenderBasic", 1))
		return;
	query_once(0, 0xfffffe00, TICKS, 0, 1000);
	CHECK(!get(0) && result.interval.begin == 0xfffffe00);
	begin = value("QueryBeginTime");
	CHECK(!get_with(0, &near) && result.interval.begin == 0x7fffffe00);
	CHECK(result.interval.end == 0x7fffffe00 + TICKS);
	CHECK(value("QueryBeginTime") - begin == 0x700000000 * 80.0);
	near.near_ticks = 0x800000100;
	CHECK(!get_with(0, &near) && result.interval.begin == 0x7fffffe00);
	end_of();
}

/* Test the metrics of all sets that use counters which are in no report. */
static void query_only_metrics_have_values(void)
{
	struct gpuoa_query_options options = options_of(1);
	size_t metrics = 0;

	for (size_t i = 0; i < gpuoa_platform_count(); i++) {
		const struct gpuoa_platform *platform = gpuoa_platform_get(i);

		REQUIRE(!gpuoa_constants_new(platform, &constants));
		REQUIRE(!gpuoa_constants_assume(constants));
		for (size_t j = 0; j < gpuoa_platform_set_count(platform); j++) {
			struct gpuoa_output_desc column;
			struct gpuoa_metric_desc metric;
			size_t only = 0;

			set = gpuoa_platform_get_set(platform, j);
			if (open_pool(&options))
				continue;
			query_once(0, 1000, TICKS, 100, 1000);
			/* Only the low 44 bits of each register are valid, and they wrap. */
			put64(note_of(0, false, NOTE_PERFCNT0), 0xabcde00000000000 - 1000);
			put64(note_of(0, true, NOTE_PERFCNT0), 0xfedcb00000000000 + 3000);
			REQUIRE(!get(0));
			for (size_t k = 0; !gpuoa_calc_output_describe(gpuoa_query_calc(pool), k,
								       &column, sizeof(column));
			     k++) {
				if (!column.metric)
					continue;
				gpuoa_metric_describe(column.metric, &metric, sizeof(metric));
				if (!metric.query_only)
					continue;
				only++;
				CHECK(gpuoa_value_to_double(column.type, values[k]) > 0);
				if (!strcmp(column.symbol, "LlcAccesses"))
					CHECK(values[k].u64 == 4000);
				if (!strcmp(column.symbol, "LlcHits"))
					CHECK(values[k].u64 == 1000);
				if (!strcmp(column.symbol, "LlcGpuThroughput"))
					CHECK(values[k].u64 == (4000 - 1000) * 64);
			}
			metrics += only;
			gpuoa_query_pool_close(pool);
			/*
			 * If batches cannot read the counter registers, the metrics that use them
			 * have no values.
			 */
			options.leave_out = GPUOA_QUERY_REGISTER_PERFCNT;
			if (only && CHECK(!open_pool(&options))) {
				CHECK(!(desc.registers & GPUOA_QUERY_REGISTER_PERFCNT));
				gpuoa_query_pool_close(pool);
			}
			options.leave_out = 0;
		}
		gpuoa_constants_free(constants);
	}
	CHECK(metrics == 65);
	pool = NULL;
	constants = NULL;
}

static size_t count_in_view(const struct gpuoa_view_options *options)
{
	struct gpuoa_view *view;
	size_t count;

	if (!CHECK(!gpuoa_view_open(set, options, &view, NULL, 0)))
		return 0;
	count = gpuoa_view_count(view);
	gpuoa_view_close(view);
	return count;
}

static void query_mode_enables_query_metrics(void)
{
	struct gpuoa_view_options options = { .size = sizeof(options) };
	const struct gpuoa_metric *hits;
	struct gpuoa_calc *calc;
	char reason[64];
	size_t few;

	if (!choose("hsw", "SamplerBalance"))
		return;
	hits = gpuoa_set_find_metric(set, "LlcHits");
	few = count_in_view(&options);
	options.queries = true;
	CHECK(count_in_view(&options) == few + 2);
	options.queries = false;
	options.constants = constants;
	few = count_in_view(&options);
	CHECK(gpuoa_metric_available(hits, constants, reason, sizeof(reason)) == 0);
	CHECK_STRING(reason, "only begin/end queries have it");
	for (uint64_t mode = GPUOA_QUERY_RENDER; mode <= GPUOA_QUERY_GLOBAL; mode++) {
		CHECK(!gpuoa_constants_set(constants, "QueryMode", mode));
		CHECK(count_in_view(&options) == few + 2);
		CHECK(gpuoa_metric_available(hits, constants, reason, sizeof(reason)) == 1);
	}
	CHECK_STRING(gpuoa_query_mode_name(GPUOA_QUERY_COMPUTE), "compute");
	/* The counters of the set's query-only metrics are not in reports of streams. */
	CHECK(gpuoa_calc_open(set, constants, GPUOA_REPORT_A45_B8_C8, NULL, &calc, NULL, 0) ==
	      -ENXIO);
	end_of();
}

/* ---- diagnostics ---------------------------------------------------------------------------- */

static const struct gpuoa_query_hints executed = { .size = sizeof(executed), .executed = true };

static void flags_have_names_and_severities(void)
{
	struct gpuoa_query_flag_desc flag;
	unsigned int count[3] = { 0 };

	for (uint32_t bit = 0; bit < 40; bit++) {
		if (gpuoa_query_describe_flag(bit, &flag, sizeof(flag)))
			continue;
		CHECK(*flag.name && *flag.description);
		count[flag.severity]++;
	}
	CHECK(count[GPUOA_SEVERITY_INFO] == 5 && count[GPUOA_SEVERITY_RECOVERABLE] == 4 &&
	      count[GPUOA_SEVERITY_UNRECOVERABLE] == 5);
	CHECK(gpuoa_query_describe_flag(7, &flag, sizeof(flag)) == -ENOENT);
	CHECK(gpuoa_query_describe_flag(33, &flag, sizeof(flag)) == -ENOENT);
	REQUIRE(!gpuoa_query_describe_flag(19, &flag, sizeof(flag)));
	CHECK_STRING(flag.name, "context_mismatch");
}

static void executed_hint_ends_waiting(void)
{
	uint64_t ticks;
	uint32_t id;

	if (!begin_with("lnl", "RenderBasic", 3))
		return;
	id = query_once(0, 1000, TICKS, 0, 1000);
	put64(note_of(0, true, NOTE_TAG), 0);
	CHECK(get(0) == -EAGAIN);
	CHECK(get_with(0, &executed) == -ENODATA && result.flags == GPUOA_QUERY_NOT_EXECUTED);
	CHECK(result.severity == GPUOA_SEVERITY_UNRECOVERABLE);
	put64(note_of(0, true, NOTE_TAG), id + 1);
	CHECK(!get_with(0, &executed));
	put64(note_of(0, false, NOTE_TAG), 0);
	CHECK(get(0) == -ENODATA && result.flags == GPUOA_QUERY_NOT_EXECUTED);

	/* The commands were executed, but the unit did not write a report. */
	query_once(1, 1000, TICKS, 0, 1000);
	CHECK(!get(1));
	ticks = result.end_command_ticks;
	memset(report_of(1, true), 0, 576);
	CHECK(get(1) == -ENODATA && result.flags == GPUOA_QUERY_LOST);
	CHECK(ticks && result.end_command_ticks == ticks);
	CHECK(strstr(error, "query 1: there is no report"));

	query_once(2, 1000, TICKS, 0, 1000);
	put32(report_of(2, false), 77);
	CHECK(get(2) == -EBADMSG && result.flags == GPUOA_QUERY_ID_MISMATCH &&
	      result.begin_id == 77);
	end_of();
}

static void foreign_context_is_flagged(void)
{
	struct gpuoa_query_options options = options_of(2);

	if (!begin_with("tglgt2", "RenderBasic", 2))
		return;
	query_once(0, 1000, TICKS, 0, 1000);
	CHECK(!get(0) && result.has_context && result.context_id == CONTEXT);
	put_field(report_of(0, true), GPUOA_FIELD_CONTEXT_ID, 0, CONTEXT + 1);
	CHECK(get(0) == -EREMCHG && result.flags == GPUOA_QUERY_CONTEXT_MISMATCH);
	gpuoa_query_pool_close(pool);

	options.context_check = true;
	options.context_id = CONTEXT + 2;
	REQUIRE(!open_pool(&options));
	query_once(1, 1000, TICKS, 0, 1000);
	CHECK(get(1) == -EREMCHG && result.flags == GPUOA_QUERY_CONTEXT_MISMATCH);
	CHECK_STRING(error, "query 1: a report is of another context");
	end_of();
}

static void extra_registers_set_flags(void)
{
	if (!begin_with("sklgt2", "RenderBasic", 1))
		return;
	query_once(0, 1000, TICKS, 0, 1000);
	/* Steps of 50/3 MHz */
	put32(note_of(0, false, NOTE_FREQUENCY), 60u << 23);
	put32(note_of(0, true, NOTE_FREQUENCY), 21u << 23);
	CHECK(!get(0) && result.flags == GPUOA_QUERY_FREQUENCY_CHANGE);
	CHECK(result.begin_hz == 1000000000 && result.end_hz == 350000000);
	CHECK(result.severity == GPUOA_SEVERITY_INFO);
	put32(note_of(0, true, NOTE_FREQUENCY), 60u << 23);
	put32(note_of(0, true, NOTE_STATUS), 2);
	CHECK(!get(0) && result.flags == GPUOA_QUERY_OVERRUN);
	put32(note_of(0, true, NOTE_STATUS), UINT32_MAX);
	CHECK(!get(0) && result.flags == GPUOA_QUERY_NO_REGISTERS);
	CHECK(result.severity == GPUOA_SEVERITY_RECOVERABLE);
	end_of();

	if (!begin_with("bdw", "RenderBasic", 1))
		return;
	query_once(0, 1000, TICKS, 0, 1000);
	put32(note_of(0, false, NOTE_FREQUENCY), 19 << 7);
	CHECK(!get(0) && result.begin_hz == 950000000 && result.end_hz == 0);
	end_of();
}

static void long_queries_are_flagged_as_wrapped(void)
{
	uint64_t longest;

	/* Two events per clock in each of 20 EUs at 1.2 GHz fill a 32-bit counter in 89 ms. */
	if (!begin_with("hsw", "RenderBasic", 3))
		return;
	longest = desc.longest_ticks;
	CHECK(longest > 12500000 * 0.088 && longest < 12500000 * 0.12);
	query_once(0, 1000, longest, 0, 1000);
	CHECK(!get(0) && result.flags == 0);
	query_once(1, 1000, longest + 1, 0, 1000);
	CHECK(!get(1) && result.flags == GPUOA_QUERY_WRAP);
	CHECK(result.severity == GPUOA_SEVERITY_RECOVERABLE);
	/*
	 * The timestamp in the report has also wrapped, so that only the command streamer's
	 * timestamp reveals the length.
	 */
	query_once(2, 1000, (1ull << 32) + TICKS, 0, 1000);
	CHECK(!get(2) && result.flags == GPUOA_QUERY_WRAP);
	end_of();

	if (!begin_with("lnl", "RenderBasic", 1))
		return;
	query_once(0, 1000, 1ull << 35, 0, 1000);
	CHECK(!get(0) && result.flags == 0);
	end_of();
}

/* Return the maximum length of a query with these metrics, in ticks. */
static uint64_t longest_of(const char *const *symbols, size_t count)
{
	const struct gpuoa_metric *metrics[4];
	const struct gpuoa_calc_options calc = {
		.size = sizeof(calc),
		.metrics = metrics,
		.metric_count = count,
	};
	struct gpuoa_query_options options = options_of(1);
	struct gpuoa_query_desc found = { 0 };

	options.calc = &calc;
	for (size_t i = 0; i < count; i++)
		metrics[i] = gpuoa_set_find_metric(set, symbols[i]);
	CHECK(!gpuoa_query_describe(set, constants, &options, &found, sizeof(found), error,
				    sizeof(error)));
	return found.longest_ticks;
}

/*
 * B0 counts once per clock. A0 counts once per clock in each EU. A32 counts once per clock in each
 * of four L3 banks. A counter without a maximum counts at most twice per clock in each EU; since
 * gen8, A34 counts at most twice per clock in each subslice.
 */
static void longest_ticks_derive_from_maxima(void)
{
	static const struct {
		const char *platform;
		const char *symbol;
		/* number of wraps of a 32-bit counter per second, at one event per clock */
		double wraps;
	} known[] = {
		{ "hsw", "Sampler0Busy", 1 },	      { "hsw", "EuActive", 20 },
		{ "sklgt2", "Sampler0Busy", 1 },      { "sklgt2", "ShaderMemoryAccesses", 4 },
		{ "tglgt2", "GtiReadThroughput", 1 }, { "hsw", "HiDepthTestFails", 2 * 20 },
		{ "sklgt2", "ShaderAtomics", 2 * 3 },
	};
	uint64_t hz, ticks_per_second;

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		double seconds;

		if (!choose(known[i].platform, "RenderBasic"))
			return;
		CHECK(!gpuoa_constants_get(constants, "GpuMaxFrequency", &hz));
		CHECK(!gpuoa_constants_get(constants, "GpuTimestampFrequency", &ticks_per_second));
		seconds = (double)longest_of(&known[i].symbol, 1) / (double)ticks_per_second;
		if (!CHECK(fabs(seconds * known[i].wraps * (double)hz / 0x1p32 - 1) < 0.001))
			printf("# %s of %s: %f s\n", known[i].symbol, known[i].platform, seconds);
		gpuoa_constants_free(constants);
	}
}

/*
 * The clock advances at the GPU's maximum frequency. The command streamer's timestamp may run at
 * half the rate of reports' timestamps.
 */
static void longest_ticks_derive_from_clock_and_timestamp(void)
{
	static const char *const clocks[] = { "GpuCoreClocks" }, *const time[] = { "GpuTime" };
	uint64_t hz, ticks_per_second;
	double seconds;

	if (!choose("sklgt2", "RenderBasic"))
		return;
	CHECK(!gpuoa_constants_get(constants, "GpuMaxFrequency", &hz));
	CHECK(!gpuoa_constants_get(constants, "GpuTimestampFrequency", &ticks_per_second));
	seconds = (double)longest_of(clocks, 1) / (double)ticks_per_second;
	CHECK(fabs(seconds * (double)hz / 0x1p32 - 1) < 0.001);
	CHECK(longest_of(time, 1) == 1ull << 31);
	gpuoa_constants_free(constants);
}

/* In most sets of most GPUs, a query can last several frames at 60 Hz. */
static void queries_of_frames_do_not_wrap(void)
{
	static const char *const platforms[] = {
		"hsw", "bdw", "sklgt2", "sklgt4", "icl", "tglgt2", "dg1", "mtlgt2",
	};

	for (size_t i = 0; i < sizeof(platforms) / sizeof(platforms[0]); i++) {
		uint64_t ticks_per_second;

		if (!begin_with(platforms[i], "RenderBasic", 1))
			return;
		CHECK(!gpuoa_constants_get(constants, "GpuTimestampFrequency", &ticks_per_second));
		query_once(0, 1000, ticks_per_second / 12, 0, 1000);
		CHECK(!get(0) && !(result.flags & GPUOA_QUERY_WRAP));
		end_of();
	}
}

static void decreasing_times_are_inconsistent(void)
{
	if (!begin_with("hsw", "RenderBasic", 1))
		return;
	/* The report at the end of the query is older than the report at its begin. */
	query_once(0, 10000000, TICKS, 0, 1000);
	put_field(report_of(0, true), GPUOA_FIELD_TIMESTAMP, 0, 9000000);
	CHECK(get(0) == -EILSEQ && result.flags & GPUOA_QUERY_INCONSISTENT);
	put_field(report_of(0, true), GPUOA_FIELD_TIMESTAMP, 0, 10000000);
	CHECK(!get(0) && result.flags == GPUOA_QUERY_EMPTY && value("GpuTime") == 0);
	end_of();
}

/*
 * ---- reports of a stream ----------------------------------------------------------------------
 */

/*
 * Simulate reports of a stream around the query. The query's context runs for 300 of the first 1000
 * clocks. Then another context runs, then the GPU is idle, and then the query's context runs for
 * the last 200 clocks.
 */
static struct gpuoa_query_hints stream_hints(void)
{
	play_stream(0, REASON(1) | VALID, 500, 0, CONTEXT + 5);
	play_stream(1, REASON(1) | VALID, 1000 + 1000, 100, CONTEXT);
	play_stream(2, REASON(8) | VALID, 1000 + 3000, 300, CONTEXT + 1);
	play_stream(3, REASON(1) | VALID, 1000 + 6000, 600, CONTEXT + 1);
	play_stream(4, REASON(8 | 16), 1000 + 7000, 700, CONTEXT);
	play_stream(5, REASON(8 | 32) | VALID, 1000 + 9600, 800, CONTEXT);
	play_stream(6, REASON(8) | VALID, 1000 + 13000, 1300, CONTEXT + 1);
	return (struct gpuoa_query_hints){ .size = sizeof(struct gpuoa_query_hints),
					   .reports = stream,
					   .report_count = 7,
					   .report_format = GPUOA_REPORT_A32U40_A4U32_B8_C8 };
}

static void reports_between_identify_contexts(void)
{
	const uint32_t told = GPUOA_QUERY_CONTEXT_SWITCH | GPUOA_QUERY_SPLIT |
			      GPUOA_QUERY_FREQUENCY_CHANGE;
	struct gpuoa_query_hints hints;

	if (!begin_with("sklgt2", "RenderBasic", 2))
		return;
	hints = stream_hints();
	query_once(0, 1000, TICKS, 0, 1000);
	CHECK(!get(0) && result.flags == 0 && value("GpuCoreClocks") == 1000);
	REQUIRE(!get_with(0, &hints));
	CHECK(result.flags == told && result.reports_between == 5);
	CHECK(result.reasons == (GPUOA_REASON_TIMER | GPUOA_REASON_CONTEXT_SWITCH |
				 GPUOA_REASON_IDLE | GPUOA_REASON_CLOCK));
	CHECK(value("GpuCoreClocks") == 300 + 200);
	CHECK(value("GpuTime") == (3000 + 2400) * 1000 / 12.0);
	CHECK(result.interval.end - result.interval.begin == TICKS);
	/* The sums do not include those of the other query that was read before. */
	REQUIRE(!get_with(0, &hints));
	CHECK(value("GpuCoreClocks") == 500);

	/* In the first two reports, no other context runs between the begin and the end. */
	hints.report_count = 2;
	REQUIRE(!get_with(0, &hints));
	CHECK(result.flags == 0 && result.reports_between == 1);
	CHECK(value("GpuCoreClocks") == 1000);

	hints.report_format = 99;
	CHECK(get_with(0, &hints) == -EINVAL);
	CHECK_STRING(error, "there is no format 99");
	hints.size = 0;
	CHECK(get_with(0, &hints) == -EINVAL);
	end_of();
}

/* The query takes three steps; the 32-bit clock counter wraps after 1.4 steps. */
static void reports_between_exclude_wraps(void)
{
	const uint64_t wrap = 1ull << 32;
	struct gpuoa_query_options options = options_of(1);
	struct gpuoa_query_hints hints = {
		.size = sizeof(hints),
		.reports = stream,
		.report_count = 2,
		.report_format = GPUOA_REPORT_A32U40_A4U32_B8_C8,
	};
	const char *const symbols[] = { "GpuCoreClocks", "Sampler0Busy" };
	uint64_t step;

	if (!choose("sklgt2", "RenderBasic"))
		return;
	options.mode = GPUOA_QUERY_GLOBAL;
	step = longest_of(symbols, 2) / 10 * 7;
	options.calc = &(struct gpuoa_calc_options){
		.size = sizeof(struct gpuoa_calc_options),
		.metrics =
			(const struct gpuoa_metric *[]){
				gpuoa_set_find_metric(set, symbols[0]),
				gpuoa_set_find_metric(set, symbols[1]),
			},
		.metric_count = 2,
	};
	REQUIRE(!open_pool(&options));
	query_once(0, 1000, 3 * step, 5, 3 * (wrap / 10 * 7));
	CHECK(!get(0) && result.flags == GPUOA_QUERY_WRAP);
	for (uint32_t i = 0; i < 2; i++)
		play_stream(i, REASON(1) | VALID, (uint32_t)(1000 + (i + 1) * step),
			    5 + (i + 1) * (wrap / 10 * 7), CONTEXT);
	REQUIRE(!get_with(0, &hints));
	CHECK(result.flags == 0 && result.severity == GPUOA_SEVERITY_INFO);
	CHECK(value("GpuCoreClocks") == 3 * (wrap / 10 * 7) && value("Sampler0Busy") == 100);
	/*
	 * With only the first report, it is unknown whether the counter wrapped twice until the
	 * end.
	 */
	hints.report_count = 1;
	REQUIRE(!get_with(0, &hints));
	CHECK(result.flags == GPUOA_QUERY_WRAP);
	end_of();
}

/*
 * The context cannot have counted more than the whole unit did, so the unit's counts are an upper
 * bound.
 */
static void unit_reports_bound_context_counts(void)
{
	struct gpuoa_query_hints hints = {
		.size = sizeof(hints),
		.reports = stream,
		.report_count = 2,
		.report_format = GPUOA_REPORT_A32U40_A4U32_B8_C8,
	};
	uint64_t longest;

	if (!begin_with("tglgt2", "RenderBasic", 1))
		return;
	longest = desc.longest_ticks;
	query_once(0, 1000, 2 * longest, 0, 500000);
	CHECK(!get(0) && result.flags == GPUOA_QUERY_WRAP);
	play_stream(0, REASON(1), (uint32_t)(1000 + longest / 4), 0, CONTEXT + 1);
	play_stream(1, REASON(1), (uint32_t)(1000 + longest / 4 * 5), 1000000, CONTEXT + 1);
	hints.report_count = 2;
	REQUIRE(!get_with(0, &hints));
	CHECK(result.flags == GPUOA_QUERY_WRAP);
	play_stream(2, REASON(1), (uint32_t)(1000 + longest / 4 * 7), 2000000, CONTEXT + 1);
	hints.report_count = 3;
	REQUIRE(!get_with(0, &hints));
	CHECK(result.flags == 0 && value("GpuCoreClocks") == 500000);
	/* The unit counted as much as the counters can hold, so a wrap is possible. */
	play_stream(2, REASON(1), (uint32_t)(1000 + longest / 4 * 7), 0xfff00000, CONTEXT + 1);
	REQUIRE(!get_with(0, &hints));
	CHECK(result.flags == GPUOA_QUERY_WRAP);
	end_of();
}

static void work_of_others_is_flagged(void)
{
	struct gpuoa_query_options options = options_of(1);
	struct gpuoa_query_hints hints;

	/* Reports of another format contain the context id, but not the same counters. */
	if (!choose("sklgt2", "RenderBasic"))
		return;
	REQUIRE(!open_pool(&options));
	hints = stream_hints();
	hints.report_format = GPUOA_REPORT_A12_B8_C8;
	for (int i = 0; i < 7; i++)
		memmove(stream + 128 * i, stream + STREAM_REPORT * i, 128);
	query_once(0, 1000, TICKS, 0, 1000);
	REQUIRE(!get_with(0, &hints));
	CHECK(result.flags & GPUOA_QUERY_OTHERS && value("GpuCoreClocks") == 1000);
	CHECK(result.severity == GPUOA_SEVERITY_RECOVERABLE);
	gpuoa_query_pool_close(pool);

	/* A global query counts all contexts, so none of them is another one. */
	options.mode = GPUOA_QUERY_GLOBAL;
	REQUIRE(!open_pool(&options));
	hints = stream_hints();
	query_once(0, 1000, TICKS, 0, 1000);
	REQUIRE(!get_with(0, &hints));
	CHECK(!(result.flags & GPUOA_QUERY_OTHERS) && value("GpuCoreClocks") == 1000);
	end_of();

	/* The context has separate counters. */
	if (!begin_with("tglgt2", "RenderBasic", 1))
		return;
	hints = stream_hints();
	query_once(0, 1000, TICKS, 0, 1000);
	REQUIRE(!get_with(0, &hints));
	CHECK(result.flags & GPUOA_QUERY_SPLIT && !(result.flags & GPUOA_QUERY_OTHERS));
	CHECK(value("GpuCoreClocks") == 1000);
	end_of();
}

/* A pool of a set does not know whether the unit is programmed. */
static void pool_of_a_set_needs_no_stream(void)
{
	const struct gpuoa_query_options options = options_of(2), none = options_of(0);

	REQUIRE(choose("tglgt2", "RenderBasic"));
	CHECK(gpuoa_query_pool_open_set(NULL, constants, &options, memory, sizeof(memory), ADDRESS,
					&pool, error, sizeof(error)) == -EINVAL);
	CHECK(gpuoa_query_pool_open_set(set, NULL, &options, memory, sizeof(memory), ADDRESS, &pool,
					error, sizeof(error)) == -EINVAL);
	CHECK(gpuoa_query_pool_open_set(set, constants, NULL, memory, sizeof(memory), ADDRESS,
					&pool, error, sizeof(error)) == -EINVAL);
	CHECK(gpuoa_query_pool_open_set(set, constants, &none, memory, sizeof(memory), ADDRESS,
					&pool, error, sizeof(error)) == -E2BIG);
	CHECK(gpuoa_query_pool_open_set(set, constants, &options, memory, 64, ADDRESS, &pool, error,
					sizeof(error)) == -ENOBUFS);
	CHECK(gpuoa_query_pool_open_set(set, constants, &options, memory, sizeof(memory),
					ADDRESS + 4, &pool, error, sizeof(error)) == -EDOM);
	CHECK(!pool);
	REQUIRE(!gpuoa_query_pool_open_set(set, constants, &options, memory, sizeof(memory),
					   ADDRESS, &pool, error, sizeof(error)));
	gpuoa_query_pool_describe(pool, &desc, sizeof(desc));
	CHECK(desc.needs_context);
	query_once(0, 1000, TICKS, 0, 1000);
	CHECK(!get(0) && result.flags == 0);
	CHECK(gpuoa_query_ready(pool, 0) == 1);
	CHECK(gpuoa_query_ready(pool, 1) == -ENOENT);
	end_of();
}

static void query_without_stream_is_flagged(void)
{
	const struct gpuoa_set *other;

	if (!begin_with("tglgt2", "RenderBasic", 4))
		return;
	query_once(0, 1000, TICKS, 0, 1000);
	query_once(1, 1000, TICKS, 0, 1000);
	CHECK(gpuoa_query_ready(pool, 0) == 1);
	programmed_switch(programmed, false);
	/* The pool knew before the unit was disabled that query 0 was complete. */
	CHECK(!get(0) && result.flags == 0);
	CHECK(!get(1) && result.flags == GPUOA_QUERY_UNPROGRAMMED);
	CHECK(result.severity == GPUOA_SEVERITY_RECOVERABLE);
	CHECK(gpuoa_query_begin(pool, 2, dwords, DWORDS, error, sizeof(error)) == -ESHUTDOWN);
	CHECK(strstr(error, "disabled or closed"));
	programmed_switch(programmed, true);
	/* A query that began before the set was disabled remains invalid. */
	CHECK(!get(1) && result.flags == GPUOA_QUERY_UNPROGRAMMED);
	query_once(2, 1000, TICKS, 0, 1000);
	CHECK(!get(2) && result.flags == 0);

	other = gpuoa_platform_find_set(gpuoa_platform_find("tglgt2"), "ComputeBasic", "OA",
					constants);
	query_once(3, 1000, TICKS, 0, 1000);
	programmed_change(programmed, other);
	CHECK(!get(3) && result.flags == GPUOA_QUERY_UNPROGRAMMED);
	CHECK(!gpuoa_query_reset(pool, 0, 4, error, sizeof(error)));
	CHECK(gpuoa_query_begin(pool, 0, dwords, DWORDS, error, sizeof(error)) == -ESTALE);
	CHECK(strstr(error, "RenderBasic"));
	programmed_change(programmed, set);
	query_once(0, 1000, TICKS, 0, 1000);
	CHECK(!get(0) && result.flags == 0);

	/* After the stream is closed, the pool has the last reference to the unit's programming. */
	programmed_switch(programmed, false);
	programmed_put(programmed);
	programmed = NULL;
	CHECK(!get(0) && result.flags == 0);
	CHECK(gpuoa_query_begin(pool, 1, dwords, DWORDS, error, sizeof(error)) == -ESHUTDOWN);
	end_of();
}

int main(void)
{
	RUN(pool_of_a_set_needs_no_stream);
	RUN(pool_describe_returns_sizes);
	RUN(every_set_supports_queries);
	RUN(pool_errors_have_errno_and_message);
	RUN(unsupported_queries_return_eopnotsupp);
	RUN(pool_accepts_metric_list);
	RUN(begin_and_end_require_order);
	RUN(reset_discards_earlier_result);
	RUN(queries_write_inside_their_slots_only);
	RUN(result_equals_calc_of_two_reports);
	RUN(get_returns_several_results);
	RUN(near_ticks_extends_times);
	RUN(query_only_metrics_have_values);
	RUN(query_mode_enables_query_metrics);
	RUN(flags_have_names_and_severities);
	RUN(executed_hint_ends_waiting);
	RUN(foreign_context_is_flagged);
	RUN(extra_registers_set_flags);
	RUN(long_queries_are_flagged_as_wrapped);
	RUN(longest_ticks_derive_from_maxima);
	RUN(longest_ticks_derive_from_clock_and_timestamp);
	RUN(queries_of_frames_do_not_wrap);
	RUN(decreasing_times_are_inconsistent);
	RUN(reports_between_identify_contexts);
	RUN(reports_between_exclude_wraps);
	RUN(unit_reports_bound_context_counts);
	RUN(work_of_others_is_flagged);
	RUN(query_without_stream_is_flagged);
	programmed_put(programmed);
	return tap_end();
}
