// SPDX-License-Identifier: MIT
/*
 * equation_value_test.c - Test single equations: parsed text equals the compiled equation, values
 * equal those of the calculator, and differences of counters wrap.
 */
#include <errno.h>
#include <stdlib.h>

#include "gpu/platforms.h"
#include "gpuoa-equation.h"
#include "raw.h"
#include "tap.h"

#define VALUES_MAX 1100
#define TEXT_SIZE 8192

static char error[256];

static const struct gpuoa_set *find_set(const char *platform, const char *symbol)
{
	return gpuoa_platform_find_set(gpuoa_platform_find(platform), symbol, NULL, NULL);
}

static struct gpuoa_constants *usual(const struct gpuoa_platform *platform)
{
	struct gpuoa_constants *constants = NULL;

	if (!CHECK(!gpuoa_constants_new(platform, &constants)))
		return NULL;
	gpuoa_constants_assume(constants);
	return constants;
}

/* ---- values ---- */

static bool same_value(const struct gpuoa_metric_desc *desc, union gpuoa_value expected,
		       const struct gpuoa_typed_value *found)
{
	if (desc->type == found->type)
		return desc->type == GPUOA_TYPE_FLOAT ? expected.f32 == found->value.f32 :
							expected.u64 == found->value.u64;
	if (desc->type == GPUOA_TYPE_FLOAT) /* result of an integer equation */
		return expected.f32 == (float)(double)found->value.u64;
	return expected.u64 == (uint64_t)found->value.f32 || found->value.f32 >= 0x1p24;
}

static void check_metric(const struct gpuoa_metric *metric, const struct gpuoa_constants *constants,
			 const uint8_t *first, const uint8_t *last, const union gpuoa_value *values)
{
	struct gpuoa_equation equation = gpuoa_metric_equation(metric, GPUOA_EQUATION_VALUE);
	struct gpuoa_typed_value value;
	struct gpuoa_metric_desc desc;

	gpuoa_metric_describe(metric, &desc, sizeof(desc));
	if (gpuoa_metric_available(metric, constants, NULL, 0) <= 0)
		return;
	if (!CHECK(!gpuoa_equation_evaluate(&equation, constants, first, last, &value)) ||
	    !CHECK(same_value(&desc, values[desc.index], &value)))
		printf("# %s\n", desc.symbol);
}

/* Evaluating each equation gives the same values as the calculator. */
static void check_set(const struct gpuoa_set *set, const struct gpuoa_constants *constants)
{
	static union gpuoa_value values[VALUES_MAX];
	static uint8_t reports[2 * RAW_SIZE_MAX];
	static uint64_t state = 1;
	const struct raw_format *format;
	const struct gpuoa_metric *metric;
	struct gpuoa_set_desc desc;
	struct gpuoa_calc *calc;
	size_t used;

	gpuoa_set_describe(set, &desc, sizeof(desc));
	format = raw_format_of_id(desc.format);
	if (!format || gpuoa_calc_open(set, constants, desc.format, NULL, &calc, NULL, 0))
		return; /* a set for other GPUs */
	REQUIRE(gpuoa_calc_output_count(calc) <= VALUES_MAX);
	memset(reports, 0, sizeof(reports));
	raw_next(format, &state, reports, reports, 30);
	raw_next(format, &state, reports, reports + format->size, 30);
	gpuoa_calc_run(calc, reports, 2, values, NULL, 1, &used);
	if (CHECK(!gpuoa_calc_total(calc, values, NULL, false)))
		for (size_t i = 0; (metric = gpuoa_set_get_metric(set, i)); i++)
			check_metric(metric, constants, reports, reports + format->size, values);
	gpuoa_calc_close(calc);
}

static void evaluate_equals_calc(void)
{
	static const char *const platforms[] = { "hsw", "bdw", "sklgt2", "tglgt2", "mtlgt2", "bmg" };

	for (size_t i = 0; i < sizeof(platforms) / sizeof(platforms[0]); i++) {
		const struct gpuoa_platform *platform = gpuoa_platform_find(platforms[i]);
		struct gpuoa_constants *constants = usual(platform);
		const struct gpuoa_set *set;

		REQUIRE(constants);
		for (size_t k = 0; (set = gpuoa_platform_get_set(platform, k)); k++)
			check_set(set, constants);
		gpuoa_constants_free(constants);
	}
}

