// SPDX-License-Identifier: MIT
/*
 * mdapi_test.c - Test equations in the notation of MDAPI: the text that is generated for each
 * metric is evaluated here and parsed again, parsed equations have the value that MDAPI defines,
 * and errors have a position.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "gpuoa-custom.h"
#include "gpuoa-equation.h"
#include "raw.h"
#include "tap.h"

#define TEXT_SIZE 16384

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

/* ---- an evaluator of MDAPI equations, which shares no code with the library ---- */

struct interval {
	const struct gpuoa_set *set;
	const struct gpuoa_constants *constants;
	const uint8_t *first, *last;
	uint64_t mask; /* mask of the counter bits that the delta function uses */
	long double self;
};

static uint64_t read_word(const char *word, const uint8_t *report)
{
	const char *at = strchr(word, '@') + 1, *colon = strchr(at, ':');
	const size_t bytes = word[0] == 'q' ? 8 : 4;
	uint64_t value = 0;

	for (size_t i = 0; i < bytes; i++)
		value |= (uint64_t)report[strtoul(at, NULL, 16) + i] << 8 * i;
	if (colon)
		value |= (uint64_t)report[strtoul(colon + 1, NULL, 16)] << 32;
	return value;
}

static long double metric_value(const struct interval *interval, const char *symbol)
{
	struct gpuoa_equation equation = gpuoa_metric_equation(
		gpuoa_set_find_metric(interval->set, symbol), GPUOA_EQUATION_VALUE);
	const struct gpuoa_metric *metric = gpuoa_set_find_metric(interval->set, symbol);
	struct gpuoa_typed_value value;

	if (gpuoa_metric_available(metric, interval->constants, NULL, 0) <= 0)
		return 0;
	CHECK(!gpuoa_equation_evaluate(&equation, interval->constants, interval->first,
				       interval->last, &value));
	return gpuoa_value_to_double(value.type, value.value);
}

static long double operand(const struct interval *interval, const char *word)
{
	uint64_t constant = 0;

	if (strchr(word, '@'))
		return (long double)((read_word(word, interval->last) -
				      read_word(word, interval->first)) &
				     interval->mask);
	if (!strcmp(word, "$Self"))
		return interval->self;
	if (!strncmp(word, "$$", 2))
		return metric_value(interval, word + 2);
	if (word[0] == '$') {
		if (strcmp(word, "$QueryMode") != 0)
			CHECK(!gpuoa_constants_get(interval->constants, word + 1, &constant));
		return (long double)constant;
	}
	return strtod(word, NULL);
}

static long double operate(const char *word, long double a, long double b)
{
	const uint64_t left = (uint64_t)a, right = (uint64_t)b;

	if (!strcmp(word + 1, "ADD"))
		return a + b;
	if (!strcmp(word + 1, "SUB"))
		return a > b || word[0] == 'F' ? a - b : 0;
	if (!strcmp(word + 1, "MUL"))
		return a * b;
	if (!strcmp(word, "FDIV"))
		return b != 0 ? a / b : 0;
	if (!strcmp(word, "UDIV"))
		return b != 0 ? floor(a / b) : 0;
	if (!strcmp(word + 1, "MIN"))
		return a < b ? a : b;
	if (!strcmp(word + 1, "MAX"))
		return a > b ? a : b;
	if (!strcmp(word, "AND"))
		return (long double)(left & right);
	if (!strcmp(word, "OR"))
		return (long double)(left | right);
	if (!strcmp(word, "<<"))
		return (long double)(left << right);
	if (!strcmp(word, ">>"))
		return (long double)(left >> right);
	if (!strcmp(word, "=="))
		return left == right;
	if (!strcmp(word, "&&"))
		return left && right;
	if (!strcmp(word, "ULT"))
		return a < b;
	if (!strcmp(word, "ULTE"))
		return a <= b;
	if (!strcmp(word, "UGT"))
		return a > b;
	if (!strcmp(word, "UGTE"))
		return a >= b;
	printf("# unknown word %s\n", word);
	CHECK(false);
	return 0;
}

static bool is_operand(const char *word)
{
	return strchr(word, '@') || word[0] == '$' || (word[0] >= '0' && word[0] <= '9');
}

/* Evaluate the words of an equation; without words, return @otherwise. */
static long double evaluate_words(const struct interval *interval, const char *text,
				  long double otherwise)
{
	static char copy[TEXT_SIZE];
	long double stack[64] = { otherwise };
	char *rest = copy, *word;
	size_t depth = 0;

	snprintf(copy, sizeof(copy), "%s", text);
	while (*text && (word = strsep(&rest, " "))) {
		if (is_operand(word)) {
			stack[depth++] = operand(interval, word);
			continue;
		}
		if (!CHECK(depth >= 2))
			return 0;
		depth--;
		stack[depth - 1] = operate(word, stack[depth - 1], stack[depth]);
	}
	CHECK(depth == (*text ? 1 : 0));
	return stack[0];
}

static long double evaluate_mdapi(struct interval *interval,
				  const struct gpuoa_mdapi_equation *mdapi)
{
	struct gpuoa_delta delta;

	CHECK(!gpuoa_delta_parse(mdapi->delta, 0, &delta));
	if (delta.kind == GPUOA_DELTA_TIME)
		delta.bits = strncmp(mdapi->read, "qw", 2) != 0 ? 32 : 56;
	interval->mask = delta.bits ? UINT64_MAX >> (64 - delta.bits) : 0;
	interval->self = evaluate_words(interval, mdapi->read, 0);
	return evaluate_words(interval, mdapi->norm, interval->self);
}

/* ---- all metrics ---- */

static size_t compared, refused;

/*
 * Check that there is a reason why a metric has no MDAPI equation: either its counters are in no
 * report, as in queries, or it is one of two metrics that are not functions of one difference.
 */
