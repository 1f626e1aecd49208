// SPDX-License-Identifier: MIT
/*
 * op_chain_test.c - Compare the small-delta fast path and op chains of each instruction set with
 * plain arithmetic.
 */
#include <string.h>

#include "calc/columns/small_delta.h"
#include "calc/columns/op_chain.h"
#include "fixture.h"
#include "tap.h"

static const char *const names[] = { "plain", "sse2", "avx2", "avx512" };

#define KINDS (sizeof(names) / sizeof(names[0]))

/* Instruction sets that this processor supports */
#define FOR_EACH_KIND(ops)                          \
	for (size_t kind = 0; kind < KINDS; kind++) \
		for (const struct vector_ops *ops = vector_ops_get(names[kind]); ops; ops = NULL)

#define SMALL ((1u << SMALL_DELTA_BITS) - 1)

/* ---- small-delta fast path: one cache line, which consists of four quads ---- */

#define QUADS (LANE_BLOCK / QUAD_DWORDS)

static uint32_t reports[1 + COLUMN_ROWS][LANE_BLOCK];
static struct lane lanes[LANE_BLOCK];
static _Alignas(64) uint32_t totals[LANE_BLOCK], least[LANE_BLOCK], largest[LANE_BLOCK];
static struct small_delta_rules rules;

static bool load(const struct vector_ops *ops, const struct small_delta_quad *quads, bool bounds)
{
	struct small_delta_reports batch = {
		.first = (const char *)reports[1],
		.before = (const char *)reports[0],
		.next = (const char *)reports[0],
		.size = sizeof(reports[0]),
	};
	const struct small_delta_request request = {
		.quads = quads,
		.quad_count = QUADS,
		.rules = &rules,
		.lanes = lanes,
		.batch = { totals, least, largest },
	};

	memset(lanes, 0, sizeof(lanes));
	return bounds ? ops->small_delta->load_bounds(&request, &batch) :
			ops->small_delta->load(&request, &batch);
}

/* Load the dwords of a batch. @turned: bit mask of the quads to transpose */
static bool load_some(const struct vector_ops *ops, unsigned int turned, bool bounds)
{
	struct small_delta_quad quads[QUADS];

	for (size_t i = 0; i < QUADS; i++)
		quads[i] = (struct small_delta_quad){
			.offset = i * QUAD_DWORDS * sizeof(uint32_t),
			.lane = i * QUAD_DWORDS,
			.turn = turned >> i & 1,
		};
	return load(ops, quads, bounds);
}

static uint32_t difference(size_t row, size_t i)
{
	return reports[1 + row][i] - reports[row][i];
}

/* Fill the reports: the dwords under test have small differences, all others random values. */
static void fill_reports(uint64_t *state)
{
	for (size_t row = 0; row <= COLUMN_ROWS; row++)
		for (size_t i = 0; i < LANE_BLOCK; i++) {
			uint32_t random = (uint32_t)fixture_random(state);

			reports[row][i] = row && i & 1 ? reports[row - 1][i] + random % 1000 :
							 random;
		}
}

static void check_lanes(unsigned int turned, bool bounds)
{
	for (size_t i = 0; i < LANE_BLOCK; i++) {
		uint32_t lowest = UINT32_MAX, highest = 0;

		for (size_t row = 0; row < COLUMN_ROWS; row++) {
			const uint32_t is = difference(row, i);

			CHECK(lanes[i].dwords[LANE_FIRST + row] ==
			      (turned >> i / QUAD_DWORDS & 1 ? is : 0));
			lowest = is < lowest ? is : lowest;
			highest = is > highest ? is : highest;
		}
		CHECK(totals[i] == reports[COLUMN_ROWS][i] - reports[0][i]);
		CHECK(!bounds || (least[i] == lowest && largest[i] == highest));
	}
}

static void load_computes_differences_by_quads(void)
{
	uint64_t state = 41;

	memset(&rules, 0, sizeof(rules));
	for (unsigned int turned = 0; turned < 1 << QUADS; turned++) {
		fill_reports(&state);
		FOR_EACH_KIND(ops)
		for (int bounds = 0; bounds < 2; bounds++) {
			CHECK(load_some(ops, turned, bounds));
			check_lanes(turned, bounds);
		}
	}
}

/* Set dword @i to @first in all rows up to @at, and to @first + @step in all later rows. */
static void fill_dword(size_t i, uint32_t first, uint32_t step, size_t at)
{
	for (size_t row = 0; row <= COLUMN_ROWS; row++)
		reports[row][i] = first + (row > at ? step : 0);
}

