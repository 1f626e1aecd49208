// SPDX-License-Identifier: MIT
/*
 * vector_test.c - Compare the vector code of each instruction set with plain arithmetic and with
 * that of other instruction sets.
 */
#include <string.h>

#include "calc/columns/column.h"
#include "fixture.h"
#include "tap.h"

static const char *const names[] = { "plain", "sse2", "avx2", "avx512" };

#define KINDS (sizeof(names) / sizeof(names[0]))

/* Instruction sets that this processor supports */
#define FOR_EACH_KIND(ops)                          \
	for (size_t kind = 0; kind < KINDS; kind++) \
		for (const struct vector_ops *ops = vector_ops_get(names[kind]); ops; ops = NULL)

static union column a, b, c, out;

/* Return a random integer of up to @bits bits, often one near a power of two. */
static uint64_t pick(uint64_t *state, unsigned int bits)
{
	uint64_t random = fixture_random(state);
	uint64_t mask = (1ull << bits) - 1;

	switch (random >> 61) {
	case 0:
		return mask - (random & 3);
	case 1:
		return random & 3;
	default:
		return fixture_random(state) & mask >> (random & 31) % bits;
	}
}

static void run(const struct vector_ops *ops, enum column_step step)
{
	ops->step(STEP_RECIPROCAL, &c, &b, &b, &b, COLUMN_ROWS);
	ops->step(step, &out, &a, &b, &c, COLUMN_ROWS);
}

static uint64_t quotient(uint64_t left, uint64_t right)
{
	return right ? left / right : 0;
}

static void check_quotients(const struct vector_ops *ops, enum column_step step)
{
	run(ops, step);
	for (int i = 0; i < COLUMN_ROWS; i++)
		if (!CHECK(out.reals[i] ==
			   (double)quotient((uint64_t)a.reals[i], (uint64_t)b.reals[i])))
			printf("# %s: %.0f // %.0f is not %.0f\n", ops->name, a.reals[i],
			       b.reals[i], out.reals[i]);
}

static void quotients_below_2_to_52_are_exact(void)
{
	static const unsigned int sizes[] = { 2, 8, 31, 32, 33, 40, 51, 52 };
	uint64_t state = 5;

	for (int round = 0; round < 8000 && tap.good; round++) {
		for (int i = 0; i < COLUMN_ROWS; i++) {
			a.reals[i] = (double)pick(&state, sizes[round % 8]);
			b.reals[i] = (double)pick(&state, sizes[round / 8 % 8]);
		}
		FOR_EACH_KIND(ops)
		{
			check_quotients(ops, STEP_QUOTIENT);
			check_quotients(ops, STEP_QUOTIENT_WITH);
			if (sizes[round % 8] <= WHOLE_BITS)
				check_quotients(ops, STEP_QUOTIENT_WHOLE);
		}
	}
}

/*
 * Divide dividends next to a multiple of the divisor. At k * b - 1, a quotient that is rounded up
 * would be wrong; at k * b, one that is rounded down.
 */
static void quotients_next_to_an_integer_are_exact(void)
{
	uint64_t state = 7;

	for (int round = 0; round < 16000 && tap.good; round++) {
		const unsigned int bits = round % 2 ? 52 : WHOLE_BITS;

		for (int i = 0; i < COLUMN_ROWS; i++) {
			uint64_t divisor = 1 + (fixture_random(&state) >> (13 + round / 2 % 50));
			uint64_t k = ((1ull << bits) - 1) / divisor;

			k = k > 2 ? k - (fixture_random(&state) & 1) : k;
			a.reals[i] = (double)(k * divisor - (k && i & 1));
			b.reals[i] = (double)divisor;
		}
		FOR_EACH_KIND(ops)
		{
			check_quotients(ops, STEP_QUOTIENT);
			check_quotients(ops, STEP_QUOTIENT_WITH);
			if (bits == WHOLE_BITS)
				check_quotients(ops, STEP_QUOTIENT_WHOLE);
		}
	}
}

/* Return a random fraction between about 2^-40 and 2^90. */
static double pick_real(uint64_t *state)
{
	uint64_t random = fixture_random(state);
	double real = (double)(random >> 11) * 0x1p-30;

	for (uint64_t n = fixture_random(state) % 120; n; n--)
		real *= n & 1 ? 0.5 : 1.5;
	return random & 15 ? real : (double)(random >> 40 & 3);
}