static void evaluate_reports_missing_constant(void)
{
	const struct gpuoa_set *set = find_set("sklgt2", "RenderBasic");
	const struct gpuoa_metric *metric = gpuoa_set_find_metric(set, "EuActive");
	struct gpuoa_equation value = gpuoa_metric_equation(metric, GPUOA_EQUATION_VALUE);
	struct gpuoa_equation none = gpuoa_metric_equation(metric, GPUOA_EQUATION_AVAILABILITY);
	struct gpuoa_constants *constants = usual(gpuoa_platform_find("sklgt2"));
	struct gpuoa_constants *other = usual(gpuoa_platform_find("hsw"));
	static const uint8_t reports[2][256];
	struct gpuoa_typed_value result;

	CHECK(!gpuoa_equation_evaluate(&value, constants, reports[0], reports[1], &result));
	CHECK(result.type == GPUOA_TYPE_FLOAT && result.value.f32 == 0);
	CHECK(gpuoa_equation_evaluate(&value, constants, NULL, NULL, &result) == -EFAULT);
	CHECK(gpuoa_equation_evaluate(&value, NULL, reports[0], reports[1], &result) == -ENODATA);
	CHECK(gpuoa_equation_evaluate(&value, other, reports[0], reports[1], &result) == -EINVAL);
	CHECK(gpuoa_equation_evaluate(&none, constants, reports[0], reports[1], &result) ==
	      -ENOENT);
	gpuoa_constants_free(constants);
	gpuoa_constants_free(other);
}

static int static_max(const char *symbol, const struct gpuoa_constants *constants, double *max)
{
	const struct gpuoa_set *set = find_set("sklgt2", "RenderBasic");
	const struct gpuoa_metric *metric = gpuoa_set_find_metric(set, symbol);
	struct gpuoa_equation equation = gpuoa_metric_equation(metric, GPUOA_EQUATION_MAX);
	struct gpuoa_typed_value value;
	int err = gpuoa_equation_evaluate(&equation, constants, NULL, NULL, &value);

	*max = err ? 0 : gpuoa_value_to_double(value.type, value.value);
	return err;
}

static void static_max_requires_no_reports(void)
{
	struct gpuoa_constants *constants = usual(gpuoa_platform_find("sklgt2"));
	uint64_t frequency = 1150000000;
	double max;

	CHECK(!gpuoa_constants_set(constants, "GpuMaxFrequency", frequency));
	CHECK(!static_max("EuActive", constants, &max) && max == 100);
	CHECK(!static_max("AvgGpuCoreFrequency", constants, &max) && max == (double)frequency);
	CHECK(static_max("SlmBytesRead", constants, &max) == -EFAULT);
	CHECK(static_max("GpuCoreClocks", constants, &max) == -ENOENT);
	gpuoa_constants_free(constants);
}

static void information_item_uses_later_report(void)
{
	const struct gpuoa_set *set = find_set("sklgt2", "RenderBasic");
	struct gpuoa_equation equation =
		gpuoa_info_equation(set, gpuoa_set_find_info(set, "ReportReason"));
	struct gpuoa_constants *constants = usual(gpuoa_platform_find("sklgt2"));
	static uint32_t reports[2][64];
	struct gpuoa_typed_value value;

	reports[0][0] = 1u << 19;
	reports[1][0] = 8u << 19;
	CHECK(!gpuoa_equation_evaluate(&equation, constants, reports[0], reports[1], &value));
	CHECK(value.type == GPUOA_TYPE_UINT64 && value.value.u64 == GPUOA_REASON_CONTEXT_SWITCH);
	gpuoa_constants_free(constants);
}

static uint64_t info_value(const struct gpuoa_set *set, const char *symbol,
			   const struct gpuoa_constants *constants, const uint32_t *report)
{
	const struct gpuoa_info *info = gpuoa_set_find_info(set, symbol);
	struct gpuoa_typed_value value = { .value.u64 = UINT64_MAX };
	struct gpuoa_equation equation;

	if (!CHECK(info))
		return UINT64_MAX;
	equation = gpuoa_info_equation(set, info);
	CHECK(!gpuoa_equation_evaluate(&equation, constants, report, report, &value));
	return value.value.u64;
}