static void check_refusal(const char *metric)
{
	if (!strcmp(error, "the equation has counters that are in no report"))
		return;
	if (!CHECK(!strncmp(error, "MDAPI ", 6)) ||
	    !CHECK(!strcmp(metric, "L3ShaderThroughput") || !strcmp(metric, "Fpu1ActiveAdjusted")))
		printf("# %s: %s\n", metric, error);
}

static void check_equation(struct interval *interval, struct gpuoa_equation equation,
			   enum gpuoa_equation_role role, const char *where)
{
	static char text[TEXT_SIZE], infix[TEXT_SIZE];
	struct gpuoa_typed_value expected, found;
	struct gpuoa_mdapi_equation mdapi;
	struct gpuoa_equation again;
	double value, own;
	int err;

	err = gpuoa_equation_to_mdapi(&equation, &mdapi, text, sizeof(text), error, sizeof(error));
	if (err) {
		CHECK(err == -EOPNOTSUPP);
		check_refusal(where);
		refused++;
		return;
	}
	err = gpuoa_equation_from_mdapi(interval->set, &mdapi, infix, sizeof(infix), error,
					sizeof(error));
	if (!CHECK(err > 0 && err == (int)strlen(infix)) ||
	    !CHECK(!gpuoa_equation_parse(interval->set, infix, role, &again, error,
					 sizeof(error)))) {
		printf("# %s: %s | %s | %s | %s: %s\n", where, mdapi.read, mdapi.delta, mdapi.norm,
		       infix, error);
		return;
	}
	err = gpuoa_equation_evaluate(&equation, interval->constants, interval->first,
				      interval->last, &expected);
	if (!err) {
		compared++;
		CHECK(!gpuoa_equation_evaluate(&again, interval->constants, interval->first,
					       interval->last, &found));
		value = gpuoa_value_to_double(expected.type, expected.value);
		own = evaluate_mdapi(interval, &mdapi);
		if (!CHECK(expected.type == found.type) ||
		    !CHECK(value == gpuoa_value_to_double(found.type, found.value)) ||
		    !CHECK(fabs(value - own) <= 1e-5 * fabs(value)))
			printf("# %s: %s | %s | %s | %s: %g, %g\n", where, mdapi.read, mdapi.delta,
			       mdapi.norm, infix, value, own);
	} else {
		CHECK(err == -ENODATA || err == -EOPNOTSUPP);
	}
	gpuoa_equation_free(&again);
}

static void check_set(const struct gpuoa_set *set, const struct gpuoa_constants *constants)
{
	static const enum gpuoa_equation_role roles[] = {
		GPUOA_EQUATION_VALUE,
		GPUOA_EQUATION_MAX,
		GPUOA_EQUATION_AVAILABILITY,
	};
	static uint8_t reports[2 * RAW_SIZE_MAX];
	static uint64_t state = 1;
	const struct raw_format *format;
	const struct gpuoa_metric *metric;
	struct interval interval = { .set = set, .constants = constants };
	struct gpuoa_metric_desc desc;
	struct gpuoa_set_desc set_desc;

	gpuoa_set_describe(set, &set_desc, sizeof(set_desc));
	format = raw_format_of_id(set_desc.format);
	if (!CHECK(format))
		return;
	memset(reports, 0, sizeof(reports));
	raw_next(format, &state, reports, reports, 30);
	raw_next(format, &state, reports, reports + format->size, 30);
	interval.first = reports;
	interval.last = reports + format->size;
	for (size_t i = 0; (metric = gpuoa_set_get_metric(set, i)); i++) {
		gpuoa_metric_describe(metric, &desc, sizeof(desc));
		for (size_t k = 0; k < sizeof(roles) / sizeof(roles[0]); k++) {
			struct gpuoa_equation equation = gpuoa_metric_equation(metric, roles[k]);

			if (equation.word)
				check_equation(&interval, equation, roles[k], desc.symbol);
		}
	}
}

static void all_metrics_round_trip(void)
{
	const struct gpuoa_platform *platform;
	const struct gpuoa_set *set;

	for (size_t i = 0; (platform = gpuoa_platform_get(i)); i++) {
		struct gpuoa_constants *constants = usual(platform);

		REQUIRE(constants);
		for (size_t k = 0; (set = gpuoa_platform_get_set(platform, k)); k++)
			check_set(set, constants);
		gpuoa_constants_free(constants);
	}
	printf("# %zu compared, %zu refused\n", compared, refused);
	CHECK(compared > 30000 && refused < 300);
}

/* ---- single equations ---- */

static void check_stated(const char *platform, const char *set, const char *symbol,
			 const char *read, const char *delta, const char *norm)
{
	const struct gpuoa_metric *metric = gpuoa_set_find_metric(find_set(platform, set), symbol);
	struct gpuoa_equation equation = gpuoa_metric_equation(metric, GPUOA_EQUATION_VALUE);
	struct gpuoa_mdapi_equation mdapi;
	char text[256];

	REQUIRE(!gpuoa_equation_to_mdapi(&equation, &mdapi, text, sizeof(text), error,
					 sizeof(error)));
	CHECK_STRING(mdapi.read, read);
	CHECK_STRING(mdapi.delta, delta);
	CHECK_STRING(mdapi.norm, norm);
}

