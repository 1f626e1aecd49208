/* SPDX-License-Identifier: MIT */
/*
 * column.h - columns: one value for all rows of a batch, as processed by the vector code
 *
 * Reals are doubles. Integers are also doubles if all values of the column are below 2^52, the
 * range in which doubles are exact. Otherwise the column is wide and contains 64-bit words.
 */
#ifndef GPUOA_LIB_CALC_COLUMNS_COLUMN_H
#define GPUOA_LIB_CALC_COLUMNS_COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Maximum number of rows in a batch: many rows amortize the cost of a step, but too many do not fit
 * in the caches.
 */
#define COLUMN_ROWS 64

/*
 * Rows are processed in whole groups of this size. The results of the rows that pad a group are
 * ignored.
 */
#define COLUMN_GROUP 16

union column {
	_Alignas(64) double reals[COLUMN_ROWS];
	uint64_t wide[COLUMN_ROWS];
};

/* Integers of at least this value are not stored as doubles. */
#define COLUMN_WIDE 0x1p52

static inline size_t column_round(size_t rows)
{
	return (rows + COLUMN_GROUP - 1) & -(size_t)COLUMN_GROUP;
}

/*
 * A lane: the same dword of each report of a batch, from element LANE_FIRST on. The element before
 * it is the dword of the last report of the previous batch.
 */
#define LANE_FIRST 16

struct lane {
	_Alignas(64) uint32_t dwords[LANE_FIRST + COLUMN_ROWS];
};

/* Number of lanes that are loaded together: all dwords of one cache line of a report */
#define LANE_BLOCK 16
#define LANE_BLOCK_BYTES 64

/*
 * Steps: arithmetic on columns of doubles, such as out = a + b. Divisions by 0 yield 0. Integer
 * operands are below 2^52.
 */
enum column_step {
	STEP_ADD,
	STEP_SUBTRACT, /* integers: negative differences yield 0 */
	STEP_REAL_SUBTRACT,
	STEP_MULTIPLY,
	STEP_MINIMUM,
	STEP_MAXIMUM,
	STEP_RECIPROCAL, /* 1 / a */
	STEP_RECIPROCAL_WHOLE, /* the reciprocal 1 / a of an integer a < 2^WHOLE_BITS */
	STEP_DIVIDE,
	/* a / b with reciprocal c = 1 / b, if no value is near the largest or smallest double */
	STEP_DIVIDE_WITH,
	STEP_DIVIDE_WHOLE, /* a / b with reciprocal c = 1 / b, for an integer b < 2^WHOLE_BITS */
	STEP_QUOTIENT, /* integer part of the quotient a / b */
	STEP_QUOTIENT_WITH, /* integer part of a / b with reciprocal c = 1 / b */
	/* integer part of a / b with reciprocal c = 1 / b, for a < 2^WHOLE_BITS */
	STEP_QUOTIENT_WHOLE,
	STEP_COUNT,
};

/*
 * Divisions of integers below 2^WHOLE_BITS need fewer corrections; the proof is in vector_divide.h.
 */
#define WHOLE_BITS 50

/*
 * Number of parallel sums of a column's summary. Row n of a batch is added to sum n % COLUMN_LANES
 * for any width of vectors, so that every instruction set adds in the same order.
 */
#define COLUMN_LANES 16

/* Parallel sums of integers below 2^40, as doubles: exact for up to COLUMN_SUMS_BATCHES batches. */
struct column_sums {
	_Alignas(64) double lanes[COLUMN_LANES];
};

#define COLUMN_SUMS_BATCHES 1024

struct column_summary {
	_Alignas(64) double sums[COLUMN_LANES];
	double least[COLUMN_LANES];
	double largest[COLUMN_LANES];
};

struct small_delta_ops;
struct op_chain_ops;

/*
 * The vector code for one instruction set. The code for all instruction sets has bit-identical
 * results.
 */
struct vector_ops {
	const char *name;
	const struct small_delta_ops *small_delta; /* see small_delta.h */
	const struct op_chain_ops *chain; /* see op_chain.h */

	/*
	 * Load one cache line, which begins at byte @offset of each report of a group, into
	 * LANE_BLOCK lanes, from element @at of the lanes on.
	 */
	void (*load_lanes)(const char *const *reports, size_t offset, struct lane *lanes,
			   size_t at);

	/* Compute deltas of 32-bit words and add them to @sums. */
	void (*differences_32)(union column *out, struct column_sums *sums, const struct lane *lane,
			       size_t rows);
	/*
	 * Compute deltas of 40-bit counters and add them to @sums. Their upper bytes are in lane
	 * @high, from bit @shift on.
	 */
	void (*differences_40)(union column *out, struct column_sums *sums, const struct lane *low,
			       const struct lane *high, unsigned int shift, size_t rows);

	void (*step)(enum column_step step, union column *out, const union column *a,
		     const union column *b, const union column *c, size_t rows);

	/*
	 * Perform STEP_ADD or STEP_MULTIPLY on integers below 2^52. Returns true if all results are
	 * below 2^52.
	 */
	bool (*step_fits)(enum column_step step, union column *out, const union column *a,
			  const union column *b, size_t rows);

	/* Convert results. */
	void (*to_floats)(float *out, const union column *column, size_t rows);
	/* Store a float in the low half of each word, and 0 in the high half. */
	void (*to_float_words)(uint64_t *out, const union column *column, size_t rows);
	void (*to_integers)(uint64_t *out, const union column *column, size_t rows);
	/*
	 * Write whole cache lines with non-temporal stores: a copy of the words, or words converted
	 * as by to_floats() or to_integers().
	 */
	void (*stream)(void *out, const void *from, size_t bytes);
	void (*stream_floats)(float *out, const union column *column, size_t rows);
	void (*stream_integers)(uint64_t *out, const union column *column, size_t rows);
	/* Make non-temporal stores visible to other processors. */
	void (*stream_end)(void);

	/*
	 * Convert the eight-byte values of @columns columns, which are COLUMN_ROWS values apart, to
	 * rows: out[row * stride + column]. @rows need not be a multiple of COLUMN_GROUP.
	 */
	void (*to_rows)(uint64_t *out, size_t stride, const uint64_t *values, size_t columns,
			size_t rows);

	/* @rows need not be a multiple of COLUMN_GROUP. */
	void (*summarize)(struct column_summary *summary, const union column *column, size_t rows);
};

/*
 * Returns the vector code with the name @name ("sse2", "avx2", "avx512", "plain"), or if @name is
 * NULL, the fastest one that this processor supports. Returns NULL if there is none or the
 * processor does not support it.
 */
const struct vector_ops *vector_ops_get(const char *name);

#endif /* GPUOA_LIB_CALC_COLUMNS_COLUMN_H */