static void check_context_or_marker(const struct gpuoa_set *set,
				    const struct gpuoa_constants *constants)
{
	uint32_t report[256] = { 0 };

	/*
	 * The context id is in dword 2 of a header of 32-bit words, and in dword 4 of one of 64-bit
	 * words.
	 */
	report[2] = report[4] = 0x1234;
	report[0] = GPUOA_REASON_CONTEXT_SWITCH << 19;
	CHECK(info_value(set, "ContextIdValid", constants, report) == 1);
	CHECK(info_value(set, "ContextId", constants, report) == 0x1234);
	CHECK(info_value(set, "StreamMarker", constants, report) == 0);
	report[0] = GPUOA_REASON_MMIO << 19 | 1 << 16;
	CHECK(info_value(set, "ContextIdValid", constants, report) == 0);
	CHECK(info_value(set, "ContextId", constants, report) == 0);
	CHECK(info_value(set, "StreamMarker", constants, report) == 0x1234);
}

/*
 * From gen12.5 on, the report reason states whether the field is a context or a marker. On earlier
 * GPUs, bit 16 of the report id is set if the context is valid.
 */
static void context_or_marker_depends_on_reason(void)
{
	size_t sets = 0;

	for (size_t i = 0; i < gpuoa_platform_count(); i++) {
		const struct gpuoa_platform *platform = gpuoa_platform_get(i);
		const unsigned int generation = gpu_generation(gpuoa_platform_name(platform));
		struct gpuoa_constants *constants = usual(platform);
		const struct gpuoa_set *set;

		for (size_t k = 0; (set = gpuoa_platform_get_set(platform, k)); k++) {
			if (generation >= GENERATION_12_5) {
				check_context_or_marker(set, constants);
				sets++;
			} else {
				CHECK(!gpuoa_set_find_info(set, "StreamMarker"));
			}
		}
		gpuoa_constants_free(constants);
	}
	CHECK(sets > 2600);
}

/* ---- texts ---- */

static const char *text_of(struct gpuoa_equation equation, char *text)
{
	CHECK(gpuoa_equation_text(equation, text, TEXT_SIZE) < TEXT_SIZE);
	return text;
}

static void check_text(const struct gpuoa_set *set, const struct gpuoa_metric *metric,
		       enum gpuoa_equation_role role, const char *text)
{
	static char compiled[TEXT_SIZE], parsed[TEXT_SIZE];
	struct gpuoa_equation equation;

	if (!*text)
		return;
	if (!CHECK(!gpuoa_equation_parse(set, text, role, &equation, error, sizeof(error)))) {
		printf("# %s: %s\n", text, error);
		return;
	}
	CHECK_STRING(text_of(equation, parsed),
		     text_of(gpuoa_metric_equation(metric, role), compiled));
	gpuoa_equation_free(&equation);
	CHECK(!gpuoa_equation_next(&equation, &(struct gpuoa_equation_element){ 0 },
				   sizeof(struct gpuoa_equation_element)));
}

/* Parsing the text of a metric's equation gives the compiled equation. */
static void parsing_equation_text_equals_compiled(void)
{
	static const char *const platforms[] = { "hsw", "tglgt2", "lnl" };

	for (size_t i = 0; i < sizeof(platforms) / sizeof(platforms[0]); i++) {
		const struct gpuoa_platform *platform = gpuoa_platform_find(platforms[i]);
		const struct gpuoa_set *set;

		for (size_t k = 0; (set = gpuoa_platform_get_set(platform, k)) && k < 8; k++) {
			const struct gpuoa_metric *metric;
			struct gpuoa_metric_desc desc;

			for (size_t m = 0; (metric = gpuoa_set_get_metric(set, m)); m++) {
				gpuoa_metric_describe(metric, &desc, sizeof(desc));
				if (desc.query_only)
					continue;
				check_text(set, metric, GPUOA_EQUATION_VALUE, desc.equation);
				check_text(set, metric, GPUOA_EQUATION_MAX, desc.max);
				check_text(set, metric, GPUOA_EQUATION_AVAILABILITY,
					   desc.availability);
			}
		}
	}
}

