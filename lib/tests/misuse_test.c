// SPDX-License-Identifier: MIT
/*
 * misuse_test.c - Check that each mistake of a caller is reported by an errno and a text, and that
 * NULL is accepted where the headers allow it.
 *
 * The mistakes are: double use; another generation or context; sizes that are too small or too
 * large; constants that belong to another platform or have no values; more columns or values than a
 * calculator can number.
 */
#define _GNU_SOURCE /* memfd_create */
#include <errno.h>
#include <stdlib.h>

#include "extra/query/pool.h"
#include "gpuoa-catalog.h"
#include "gpuoa-custom.h"
#include "gpuoa-device.h"
#include "gpuoa-equation.h"
#include "gpuoa-freq-pin.h"
#include "gpuoa-merge.h"
#include "gpuoa-programmable.h"
#include "gpuoa-query.h"
#include "gpuoa-snapshot.h"
#include "gpuoa-stream.h"
#include "gpuoa-time.h"
#include "gpuoa-tracer.h"
#include "gpuoa-unit-group.h"
#include "gpuoa.h"
#include "reader/stream/unit.h"
#include "recording.h"
#include "tap.h"

static struct gpuoa_constants *constants_of(const struct gpuoa_platform *platform, bool assume)
{
	struct gpuoa_constants *constants = NULL;

	CHECK(!gpuoa_constants_new(platform, &constants));
	if (assume)
		CHECK(!gpuoa_constants_assume(constants));
	return constants;
}

static const struct gpuoa_set *hsw_set(const char *symbol)
{
	return gpuoa_platform_find_set(gpuoa_platform_find("hsw"), symbol, NULL, NULL);
}

/* NULL: see "Pointers" in gpuoa.h */

static void close_functions_accept_null(void)
{
	gpuoa_unit_group_close(NULL);
	gpuoa_calc_close(NULL);
	gpuoa_catalog_free(NULL);
	gpuoa_constants_free(NULL);
	gpuoa_custom_free(NULL);
	gpuoa_decoder_close(NULL);
	gpuoa_definitions_free(NULL);
	gpuoa_equation_free(NULL);
	gpuoa_merge_close(NULL);
	gpuoa_freq_pin_close(NULL);
	gpuoa_query_pool_close(NULL);
	gpuoa_reader_close(NULL);
	gpuoa_time_close(NULL);
	gpuoa_tracer_close(NULL);
	gpuoa_unit_close(NULL);
	gpuoa_view_close(NULL);
	gpuoa_resampler_close(NULL);
}

static void error_may_be_null_with_any_size(void)
{
	struct gpuoa_resampler_options none = { .size = 0 };
	struct gpuoa_definitions *definitions;
	struct gpuoa_reader *reader;
	struct gpuoa_resampler *windows;

	CHECK(gpuoa_definitions_parse("x", "!", 1, &definitions, NULL, 100) == -EINVAL);
	CHECK(gpuoa_file_open("/nowhere", &reader, NULL, 100) == -ENOENT);
	CHECK(gpuoa_resampler_open(hsw_set("RenderBasic"), NULL, GPUOA_REPORT_A45_B8_C8, &none,
				   &windows, NULL, 100) == -EINVAL);
}

static void buffer_may_be_null_if_size_is_0(void)
{
	const struct gpuoa_platform *platform = gpuoa_platform_find("hsw");
	const struct gpuoa_set *set = hsw_set("RenderBasic");
	const struct gpuoa_metric *metric = gpuoa_set_get_metric(set, 0);
	const struct gpuoa_equation equation = gpuoa_metric_equation(metric, GPUOA_EQUATION_VALUE);

	CHECK(gpuoa_set_registers(set, GPUOA_REGISTER_MUX, NULL, NULL, 0) > 0);
	CHECK(gpuoa_set_available(set, NULL, NULL, NULL, 0) == 1);
	CHECK(gpuoa_metric_available(metric, NULL, NULL, 0) == 1);
	CHECK(gpuoa_equation_text(equation, NULL, 0) > 0);
	CHECK(gpuoa_platform_text(platform, NULL, 0) > 1000);
	CHECK(gpuoa_unit_list(NULL, 0) >= 0);
	CHECK(gpuoa_device_list(NULL, sizeof(struct gpuoa_device_desc), 0) >= 0);
}

/* ---- constants of another platform: lnl has more constants than hsw ---- */

static void check_foreign_set(const struct gpuoa_set *set, const struct gpuoa_constants *foreign)
{
	const struct gpuoa_metric *metric;
	struct gpuoa_calc *calc = NULL;
	struct gpuoa_view *view = NULL;
	struct gpuoa_set_desc desc;
	char reason[128];
	struct gpuoa_calc_options calc_options = { .size = sizeof(calc_options) };
	struct gpuoa_view_options view_options = {
		.size = sizeof(view_options),
		.constants = foreign,
	};

	gpuoa_set_describe(set, &desc, sizeof(desc));
	CHECK(gpuoa_set_available(set, NULL, foreign, reason, sizeof(reason)) == -EINVAL);
	CHECK_STRING(reason, "the constants are those of hsw, not of lnl");
	for (size_t i = 0; (metric = gpuoa_set_get_metric(set, i)); i++)
		CHECK(gpuoa_metric_available(metric, foreign, NULL, 0) == -EINVAL);
	for (int kind = GPUOA_REGISTER_MUX; kind <= GPUOA_REGISTER_FLEX; kind++)
		CHECK(gpuoa_set_registers(set, kind, foreign, NULL, 0) == -EINVAL);
	CHECK(!gpuoa_calc_missing_constant(set, foreign, NULL, 0));
	CHECK(gpuoa_calc_open(set, foreign, desc.format, NULL, &calc, NULL, 0) == -EINVAL);
	CHECK(gpuoa_calc_open(set, foreign, desc.format, &calc_options, &calc, NULL, 0) == -EINVAL);
	CHECK(gpuoa_view_open(set, &view_options, &view, reason, sizeof(reason)) == -EINVAL);
	CHECK_STRING(reason, "the constants are not those of Lunar Lake");
	CHECK(!calc && !view);
	CHECK(!gpuoa_platform_find_set(desc.platform, desc.symbol, NULL, foreign));
}