static void offsets_match_report_format(void)
{
	check_stated("hsw", "RenderBasic", "EuActive", "dw@0xc", "DELTA 32",
		     "$Self 100 UMUL $$GpuCoreClocks $EuCoresTotalCount UMUL FDIV");
	check_stated("sklgt2", "RenderBasic", "EuActive", "rd40@0x2c:0xa7", "DELTA 40",
		     "$Self 100 UMUL $$GpuCoreClocks $EuCoresTotalCount UMUL FDIV");
	check_stated("sklgt2", "RenderBasic", "GpuCoreClocks", "dw@0xc", "DELTA 32", "");
	check_stated("sklgt2", "RenderBasic", "GpuTime", "dw@0x4", "NS_TIME",
		     "$Self 1000000000 UMUL $GpuTimestampFrequency UDIV");
	check_stated("bmg", "ComputeBasic", "GpuTime", "qw@0x8", "NS_TIME",
		     "$Self 10000 UMUL $GpuTimestampFrequency 100000 UDIV UDIV");
}

static int from_mdapi_of(const struct gpuoa_set *set, const char *read, const char *delta,
			 const char *norm, char *text, size_t size)
{
	const struct gpuoa_mdapi_equation mdapi = { .read = read, .delta = delta, .norm = norm };

	return gpuoa_equation_from_mdapi(set, &mdapi, text, size, error, sizeof(error));
}

static int from_mdapi(const char *read, const char *delta, const char *norm, char *text,
		      size_t size)
{
	return from_mdapi_of(find_set("sklgt2", "RenderBasic"), read, delta, norm, text, size);
}

static void check_read(const char *read, const char *delta, const char *norm, const char *expected)
{
	char text[256] = "";

	CHECK(from_mdapi(read, delta, norm, text, sizeof(text)) == (int)strlen(expected));
	CHECK_STRING(error, "");
	CHECK_STRING(text, expected);
}

static void mdapi_words_convert(void)
{
	char text[4];

	check_read("rd40@0x2c:0xa7", "DELTA 40", "", "A7");
	check_read("dw@224 dw@0xe4 UADD", "DELTA32", NULL, "C0 + C1");
	check_read("dw@0xe0 64 UMUL", "DELTA 32", "$Self $$GpuTime FDIV", "C0 * 64 / GpuTime");
	check_read("dw@0xe0", "DELTA 32", "$Self 100 FMUL $GpuCoreClocks FDIV",
		   "float(C0) * 100 / GpuCoreClocks");
	check_read("dw@0x4", "NS_TIME", "", "TIMESTAMP");
	check_read(NULL, NULL, "$$EuActive 0.5 FMUL", "EuActive * 0.5");
	check_read("", "", "$SubsliceMask 0x2 AND", "SubsliceMask & 2");
	check_read("", "", "$GpuCoreClocks 0x2 AND", "GpuCoreClocks & 2");
	check_read("dw@0xe0", "DELTA 32", "GpuDuration", "float(C0) * 100 / GpuCoreClocks");
	check_read("dw@0xe0", "DELTA 32", "EuAggrDuration",
		   "float(C0) * 100 / (GpuCoreClocks * EuCoresTotalCount)");
	check_read("", "", "1 2 ULT 3 4 UGTE OR", "1 < 2 or 3 >= 4");
	CHECK(from_mdapi("rd40@0x2c:0xa7 100 UMUL", "DELTA 40", "", text, sizeof(text)) == 8);
	CHECK_STRING(text, "A7 ");
	CHECK(from_mdapi("rd40@0x2c:0xa7 100 UMUL", "DELTA 40", "", NULL, 0) == 8);
}

static void check_norm(const char *norm, const char *expected)
{
	check_read("", "", norm, expected);
}

static void each_operator_converts(void)
{
	check_norm("6 4 UADD", "6 + 4");
	check_norm("6 4 USUB", "6 - 4");
	check_norm("6 4 UMUL", "6 * 4");
	check_norm("6 4 UDIV", "6 // 4");
	check_norm("6 4 UMIN", "min(6, 4)");
	check_norm("6 4 UMAX", "max(6, 4)");
	check_norm("6 4 AND", "6 & 4");
	check_norm("6 4 <<", "6 << 4");
	check_norm("6 4 >>", "6 >> 4");
	check_norm("6 4 FADD", "float(6) + 4");
	check_norm("6 4 FSUB", "float(6) - 4");
	check_norm("6 4 FMUL", "float(6) * 4");
	check_norm("6 4 FDIV", "6 / 4");
	check_norm("6 4 FMIN", "min(float(6), 4)");
	check_norm("6 4 FMAX", "max(float(6), 4)");
	check_norm("6 4 ==", "6 == 4");
	check_norm("6 4 &&", "6 and 4");
	check_norm("6 4 ULT", "6 < 4");
	check_norm("6 4 ULTE", "6 <= 4");
	check_norm("6 4 UGT", "6 > 4");
	check_norm("6 4 UGTE", "6 >= 4");
	check_norm("6 4 OR", "6 - (6 & 4) + 4");
	check_norm("6 4 XOR", "6 - (6 & 4) + (4 - (4 & 6))");
	check_norm("6 4 XNOR", "18446744073709551615 - (6 - (6 & 4) + (4 - (4 & 6)))");
	/* One real operand makes a real operation. */
	check_norm("1.5 4 FADD", "1.5 + 4");
	check_norm("6 1.5 FADD", "6 + 1.5");
	check_norm("6 4 FDIV 2 FADD", "6 / 4 + 2");
	/* "or" is used if both operands are truth values. */
	check_norm("1 2 ULT 3 4 == 5 6 && OR OR", "1 < 2 or (3 == 4 or 5 and 6)");
	check_norm("1 2 ULT 3 OR", "(1 < 2) - ((1 < 2) & 3) + 3");
	check_norm("3 1 2 ULT OR", "3 - (3 & (1 < 2)) + (1 < 2)");
	check_norm("1 2 ULT 3 UADD 1 2 ULT OR", "(1 < 2) + 3 - ((1 < 2) + 3 & (1 < 2)) + (1 < 2)");
}