static void check_refused(const char *text, enum gpuoa_equation_role role, const char *expected)
{
	struct gpuoa_equation equation;

	CHECK(gpuoa_equation_parse(find_set("sklgt2", "RenderBasic"), text, role, &equation, error,
				   sizeof(error)) == -EINVAL);
	CHECK_STRING(error, expected);
}

static void parse_errors_have_position(void)
{
	check_refused("A7 +", GPUOA_EQUATION_VALUE,
		      "equation:1:5: expected a counter, a name, a number or '(', found the end of "
		      "the file");
	check_refused("A7 A8", GPUOA_EQUATION_VALUE,
		      "equation:1:4: expected an operator or the end of the equation, found 'A8'");
	check_refused("A7 * Nothing", GPUOA_EQUATION_VALUE,
		      "equation:1:6: 'Nothing' is neither a constant nor a metric of set "
		      "RenderBasic");
	check_refused("PEC1", GPUOA_EQUATION_VALUE,
		      "equation:1:1: format A32u40_A4u32_B8_C8 of set RenderBasic has no counter "
		      "PEC1");
	check_refused("1 + GpuTime", GPUOA_EQUATION_AVAILABILITY,
		      "equation:1:5: 'GpuTime' is not a constant");
	check_refused("1.5 & 1", GPUOA_EQUATION_MAX,
		      "equation:1:5: both operands must be integers, and one is fractional");
}

static void custom_equation_is_evaluated(void)
{
	const struct gpuoa_set *set = find_set("sklgt2", "RenderBasic");
	struct gpuoa_constants *constants = usual(gpuoa_platform_find("sklgt2"));
	static uint32_t reports[2][64];
	struct gpuoa_typed_value value;
	struct gpuoa_equation equation;

	reports[0][0xe0 / 4] = 0xfffffff0; /* C0 wraps */
	reports[1][0xe0 / 4] = 0x10;
	reports[1][3] = 1000; /* GPU clock */
	REQUIRE(!gpuoa_equation_parse(set, "C0 * 3 + GpuCoreClocks", GPUOA_EQUATION_VALUE,
				      &equation, error, sizeof(error)));
	CHECK_STRING(error, "");
	CHECK(!gpuoa_equation_evaluate(&equation, constants, reports[0], reports[1], &value));
	CHECK(value.type == GPUOA_TYPE_UINT64 && value.value.u64 == 32 * 3 + 1000);
	gpuoa_equation_free(&equation);
	gpuoa_constants_free(constants);
}

/* Evaluate an equation of a set between two reports. */
static int evaluate(const struct gpuoa_set *set, const char *text,
		    const struct gpuoa_constants *constants, const void *first, const void *last,
		    struct gpuoa_typed_value *value)
{
	struct gpuoa_equation equation;
	int err;

	if (!CHECK(!gpuoa_equation_parse(set, text, GPUOA_EQUATION_VALUE, &equation, error,
					 sizeof(error)))) {
		printf("# %s: %s\n", text, error);
		return -EINVAL;
	}
	err = gpuoa_equation_evaluate(&equation, constants, first, last, value);
	gpuoa_equation_free(&equation);
	return err;
}

/*
 * An equation needs the constants of the metrics that it uses, and of their conditions. A metric
 * that is not available has the value 0.
 */