static void constants_of_another_platform_are_rejected(void)
{
	const struct gpuoa_platform *platform = gpuoa_platform_find("lnl");
	struct gpuoa_constants *foreign = constants_of(gpuoa_platform_find("hsw"), true);
	const char *symbols[] = { "GpuTime", "GpuCoreClocks" };
	const struct gpuoa_set *set_of[2];

	for (size_t i = 0; i < gpuoa_platform_set_count(platform); i++)
		check_foreign_set(gpuoa_platform_get_set(platform, i), foreign);
	CHECK(gpuoa_plan_sets(platform, foreign, symbols, 2, set_of) == 0);
	gpuoa_constants_free(foreign);
}

static void loaded_platform_differs_from_built_in_of_same_name(void)
{
	static const char text[] = "platform lnl \"Mine\" constant Mine \"My own.\"";
	struct gpuoa_constants *builtin = constants_of(gpuoa_platform_find("lnl"), true);
	struct gpuoa_definitions *definitions;
	const struct gpuoa_set *set;
	char reason[128];

	REQUIRE(!gpuoa_definitions_parse("user", text, strlen(text), &definitions, NULL, 0));
	set = gpuoa_platform_get_set(gpuoa_definitions_get_platform(definitions, 0), 0);
	CHECK(gpuoa_set_available(set, NULL, builtin, reason, sizeof(reason)) == -EINVAL);
	CHECK_STRING(reason, "the constants are those of another platform called lnl, not of lnl");
	gpuoa_constants_free(builtin);
	gpuoa_definitions_free(definitions);
}

/* constants without values */

static void undecided_register_condition_is_reported(void)
{
	const struct gpuoa_platform *platform = gpuoa_platform_find("sklgt2");
	const struct gpuoa_set *set = gpuoa_platform_find_set(platform, "RenderBasic", NULL, NULL);
	struct gpuoa_constants *none = constants_of(platform, false);
	struct gpuoa_constants *all = constants_of(platform, true);
	struct gpuoa_reg regs[128];

	REQUIRE(set);
	CHECK(gpuoa_set_registers(set, GPUOA_REGISTER_MUX, all, NULL, 0) == 70);
	CHECK(gpuoa_set_registers(set, GPUOA_REGISTER_MUX, all, regs, 128) == 70);
	CHECK(gpuoa_set_registers(set, GPUOA_REGISTER_MUX, none, NULL, 0) == -ENODATA);
	CHECK(gpuoa_set_registers(set, GPUOA_REGISTER_MUX, none, regs, 128) == -ENODATA);
	CHECK(gpuoa_set_registers(set, GPUOA_REGISTER_MUX, NULL, NULL, 0) == -ENODATA);
	/* In this set, only the mux registers depend on constants; lists of other kinds do not. */
	CHECK(gpuoa_set_registers(set, GPUOA_REGISTER_FLEX, none, NULL, 0) > 0);
	CHECK(gpuoa_set_registers(set, GPUOA_REGISTER_FLEX, NULL, NULL, 0) > 0);
	gpuoa_constants_free(none);
	gpuoa_constants_free(all);
}

/* limits */

static void calculator_has_at_most_65535_outputs(void)
{
	const struct gpuoa_platform *platform = gpuoa_platform_find("hsw");
	const struct gpuoa_set *set = gpuoa_platform_find_set(platform, "RenderBasic", NULL, NULL);
	struct gpuoa_constants *constants = constants_of(platform, true);
	const struct gpuoa_metric **metrics = calloc(70000, sizeof(const struct gpuoa_metric *));
	struct gpuoa_calc_options options = {
		.size = sizeof(options),
		.metrics = metrics,
	};
	struct gpuoa_calc *calc = NULL;
	struct gpuoa_set_desc desc;

	REQUIRE(set && metrics);
	gpuoa_set_describe(set, &desc, sizeof(desc));
	for (size_t i = 0; i < 70000; i++)
		metrics[i] = gpuoa_set_get_metric(set, i % desc.metric_count);
	options.metric_count = 70000;
	CHECK(gpuoa_calc_open(set, constants, desc.format, &options, &calc, NULL, 0) == -E2BIG);
	options.metric_count = 65536 - desc.info_count;
	CHECK(gpuoa_calc_open(set, constants, desc.format, &options, &calc, NULL, 0) == -E2BIG);
	options.no_infos = true;
	options.metric_count = 65536;
	CHECK(gpuoa_calc_open(set, constants, desc.format, &options, &calc, NULL, 0) == -E2BIG);
	CHECK(!calc);
	options.metric_count = 65535;
	CHECK(!gpuoa_calc_open(set, constants, desc.format, &options, &calc, NULL, 0));
	CHECK(gpuoa_calc_output_count(calc) == 65535);
	gpuoa_calc_close(calc);
	options.no_infos = false;
	options.metric_count = 65535 - desc.info_count;
	CHECK(!gpuoa_calc_open(set, constants, desc.format, &options, &calc, NULL, 0));
	CHECK(gpuoa_calc_output_count(calc) == 65535);
	gpuoa_calc_close(calc);
	gpuoa_constants_free(constants);
	free(metrics);
}