/* A report of sklgt2 has a clock and 32-bit counters, of bmg 64-bit fields, of hsw no clock. */
static void reads_depend_on_report_format(void)
{
	const struct gpuoa_set *hsw = find_set("hsw", "RenderBasic");
	const struct gpuoa_set *bmg = find_set("bmg", "ComputeBasic");
	char text[256];

	check_read("dw@0xc", "DELTA 32", "", "CLOCK");
	check_read("dw@0xfc", "DELTA 32", "", "C7");
	check_read("dw@0xe0", "NS_TIME", "", "C0");
	check_read("dw@0x4", "DELTA 32", "", "TIMESTAMP");
	check_norm("$QueryMode", "QueryMode");
	check_norm("$$GpuTime\t2\r\nUMUL", "GpuTime * 2");
	CHECK(from_mdapi_of(bmg, "qw@0x8", "NS_TIME", "", text, sizeof(text)) > 0);
	CHECK_STRING(text, "TIMESTAMP");
	CHECK(from_mdapi_of(bmg, "qw@0x18", "DELTA 64", "", text, sizeof(text)) > 0);
	CHECK_STRING(text, "CLOCK");
	CHECK(from_mdapi_of(bmg, "qw@0x20", "DELTA 64", "EuAggrDuration", text, sizeof(text)) > 0);
	CHECK_STRING(text, "float(PEC0) * 100 / (GpuCoreClocks * VectorEngineTotalCount)");
	CHECK(from_mdapi_of(bmg, "qw@0x218", "DELTA 64", "", text, sizeof(text)) > 0);
	CHECK_STRING(text, "PEC63");
	CHECK(from_mdapi_of(hsw, "dw@0xc", "DELTA 32", "", text, sizeof(text)) > 0);
	CHECK_STRING(text, "A0");
	CHECK(from_mdapi_of(hsw, "dw@0x0", "DELTA 32", "", text, sizeof(text)) == -EOPNOTSUPP);
	CHECK_STRING(error, "read:1:1: 'dw@0x0': no counter of format A45_B8_C8 begins there");
	CHECK(from_mdapi_of(bmg, "dw@0x20", "DELTA 32", "", NULL, 0) == -EOPNOTSUPP);
	CHECK_STRING(error, "read:1:1: 'dw@0x20' reads a part of PEC0, which has 64 bits");
}

/* Macros of slices need a constant that only the definitions of users have. */
static void slice_macros_use_constant(void)
{
	static const char definition[] =
		"platform mine \"M\"\n"
		"constant GpuSliceClocksCount \"\"\nconstant EuCoresTotalCount \"\"\n"
		"set Set \"Set\" { uuid \"00000000-0000-4000-8000-000000000001\"\n"
		"format A32u40_A4u32_B8_C8\n"
		"metrics { metric M \"\" \"\" = C0 uint64 \"\" event } }\n";
	struct gpuoa_definitions *definitions = NULL;
	const struct gpuoa_set *set;
	char text[256] = "";

	if (!CHECK(!gpuoa_definitions_parse("mine", definition, sizeof(definition) - 1,
					    &definitions, error, sizeof(error))))
		printf("# %s\n", error);
	REQUIRE(definitions);
	set = gpuoa_platform_get_set(gpuoa_definitions_get_platform(definitions, 0), 0);
	CHECK(from_mdapi_of(set, "dw@0xe0", "DELTA 32", "GpuDurationSlice", text, sizeof(text)) >
	      0);
	CHECK_STRING(text, "C0 / GpuSliceClocksCount * 100");
	CHECK(from_mdapi_of(set, "dw@0xe0", "DELTA 32", "1.5 EuAggrDurationSlice FADD", text,
			    sizeof(text)) > 0);
	CHECK_STRING(text, "1.5 + C0 / (GpuSliceClocksCount * EuCoresTotalCount) * 100");
	gpuoa_definitions_free(definitions);
	CHECK(from_mdapi("dw@0xe0", "DELTA 32", "1 GpuDurationSlice UADD", NULL, 0) == -EINVAL);
	CHECK_STRING(error, "norm:1:3: '$GpuSliceClocksCount' is neither a constant nor a metric "
			    "of set RenderBasic");
}

/*
 * "$Name" is the difference of a metric before its normalization. The library has it only if it
 * equals the metric's value.
 */
static void difference_of_plain_metric_is_its_value(void)
{
	static const struct {
		const char *symbol;
		const char *equation;
		enum gpuoa_value_type type;
		bool plain;
	} metrics[] = {
		{ "Ticks", "TIMESTAMP", GPUOA_TYPE_UINT64, true },
		{ "Clocks", "CLOCK", GPUOA_TYPE_UINT64, true },
		{ "Events", "C0", GPUOA_TYPE_UINT64, true },
		{ "RealTicks", "TIMESTAMP", GPUOA_TYPE_FLOAT, false },
		{ "Sum", "C0 + C1", GPUOA_TYPE_UINT64, false },
		{ "Mask", "SubsliceMask", GPUOA_TYPE_UINT64, false },
		{ "Zero", "0", GPUOA_TYPE_UINT64, false },
	};
	const size_t count = sizeof(metrics) / sizeof(metrics[0]);
	struct gpuoa_definitions *definitions = NULL;
	struct gpuoa_custom *custom = NULL;
	char norm[32], text[32], expected[32];
	const struct gpuoa_set *set;

	REQUIRE(!gpuoa_custom_new(gpuoa_platform_find("sklgt2"), &custom));
	for (size_t i = 0; i < count; i++) {
		const struct gpuoa_metric_desc desc = { .symbol = metrics[i].symbol,
							.units = "events",
							.equation = metrics[i].equation,
							.type = metrics[i].type };

		CHECK(!gpuoa_custom_add_metric(custom, "RenderBasic", &desc, sizeof(desc), error,
					       sizeof(error)));
	}
	REQUIRE(!gpuoa_custom_build(custom, &definitions, error, sizeof(error)));
	set = gpuoa_platform_find_set(gpuoa_definitions_get_platform(definitions, 0), "RenderBasic",
				      NULL, NULL);
	for (size_t i = 0; i < count; i++) {
		const struct gpuoa_mdapi_equation mdapi = { .norm = norm };
		int n;

		snprintf(norm, sizeof(norm), "$%s 2 UMUL", metrics[i].symbol);
		snprintf(expected, sizeof(expected), "%s * 2", metrics[i].symbol);
		n = gpuoa_equation_from_mdapi(set, &mdapi, text, sizeof(text), error,
					      sizeof(error));
		if (metrics[i].plain)
			CHECK(n == (int)strlen(expected) && !strcmp(text, expected));
		else
			CHECK(n == -EOPNOTSUPP && strstr(error, "differences are not kept"));
	}
	gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);
}