static void metrics_of_equation_are_evaluated(void)
{
	static const char definition[] =
		"platform mine \"M\"\n"
		"constant One \"\"\nconstant Two \"\"\nconstant Mask \"\"\n"
		"set Set \"Set\" { uuid \"00000000-0000-4000-8000-000000000001\"\n"
		"format A32u40_A4u32_B8_C8\nmetrics {\n"
		"metric First \"\" \"\" = C0 * One uint64 \"\" event\n"
		"metric Second \"\" \"\" = First + 5 uint64 \"\" event\n"
		"metric Share \"\" \"\" = C1 / 4 float \"\" event\n"
		"metric Some \"\" \"\" = C1 if Mask & 2 uint64 \"\" event\n"
		"metric Other \"\" \"\" = C2 * Two uint64 \"\" event\n"
		"} }\n";
	static uint32_t reports[2][64];
	struct gpuoa_definitions *definitions = NULL;
	const struct gpuoa_platform *platform;
	struct gpuoa_constants *constants;
	struct gpuoa_typed_value value;
	const struct gpuoa_set *set;

	if (!CHECK(!gpuoa_definitions_parse("mine", definition, sizeof(definition) - 1,
					    &definitions, error, sizeof(error))))
		printf("# %s\n", error);
	REQUIRE(definitions);
	platform = gpuoa_definitions_get_platform(definitions, 0);
	set = gpuoa_platform_get_set(platform, 0);
	REQUIRE(!gpuoa_constants_new(platform, &constants));
	reports[1][0xe0 / 4] = 10;
	reports[1][0xe4 / 4] = 6;
	CHECK(evaluate(set, "Second", constants, reports[0], reports[1], &value) == -ENODATA);
	CHECK(!gpuoa_constants_set(constants, "One", 3));
	CHECK(!evaluate(set, "Second", constants, reports[0], reports[1], &value));
	CHECK(value.type == GPUOA_TYPE_UINT64 && value.value.u64 == 35);
	CHECK(!evaluate(set, "First + C1", constants, reports[0], reports[1], &value));
	CHECK(value.value.u64 == 36);
	CHECK(!evaluate(set, "Share * 3", constants, reports[0], reports[1], &value));
	CHECK(value.type == GPUOA_TYPE_FLOAT && value.value.f32 == 4.5f);
	CHECK(evaluate(set, "Some + 1", constants, reports[0], reports[1], &value) == -ENODATA);
	CHECK(!gpuoa_constants_set(constants, "Mask", 1));
	CHECK(!evaluate(set, "Some + 1", constants, reports[0], reports[1], &value));
	CHECK(value.value.u64 == 1);
	CHECK(!gpuoa_constants_set(constants, "Mask", 2));
	CHECK(!evaluate(set, "Some + 1", constants, reports[0], reports[1], &value));
	CHECK(value.value.u64 == 7);
	CHECK(evaluate(set, "Other", constants, reports[0], reports[1], &value) == -ENODATA);
	CHECK(evaluate(set, "1 + Two", constants, NULL, NULL, &value) == -ENODATA);
	CHECK(!evaluate(set, "One + Mask", constants, NULL, NULL, &value) && value.value.u64 == 5);
	gpuoa_constants_free(constants);
	gpuoa_definitions_free(definitions);
}

static void evaluate_needs_both_reports(void)
{
	const struct gpuoa_set *set = find_set("sklgt2", "RenderBasic");
	const struct gpuoa_set *hsw = find_set("hsw", "RenderBasic");
	const struct gpuoa_metric *hits = gpuoa_set_find_metric(hsw, "LlcHits");
	struct gpuoa_equation query = gpuoa_metric_equation(hits, GPUOA_EQUATION_VALUE);
	struct gpuoa_constants *constants = usual(gpuoa_platform_find("sklgt2"));
	struct gpuoa_constants *haswell = usual(gpuoa_platform_find("hsw"));
	static const char *const texts[] = { "C0", "TIMESTAMP", "CLOCK", "GpuTime" };
	static const char *const items[] = { "ReportReason", "ContextId", "QueryBeginTime" };
	static uint32_t reports[2][64] = { { 0, 5 }, { 0, 12000000 } };
	struct gpuoa_equation equation;
	struct gpuoa_equation_element element;
	struct gpuoa_typed_value value;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		CHECK(evaluate(set, texts[i], constants, NULL, reports[1], &value) == -EFAULT);
		CHECK(evaluate(set, texts[i], constants, reports[0], NULL, &value) == -EFAULT);
		CHECK(!evaluate(set, texts[i], constants, reports[0], reports[1], &value));
	}
	for (size_t i = 0; i < sizeof(items) / sizeof(items[0]); i++) {
		equation = gpuoa_info_equation(set, gpuoa_set_find_info(set, items[i]));
		CHECK(gpuoa_equation_evaluate(&equation, constants, NULL, NULL, &value) == -EFAULT);
		CHECK(!gpuoa_equation_evaluate(&equation, constants, reports[0], reports[1],
					       &value));
	}
	/* QueryBeginTime is the time of the later report, not a difference: a second at 12 MHz. */
	CHECK(value.value.u64 == 1000000000);
	CHECK(gpuoa_equation_evaluate(&query, haswell, reports[0], reports[1], &value) ==
	      -EOPNOTSUPP);
	CHECK(gpuoa_equation_next(&equation, &element, sizeof(element)));
	CHECK(gpuoa_equation_evaluate(&equation, constants, reports[0], reports[1], &value) ==
	      -EALREADY);
	gpuoa_constants_free(constants);
	gpuoa_constants_free(haswell);
}