/* Each reason why a calculator or resampler cannot be opened has its own text. */

static void refuses(const struct gpuoa_calc_options *options, const char *platform, uint32_t format,
		    bool assume, int expected, const char *text)
{
	struct gpuoa_constants *constants = constants_of(gpuoa_platform_find(platform), assume);
	struct gpuoa_calc *calc = NULL;
	char error[256] = "as it was";
	const int err = gpuoa_calc_open(hsw_set("RenderBasic"), constants, format, options, &calc,
					error, sizeof(error));

	CHECK(err == expected && !calc);
	if (!CHECK(strstr(error, text)))
		printf("# %d: %s\n", err, error);
	gpuoa_constants_free(constants);
}

static void calc_open_errors_have_messages(void)
{
	const uint32_t format = GPUOA_REPORT_A45_B8_C8;
	const struct gpuoa_metric *foreign = gpuoa_set_get_metric(hsw_set("ComputeBasic"), 0);
	struct gpuoa_calc_options options = { .size = 0 };
	struct {
		struct gpuoa_calc_options known;
		uint64_t later;
	} newer = { .known = { .size = sizeof(newer) }, .later = 1 };
	struct gpuoa_calc *calc;
	struct gpuoa_constants *constants = constants_of(gpuoa_platform_find("hsw"), true);
	char error[256] = "as it was";

	refuses(&options, "hsw", format, true, -EINVAL,
		"the size in the calculator's options is 0, and must be");
	refuses(&newer.known, "hsw", format, true, -E2BIG, "of a newer library");
	refuses(NULL, "lnl", format, true, -EINVAL, "constants are not those of Haswell");
	refuses(NULL, "hsw", 4711, true, -EINVAL, "there is no report format 4711");
	refuses(NULL, "hsw", GPUOA_REPORT_B4_C8, true, -ENXIO,
		"format B4_C8 lacks a counter that set RenderBasic needs");
	refuses(NULL, "hsw", format, false, -ENODATA,
		"constant GpuTimestampFrequency, which set RenderBasic needs, has no value");
	options = (struct gpuoa_calc_options){ .size = sizeof(options),
					       .metrics = &foreign,
					       .metric_count = 1 };
	refuses(&options, "hsw", format, true, -EINVAL, "one of the metrics is not of set");
	options = (struct gpuoa_calc_options){ .size = sizeof(options), .reasons = 1 };
	refuses(&options, "hsw", format, true, -EOPNOTSUPP, "do not contain their reason");
	options = (struct gpuoa_calc_options){ .size = sizeof(options), .isa = "mmx" };
	refuses(&options, "hsw", format, true, -EOPNOTSUPP, "no vector code 'mmx'");
	CHECK(!gpuoa_calc_open(hsw_set("RenderBasic"), constants, format, NULL, &calc, error,
			       sizeof(error)));
	CHECK_STRING(error, "");
	gpuoa_calc_close(calc);
	gpuoa_constants_free(constants);
}

static void refuses_windows(const struct gpuoa_resampler_options *options, int expected,
			    const char *text)
{
	struct gpuoa_constants *constants = constants_of(gpuoa_platform_find("hsw"), true);
	struct gpuoa_resampler *windows = NULL;
	char error[256] = "as it was";

	CHECK(gpuoa_resampler_open(hsw_set("RenderBasic"), constants, GPUOA_REPORT_A45_B8_C8,
				   options, &windows, error, sizeof(error)) == expected);
	CHECK(!windows);
	if (!CHECK(strstr(error, text)))
		printf("# %s\n", error);
	gpuoa_constants_free(constants);
}

static void resampler_open_errors_have_messages(void)
{
	const struct gpuoa_interval twice[] = { { 10, 20 }, { 15, 30 } };
	const struct gpuoa_calc_options bad = { .size = 0 };
	struct gpuoa_resampler_options options = { .size = 0 };

	refuses_windows(NULL, -EINVAL, "missing options");
	refuses_windows(&options, -EINVAL,
			"the size in the options of the windows is 0, and must be");
	options.size = sizeof(options);
	refuses_windows(&options, -EINVAL, "missing intervals");
	options.list = twice;
	refuses_windows(&options, -EINVAL, "list of windows is empty");
	options.list_count = 2;
	refuses_windows(&options, -EINVAL,
			"window 1 of the list begins at 15, before the end of the one before it, "
			"at 20");
	options = (struct gpuoa_resampler_options){ .size = sizeof(options), .period_ns = 1 };
	refuses_windows(&options, -ERANGE, "a period of 1 ns is shorter than a tick");
	options.period_ns = 1000000;
	options.calc = &bad;
	refuses_windows(&options, -EINVAL, "the size in the calculator's options is 0");
}