static void check_division(const struct vector_ops *ops, enum column_step step)
{
	run(ops, step);
	for (int i = 0; i < COLUMN_ROWS; i++)
		if (!CHECK(out.reals[i] == (b.reals[i] ? a.reals[i] / b.reals[i] : 0)))
			printf("# %s: %a / %a is not %a\n", ops->name, a.reals[i], b.reals[i],
			       out.reals[i]);
}

static void division_by_reciprocal_is_exact(void)
{
	uint64_t state = 9;

	for (int round = 0; round < 20000 && tap.good; round++) {
		for (int i = 0; i < COLUMN_ROWS; i++) {
			a.reals[i] = pick_real(&state) * (i & 1 ? -1 : 1);
			b.reals[i] = pick_real(&state);
		}
		FOR_EACH_KIND(ops)
		{
			check_division(ops, STEP_DIVIDE_WITH);
		}
	}
}

/*
 * Return a dividend whose quotient by @divisor is as close as possible to a double, or to the
 * midpoint of two doubles, from below or from above.
 */
static double pick_dividend(uint64_t *state, uint64_t divisor)
{
	uint64_t random = fixture_random(state);
	uint64_t halves = (1ull << 53) + (random >> 11);
	double dividend = (double)((unsigned __int128)halves * divisor);

	if (random & 1)
		dividend += (random & 2 ? 1 : -1) * dividend * 0x1p-53;
	return (random & 4 ? 1 : -1) * dividend * (random & 8 ? 0x1p-90 : 1);
}

static void integer_division_needs_one_correction(void)
{
	uint64_t state = 37;

	for (int round = 0; round < 40000 && tap.good; round++) {
		for (int i = 0; i < COLUMN_ROWS; i++) {
			uint64_t divisor = pick(&state, 1 + round % WHOLE_BITS);

			a.reals[i] = round / WHOLE_BITS % 2 ? pick_dividend(&state, divisor) :
							      pick_real(&state);
			b.reals[i] = (double)divisor;
		}
		FOR_EACH_KIND(ops)
		check_division(ops, STEP_DIVIDE_WHOLE);
	}
}

static double plain_step(enum column_step step, double x, double y)
{
	switch (step) {
	case STEP_ADD:
		return x + y;
	case STEP_SUBTRACT:
		return x > y ? x - y : 0;
	case STEP_REAL_SUBTRACT:
		return x - y;
	case STEP_MULTIPLY:
		return x * y;
	case STEP_MINIMUM:
		return x < y ? x : y;
	case STEP_MAXIMUM:
		return x > y ? x : y;
	case STEP_RECIPROCAL:
	case STEP_RECIPROCAL_WHOLE:
		return x ? 1 / x : 0;
	default: /* STEP_DIVIDE */
		return y ? x / y : 0;
	}
}

static void other_steps_equal_plain_arithmetic(void)
{
	static const enum column_step steps[] = {
		STEP_ADD,     STEP_SUBTRACT, STEP_REAL_SUBTRACT, STEP_MULTIPLY,
		STEP_MINIMUM, STEP_MAXIMUM,  STEP_RECIPROCAL,	 STEP_DIVIDE,
	};
	uint64_t state = 11;

	for (int round = 0; round < 8000 && tap.good; round++) {
		enum column_step step = steps[round % 8];

		for (int i = 0; i < COLUMN_ROWS; i++) {
			a.reals[i] = pick_real(&state);
			b.reals[i] = pick_real(&state);
		}
		FOR_EACH_KIND(ops)
		{
			run(ops, step);
			for (int i = 0; i < COLUMN_ROWS; i++)
				CHECK(out.reals[i] == plain_step(step, a.reals[i], b.reals[i]));
		}
	}
}

static void steps_process_whole_groups(void)
{
	for (int i = 0; i < COLUMN_ROWS; i++)
		a.reals[i] = b.reals[i] = 1;
	FOR_EACH_KIND(ops)
	{
		memset(&out, 0, sizeof(out));
		ops->step(STEP_ADD, &out, &a, &b, &b, column_round(COLUMN_GROUP + 1));
		CHECK(out.reals[2 * COLUMN_GROUP - 1] == 2);
		CHECK(out.reals[2 * COLUMN_GROUP] == 0);
	}
	CHECK(column_round(0) == 0);
	CHECK(column_round(1) == COLUMN_GROUP);
	CHECK(column_round(COLUMN_ROWS) == COLUMN_ROWS);
}