static uint64_t value_of(const char *norm)
{
	struct gpuoa_constants *constants = usual(gpuoa_platform_find("sklgt2"));
	struct gpuoa_typed_value value = { .type = GPUOA_TYPE_FLOAT };
	struct gpuoa_equation equation;
	char text[1024];

	if (CHECK(from_mdapi("", "", norm, text, sizeof(text)) > 0) &&
	    CHECK(!gpuoa_equation_parse(find_set("sklgt2", "RenderBasic"), text, GPUOA_EQUATION_MAX,
					&equation, error, sizeof(error)))) {
		CHECK(!gpuoa_equation_evaluate(&equation, constants, NULL, NULL, &value));
		CHECK(value.type == GPUOA_TYPE_UINT64);
		gpuoa_equation_free(&equation);
	}
	gpuoa_constants_free(constants);
	return value.value.u64;
}

static void bitwise_operators_are_exact(void)
{
	static const uint64_t values[] = {
		0, 1, 6, 0xf0f0, 0x8000000000000001, UINT64_MAX, 0x5555555555555555
	};
	char norm[128];

	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		for (size_t k = 0; k < sizeof(values) / sizeof(values[0]); k++) {
			const unsigned long long a = values[i], b = values[k];

			snprintf(norm, sizeof(norm), "0x%llx 0x%llx OR", a, b);
			CHECK(value_of(norm) == (a | b));
			snprintf(norm, sizeof(norm), "0x%llx 0x%llx XOR", a, b);
			CHECK(value_of(norm) == (a ^ b));
			snprintf(norm, sizeof(norm), "0x%llx %llu XNOR", a, b);
			CHECK(value_of(norm) == ~(a ^ b));
		}
	}
	CHECK(value_of("12 10 OR 5 XOR 3 AND") == (((12 | 10) ^ 5) & 3));
}

static void custom_metric_may_use_mdapi_equation(void)
{
	const struct gpuoa_platform *platform = gpuoa_platform_find("sklgt2");
	struct gpuoa_metric_desc desc = { .symbol = "Mine",
					  .units = "percent",
					  .type = GPUOA_TYPE_FLOAT };
	struct gpuoa_definitions *definitions = NULL;
	struct gpuoa_custom *custom = NULL;
	char text[64];

	CHECK(from_mdapi("dw@0xe0", "DELTA 32", "GpuDuration", text, sizeof(text)) > 0);
	desc.equation = text;
	REQUIRE(!gpuoa_custom_new(platform, &custom));
	CHECK(!gpuoa_custom_add_metric(custom, "RenderBasic", &desc, sizeof(desc), error,
				       sizeof(error)));
	CHECK(!gpuoa_custom_build(custom, &definitions, error, sizeof(error)));
	CHECK_STRING(error, "");
	gpuoa_definitions_free(definitions);
	gpuoa_custom_free(custom);
}

/* ---- errors ---- */

/*
 * Parse words in random order. If parsing succeeds, the equation can be compiled; otherwise an
 * error is reported.
 */
static void random_words_never_crash(void)
{
	static const char *const words[] = {
		"dw@0xe0",
		"dw@0xe4",
		"rd40@0x2c:0xa7",
		"dw@",
		"rd40@:",
		"qw@0xf8",
		"$Self",
		"$$GpuTime",
		"$$",
		"$",
		"$EuActive",
		"$SubsliceMask",
		"GpuDuration",
		"EuAggrDuration",
		"1",
		"0x12345678",
		"0.5",
		"UADD",
		"UMUL",
		"FDIV",
		"FMAX",
		"OR",
		"XOR",
		"XNOR",
		"AND",
		"==",
		">>",
		"FGT",
		"&&",
		"USUB",
		"\t",
		"",
		"-1",
		"$QueryMode",
		"GpuDurationSlice",
	};
	const struct gpuoa_set *set = find_set("sklgt2", "RenderBasic");
	static char infix[65536];
	uint64_t state = 7;
	size_t good = 0;

	for (size_t i = 0; i < 20000; i++) {
		char text[2][512] = { "", "" };
		struct gpuoa_equation equation;
		int err;

		for (size_t k = 0; k < 2; k++) {
			for (size_t n = 1 + i % 24; n; n--) {
				state = state * 6364136223846793005 + 1442695040888963407;
				strcat(text[k],
				       words[(state >> 33) % (sizeof(words) / sizeof(words[0]))]);
				strcat(text[k], " ");
			}
		}
		err = from_mdapi(text[0], "DELTA 32", text[1], infix, sizeof(infix));
		if (err < 0) {
			CHECK(*error && (err == -EINVAL || err == -EOPNOTSUPP));
			continue;
		}
		good++;
		err = gpuoa_equation_parse(set, infix, GPUOA_EQUATION_MAX, &equation, error,
					   sizeof(error));
		if (!CHECK(!err || strstr(error, "QueryMode")))
			printf("# %s| %s| %s: %s\n", text[0], text[1], infix, error);
		if (!err)
			gpuoa_equation_free(&equation);
	}
	CHECK(good > 10);
}