static void resampler_add_errors_have_messages(void)
{
	const struct gpuoa_interval list[] = { { 10, 20 }, { 15, 30 }, { 40, 40 } };
	struct gpuoa_resampler_options options = { .size = sizeof(options), .list_grows = true };
	struct gpuoa_constants *constants = constants_of(gpuoa_platform_find("hsw"), true);
	struct gpuoa_resampler *windows;
	char error[256] = "as it was";

	REQUIRE(!gpuoa_resampler_open(hsw_set("RenderBasic"), constants, GPUOA_REPORT_A45_B8_C8,
				      &options, &windows, NULL, 0));
	CHECK(!gpuoa_resampler_add(windows, list, 1, error, sizeof(error)) && !*error);
	CHECK(gpuoa_resampler_add(windows, list + 1, 1, error, sizeof(error)) == -EINVAL);
	CHECK_STRING(error, "window 0 of the list begins at 15, before the end of the one before "
			    "it, at 20");
	CHECK(gpuoa_resampler_add(windows, list + 2, 1, error, sizeof(error)) == -EINVAL);
	CHECK_STRING(error, "window 0 of the list ends at 40, before or where it begins, at 40");
	gpuoa_resampler_close(windows);
	options.list_grows = false;
	options.period_ticks = 10;
	REQUIRE(!gpuoa_resampler_open(hsw_set("RenderBasic"), constants, GPUOA_REPORT_A45_B8_C8,
				      &options, &windows, NULL, 0));
	CHECK(gpuoa_resampler_add(windows, list, 1, error, sizeof(error)) == -EOPNOTSUPP);
	CHECK_STRING(error, "no windows can be added: they were opened without list_grows");
	gpuoa_resampler_close(windows);
	gpuoa_constants_free(constants);
}

/* views and activations */

static void view_and_unit_group_options_are_checked(void)
{
	struct {
		struct gpuoa_view_options known;
		uint64_t later;
	} view_options = { .later = 1 };
	struct {
		struct gpuoa_stream_options known;
		uint64_t later;
	} options = { .later = 1 };
	struct gpuoa_unit_group *group = NULL;
	struct gpuoa_view *view = NULL;
	char error[256];

	CHECK(gpuoa_view_open_platform(gpuoa_platform_find("hsw"), &view_options.known, &view,
				       error, sizeof(error)) == -EINVAL);
	CHECK(strstr(error, "the size in the view's options is 0, and must be 8 or more"));
	view_options.known.size = sizeof(view_options);
	CHECK(gpuoa_view_open_platform(gpuoa_platform_find("hsw"), &view_options.known, &view,
				       error, sizeof(error)) == -E2BIG);
	CHECK(strstr(error, "the view's options are of a newer library"));
	CHECK(!gpuoa_view_open(hsw_set("RenderBasic"), NULL, &view, error, sizeof(error)));
	CHECK_STRING(error, "");
	gpuoa_view_close(view);
	CHECK(gpuoa_unit_group_open(&options.known, &group, error, sizeof(error)) == -EINVAL);
	CHECK(strstr(error, "the size in the options is 0, and must be"));
	options.known.size = sizeof(options);
	CHECK(gpuoa_unit_group_open(&options.known, &group, error, sizeof(error)) == -E2BIG);
	CHECK(strstr(error, "the options are of a newer library"));
	CHECK(!group);
}

/* ---- readers: a recording of two reports ---- */

static struct gpuoa_reader *make_source(void)
{
	struct recording recording = { 0 };
	struct gpuoa_reader *reader;
	struct bytes payload = { 0 };

	add_event(&recording, TEST_SAMPLE_TYPE, 7);
	put_head(&payload);
	put_stream(&payload);
	put_sample(&recording.records, 7, 0, &payload);
	clear(&payload);
	reader = open_laid_out(&recording);
	CHECK(reader);
	return reader;
}

static void merge_open_errors_have_messages(void)
{
	struct gpuoa_reader *readers[2] = { make_source(), NULL };
	struct gpuoa_merge *merge = NULL;
	char error[256];

	REQUIRE(readers[0]);
#define MERGE(count) gpuoa_merge_open(readers, count, &merge, error, sizeof(error))
	CHECK(MERGE(0) == -EINVAL);
	CHECK_STRING(error, "there are no sources to merge");
	CHECK(MERGE(UINT32_MAX) == -E2BIG);
	CHECK_STRING(error, "4294967295 sources are too many: 65536 can be merged");
	CHECK(MERGE(2) == -EINVAL);
	CHECK_STRING(error, "there is no source 1");
	readers[1] = readers[0];
	CHECK(MERGE(2) == -EINVAL);
	CHECK_STRING(error, "sources 0 and 1 are the same");
	CHECK(!merge && !MERGE(1) && !*error);
#undef MERGE
	gpuoa_merge_close(merge);
	gpuoa_reader_close(readers[0]);
}