/* reports */

#define LINES 3

static char reports[1 + COLUMN_ROWS][LINES * LANE_BLOCK_BYTES];
static struct lane lanes[LANE_BLOCK];

static uint32_t dword_of(size_t row, size_t line, size_t i)
{
	uint32_t dword;

	memcpy(&dword, reports[row] + line * LANE_BLOCK_BYTES + 4 * i, 4);
	return dword;
}

/*
 * Fill the reports with both small and large differences. Row 0 is the last report of the preceding
 * batch.
 */
static void fill_reports(uint64_t *state)
{
	for (size_t row = 0; row <= COLUMN_ROWS; row++)
		for (size_t i = 0; i < LINES * LANE_BLOCK; i++) {
			uint32_t dword = (uint32_t)fixture_random(state);

			if (row && i & 1)
				dword = dword_of(row - 1, i / LANE_BLOCK, i % LANE_BLOCK) +
					dword % 1000;
			memcpy(reports[row] + 4 * i, &dword, 4);
		}
}

static void load(const struct vector_ops *ops, size_t line)
{
	memset(lanes, 0, sizeof(lanes));
	for (size_t i = 0; i < LANE_BLOCK; i++)
		lanes[i].dwords[LANE_FIRST - 1] = dword_of(0, line, i);
	for (size_t row = 0; row < COLUMN_ROWS; row += COLUMN_GROUP) {
		const char *pointers[COLUMN_GROUP];

		for (size_t i = 0; i < COLUMN_GROUP; i++)
			pointers[i] = reports[1 + row + i];
		ops->load_lanes(pointers, line * LANE_BLOCK_BYTES, lanes, LANE_FIRST + row);
	}
}

static void lanes_hold_one_dword_per_report(void)
{
	uint64_t state = 13;

	fill_reports(&state);
	FOR_EACH_KIND(ops)
	{
		for (size_t line = 0; line < LINES; line++) {
			load(ops, line);
			for (size_t i = 0; i < LANE_BLOCK; i++)
				for (size_t row = 0; row < COLUMN_ROWS; row++)
					CHECK(lanes[i].dwords[LANE_FIRST + row] ==
					      dword_of(1 + row, line, i));
		}
	}
}

static struct column_sums sums;

/* Compare the sums with those of the column, separately for each vector lane. */
static void check_sums(const struct column_sums *of)
{
	for (size_t i = 0; i < COLUMN_LANES; i++) {
		uint64_t sum = 0;

		for (size_t row = i; row < COLUMN_ROWS; row += COLUMN_LANES)
			sum += (uint64_t)out.reals[row];
		CHECK(of->lanes[i] == (double)sum);
	}
}

static void dword_differences_wrap(void)
{
	uint64_t state = 17;

	for (int round = 0; round < 50; round++) {
		fill_reports(&state);
		FOR_EACH_KIND(ops)
		{
			load(ops, 1);
			for (size_t i = 0; i < LANE_BLOCK; i++) {
				memset(&sums, 0, sizeof(sums));
				ops->differences_32(&out, &sums, &lanes[i], COLUMN_ROWS);
				check_sums(&sums);
				for (size_t row = 0; row < COLUMN_ROWS; row++)
					CHECK(out.reals[row] == (uint32_t)(dword_of(row + 1, 1, i) -
									   dword_of(row, 1, i)));
			}
		}
	}
}

static uint64_t value_40(size_t row, size_t low, size_t high, unsigned int shift)
{
	return dword_of(row, 2, low) | (uint64_t)(dword_of(row, 2, high) >> shift & 0xff) << 32;
}

static void differences_of_40_bits_wrap(void)
{
	uint64_t state = 19;

	for (int round = 0; round < 50; round++) {
		size_t low = round % LANE_BLOCK, high = (round * 7) % LANE_BLOCK;
		unsigned int shift = round % 4 * 8;

		fill_reports(&state);
		FOR_EACH_KIND(ops)
		{
			load(ops, 2);
			memset(&sums, 0, sizeof(sums));
			ops->differences_40(&out, &sums, &lanes[low], &lanes[high], shift,
					    COLUMN_ROWS);
			check_sums(&sums);
			for (size_t row = 0; row < COLUMN_ROWS; row++)
				CHECK(out.reals[row] ==
				      (double)((value_40(row + 1, low, high, shift) -
						value_40(row, low, high, shift)) &
					       0xffffffffff));
		}
	}
}