/* ---- differences ---- */

static uint64_t difference(const char *function, uint64_t previous, uint64_t last)
{
	struct gpuoa_delta delta = { .kind = GPUOA_DELTA_NONE };

	CHECK(!gpuoa_delta_parse(function, 56, &delta));
	return gpuoa_delta_value(delta, previous, last);
}

static void delta_functions_wrap_at_their_width(void)
{
	CHECK(difference("", 3, 7) == 0);
	CHECK(difference("DELTA 32", 0xffffffff, 1) == 2);
	CHECK(difference("DELTA40", 5, 4) == (UINT64_C(1) << 40) - 1);
	CHECK(difference("DELTA 64", UINT64_MAX, 1) == 2);
	CHECK(difference("DELTA 64", 5, 9) == 4);
	CHECK(difference("DELTA 1", 1, 0) == 1);
	CHECK(difference("OR", 0, 4) == 1 && difference("OR", 0, 0) == 0);
	CHECK(difference("XOR", 4, 4) == 0 && difference("XOR", 4, 5) == 1);
	CHECK(difference("PREV", 4, 5) == 4 && difference("LAST", 4, 5) == 5);
	CHECK(difference("NS_TIME", (UINT64_C(1) << 56) - 1, 1) == 2);
	CHECK(gpuoa_delta_value((struct gpuoa_delta){ GPUOA_DELTA_BITS, 65 }, 1, 2) == 0);
	CHECK(gpuoa_delta_value((struct gpuoa_delta){ GPUOA_DELTA_BITS, 0 }, 1, 2) == 0);
	CHECK(gpuoa_delta_value((struct gpuoa_delta){ (enum gpuoa_delta_kind)99, 8 }, 1, 2) == 0);
}

/* Only functions of time and of a number of bits have a width. */
static void delta_functions_have_kind_and_width(void)
{
	static const struct {
		const char *text;
		struct gpuoa_delta delta;
	} cases[] = {
		{ "", { GPUOA_DELTA_NONE, 0 } },	{ "OR", { GPUOA_DELTA_OR, 0 } },
		{ "XOR", { GPUOA_DELTA_XOR, 0 } },	{ "PREV", { GPUOA_DELTA_PREVIOUS, 0 } },
		{ "LAST", { GPUOA_DELTA_LAST, 0 } },	{ "NS_TIME", { GPUOA_DELTA_TIME, 56 } },
		{ "DELTA 1", { GPUOA_DELTA_BITS, 1 } }, { "DELTA  64", { GPUOA_DELTA_BITS, 64 } },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct gpuoa_delta delta = { .bits = 77 };

		CHECK(!gpuoa_delta_parse(cases[i].text, 56, &delta));
		CHECK(delta.kind == cases[i].delta.kind && delta.bits == cases[i].delta.bits);
	}
}

static void unknown_delta_function_is_rejected(void)
{
	static const char *const wrong[] = { "DELTA",	 "DELTA 0", "DELTA 65", "DELTA 3x",
					     "delta 32", "AND",	    " OR",	"DELTA 4294967297" };
	struct gpuoa_delta delta;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		if (!CHECK(gpuoa_delta_parse(wrong[i], 32, &delta) == -EINVAL))
			printf("# %s\n", wrong[i]);
}

int main(void)
{
	RUN(evaluate_equals_calc);
	RUN(evaluate_reports_missing_constant);
	RUN(static_max_requires_no_reports);
	RUN(information_item_uses_later_report);
	RUN(context_or_marker_depends_on_reason);
	RUN(parsing_equation_text_equals_compiled);
	RUN(parse_errors_have_position);
	RUN(custom_equation_is_evaluated);
	RUN(metrics_of_equation_are_evaluated);
	RUN(evaluate_needs_both_reports);
	RUN(delta_functions_wrap_at_their_width);
	RUN(delta_functions_have_kind_and_width);
	RUN(unknown_delta_function_is_rejected);
	return tap_end();
}