static void recordings_reject_stream_functions(void)
{
	struct gpuoa_reader *reader = make_source();
	struct gpuoa_read_options options = { .size = sizeof(options), .peek = true };
	struct gpuoa_read_detail detail;
	struct gpuoa_recorder *recorder = NULL;
	char report[256], error[256];

	REQUIRE(reader);
	CHECK(gpuoa_reader_read_filtered(reader, report, 1, &options, &detail, sizeof(detail)) ==
	      -EOPNOTSUPP);
	options.size = 0;
	CHECK(gpuoa_reader_read_filtered(reader, report, 1, &options, &detail, sizeof(detail)) ==
	      -EINVAL);
	CHECK(gpuoa_stream_snapshot(reader, report, 0, &detail, sizeof(detail)) == -EOPNOTSUPP);
	CHECK(gpuoa_reader_enable(reader) == -EOPNOTSUPP);
	CHECK(gpuoa_reader_disable(reader) == -EOPNOTSUPP);
	CHECK(gpuoa_reader_fd(reader) == -EOPNOTSUPP);
	CHECK(gpuoa_stream_reconfigure(reader, hsw_set("RenderBasic"), error, sizeof(error)) ==
	      -EOPNOTSUPP);
	CHECK(*error);
	CHECK(gpuoa_recorder_open(&reader, 1, "/dev/null", &recorder, error, sizeof(error)) ==
	      -EOPNOTSUPP);
	CHECK(*error);
	CHECK(gpuoa_recorder_open(&reader, UINT32_MAX, "/dev/null", &recorder, error,
				  sizeof(error)) == -E2BIG);
	CHECK(*error && !recorder);
	gpuoa_reader_close(reader);
}

/* ---- queries: each error has its own errno and text ---- */

#define POOL_MEMORY 0x10000
#define POOL_ADDRESS 0x40000
#define CONTEXT 0x123

static char memory[POOL_MEMORY] __attribute__((aligned(64)));
static char text[256];

/* Check the returned errno, and that the library's error text contains @words. */
static void told(int err, int expected, const char *words)
{
	if (!CHECK(err == expected))
		printf("# %d\n", err);
	if (!CHECK(strstr(text, words)))
		printf("# %s\n", text);
	strcpy(text, "as it was");
}

static struct gpuoa_query_pool *pool_of(const char *platform, struct gpuoa_query_options options,
					int expected, const char *words)
{
	const struct gpuoa_platform *found = gpuoa_platform_find(platform);
	struct gpuoa_constants *constants = constants_of(found, true);
	const struct complaint complaint = complaint_begin(text, sizeof(text));
	struct gpuoa_query_pool *pool = NULL;
	struct programmed *programmed;
	int err;

	programmed = programmed_new(gpuoa_platform_find_set(found, "RenderBasic", "OA", constants));
	if (!CHECK(programmed))
		return NULL;
	programmed_switch(programmed, true);
	err = query_pool_open(programmed, constants, &options, memory, sizeof(memory), POOL_ADDRESS,
			      &pool, &complaint);
	told(complaint_end(&complaint, err), expected, words);
	programmed_put(programmed);
	gpuoa_constants_free(constants);
	return pool;
}

static void query_pool_errors_have_messages(void)
{
	const struct gpuoa_calc_options no_size = { .size = 0 };
	const struct gpuoa_calc_options slow = { .size = sizeof(slow), .isa = "mmx" };
	const struct gpuoa_query_options good = { .size = sizeof(good), .count = 2 };
	struct gpuoa_query_options options = good;

	/* A huge number of queries, and a number for which the memory is too small */
	options.count = UINT32_MAX;
	CHECK(!pool_of("hsw", options, -E2BIG, "1 to 1048576 queries, not 4294967295"));
	options.count = 1048576;
	CHECK(!pool_of("hsw", options, -ENOBUFS, "need 671088640 bytes, not 65536"));
	/* Another generation */
	options = good;
	options.mode = GPUOA_QUERY_GLOBAL;
	CHECK(!pool_of("tglgt2", options, -EOPNOTSUPP, "use a stream to see all"));
	options.mode = GPUOA_QUERY_RENDER;
	options.format = GPUOA_REPORT_A45_B8_C8;
	CHECK(!pool_of("mtlgt2", options, -EOPNOTSUPP, "reports of format"));
	options.format = GPUOA_REPORT_A13;
	CHECK(!pool_of("hsw", options, -ENXIO, "lack a counter of RenderBasic"));
	/* An error in the calculator's options must not be attributed to the query's counters. */
	options = good;
	options.calc = &no_size;
	CHECK(!pool_of("hsw", options, -EINVAL, "the size in the calculator's options is 0"));
	options.calc = &slow;
	CHECK(!pool_of("hsw", options, -EOPNOTSUPP, "no vector code 'mmx'"));
}

/* Write a report of this context and, after it, the query's side data (see query_test.c). */
static void write_report(char *at, uint32_t format, uint32_t id, uint32_t context, uint32_t time)
{
	const struct {
		enum gpuoa_field field;
		uint32_t value;
	} fields[] = { { GPUOA_FIELD_REPORT_ID, id },
		       { GPUOA_FIELD_TIMESTAMP, time },
		       { GPUOA_FIELD_CONTEXT_ID, context } };
	char *notes = at + (gpuoa_format_size(format) + 63) / 64 * 64;
	const uint64_t ticks = time, tag = id;

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		struct gpuoa_field_desc place;

		REQUIRE(!gpuoa_report_field(format, fields[i].field, 0, &place, sizeof(place)));
		memcpy(at + place.offset, &fields[i].value, sizeof(fields[i].value));
	}
	memcpy(notes, &ticks, sizeof(ticks));
	memcpy(notes + 32, &tag, sizeof(tag));
}