/* results */

static void fill_integers(uint64_t *state)
{
	for (int i = 0; i < COLUMN_ROWS; i++)
		a.reals[i] = (double)pick(state, 45);
}

static void results_above_52_bits_are_detected(void)
{
	for (int i = 0; i < COLUMN_ROWS; i++)
		b.reals[i] = 2;
	memset(&a, 0, sizeof(a));
	for (int i = 0; i < COLUMN_ROWS; i++) {
		size_t before = i / COLUMN_GROUP * COLUMN_GROUP;

		FOR_EACH_KIND(ops)
		{
			a.reals[i] = 0x1p51 - 1;
			CHECK(ops->step_fits(STEP_MULTIPLY, &out, &a, &b, COLUMN_ROWS));
			CHECK(out.reals[i] == 0x1p52 - 2);
			a.reals[i] = 0x1p51;
			CHECK(!ops->step_fits(STEP_MULTIPLY, &out, &a, &b, COLUMN_ROWS));
			CHECK(ops->step_fits(STEP_MULTIPLY, &out, &a, &b, before));
			a.reals[i] = 0x1p52 - 3;
			CHECK(ops->step_fits(STEP_ADD, &out, &a, &b, COLUMN_ROWS));
			CHECK(out.reals[i] == 0x1p52 - 1);
			a.reals[i] = 0x1p52 - 2;
			CHECK(!ops->step_fits(STEP_ADD, &out, &a, &b, COLUMN_ROWS));
			a.reals[i] = 0;
		}
	}
}

static void stream_copies_whole_groups(void)
{
	static _Alignas(64) char from[192], to[192];

	for (size_t i = 0; i < sizeof(from); i++)
		from[i] = (char)(i + 1);
	FOR_EACH_KIND(ops)
	{
		memset(to, 0, sizeof(to));
		ops->stream(to, from, 128);
		ops->stream_end();
		CHECK(!memcmp(to, from, 128));
		CHECK(!to[128]);
	}
}

/* The results include negative values, and zeros of both signs. */
static void streamed_results_equal_stored_results(void)
{
	static _Alignas(64) uint64_t words[COLUMN_ROWS], streamed_words[COLUMN_ROWS];
	static _Alignas(64) float floats[COLUMN_ROWS], streamed_floats[COLUMN_ROWS];
	uint64_t state = 53;

	for (int i = 0; i < COLUMN_ROWS; i++) {
		a.reals[i] = (double)pick(&state, 52);
		b.reals[i] = i % 8 ? pick_real(&state) * (i & 1 ? -1 : 1) : i & 8 ? -0.0 : 0.0;
	}
	FOR_EACH_KIND(ops)
	for (size_t rows = COLUMN_GROUP; rows <= COLUMN_ROWS; rows += COLUMN_GROUP) {
		memset(streamed_words, 0xff, sizeof(words));
		memset(streamed_floats, 0xff, sizeof(floats));
		ops->to_integers(words, &a, COLUMN_ROWS);
		ops->to_floats(floats, &b, COLUMN_ROWS);
		ops->stream_integers(streamed_words, &a, rows);
		ops->stream_floats(streamed_floats, &b, rows);
		ops->stream_end();
		CHECK(!memcmp(words, streamed_words, rows * sizeof(words[0])));
		CHECK(!memcmp(floats, streamed_floats, rows * sizeof(floats[0])));
		CHECK(rows == COLUMN_ROWS || streamed_words[rows] == UINT64_MAX);
	}
}

static void stored_values_are_unchanged(void)
{
	uint64_t words[COLUMN_ROWS], state = 29;
	float floats[COLUMN_ROWS];

	fill_integers(&state);
	FOR_EACH_KIND(ops)
	{
		ops->to_integers(words, &a, COLUMN_ROWS);
		ops->to_floats(floats, &a, COLUMN_ROWS);
		for (int i = 0; i < COLUMN_ROWS; i++) {
			CHECK(words[i] == (uint64_t)a.reals[i]);
			CHECK(floats[i] == (float)a.reals[i]);
		}
		ops->to_float_words(words, &a, COLUMN_ROWS);
		for (int i = 0; i < COLUMN_ROWS; i++) {
			uint32_t word;

			memcpy(&word, &floats[i], sizeof(word));
			CHECK(words[i] == word);
		}
	}
}

