/* SPDX-License-Identifier: MIT */
/*
 * column.h - values of many rows side by side, as the vector code works on them.
 *
 * A column is a tile's worth of one value. Reals are doubles. Integers are doubles as well as long
 * as all of the column are below 2^52, where doubles are exact; a column with a larger one is wide:
 * 64-bit words.
 */
#ifndef GPUOA_LIB_CALC_COLUMNS_COLUMN_H
#define GPUOA_LIB_CALC_COLUMNS_COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Rows that are worked on at once: enough to spread the cost of a step, few enough to stay in
 * cache.
 */
#define COLUMN_ROWS 64

/* Steps run over whole groups of rows. Results of rows that only fill up a group are not used. */
#define COLUMN_GROUP 16

union column {
	_Alignas(64) double reals[COLUMN_ROWS];
	uint64_t wide[COLUMN_ROWS];
};

/* Integers from this one on are not kept as doubles. */
#define COLUMN_WIDE 0x1p52

static inline size_t column_round(size_t rows)
{
	return (rows + COLUMN_GROUP - 1) & -(size_t)COLUMN_GROUP;
}

/* One dword of a tile's reports; that of the report before it at LANE_FIRST - 1. */
#define LANE_FIRST 16

struct lane {
	_Alignas(64) uint32_t dwords[LANE_FIRST + COLUMN_ROWS];
};

/* Lanes come by the cache line of the report. */
#define LANE_BLOCK 16
#define LANE_BLOCK_BYTES 64

/*
 * Steps on columns of doubles: out = a step b. Everything divided by 0 is 0. The operands of steps
 * on integers are below 2^52.
 */
enum column_step {
	STEP_ADD,
	STEP_SUBTRACT, /* integers: a difference below 0 is 0 */
	STEP_REAL_SUBTRACT,
	STEP_MULTIPLY,
	STEP_MINIMUM,
	STEP_MAXIMUM,
	STEP_RECIPROCAL, /* 1 / a */
	STEP_RECIPROCAL_WHOLE, /* the same, a being an integer below 2^WHOLE_BITS */
	STEP_DIVIDE,
	STEP_DIVIDE_WITH, /* the same, c being 1 / b; nothing that occurs is near the largest or
			     smallest doubles */
	STEP_DIVIDE_WHOLE, /* the same, b being an integer below 2^WHOLE_BITS */
	STEP_QUOTIENT, /* integers */
	STEP_QUOTIENT_WITH, /* the same, c being 1 / b */
	STEP_QUOTIENT_WHOLE, /* the same, a being below 2^WHOLE_BITS */
	STEP_COUNT,
};

/* Of these, results are right after fewer corrections: vector_divide.h says why. */
#define WHOLE_BITS 50

/*
 * Summary of all rows of a column so far. Row n of a tile counts in lane n % COLUMN_LANES, whatever
 * the vectors' width, so that all kinds of vector code add in the same order.
 */
#define COLUMN_LANES 16

/* Sums of integers below 2^40: exact for COLUMN_SUMS_TILES tiles. */
struct column_sums {
	_Alignas(64) double lanes[COLUMN_LANES];
};

#define COLUMN_SUMS_TILES 1024

struct column_summary {
	_Alignas(64) double sums[COLUMN_LANES];
	double least[COLUMN_LANES];
	double largest[COLUMN_LANES];
};

struct calm_ops;
struct chain_ops;

/* The vector code for one kind of processor. All kinds give the same results, to the bit. */
struct vector_ops {
	const char *name;
	const struct calm_ops *calm; /* calm.h */
	const struct chain_ops *chain; /* chain.h */

	/*
	 * One cache line, at byte @offset, of a group of reports: to elements @at and following of
	 * LANE_BLOCK lanes.
	 */
	void (*load_lanes)(const char *const *reports, size_t offset, struct lane *lanes,
			   size_t at);

	/* Differences of 32-bit words; they are also added to @sums. */
	void (*differences_32)(union column *out, struct column_sums *sums, const struct lane *lane,
			       size_t rows);
	/* Differences of 40-bit values: their upper bytes stand in @high, from bit @shift on. */
	void (*differences_40)(union column *out, struct column_sums *sums, const struct lane *low,
			       const struct lane *high, unsigned int shift, size_t rows);

	void (*step)(enum column_step step, union column *out, const union column *a,
		     const union column *b, const union column *c, size_t rows);

	/* STEP_ADD, STEP_MULTIPLY of integers below 2^52: is the result as well, in all rows? */
	bool (*step_fits)(enum column_step step, union column *out, const union column *a,
			  const union column *b, size_t rows);

	/* Results. */
	void (*to_floats)(float *out, const union column *column, size_t rows);
	/* Floats in the low half, 0 in the high half. */
	void (*to_float_words)(uint64_t *out, const union column *column, size_t rows);
	void (*to_integers)(uint64_t *out, const union column *column, size_t rows);
	/* To whole cache lines, past the caches: a copy, and what to_floats(), to_integers() do. */
	void (*stream)(void *out, const void *from, size_t bytes);
	void (*stream_floats)(float *out, const union column *column, size_t rows);
	void (*stream_integers)(uint64_t *out, const union column *column, size_t rows);
	/* Make what was streamed visible to other processors. */
	void (*stream_end)(void);

	/*
	 * Eight-byte values of @columns columns to rows: out[row * stride + column]. Columns are
	 * COLUMN_ROWS apart,
	 * @rows need not be whole groups.
	 */
	void (*to_rows)(uint64_t *out, size_t stride, const uint64_t *values, size_t columns,
			size_t rows);

	/* @rows need not be whole groups. */
	void (*summarize)(struct column_summary *summary, const union column *column, size_t rows);
};

/*
 * The vector code called @name ("sse2", "avx2", "avx512", "plain"), or for NULL the best that this
 * processor runs. NULL if there is no such code in this library, or the processor can't run it.
 */
const struct vector_ops *vector_ops_get(const char *name);

#endif /* GPUOA_LIB_CALC_COLUMNS_COLUMN_H */