static void query_errors_have_messages(void)
{
	const struct gpuoa_query_options options = {
		.size = sizeof(options), .count = 2, .context_check = true, .context_id = CONTEXT
	};
	struct gpuoa_query_hints hints = { .size = 0 };
	struct gpuoa_query_pool *pool = pool_of("tglgt2", options, 0, "");
	struct gpuoa_query_desc desc;
	uint32_t dwords[64], id;

	REQUIRE(pool);
	gpuoa_query_pool_describe(pool, &desc, sizeof(desc));
#define BEGIN(pool, query, dwords, room) \
	gpuoa_query_begin(pool, query, dwords, room, text, sizeof(text))
#define END(pool, query, dwords, room) \
	gpuoa_query_end(pool, query, dwords, room, text, sizeof(text))
#define GET(pool, query, count, hints) \
	gpuoa_query_get(pool, query, count, hints, NULL, NULL, 0, text, sizeof(text))
	/* A batch that is too small for the commands */
	told(BEGIN(pool, 0, dwords, 3), -ENOSPC, "dwords are needed, and there are 3");
	told(END(pool, 0, dwords, 64), -EPROTO, "query 0 has not been begun");
	/* Begun twice */
	CHECK(BEGIN(pool, 0, dwords, 64) == (int)desc.begin_dwords);
	id = dwords[desc.begin_dwords - 1];
	told(BEGIN(pool, 0, dwords, 64), -EALREADY, "query 0 has been begun: reset it");
	told(END(pool, 0, dwords, 1), -ENOSPC, "dwords are needed, and there are 1");
	told(GET(pool, 0, 1, NULL), -ENOENT, "query 0 has not been ended");
	CHECK(END(pool, 0, dwords, 64) == (int)desc.end_dwords);
	told(END(pool, 0, dwords, 64), -EALREADY, "query 0 has been ended: reset it");
	told(GET(pool, 0, 1, NULL), -EAGAIN, "query 0 is not over");
	/* Invalid counts and numbers */
	told(BEGIN(pool, UINT32_MAX, dwords, 64), -ERANGE, "there is no query 4294967295");
	told(gpuoa_query_reset(pool, 1, UINT32_MAX, text, sizeof(text)), -ERANGE,
	     "the pool has 2 queries, not 4294967296");
	told(GET(pool, 0, 0, NULL), -EINVAL, "no query is asked for");
	told(GET(pool, 0, 1, &hints), -EINVAL, "the size in the hints is 0");
	/* A report of a context that is not that of the query */
	write_report(memory, desc.format, id, CONTEXT + 1, 1000);
	write_report(memory + desc.end_offset, desc.format, id + 1, CONTEXT + 1, 2000);
	told(GET(pool, 0, 1, NULL), -EREMCHG, "query 0: a report is of another context");
	write_report(memory, desc.format, id, CONTEXT, 1000);
	write_report(memory + desc.end_offset, desc.format, id + 1, CONTEXT, 2000);
	/* UINT32_MAX results are requested; only one exists, and it is returned */
	CHECK(GET(pool, 0, UINT32_MAX, NULL) == 1);
	gpuoa_query_pool_close(pool);
#undef BEGIN
#undef END
#undef GET
}

/* structs: see "Structs" in gpuoa.h */

_Static_assert(sizeof(struct gpuoa_reg) == 8, "fixed");
_Static_assert(sizeof(struct gpuoa_engine) == 4, "fixed");
_Static_assert(sizeof(struct gpuoa_interval) == 16, "fixed");
_Static_assert(sizeof(struct gpuoa_option_choice) == 24, "fixed");
_Static_assert(sizeof(struct gpuoa_option_value) == 16, "fixed");
_Static_assert(sizeof(struct gpuoa_typed_value) == 16, "fixed");
_Static_assert(sizeof(struct gpuoa_delta) == 8, "fixed");
_Static_assert(sizeof(struct gpuoa_mdapi_equation) == 24, "fixed");

static void fields_of_newer_library_return_e2big(void)
{
	const struct gpuoa_platform *hsw = gpuoa_platform_find("hsw");
	struct {
		struct gpuoa_metric_desc known;
		uint64_t later;
	} metric = { { .symbol = "Mine", .units = "events", .equation = "A1" }, 1 };
	struct {
		struct gpuoa_set_desc known;
		uint64_t later;
	} set = { { .symbol = "Mine" }, 1 };
	struct {
		struct gpuoa_unit_desc known;
		uint64_t later;
	} unit = { { .features = GPUOA_UNIT_MARKERS }, 1 };
	struct gpuoa_constants *constants = NULL;
	uint32_t dwords[GPUOA_MARKER_DWORDS];
	struct gpuoa_custom *custom;

#define ADD_METRIC()                                                                        \
	gpuoa_custom_add_metric(custom, "RenderBasic", &metric.known, sizeof(metric), text, \
				sizeof(text))
#define ADD_SET()                                                                              \
	gpuoa_custom_add_set(custom, &set.known, sizeof(set), NULL, 0, hsw_set("RenderBasic"), \
			     text, sizeof(text))
	REQUIRE(!gpuoa_custom_new(hsw, &custom));
	told(ADD_METRIC(), -E2BIG, "fields of the metric are of a newer library");
	told(ADD_SET(), -E2BIG, "fields of the set are of a newer library");
	CHECK(gpuoa_constants_of_unit(&unit.known, sizeof(unit), hsw, &constants) == -E2BIG);
	CHECK(!constants);
	CHECK(gpuoa_marker_commands(&unit.known, sizeof(unit), 1, dwords, GPUOA_MARKER_DWORDS) ==
	      -E2BIG);
	metric.later = set.later = unit.later = 0;
	told(ADD_METRIC(), 0, "");
	told(ADD_SET(), 0, "");
	CHECK(!gpuoa_constants_of_unit(&unit.known, sizeof(unit), hsw, &constants));
	CHECK(gpuoa_marker_commands(&unit.known, sizeof(unit), 1, dwords, GPUOA_MARKER_DWORDS) ==
	      GPUOA_MARKER_DWORDS);
	gpuoa_constants_free(constants);
	gpuoa_custom_free(custom);
#undef ADD_METRIC
#undef ADD_SET
}