/* If the code multiplied by a reciprocal, a negative number divided by 0 would be -0. */
static void stored_zero_is_positive(void)
{
	uint64_t words[COLUMN_ROWS];
	float floats[COLUMN_ROWS];

	FOR_EACH_KIND(ops)
	{
		for (int i = 0; i < COLUMN_ROWS; i++) {
			a.reals[i] = -i;
			b.reals[i] = 0;
		}
		ops->step(STEP_RECIPROCAL, &c, &b, &b, &b, COLUMN_ROWS);
		ops->step(STEP_DIVIDE_WITH, &out, &a, &b, &c, COLUMN_ROWS);
		out.reals[0] = -0.0;
		ops->to_floats(floats, &out, COLUMN_ROWS);
		ops->to_float_words(words, &out, COLUMN_ROWS);
		for (int i = 0; i < COLUMN_ROWS; i++) {
			uint32_t word;

			memcpy(&word, &floats[i], sizeof(word));
			CHECK(!word);
			CHECK(!words[i]);
		}
	}
}

static void transpose_supports_every_shape(void)
{
	static uint64_t columns[19 * COLUMN_ROWS], rows[COLUMN_ROWS * 23];

	for (size_t i = 0; i < 19 * COLUMN_ROWS; i++)
		columns[i] = i;
	for (size_t n = 1; n <= 19; n++) {
		size_t count = n * 37 % COLUMN_ROWS + 1;

		FOR_EACH_KIND(ops)
		{
			memset(rows, 0xff, sizeof(rows));
			ops->to_rows(rows, 23, columns, n, count);
			for (size_t i = 0; i < COLUMN_ROWS * 23; i++) {
				size_t row = i / 23, column = i % 23;
				bool in = row < count && column < n;

				CHECK(rows[i] == (in ? column * COLUMN_ROWS + row : UINT64_MAX));
			}
		}
	}
}

/*
 * The sum of fractions depends on the order of addition. It must be identical for each instruction
 * set and for each length of the last batch.
 */
static void summaries_are_equal_for_each_isa(void)
{
	uint64_t state = 31;

	for (size_t rows = 1; rows <= COLUMN_ROWS; rows++) {
		struct column_summary first = { 0 };

		for (int i = 0; i < COLUMN_ROWS; i++)
			a.reals[i] = pick_real(&state);
		FOR_EACH_KIND(ops)
		{
			struct column_summary summary = { 0 };

			ops->summarize(&summary, &a, rows);
			ops->summarize(&summary, &a, COLUMN_ROWS);
			if (!kind)
				first = summary;
			CHECK(!memcmp(&summary, &first, sizeof(first)));
			CHECK(summary.largest[0] >= a.reals[0]);
		}
	}
}

static void ops_have_isa_names(void)
{
	CHECK(vector_ops_get(NULL));
	CHECK(vector_ops_get("plain"));
	CHECK(!vector_ops_get("mmx"));
	FOR_EACH_KIND(ops)
	CHECK(!strcmp(ops->name, names[kind]));
}

int main(void)
{
	RUN(ops_have_isa_names);
	RUN(quotients_below_2_to_52_are_exact);
	RUN(quotients_next_to_an_integer_are_exact);
	RUN(division_by_reciprocal_is_exact);
	RUN(integer_division_needs_one_correction);
	RUN(other_steps_equal_plain_arithmetic);
	RUN(steps_process_whole_groups);
	RUN(lanes_hold_one_dword_per_report);
	RUN(dword_differences_wrap);
	RUN(differences_of_40_bits_wrap);
	RUN(results_above_52_bits_are_detected);
	RUN(stream_copies_whole_groups);
	RUN(streamed_results_equal_stored_results);
	RUN(stored_values_are_unchanged);
	RUN(stored_zero_is_positive);
	RUN(transpose_supports_every_shape);
	RUN(summaries_are_equal_for_each_isa);
	return tap_end();
}
