// SPDX-License-Identifier: MIT
/* evaluate_test.c - Test the exact evaluation of single equations, with integers of 128 bits. */
#include <errno.h>
#include <math.h>

#include "fixture.h"
#include "metadata/evaluate.h"
#include "report/format.h"
#include "table/table.h"
#include "tap.h"

#define MAX UINT64_MAX

/* Counters A0 to A3, and the other operands */
static const uint64_t counters[COUNTER_COUNT] = { MAX, 7, 100, 3 };
static const union number metrics[] = { { .integer = 21 }, { .real = 2.5 } };

static struct fixture fixture;
static struct gpuoa_constants *constants;

/* Compile a set of the metrics INT (21), REAL (2.5), and M, of which this is the equation. */
static const uint32_t *compile(const char *equation)
{
	const struct gpuoa_set *set;
	char text[1024];

	snprintf(text, sizeof(text),
		 "platform t \"T\" constant K \"-\" constant L \"-\" constant N \"-\"\n"
		 "metric INT \"-\" \"-\" = A1 uint64 x event\n"
		 "metric REAL \"-\" \"-\" = A1 * 0.5 float x event\n"
		 "metric M \"-\" \"-\" = %s x event\n"
		 "set S \"Set\" { uuid \"00000000-0000-4000-8000-000000000001\" "
		 "format A32u40_A4u32_B8_C8 metrics { INT REAL M } }\n",
		 equation);
	constants = NULL;
	if (fixture_compile(&fixture, text)) {
		printf("# %s\n", fixture.diagnostic.text);
		return NULL;
	}
	set = gpuoa_platform_get_set(fixture_platform(&fixture), 0);
	if (gpuoa_constants_new(fixture_platform(&fixture), &constants) ||
	    gpuoa_constants_set(constants, "K", 5) || gpuoa_constants_set(constants, "L", 0))
		return NULL;
	return table_follow(&set_metrics(set)[2].equation);
}

/* The condition of metric M */
static const uint32_t *compile_condition(const char *condition)
{
	const struct gpuoa_set *set;
	char equation[256];

	snprintf(equation, sizeof(equation),
		 "A0 uint64 x event if %s\nmetric Z \"-\" \"-\" = A0 uint64", condition);
	if (!compile(equation))
		return NULL;
	set = gpuoa_platform_get_set(fixture_platform(&fixture), 0);
	return table_follow(&set_metrics(set)[2].availability);
}

static void release(void)
{
	gpuoa_constants_free(constants);
	fixture_free(&fixture);
}

static struct evaluation usual(void)
{
	return (struct evaluation){
		.constants = constants,
		.counters = counters,
		.timestamp = 1000,
		.clock = 2000,
		.report_id = 3000,
		.context_id = 4000,
		.metrics = metrics,
	};
}