static void reserved_words_must_be_0(void)
{
	static const struct gpuoa_reg reg = { 0x9888, 1 };
	const struct gpuoa_set_desc set = { .symbol = "Mine", .format = GPUOA_REPORT_A45_B8_C8 };
	const struct gpuoa_unit_group_entry entry = { .reserved = { 0, 1 } };
	const struct gpuoa_tracer_group group = { .reserved = { 1 } };
	const struct gpuoa_register_list list = { GPUOA_REGISTER_MUX, &reg, 1, NULL, { 0, 1 } };
	struct gpuoa_unit_group *unit_group;
	struct gpuoa_tracer *tracer;
	struct gpuoa_custom *custom;
	uint32_t id;

	REQUIRE(!gpuoa_custom_new(gpuoa_platform_find("hsw"), &custom));
	told(gpuoa_custom_add_set(custom, &set, sizeof(set), &list, 1, NULL, text, sizeof(text)),
	     -E2BIG, "reserved words of list 0 are not 0");
	told(gpuoa_unit_add_config(NULL, "", &list, 1, &id, text, sizeof(text)), -E2BIG,
	     "reserved words of list 0 are not 0");
	told(gpuoa_tracer_open(&group, 1, NULL, &tracer, text, sizeof(text)), -E2BIG,
	     "reserved words of group 0 are not 0");
	REQUIRE(!gpuoa_unit_group_open(NULL, &unit_group, NULL, 0));
	told(gpuoa_unit_group_set(unit_group, &entry, 1, text, sizeof(text)), -E2BIG,
	     "reserved words of entry 0 are not 0");
	gpuoa_unit_group_close(unit_group);
	gpuoa_custom_free(custom);
}

/* units */

static void set_of_another_domain_is_rejected(void)
{
	const struct gpuoa_platform *lnl = gpuoa_platform_find("lnl");
	const struct gpuoa_set *set = gpuoa_platform_find_set(lnl, "RenderBasic", "OA", NULL);
	struct gpuoa_unit unit = { .desc = { .name = "gpuoa1", .domain = "OAM0" } };
	uint32_t id;

	strcpy(unit.desc.platform, "hsw");
	told(gpuoa_unit_add_set(&unit, set, &id, text, sizeof(text)), -EINVAL,
	     "gpuoa1 is of platform hsw, and RenderBasic is a set of lnl");
	strcpy(unit.desc.platform, "lnl");
	told(gpuoa_unit_add_set(&unit, set, &id, text, sizeof(text)), -EMEDIUMTYPE,
	     "gpuoa1 is unit OAM0, and RenderBasic is for unit OA");
}

/* tracers and decoders */

static void tracer_errors_have_messages(void)
{
	const struct gpuoa_tracer_group group = { .unit = NULL };
	struct gpuoa_tracer *tracer = NULL;
	struct gpuoa_decoder *decoder = NULL;
	struct gpuoa_reader *reader = NULL;
	static const char noise[64] = "this is no raw data of a tracer, whatever else it may be";

#define OPEN(groups, count) gpuoa_tracer_open(groups, count, NULL, &tracer, text, sizeof(text))
	told(OPEN(NULL, 0), -EINVAL, "group");
	told(OPEN(&group, UINT32_MAX), -EINVAL, "64");
	told(OPEN(&group, 1), -EINVAL, "group 0");
#undef OPEN
	told(gpuoa_tracer_reader_open(noise, sizeof(noise), 0, &reader, text, sizeof(text)),
	     -EBADMSG, "");
	told(gpuoa_decoder_open_raw(noise, sizeof(noise), NULL, &decoder, text, sizeof(text)),
	     -EBADMSG, "");
	CHECK(!tracer && !decoder && !reader);
}

/* ---- equations, counters, custom metrics and markers: each cause has one errno ---- */