static void nested_bitwise_operators_are_limited(void)
{
	char norm[512] = "1";

	for (size_t i = 0; i < 40; i++)
		strcat(norm, " 2 XOR");
	CHECK(from_mdapi("", "", norm, NULL, 0) == -EINVAL);
	CHECK(strstr(error, "this equation has more than 512 operands and operators"));
}

/* Append @count times " 1 " and an operator. */
static void repeat(char *text, size_t count, const char *operator)
{
	for (size_t i = 0; i < count; i++) {
		strcat(text, " 1 ");
		strcat(text, operator);
	}
}

/* Equations have up to 512 operands and operators, and up to 16 intermediate values. */
static void equations_up_to_the_limits_convert(void)
{
	char norm[4096] = "1";

	repeat(norm, 255, "UADD");
	CHECK(from_mdapi("", "", norm, NULL, 0) > 0); /* 511 */
	strcat(norm, " 1 UADD");
	CHECK(from_mdapi("", "", norm, NULL, 0) == -EINVAL);
	CHECK_STRING(error, "norm:1:1790: this equation has more than 512 operands and operators");
	strcpy(norm, "1 1 FADD"); /* with a conversion: 4 */
	repeat(norm, 254, "FADD");
	CHECK(from_mdapi("", "", norm, NULL, 0) > 0); /* 512 */
	strcat(norm, " 1 FADD");
	CHECK(from_mdapi("", "", norm, NULL, 0) == -EINVAL);
	strcpy(norm, "1");
	repeat(norm, 15, "");
	for (size_t i = 0; i < 15; i++)
		strcat(norm, " UADD");
	CHECK(from_mdapi("", "", norm, NULL, 0) > 0);
	strcpy(norm, "1");
	repeat(norm, 16, "");
	CHECK(from_mdapi("", "", norm, NULL, 0) == -EINVAL);
	CHECK_STRING(error, "norm:1:48: this equation needs more than 16 intermediate values");
}

static void check_refused(int err, const char *read, const char *delta, const char *norm,
			  const char *expected)
{
	CHECK(from_mdapi(read, delta, norm, NULL, 0) == err);
	CHECK_STRING(error, expected);
}

/* A word of an MDAPI equation has at most 63 characters. */
#define A48 "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

static void errors_have_position(void)
{
	check_refused(-EINVAL, "dw@0xe0", "DELTA 32", "$Self  $$Nothing UADD",
		      "norm:1:8: '$$Nothing' is no metric of set RenderBasic");
	check_refused(-EINVAL, "dw@0xe0", "DELTA 32", "$Nothing",
		      "norm:1:1: '$Nothing' is neither a constant nor a metric of set RenderBasic");
	check_refused(-EINVAL, "dw@0xe0 UADD", "DELTA 32", "", "read:1:9: UADD lacks an operand");
	check_refused(-EINVAL, "dw@0xe0 dw@0xe4", "DELTA 32", "",
		      "read:1:16: expected an operator: 2 values are left");
	check_refused(-EINVAL, "dw@0x100", "DELTA 32", "",
		      "read:1:1: 'dw@0x100' is beyond the 256 bytes of format A32u40_A4u32_B8_C8");
	check_refused(-EINVAL, "dw@x", "DELTA 32", "", "read:1:1: 'dw@x' has no offset");
	check_refused(-EINVAL, "rd40@0x2c:x", "DELTA 40", "",
		      "read:1:1: 'rd40@0x2c:x' has no offset");
	check_refused(-EINVAL, "rd40@0x2c:1.5", "DELTA 40", "",
		      "read:1:1: 'rd40@0x2c:1.5' has no offset");
	check_refused(-EINVAL, "rd40@1.5:0xa7", "DELTA 40", "",
		      "read:1:1: 'rd40@1.5:0xa7' has no offset");
	check_refused(-EINVAL, "$$GpuTime", "", "",
		      "read:1:1: '$$GpuTime': the read equation has no values of metrics");
	check_refused(-EINVAL, "", "", "1 $Self UADD",
		      "norm:1:3: '$Self' is what a read equation gives, and here is none");
	check_refused(-EINVAL, "", "", "UADD", "norm:1:1: UADD lacks an operand");
	check_refused(-EINVAL, "dw@0xe0", "DELTA 99", "",
		      "delta:1:1: 'DELTA 99' is no delta function");
	check_refused(-EINVAL, "$Self", "", "",
		      "read:1:1: '$Self' is what a read equation gives, and here is none");
	check_refused(-EINVAL, "dw@0xe0", "DELTA 32", "dw@0xe0",
		      "norm:1:1: 'dw@0xe0': only the read equation reads reports");
	check_refused(-EINVAL, "1 2 UPOW", "", "", "read:1:5: 'UPOW' is no word of an equation");
	check_refused(-EINVAL, "", "", " ", "norm:1:2: there is no equation");
	check_refused(-EINVAL, "", "", A48 "123456789012345",
		      "norm:1:1: '" A48 "123456789012345' is no word of an equation");
	check_refused(-EINVAL, "", "", A48 "1234567890123456",
		      "norm:1:1: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA...' is no word of an "
		      "equation");
}