static bool has_small_deltas(const struct vector_ops *ops, size_t i, bool zero, bool rising,
			     bool turned)
{
	bool small_delta;

	memset(&rules, 0, sizeof(rules));
	rules.zero[i] = zero ? UINT32_MAX << SMALL_DELTA_BITS : 0;
	rules.rising[i] = rising ? UINT32_MAX : 0;
	small_delta = load_some(ops, turned ? -1u : 0, false);
	CHECK(load_some(ops, turned ? -1u : 0, true) == small_delta);
	return small_delta;
}

static void check_rules(const struct vector_ops *ops, size_t i, size_t at)
{
	const bool turned = (i + at) & 1;

	fill_dword(i, UINT32_MAX, SMALL, at);
	CHECK(has_small_deltas(ops, i, true, false, turned));
	CHECK(!has_small_deltas(ops, i, false, true, turned));
	fill_dword(i, UINT32_MAX - 5, 5, at);
	CHECK(has_small_deltas(ops, i, false, true, turned));
	fill_dword(i, 0, SMALL + 1, at);
	CHECK(!has_small_deltas(ops, i, true, false, turned));
	CHECK(has_small_deltas(ops, i, false, true, turned));
	fill_dword(i, 7, UINT32_MAX, at);
	CHECK(!has_small_deltas(ops, i, true, false, turned));
}

static void bounds_violation_is_detected_in_each_lane(void)
{
	uint64_t state = 43;

	fill_reports(&state);
	FOR_EACH_KIND(ops)
	for (size_t i = 0; i < LANE_BLOCK; i++)
		for (size_t at = 0; at < COLUMN_ROWS; at++)
			check_rules(ops, i, at);
}

static void batch_sums_accumulate(void)
{
	_Alignas(64) uint64_t sums[LANE_BLOCK];
	_Alignas(64) uint32_t lowest[LANE_BLOCK], highest[LANE_BLOCK];
	const struct small_delta_batch batch = { totals, least, largest };

	FOR_EACH_KIND(ops)
	{
		struct small_delta_run run = { sums, lowest, highest };

		for (uint32_t i = 0; i < LANE_BLOCK; i++) {
			totals[i] = UINT32_MAX - i;
			least[i] = i;
			largest[i] = SMALL - i;
			sums[i] = i;
			lowest[i] = i & 1 ? UINT32_MAX : 0;
			highest[i] = i & 1 ? 0 : UINT32_MAX;
		}
		ops->small_delta->add(&run, &batch, LANE_BLOCK);
		run.least = NULL;
		ops->small_delta->add(&run, &batch, LANE_BLOCK);
		for (uint32_t i = 0; i < LANE_BLOCK; i++) {
			CHECK(sums[i] == i + 2 * (uint64_t)(UINT32_MAX - i));
			CHECK(lowest[i] == (i & 1 ? i : 0));
			CHECK(highest[i] == (i & 1 ? SMALL - i : UINT32_MAX));
		}
	}
}

/* op chains */

static union column a, b, c, result, expected;

/* Return a random integer of up to @bits bits, often one near a power of two. */
static double pick(uint64_t *state, unsigned int bits)
{
	const uint64_t random = fixture_random(state), mask = (1ull << bits) - 1;

	switch (random >> 61) {
	case 0:
		return (double)(mask - (random & 3));
	case 1:
		return (double)(random & 3);
	default:
		return (double)(fixture_random(state) & mask >> (random & 31) % bits);
	}
}

static void pick_columns(const struct vector_ops *ops, uint64_t *state, unsigned int bits)
{
	for (int i = 0; i < COLUMN_ROWS; i++) {
		a.reals[i] = pick(state, bits);
		b.reals[i] = pick(state, bits);
	}
	ops->step(STEP_RECIPROCAL, &c, &b, &b, &b, COLUMN_ROWS);
}

/*
 * Run an op chain that loads a, executes @first unless it is NULL, and stores the results both with
 * @last and in a column.
 */
static void run_chain(const struct vector_ops *ops, const struct op_chain_link *first,
		      const struct op_chain_link *last)
{
	struct op_chain_link links[5];
	size_t count = 0;

	links[count++] =
		(struct op_chain_link){ .run = ops->chain->task[OP_CHAIN_LOAD], .b = a.reals };
	if (first)
		links[count++] = *first;
	if (last)
		links[count++] = *last;
	links[count++] = (struct op_chain_link){ .run = ops->chain->task[OP_CHAIN_STORE],
						 .out = result.reals };
	links[count] = (struct op_chain_link){ .run = ops->chain->task[OP_CHAIN_END] };
	ops->chain->run(links);
}