static void each_cause_has_its_own_errno(void)
{
	const struct gpuoa_set *set = hsw_set("RenderBasic");
	struct gpuoa_metric_desc desc = { .symbol = "Mine", .units = "events", .equation = "A1" };
	struct gpuoa_constants *constants = constants_of(gpuoa_platform_find("hsw"), true);
	struct gpuoa_constants *none = constants_of(gpuoa_platform_find("hsw"), false);
	const struct gpuoa_metric *metric = gpuoa_set_find_metric(set, "EuActive");
	struct gpuoa_equation equation = gpuoa_metric_equation(metric, GPUOA_EQUATION_VALUE);
	struct gpuoa_equation taken = equation, empty = gpuoa_set_equation(set);
	static const char reports[2][256];
	uint64_t dword_mask[GPUOA_DWORD_MASK_WORDS] = { 0 };
	struct gpuoa_equation_element element;
	struct gpuoa_mdapi_equation mdapi;
	struct gpuoa_typed_value value;
	struct gpuoa_custom *custom;
	struct gpuoa_time *time;

#define EVALUATE(equation, constants, first, last) \
	gpuoa_equation_evaluate(equation, constants, first, last, &value)
	CHECK(!EVALUATE(&equation, constants, reports[0], reports[1]));
	CHECK(EVALUATE(&equation, none, reports[0], reports[1]) == -ENODATA);
	CHECK(EVALUATE(&equation, constants, reports[0], NULL) == -EFAULT);
	CHECK(EVALUATE(&equation, none, NULL, NULL) == -EFAULT);
	CHECK(EVALUATE(&empty, constants, reports[0], reports[1]) == -ENOENT);
	CHECK(gpuoa_equation_next(&taken, &element, sizeof(element)));
	CHECK(EVALUATE(&taken, constants, reports[0], reports[1]) == -EALREADY);
#undef EVALUATE
	told(gpuoa_equation_to_mdapi(&empty, &mdapi, NULL, 0, text, sizeof(text)), -ENOENT,
	     "the equation is empty");
	told(gpuoa_equation_to_mdapi(&taken, &mdapi, NULL, 0, text, sizeof(text)), -EINVAL,
	     "a part of the equation has been taken");
	CHECK(gpuoa_metric_dword_mask(metric, 4711, dword_mask) == -EINVAL);
	CHECK(gpuoa_metric_dword_mask(metric, GPUOA_REPORT_B4_C8, dword_mask) == -ENOENT);
	CHECK(!dword_mask[0] &&
	      !gpuoa_metric_dword_mask(metric, GPUOA_REPORT_A45_B8_C8, dword_mask) &&
	      dword_mask[0]);
	REQUIRE(!gpuoa_custom_new(gpuoa_platform_find("hsw"), &custom));
	CHECK(!gpuoa_custom_add_metric(custom, "RenderBasic", &desc, sizeof(desc), NULL, 0));
	told(gpuoa_custom_add_metric(custom, "RenderBasic", &desc, sizeof(desc), text,
				     sizeof(text)),
	     -EEXIST, "Mine");
	CHECK(gpuoa_custom_remove(custom, "Nothing", "Mine") == -ENOENT);
	CHECK(gpuoa_custom_remove(custom, "RenderBasic", "Nothing") == -ENODATA);
	CHECK(!gpuoa_custom_remove(custom, "RenderBasic", "Mine"));
	gpuoa_custom_free(custom);
	CHECK(gpuoa_time_open(0, &time) == -EINVAL);
	gpuoa_constants_free(constants);
	gpuoa_constants_free(none);
}

/* A set in which each metric has two different values */
static char *large_set(unsigned int count)
{
	const size_t room = 100 * (size_t)count + 200;
	char *text = malloc(room), *end = text;

	if (!text)
		return NULL;
	end += sprintf(end, "platform t \"T\"\n");
	for (unsigned int i = 0; i < count; i++)
		end += sprintf(end, "metric M%u \"M\" \"D.\" = A0 * %u uint64 x event\n", i, i + 2);
	end += sprintf(end, "set S \"S\" { uuid \"00000000-0000-4000-8000-000000000001\"\n"
			    "format A45_B8_C8 metrics {");
	for (unsigned int i = 0; i < count; i++)
		end += sprintf(end, " M%u", i);
	sprintf(end, " } }\n");
	return text;
}

static void too_large_equations_are_rejected(void)
{
	struct gpuoa_definitions *definitions;
	const struct gpuoa_platform *platform;
	const struct gpuoa_metric *metrics[2];
	const struct gpuoa_set *set;
	struct gpuoa_calc_options options = {
		.size = sizeof(options),
		.metrics = metrics,
		.metric_count = 2,
	};
	struct gpuoa_constants *constants;
	struct gpuoa_calc *calc = NULL;
	char *text = large_set(20000);

	REQUIRE(text &&
		!gpuoa_definitions_parse("user", text, strlen(text), &definitions, NULL, 0));
	platform = gpuoa_definitions_get_platform(definitions, 0);
	set = gpuoa_platform_get_set(platform, 0);
	constants = constants_of(platform, false);
	CHECK(gpuoa_calc_open(set, constants, GPUOA_REPORT_A45_B8_C8, NULL, &calc, NULL, 0) ==
	      -EOVERFLOW);
	metrics[0] = gpuoa_set_get_metric(set, 7);
	metrics[1] = gpuoa_set_get_metric(set, 19999);
	CHECK(!gpuoa_calc_open(set, constants, GPUOA_REPORT_A45_B8_C8, &options, &calc, NULL, 0));
	gpuoa_calc_close(calc);
	gpuoa_constants_free(constants);
	gpuoa_definitions_free(definitions);
	free(text);
}

int main(void)
{
	RUN(close_functions_accept_null);
	RUN(error_may_be_null_with_any_size);
	RUN(buffer_may_be_null_if_size_is_0);
	RUN(constants_of_another_platform_are_rejected);
	RUN(loaded_platform_differs_from_built_in_of_same_name);
	RUN(undecided_register_condition_is_reported);
	RUN(calculator_has_at_most_65535_outputs);
	RUN(calc_open_errors_have_messages);
	RUN(resampler_open_errors_have_messages);
	RUN(resampler_add_errors_have_messages);
	RUN(view_and_unit_group_options_are_checked);
	RUN(fields_of_newer_library_return_e2big);
	RUN(reserved_words_must_be_0);
	RUN(merge_open_errors_have_messages);
	RUN(recordings_reject_stream_functions);
	RUN(query_pool_errors_have_messages);
	RUN(query_errors_have_messages);
	RUN(set_of_another_domain_is_rejected);
	RUN(tracer_errors_have_messages);
	RUN(each_cause_has_its_own_errno);
	RUN(too_large_equations_are_rejected);
	return tap_end();
}