static void unsupported_mdapi_returns_eopnotsupp(void)
{
	check_refused(-EOPNOTSUPP, "dw@0x2c", "DELTA 32", "",
		      "read:1:1: 'dw@0x2c' reads a part of A7, which has 40 bits");
	check_refused(-EOPNOTSUPP, "rd40@0x2c:0xa8", "DELTA 40", "",
		      "read:1:1: 'rd40@0x2c:0xa8' reads a part of A7, which has 40 bits");
	check_refused(-EOPNOTSUPP, "rd40@0x2c", "DELTA 40", "",
		      "read:1:1: 'rd40@0x2c' reads a part of A7, which has 40 bits");
	check_refused(-EOPNOTSUPP, "qw@0x2c", "DELTA 40", "",
		      "read:1:1: 'qw@0x2c' reads a part of A7, which has 40 bits");
	check_refused(-EOPNOTSUPP, "dw@0xe0:0x1", "DELTA 32", "",
		      "read:1:1: 'dw@0xe0:0x1' reads a part of C0, which has 32 bits");
	check_refused(-EOPNOTSUPP, "rd40@0x2c:0xa7", "NS_TIME", "",
		      "read:1:1: A7 has 40 bits: no other delta function than DELTA 40");
	check_refused(-EOPNOTSUPP, "dw@0xe0", "DELTA 31", "",
		      "read:1:1: C0 has 32 bits: no other delta function than DELTA 32");
	check_refused(-EOPNOTSUPP, "dw@0xe0", "", "",
		      "read:1:1: C0 has 32 bits: no other delta function than DELTA 32");
	check_refused(-EOPNOTSUPP, "dw@0xe0", "LAST", "",
		      "read:1:1: C0 has 32 bits: no other delta function than DELTA 32");
	check_refused(-EOPNOTSUPP, "dw@0x8", "DELTA 32", "",
		      "read:1:1: 'dw@0x8': no counter of format A32u40_A4u32_B8_C8 begins there");
	check_refused(-EOPNOTSUPP, "1 bm@0x0:19:6 UADD", "LAST", "",
		      "read:1:3: 'bm@0x0:19:6': equations have no bm@");
	check_refused(-EOPNOTSUPP, "", "", "1 prev$$GpuTime UADD",
		      "norm:1:3: 'prev$$GpuTime': equations have no prev$$");
	check_refused(-EOPNOTSUPP, "", "", "1 2 FGT", "norm:1:5: FGT: only integers are compared");
	check_refused(-EOPNOTSUPP, "", "", "1 2 FLT", "norm:1:5: FLT: only integers are compared");
	check_refused(-EOPNOTSUPP, "", "", "1 2 FGTE",
		      "norm:1:5: FGTE: only integers are compared");
	check_refused(-EOPNOTSUPP, "", "", "1 2 FLTE",
		      "norm:1:5: FLTE: only integers are compared");
	check_refused(-EOPNOTSUPP, "", "", "1 2.5 UADD",
		      "norm:1:7: UADD cuts the fraction of an operand off");
	check_refused(-EOPNOTSUPP, "", "", "2.5 1 ULT",
		      "norm:1:7: ULT cuts the fraction of an operand off");
	check_refused(-EOPNOTSUPP, "", "", "$$EuActive 1 OR",
		      "norm:1:14: OR cuts the fraction of an operand off");
	check_refused(-EOPNOTSUPP, "", "", "6 4 FMIN 1 UADD",
		      "norm:1:12: UADD cuts the fraction of an operand off");
	check_refused(-EOPNOTSUPP, "", "", "$EuActive",
		      "norm:1:1: '$EuActive': differences are not kept; '$$EuActive' is the "
		      "metric's value");
	check_refused(-EOPNOTSUPP, "dw@0xe0", "DELTA 32", "GpuDuration 2 FMUL",
		      "norm:1:1: 'GpuDuration' must stand alone");
	check_refused(-EOPNOTSUPP, "dw@0xe0", "DELTA 32", "2 EuAggrDuration",
		      "norm:1:3: 'EuAggrDuration' must stand alone");
}

static void check_not_stated(const char *text, const char *expected)
{
	const struct gpuoa_set *set = find_set("sklgt2", "RenderBasic");
	struct gpuoa_mdapi_equation mdapi;
	struct gpuoa_equation equation;
	char room[128];

	REQUIRE(!gpuoa_equation_parse(set, text, GPUOA_EQUATION_VALUE, &equation, error,
				      sizeof(error)));
	CHECK(gpuoa_equation_to_mdapi(&equation, &mdapi, room, sizeof(room), error,
				      sizeof(error)) == -EOPNOTSUPP);
	CHECK_STRING(error, expected);
	gpuoa_equation_free(&equation);
}

static void unsupported_equation_returns_eopnotsupp(void)
{
	check_not_stated("A7 + C0", "MDAPI has one delta function for all that is read: there are "
				    "counters of 40 bits and of 32");
	check_not_stated("C0 + A7", "MDAPI has one delta function for all that is read: there are "
				    "counters of 32 bits and of 40");
	check_not_stated("A7 * GpuTime + A8", "MDAPI makes one difference of reports: there are "
					      "metrics between the counters of this equation");
}

/*
 * The read equation is the smallest part that has all reads; the rest uses it as $Self, also
 * several times.
 */
