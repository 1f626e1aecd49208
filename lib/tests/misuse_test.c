// SPDX-License-Identifier: MIT
/*
 * misuse_test.c - what a caller can get wrong is told: constants of another platform, constants
 * without values, more columns or values than a calculator can number.
 */
#include <errno.h>
#include <stdlib.h>

#include "gpuoa-catalog.h"
#include "gpuoa.h"
#include "tap.h"

static struct gpuoa_constants *constants_of(const struct gpuoa_platform *platform, bool assume)
{
	struct gpuoa_constants *constants = NULL;

	CHECK(!gpuoa_constants_new(platform, &constants));
	if (assume)
		CHECK(!gpuoa_constants_assume(constants));
	return constants;
}

/* constants of another platform: lnl has more constants than hsw */

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
	CHECK(gpuoa_view_open(set, &view_options, &view) == -EINVAL);
	CHECK(!calc && !view);
	CHECK(!gpuoa_platform_find_set(desc.platform, desc.symbol, NULL, foreign));
}

static void constants_of_another_platform_are_refused(void)
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

static void a_platform_of_definitions_is_another_one_than_the_built_in_of_its_name(void)
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

static void registers_with_an_undecided_condition_are_told(void)
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
	/* Lists of other kinds have no condition here. */
	CHECK(gpuoa_set_registers(set, GPUOA_REGISTER_FLEX, none, NULL, 0) > 0);
	CHECK(gpuoa_set_registers(set, GPUOA_REGISTER_FLEX, NULL, NULL, 0) > 0);
	gpuoa_constants_free(none);
	gpuoa_constants_free(all);
}

/* more than can be numbered */

static void a_calculator_has_65535_columns_at_most(void)
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
	CHECK(gpuoa_calc_columns(calc) == 65535);
	gpuoa_calc_close(calc);
	options.no_infos = false;
	options.metric_count = 65535 - desc.info_count;
	CHECK(!gpuoa_calc_open(set, constants, desc.format, &options, &calc, NULL, 0));
	CHECK(gpuoa_calc_columns(calc) == 65535);
	gpuoa_calc_close(calc);
	gpuoa_constants_free(constants);
	free(metrics);
}

/* every reason why a calculator, or windows, cannot be opened has a text of its own */

static const struct gpuoa_set *hsw_set(const char *symbol)
{
	return gpuoa_platform_find_set(gpuoa_platform_find("hsw"), symbol, NULL, NULL);
}

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

static void each_reason_against_a_calculator_has_a_text(void)
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

	refuses(&options, "hsw", format, true, -EINVAL, "options have no size");
	refuses(&newer.known, "hsw", format, true, -E2BIG, "of a newer library");
	refuses(NULL, "lnl", format, true, -EINVAL, "constants are not those of Haswell");
	refuses(NULL, "hsw", 4711, true, -EINVAL, "there is no report format 4711");
	refuses(NULL, "hsw", GPUOA_REPORT_B4_C8, true, -EINVAL,
		"format B4_C8 lacks a counter that set RenderBasic needs");
	refuses(NULL, "hsw", format, false, -ENODATA, "which set RenderBasic needs, has no value");
	options = (struct gpuoa_calc_options){ .size = sizeof(options),
					       .metrics = &foreign,
					       .metric_count = 1 };
	refuses(&options, "hsw", format, true, -EINVAL, "one of the metrics is not of set");
	options = (struct gpuoa_calc_options){ .size = sizeof(options), .reasons = 1 };
	refuses(&options, "hsw", format, true, -EOPNOTSUPP, "do not tell their reason");
	options = (struct gpuoa_calc_options){ .size = sizeof(options), .vector = "mmx" };
	refuses(&options, "hsw", format, true, -EOPNOTSUPP, "no vector code 'mmx'");
	CHECK(!gpuoa_calc_open(hsw_set("RenderBasic"), constants, format, NULL, &calc, error,
			       sizeof(error)));
	CHECK_STRING(error, "");
	gpuoa_calc_close(calc);
	gpuoa_constants_free(constants);
}

static void refuses_windows(const struct gpuoa_windows_options *options, int expected,
			    const char *text)
{
	struct gpuoa_constants *constants = constants_of(gpuoa_platform_find("hsw"), true);
	struct gpuoa_windows *windows = NULL;
	char error[256] = "as it was";

	CHECK(gpuoa_windows_open(hsw_set("RenderBasic"), constants, GPUOA_REPORT_A45_B8_C8, options,
				 &windows, error, sizeof(error)) == expected);
	CHECK(!windows);
	if (!CHECK(strstr(error, text)))
		printf("# %s\n", error);
	gpuoa_constants_free(constants);
}

static void each_reason_against_windows_has_a_text(void)
{
	const struct gpuoa_interval twice[] = { { 10, 20 }, { 15, 30 } };
	const struct gpuoa_calc_options bad = { .size = 0 };
	struct gpuoa_windows_options options = { .size = 0 };

	refuses_windows(NULL, -EINVAL, "There are no options");
	refuses_windows(&options, -EINVAL, "windows have no size");
	options.size = sizeof(options);
	refuses_windows(&options, -EINVAL, "Give a period");
	options.list = twice;
	refuses_windows(&options, -EINVAL, "list of windows is empty");
	options.list_count = 2;
	refuses_windows(&options, -EINVAL, "some are empty or overlap");
	options = (struct gpuoa_windows_options){ .size = sizeof(options), .period_ns = 1 };
	refuses_windows(&options, -ERANGE, "windows of 1 ns are shorter than a tick");
	options.period_ns = 1000000;
	options.calc = &bad;
	refuses_windows(&options, -EINVAL, "calculator's options have no size");
}

/* A set whose metrics have two values each that no other has. */
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

static void equations_of_too_many_values_are_told(void)
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
	RUN(constants_of_another_platform_are_refused);
	RUN(a_platform_of_definitions_is_another_one_than_the_built_in_of_its_name);
	RUN(registers_with_an_undecided_condition_are_told);
	RUN(a_calculator_has_65535_columns_at_most);
	RUN(each_reason_against_a_calculator_has_a_text);
	RUN(each_reason_against_windows_has_a_text);
	RUN(equations_of_too_many_values_are_told);
	return tap_end();
}