/*
 * The sum of fractions depends on the order of addition, so the vector code and this test must add
 * in the same order.
 */
static void check_step(const struct vector_ops *ops, enum column_step step)
{
	struct column_summary summary = { .least = { 1 } }, of_chain = summary;
	const struct op_chain_link link = { .run = ops->chain->step[step],
					    .b = b.reals,
					    .c = c.reals };
	const struct op_chain_link summarize = { .run = ops->chain->task[OP_CHAIN_SUMMARIZE],
						 .out = &of_chain };

	ops->step(step, &expected, &a, &b, &c, COLUMN_ROWS);
	ops->summarize(&summary, &expected, COLUMN_ROWS);
	ops->summarize(&summary, &expected, COLUMN_ROWS);
	memset(&result, 0xff, sizeof(result));
	run_chain(ops, &link, &summarize);
	run_chain(ops, &link, &summarize);
	if (!CHECK(!memcmp(&result, &expected, sizeof(result))))
		printf("# %s: step %d\n", ops->name, step);
	CHECK(!memcmp(&of_chain, &summary, sizeof(summary)));
}

static void chain_ops_equal_steps(void)
{
	uint64_t state = 47;

	for (int round = 0; round < 200; round++)
		FOR_EACH_KIND(ops)
	for (unsigned int step = 0; step < STEP_COUNT; step++) {
		pick_columns(ops, &state, WHOLE_BITS);
		check_step(ops, step);
	}
}

/*
 * The reciprocal of a number near a power of two is also near a power of two. There, the initial
 * estimate is least accurate.
 */
static void reciprocals_are_correctly_rounded(void)
{
	uint64_t state = 61;

	for (unsigned int round = 0; round < 20000 && tap.good; round++) {
		for (int i = 0; i < COLUMN_ROWS; i++)
			a.reals[i] = pick(&state, 1 + round % WHOLE_BITS);
		FOR_EACH_KIND(ops)
		{
			const struct op_chain_link link = {
				.run = ops->chain->step[STEP_RECIPROCAL_WHOLE],
				.b = b.reals,
				.c = c.reals,
			};

			run_chain(ops, &link, NULL);
			for (int i = 0; i < COLUMN_ROWS; i++)
				if (!CHECK(result.reals[i] == (a.reals[i] ? 1 / a.reals[i] : 0)))
					printf("# %s: 1 / %.0f is not %a\n", ops->name, a.reals[i],
					       result.reals[i]);
		}
	}
}

static void fill_lanes(uint64_t *state)
{
	for (size_t i = 0; i < LANE_BLOCK; i++)
		for (size_t row = 0; row < COLUMN_ROWS; row++)
			lanes[i].dwords[LANE_FIRST + row] =
				fixture_random(state) & 1 ? SMALL : fixture_random(state) & SMALL;
}

static void lanes_convert_to_reals(void)
{
	uint64_t state = 53;

	fill_lanes(&state);
	FOR_EACH_KIND(ops)
	{
		const uint32_t *one = lanes[3].dwords + LANE_FIRST;
		const uint32_t *other = lanes[5].dwords + LANE_FIRST;
		const struct op_chain_link widen = { .run = ops->chain->task[OP_CHAIN_WIDEN],
						     .b = one };
		const struct op_chain_link add = { .run = ops->chain->task[OP_CHAIN_ADD_LANE],
						   .b = other };

		run_chain(ops, &widen, &add);
		for (size_t row = 0; row < COLUMN_ROWS; row++)
			CHECK(result.reals[row] == (double)one[row] + (double)other[row]);
	}
}

/* Returns whether all results are below 2^52. */
static bool fits(const struct vector_ops *ops, enum op_chain_task task)
{
	uint64_t large = 0;
	const struct op_chain_link link = { .run = ops->chain->task[task],
					    .b = b.reals,
					    .out = &large };

	run_chain(ops, &link, NULL);
	return !large;
}

static void results_above_52_bits_are_detected(void)
{
	for (int i = 0; i < COLUMN_ROWS; i++) {
		a.reals[i] = 1;
		b.reals[i] = 2;
	}
	for (int i = 0; i < COLUMN_ROWS; i++) {
		FOR_EACH_KIND(ops)
		{
			a.reals[i] = 0x1p51 - 1;
			CHECK(fits(ops, OP_CHAIN_MULTIPLY_FITS));
			CHECK(result.reals[i] == 0x1p52 - 2);
			a.reals[i] = 0x1p51;
			CHECK(!fits(ops, OP_CHAIN_MULTIPLY_FITS));
			a.reals[i] = 0x1p52 - 3;
			CHECK(fits(ops, OP_CHAIN_ADD_FITS));
			CHECK(result.reals[i] == 0x1p52 - 1);
			a.reals[i] = 0x1p52 - 2;
			CHECK(!fits(ops, OP_CHAIN_ADD_FITS));
		}
		a.reals[i] = 1;
	}
}

