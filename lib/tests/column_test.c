// SPDX-License-Identifier: MIT
/* column_test.c - shortcuts of columns against plain arithmetic. */
#include "column.h"
#include "fixture.h"
#include "tap.h"

static union column left, right, out;

static void check_division(enum code_op op)
{
	column_operation(op, &out, &left, &right, COLUMN_ROWS);
	for (int i = 0; i < COLUMN_ROWS; i++) {
		uint64_t a = left.integers[i], b = right.integers[i];

		if (!CHECK(out.integers[i] == (b ? a / b : 0)))
			printf("# %llu // %llu is not %llu\n",
			       (unsigned long long)a, (unsigned long long)b,
			       (unsigned long long)out.integers[i]);
	}
}

/* A number of up to @bits bits, often right at a power of two. */
static uint64_t pick(uint64_t *state, unsigned int bits)
{
	uint64_t random = fixture_random(state);
	uint64_t mask = bits < 64 ? (1ull << bits) - 1 : ~0ull;

	switch (random >> 61) {
	case 0:
		return mask - (random & 3);
	case 1:
		return random & 3;
	default:
		return fixture_random(state) & mask >> (random & 31) % bits;
	}
}

static void division_is_exact_for_numbers_of_every_size(void)
{
	static const unsigned int sizes[] = {
		8, 31, 32, 33, 51, 52, 53, 63, 64
	};
	uint64_t state = 5;

	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
		for (int round = 0; round < 2000 && tap.good; round++) {
			for (int i = 0; i < COLUMN_ROWS; i++) {
				left.integers[i] = pick(&state, sizes[s]);
				right.integers[i] = pick(&state, sizes[s]);
			}
			check_division(CODE_DIVIDE);
			if (sizes[s] <= 52)
				check_division(CODE_DIVIDE_52);
		}
	}
}

static void division_by_one_number_is_exact(void)
{
	uint64_t state = 6;

	for (int round = 0; round < 20000 && tap.good; round++) {
		uint64_t divisor = pick(&state, 2 + round % 31);

		divisor = divisor < 2 ? 2 : divisor;
		for (int i = 0; i < COLUMN_ROWS; i++) {
			left.integers[i] = pick(&state, 32);
			right.integers[i] = divisor;
		}
		check_division(CODE_DIVIDE_ONE);
	}
}

/* k * b - 1 is where a quotient that is rounded up would be wrong. */
static void quotients_right_below_an_integer_are_cut_off(void)
{
	uint64_t state = 7;

	for (int round = 0; round < 20000 && tap.good; round++) {
		for (int i = 0; i < COLUMN_ROWS; i++) {
			uint64_t b = 1 + (fixture_random(&state) >>
					  (38 + round % 24));
			uint64_t k = ((1ull << 52) - 1) / b;

			left.integers[i] = k * b - 1;
			right.integers[i] = b;
		}
		check_division(CODE_DIVIDE);
		check_division(CODE_DIVIDE_52);
	}
}

static void an_operation_does_whole_groups(void)
{
	memset(&out, 0xff, sizeof(out));
	for (int i = 0; i < COLUMN_ROWS; i++)
		left.integers[i] = right.integers[i] = 1;
	column_operation(CODE_ADD, &out, &left, &right, column_round(9));
	CHECK(out.integers[15] == 2);
	CHECK(out.integers[16] == UINT64_MAX);
	CHECK(column_round(0) == 0);
	CHECK(column_round(1) == COLUMN_GROUP);
	CHECK(column_round(COLUMN_ROWS) == COLUMN_ROWS);
}

int main(void)
{
	RUN(division_is_exact_for_numbers_of_every_size);
	RUN(division_by_one_number_is_exact);
	RUN(quotients_right_below_an_integer_are_cut_off);
	RUN(an_operation_does_whole_groups);
	return tap_end();
}