static void equations_are_split_at_the_reads(void)
{
	static const struct {
		const char *text, *read, *delta, *norm;
	} cases[] = {
		{ "CLOCK", "dw@0xc", "DELTA 32", "" },
		{ "TIMESTAMP * 3", "dw@0x4", "NS_TIME", "$Self 3 UMUL" },
		{ "TIMESTAMP + C0", "dw@0x4 dw@0xe0 UADD", "DELTA 32", "" },
		{ "C0 + TIMESTAMP", "dw@0xe0 dw@0x4 UADD", "DELTA 32", "" },
		{ "A7 + A8", "rd40@0x2c:0xa7 rd40@0x30:0xa8 UADD", "DELTA 40", "" },
		{ "1 + C0", "dw@0xe0", "DELTA 32", "1 $Self UADD" },
		{ "C0 + C0", "dw@0xe0", "DELTA 32", "$Self $Self UADD" },
		{ "C0 * 4294967295", "dw@0xe0", "DELTA 32", "$Self 4294967295 UMUL" },
		{ "C0 * 18446744073709551615", "dw@0xe0", "DELTA 32",
		  "$Self 18446744073709551615 UMUL" },
		{ "C0 / 1.5", "dw@0xe0", "DELTA 32", "$Self 1.5 FDIV" },
		{ "min(C0, 3) - max(C0, 4)", "dw@0xe0", "DELTA 32",
		  "$Self 3 UMIN $Self 4 UMAX USUB" },
		{ "SubsliceMask & 3", "", "", "$SubsliceMask 3 AND" },
		{ "GpuTime < 3 or GpuTime >= 5", "", "",
		  "$$GpuTime 3 ULT $$GpuTime 5 UGTE OR 0 UGT" },
		{ "GpuTime <= 3 and GpuTime > 5", "", "", "$$GpuTime 3 ULTE $$GpuTime 5 UGT &&" },
		{ "GpuTime != 3", "", "", "$$GpuTime 3 == 0 ==" },
		{ "GpuTime << 3 >> 1 // 2", "", "", "$$GpuTime 3 << 1 2 UDIV >>" },
		{ "C0 * GpuTime + C0", "dw@0xe0", "DELTA 32", "$Self $$GpuTime UMUL $Self UADD" },
		{ "(C0 + C1) * GpuTime - (C0 + C1)", "dw@0xe0 dw@0xe4 UADD", "DELTA 32",
		  "$Self $$GpuTime UMUL $Self USUB" },
		{ "C0 * 0.5 + float(C1)", "dw@0xe0 0.5 FMUL dw@0xe4 FADD", "DELTA 32", "" },
	};
	const struct gpuoa_set *set = find_set("sklgt2", "RenderBasic");

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct gpuoa_mdapi_equation mdapi;
		struct gpuoa_equation equation;
		char room[128];

		if (!CHECK(!gpuoa_equation_parse(set, cases[i].text, GPUOA_EQUATION_VALUE,
						 &equation, error, sizeof(error)))) {
			printf("# %s: %s\n", cases[i].text, error);
			continue;
		}
		CHECK(!gpuoa_equation_to_mdapi(&equation, &mdapi, room, sizeof(room), error,
					       sizeof(error)));
		CHECK_STRING(mdapi.read, cases[i].read);
		CHECK_STRING(mdapi.delta, cases[i].delta);
		CHECK_STRING(mdapi.norm, cases[i].norm);
		gpuoa_equation_free(&equation);
	}
}

static void short_buffer_returns_enospc(void)
{
	const struct gpuoa_set *set = find_set("hsw", "RenderBasic");
	const struct gpuoa_metric *metric = gpuoa_set_find_metric(set, "GpuTime");
	struct gpuoa_equation equation = gpuoa_metric_equation(metric, GPUOA_EQUATION_VALUE);
	static const char texts[] = "dw@0x4\0NS_TIME\0"
				    "$Self 1000000000 UMUL $GpuTimestampFrequency UDIV";
	struct gpuoa_equation_element element;
	struct gpuoa_mdapi_equation mdapi;
	char text[sizeof(texts)];

	for (size_t size = 0; size < sizeof(texts); size++)
		CHECK(gpuoa_equation_to_mdapi(&equation, &mdapi, size ? text : NULL, size, error,
					      sizeof(error)) == -ENOSPC);
	CHECK(!gpuoa_equation_to_mdapi(&equation, &mdapi, text, sizeof(text), NULL, 0));
	CHECK(!memcmp(text, texts, sizeof(texts)));
	equation = gpuoa_metric_equation(metric, GPUOA_EQUATION_AVAILABILITY);
	CHECK(gpuoa_equation_to_mdapi(&equation, &mdapi, text, sizeof(text), error,
				      sizeof(error)) == -ENOENT);
	CHECK_STRING(error, "the equation is empty");
	equation = gpuoa_info_equation(set, gpuoa_set_find_info(set, "ReportId"));
	CHECK(gpuoa_equation_to_mdapi(&equation, &mdapi, text, sizeof(text), error,
				      sizeof(error)) == -EOPNOTSUPP);
	CHECK_STRING(error, "it is of an information item, which reads one report");
	equation = gpuoa_metric_equation(metric, GPUOA_EQUATION_VALUE);
	CHECK(gpuoa_equation_next(&equation, &element, sizeof(element)));
	CHECK(gpuoa_equation_to_mdapi(&equation, &mdapi, text, sizeof(text), error,
				      sizeof(error)) == -EINVAL);
	CHECK_STRING(error, "a part of the equation has been taken");
}

int main(void)
{
	RUN(all_metrics_round_trip);
	RUN(offsets_match_report_format);
	RUN(mdapi_words_convert);
	RUN(each_operator_converts);
	RUN(reads_depend_on_report_format);
	RUN(slice_macros_use_constant);
	RUN(difference_of_plain_metric_is_its_value);
	RUN(bitwise_operators_are_exact);
	RUN(custom_metric_may_use_mdapi_equation);
	RUN(random_words_never_crash);
	RUN(nested_bitwise_operators_are_limited);
	RUN(equations_up_to_the_limits_convert);
	RUN(errors_have_position);
	RUN(unsupported_mdapi_returns_eopnotsupp);
	RUN(unsupported_equation_returns_eopnotsupp);
	RUN(equations_are_split_at_the_reads);
	RUN(short_buffer_returns_enospc);
	return tap_end();
}