static void integers_have_128_bits_and_saturate(void)
{
	static const struct {
		const char *equation;
		uint64_t expected;
	} all[] = {
		{ "A0 + A1", MAX }, /* clamped to 64 bits */
		{ "(A0 + A0) // 2", MAX },
		{ "(A0 + 1) // 4", 1ull << 62 },
		{ "A0 * A0 // A0", MAX },
		{ "A0 * A0 * A0 // A0 // A0", 1 }, /* (2^128 - 1) / (2^64 - 1) = 2^64 + 1 */
		{ "(A0 * A0 + A0 * A0 + A0 * A0) // A0 // A0", 1 },
		{ "A1 * A2 // A3", 233 },
		{ "(A0 + A0) * 3 // 6", MAX },
		{ "3 * (A0 + A0) // 6", MAX },
		{ "(A0 + 1) * (A0 + 1) // (A0 + 1)", MAX },
		{ "(A0 + 9) // (A0 + 2)", 1 },
		{ "A1 // (A0 + 2)", 0 },
		{ "A1 // (A1 - A1)", 0 },
		{ "(A0 + A0) // (A1 - A1)", 0 },
		{ "A2 - A1", 93 },
		{ "A1 - A1", 0 },
		{ "A1 - A2", 0 },
		{ "A0 + A1 - A0", 7 },
		{ "min(A1, A2)", 7 },
		{ "min(A2, A1)", 7 },
		{ "max(A1, A2)", 100 },
		{ "max(A2, A1)", 100 },
		{ "min(A0 + A0, A1)", 7 },
		{ "A0 & 12", 12 },
		{ "A1 & 12", 4 },
		{ "A1 << 1", 14 },
		{ "A1 << 62", 3ull << 62 },
		{ "A1 << 63", 1ull << 63 },
		{ "A1 << 64", 0 },
		{ "A1 << 4294967296", 0 },
		{ "(A0 + A0) << 1", MAX - 3 }, /* of the lower 64 bits, 2^64 - 2 */
		{ "A2 >> 2", 25 },
		{ "A0 >> 63", 1 },
		{ "A0 >> 64", 0 },
		{ "A0 * A0 >> 63 >> 3", (1ull << 62) - 1 },
		{ "A0 * A0 >> 64", 0 },
		{ "A0 * A0 >> 4294967296", 0 },
		{ "A1 == A1", 1 },
		{ "A1 == A2", 0 },
		{ "A1 != A1", 0 },
		{ "A1 != A2", 1 },
		{ "A1 < A2", 1 },
		{ "A1 < A1", 0 },
		{ "A2 < A1", 0 },
		{ "A1 <= A2", 1 },
		{ "A1 <= A1", 1 },
		{ "A2 <= A1", 0 },
		{ "A1 > A2", 0 },
		{ "A1 > A1", 0 },
		{ "A2 > A1", 1 },
		{ "A1 >= A2", 0 },
		{ "A1 >= A1", 1 },
		{ "A2 >= A1", 1 },
		{ "A1 and A2", 1 },
		{ "A1 and A4", 0 },
		{ "A4 and A1", 0 },
		{ "A1 or A4", 1 },
		{ "A4 or A1", 1 },
		{ "A4 or A5", 0 },
		{ "A0 * 1.5", MAX },
		{ "A1 * 0.25", 1 },
		{ "A1 - 7.5", 0 }, /* negative */
		{ "A1 / A4", 0 },
		{ "A1 / A2 * A2", 7 },
		{ "A1 + 1.5 + A1", 15 },
		{ "max(A1 * 0.5, A3)", 3 },
		{ "min(A1 * 0.5, A3)", 3 },
		{ "18446744073709551615", MAX },
		{ "16777215", 16777215 },
		{ "TIMESTAMP + K + L", 1005 },
		{ "CLOCK + A1", 2007 },
		{ "INT + A1", 28 },
		{ "REAL * 4", 10 },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		char equation[128];
		const uint32_t *code;
		struct evaluation evaluation;

		snprintf(equation, sizeof(equation), "%s uint64", all[i].equation);
		code = compile(equation);
		REQUIRE(code);
		evaluation = usual();
		if (!CHECK(evaluate(code, &evaluation, GPUOA_TYPE_UINT64).integer ==
			   all[i].expected))
			printf("# %s is %llu\n", all[i].equation,
			       (unsigned long long)evaluate(code, &evaluation, GPUOA_TYPE_UINT64)
				       .integer);
		release();
	}
}

static void reals_are_doubles(void)
{
	static const struct {
		const char *equation;
		double expected;
	} all[] = {
		{ "A1", 7 },
		{ "A0 + 1", 0x1p64 },
		{ "A0 * A0 * A0", 0x1p128 }, /* saturated */
		{ "A1 / A2", 0.07 },
		{ "A1 / A4", 0 },
		{ "A1 / (A1 - 7.0)", 0 },
		{ "A1 - 7.5", -0.5 },
		{ "A1 + 0.5", 7.5 },
		{ "0.5 + A1", 7.5 },
		{ "min(A1, 0.5)", 0.5 },
		{ "max(A1, 0.5)", 7 },
		{ "REAL + INT", 23.5 },
		{ "float(A1 // 2) / 2", 1.5 },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		char equation[128];
		const uint32_t *code;
		struct evaluation evaluation;

		snprintf(equation, sizeof(equation), "%s float", all[i].equation);
		code = compile(equation);
		REQUIRE(code);
		evaluation = usual();
		if (!CHECK(evaluate(code, &evaluation, GPUOA_TYPE_FLOAT).real == all[i].expected))
			printf("# %s is %g\n", all[i].equation,
			       evaluate(code, &evaluation, GPUOA_TYPE_FLOAT).real);
		release();
	}
}

static void information_items_use_the_header(void)
{
	static const char text[] = "platform t \"T\"\n"
				   "info I0 \"-\" \"-\" = TIMESTAMP uint64 x raw\n"
				   "info I1 \"-\" \"-\" = CLOCK uint64 x raw\n"
				   "info I2 \"-\" \"-\" = REPORT_ID + 1 uint64 x raw\n"
				   "info I3 \"-\" \"-\" = CONTEXT_ID + 1 uint64 x raw\n"
				   "metric M \"-\" \"-\" = A0 uint64 x event\n"
				   "set S \"Set\" { uuid \"00000000-0000-4000-8000-000000000001\" "
				   "format A32u40_A4u32_B8_C8 metrics { M } }\n";
	static const uint64_t expected[] = { 1000, 2000, 3001, 4001 };
	const struct evaluation evaluation = usual();
	const struct gpuoa_set *set;

	REQUIRE(!fixture_compile(&fixture, text));
	set = gpuoa_platform_get_set(fixture_platform(&fixture), 0);
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
		CHECK(evaluate(table_follow(&set_infos(set)[i].equation), &evaluation,
			       GPUOA_TYPE_UINT64)
			      .integer == expected[i]);
	fixture_free(&fixture);
}