/* results */

static _Alignas(64) uint64_t values[COLUMN_ROWS], values_of_ops[COLUMN_ROWS];

/*
 * Store the results of an op chain. @way: 0: cached stores; 1: streaming stores; 2: no values are
 * requested, so none may be written
 */
static void put(const struct vector_ops *ops, enum op_chain_task task, int way)
{
	const struct op_chain_slot slot = { .values = way == 2 ? NULL : (char *)values,
					    .stream = way == 1 };
	const struct op_chain_link link = { .run = ops->chain->task[task], .out = (void *)&slot };

	memset(values, 0, sizeof(values));
	run_chain(ops, NULL, &link);
	ops->stream_end();
	if (way == 2)
		memset(values_of_ops, 0, sizeof(values_of_ops));
	CHECK(!memcmp(values, values_of_ops, sizeof(values)));
}

static void results_store_as_those_of_columns(void)
{
	uint64_t state = 59;

	FOR_EACH_KIND(ops)
	for (int way = 0; way < 3; way++) {
		pick_columns(ops, &state, 52);
		ops->to_integers(values_of_ops, &a, COLUMN_ROWS);
		put(ops, OP_CHAIN_PUT_INTEGERS, way);
		for (int i = 0; i < COLUMN_ROWS; i++)
			a.reals[i] = i % 5 ? a.reals[i] / (i - 20) : -0.0;
		memset(values_of_ops, 0, sizeof(values_of_ops));
		ops->to_floats((float *)values_of_ops, &a, COLUMN_ROWS);
		put(ops, OP_CHAIN_PUT_FLOATS, way);
		ops->to_float_words(values_of_ops, &a, COLUMN_ROWS);
		if (!way)
			put(ops, OP_CHAIN_PUT_FLOAT_WORDS, way);
	}
}

static uint64_t sum_of_lanes(const struct lane_sum *sum, size_t row)
{
	uint64_t total = 0;

	for (uint32_t i = 0; i < sum->count; i++)
		total += lanes[sum->numbers[i]].dwords[LANE_FIRST + row];
	return total;
}

static void check_sum(const struct vector_ops *ops, const struct lane_sum *sum, int way)
{
	const struct op_chain_slot slot = { .values = (char *)values, .stream = way };
	struct lane_bounds bounds;
	uint64_t lowest = UINT64_MAX, highest = 0, low = UINT64_MAX, high = 0;

	memset(bounds.least, 0xff, sizeof(bounds.least));
	memset(bounds.largest, 0, sizeof(bounds.largest));
	ops->chain->put_lanes(&slot, sum);
	ops->stream_end();
	ops->chain->bound_lanes(&bounds, sum);
	for (size_t row = 0; row < COLUMN_ROWS; row++) {
		const uint64_t is = sum_of_lanes(sum, row);

		CHECK(values[row] == is * sum->factor);
		lowest = is < lowest ? is : lowest;
		highest = is > highest ? is : highest;
	}
	for (size_t i = 0; i < LANE_BLOCK; i++) {
		low = bounds.least[i] < low ? bounds.least[i] : low;
		high = bounds.largest[i] > high ? bounds.largest[i] : high;
	}
	CHECK(low == lowest && high == highest);
}

static void lanes_add_as_integers(void)
{
	static const uint32_t factors[] = { 1, 4, 64, UINT32_MAX };
	static const uint16_t numbers[] = { 7, 3, 3, 0, 15 };
	uint64_t state = 61;

	FOR_EACH_KIND(ops)
	for (uint32_t i = 0; i < 40; i++) {
		const struct lane_sum sum = { .lanes = lanes,
					      .numbers = numbers,
					      .count = 1 + i % 5,
					      .factor = factors[i / 10] };

		fill_lanes(&state);
		check_sum(ops, &sum, i & 1);
	}
}

int main(void)
{
	RUN(load_computes_differences_by_quads);
	RUN(bounds_violation_is_detected_in_each_lane);
	RUN(batch_sums_accumulate);
	RUN(chain_ops_equal_steps);
	RUN(reciprocals_are_correctly_rounded);
	RUN(lanes_convert_to_reals);
	RUN(results_above_52_bits_are_detected);
	RUN(results_store_as_those_of_columns);
	RUN(lanes_add_as_integers);
	return tap_end();
}