/* Without a list of operands, they are 0. */
static void missing_operands_are_0(void)
{
	static const char *const equations[] = { "A0 uint64", "K uint64", "INT uint64",
						 "REAL float", "TIMESTAMP uint64" };

	for (size_t i = 0; i < sizeof(equations) / sizeof(equations[0]); i++) {
		const uint32_t *code = compile(equations[i]);
		const struct evaluation nothing = { 0 };
		struct evaluation evaluation;

		REQUIRE(code);
		evaluation = usual();
		CHECK(evaluate(code, &nothing, GPUOA_TYPE_UINT64).integer == 0);
		CHECK(evaluate(code, &evaluation, GPUOA_TYPE_UINT64).integer > 0);
		release();
	}
}

static void value_is_valid_without_division_by_zero(void)
{
	static const struct {
		const char *equation;
		bool integer; /* whether metric INT is valid */
		bool real;
		bool expected;
	} all[] = {
		{ "A0 uint64", false, false, true },
		{ "A0 // A1 uint64", false, false, true },
		{ "A0 // A4 uint64", true, true, false },
		{ "A0 // A4 + 1 uint64", true, true, false },
		{ "A4 // A1 uint64", true, true, true },
		{ "A0 / A1 float", true, true, true },
		{ "A0 / A4 float", true, true, false },
		{ "A4 / A1 float", true, true, true },
		{ "A0 / (A1 * 0.0) float", true, true, false },
		{ "INT uint64", true, false, true },
		{ "INT uint64", false, true, false },
		{ "INT + A0 uint64", false, true, false },
		{ "REAL float", true, false, false },
		{ "REAL float", false, true, true },
		{ "A4 * A4 uint64", true, true, true },
		{ "A4 * 0.5 float", true, true, true },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		const bool valid[] = { all[i].integer, all[i].real };
		const uint32_t *code = compile(all[i].equation);
		struct evaluation evaluation;

		REQUIRE(code);
		evaluation = usual();
		evaluation.valid = valid;
		if (!CHECK(evaluate_valid(code, &evaluation) == all[i].expected))
			printf("# %s\n", all[i].equation);
		evaluation.valid = NULL;
		CHECK(evaluate_valid(code, &evaluation) ==
		      (all[i].expected || !all[i].integer || !all[i].real));
		release();
	}
}

static void conditions_need_their_constants(void)
{
	static const struct {
		const char *condition;
		int expected; /* with K = 5, L = 0, and without a value of N */
		bool queries; /* true in queries */
	} all[] = {
		{ "K", 1, true },
		{ "L", 0, false },
		{ "N", -ENOENT, false },
		{ "K or N", -ENOENT, false },
		{ "N and K", -ENOENT, false },
		{ "K == 5 and L == 0", 1, true },
		{ "K and QueryMode", 0, true },
		{ "K > 5", 0, false },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		const uint32_t *code = compile_condition(all[i].condition);
		bool missing[3] = { false };
		bool lacks;

		REQUIRE(code);
		CHECK(evaluate_condition(code, constants) == all[i].expected);
		lacks = evaluate_lacks_constants(code, constants, missing);
		CHECK(lacks == (all[i].expected < 0));
		CHECK(evaluate_lacks_constants(code, constants, NULL) == lacks);
		CHECK(!missing[0] && !missing[1] && missing[2] == lacks);
		CHECK(!gpuoa_constants_set(constants, "QueryMode", GPUOA_QUERY_RENDER));
		if (!lacks)
			CHECK(evaluate_condition(code, constants) == all[i].queries);
		CHECK(evaluate_condition(code, NULL) == -ENOENT);
		release();
	}
}

static void query_mode_is_0_without_constants(void)
{
	const uint32_t *code = compile_condition("QueryMode");

	REQUIRE(code);
	CHECK(evaluate_condition(code, NULL) == 0);
	CHECK(evaluate_condition(code, constants) == 0);
	CHECK(!gpuoa_constants_set(constants, "QueryMode", GPUOA_QUERY_GLOBAL));
	CHECK(evaluate_condition(code, constants) == 1);
	release();
}

int main(void)
{
	RUN(integers_have_128_bits_and_saturate);
	RUN(reals_are_doubles);
	RUN(information_items_use_the_header);
	RUN(missing_operands_are_0);
	RUN(value_is_valid_without_division_by_zero);
	RUN(conditions_need_their_constants);
	RUN(query_mode_is_0_without_constants);
	return tap_end();
}
