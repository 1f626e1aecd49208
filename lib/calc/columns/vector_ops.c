// SPDX-License-Identifier: MIT
/*
 * vector_ops.c - steps on columns, as loops that the compiler vectorizes
 *
 * Compiled once for each instruction set; VECTOR_OPS is the name of the table. All variants produce
 * the same results because they only use IEEE operations in a fixed order: no contraction, no
 * reassociation.
 */
#include <stdbool.h>

#include "calc/columns/column.h"
#include "calc/columns/vector_step.h"
#include "calc/columns/vector_stream.h"
#include "calc/columns/vector_transpose.h"
#include "table/number.h"

#define STRING_OF(name) #name
#define NAME_OF(name) STRING_OF(name)
#define OPS_OF(name) vector_ops_##name
#define OPS(name) OPS_OF(name)
#define JOIN(table, name) table##_##name
#define JOIN_OF(table, name) JOIN(table, name)
#define TABLE_OF(table) JOIN_OF(table, VECTOR_OPS)

/* Defined in vector_small_delta.c and vector_op_chain.c. */
extern const struct small_delta_ops TABLE_OF(small_delta_ops);
extern const struct op_chain_ops TABLE_OF(op_chain_ops);

/*
 * Loop over rows. The number of rows is a multiple of COLUMN_GROUP, so that no loop needs a
 * remainder.
 */
#define FOR_EACH_ROW(i, rows)            \
	if ((rows) % COLUMN_GROUP)       \
		__builtin_unreachable(); \
	for (size_t i = 0; i < (rows); i++)

/* Loop over rows like FOR_EACH_ROW(), but unrolled, for loops over many rows. */
#define FOR_EACH_ROW_UNROLLED(i, rows)   \
	if ((rows) % COLUMN_GROUP)       \
		__builtin_unreachable(); \
	_Pragma("GCC unroll 4") for (size_t i = 0; i < (rows); i++)

/* Expand @function twice: for whole batches, and for batches with fewer groups. */
#define WHOLE_OR_GROUPS(function, rows, ...)                            \
	((rows) == COLUMN_ROWS ? (function)(__VA_ARGS__, COLUMN_ROWS) : \
				 (function)(__VA_ARGS__, rows))

union bits {
	uint64_t word;
	double real;
};

static inline double from_dword(uint32_t dword)
{
#ifdef __AVX512F__
	return (double)dword;
#else
	return (union bits){ .word = dword | MAGIC_BITS }.real - MAGIC;
#endif
}

static inline uint64_t to_integer(double real)
{
	return (union bits){ .real = real + MAGIC }.word ^ MAGIC_BITS;
}

static void load_lanes(const char *const *reports, size_t offset, struct lane *lanes, size_t at)
{
	for (size_t i = 0; i < LANE_BLOCK; i += TRANSPOSE_DWORDS)
		for (size_t row = 0; row < COLUMN_GROUP; row += TRANSPOSE_DWORDS) {
			dwords square[TRANSPOSE_DWORDS];

			for (size_t n = 0; n < TRANSPOSE_DWORDS; n++)
				square[n] = load_dwords(reports[row + n] + offset + 4 * i);
			transpose_dwords(square, lanes + i, at + row);
		}
}

/*
 * The values are integers, so that their sums are exact in any order. For whole batches, the
 * compiler knows the number of rows.
 */
static inline __attribute__((always_inline)) void
add_to_sums(struct column_sums *restrict sums, const union column *restrict column, size_t rows)
{
	const double *a = column->reals, *b = a + COLUMN_LANES;
	const double *c = b + COLUMN_LANES, *d = c + COLUMN_LANES;

	if (rows == COLUMN_ROWS) {
		for (size_t i = 0; i < COLUMN_LANES; i++)
			sums->lanes[i] += (a[i] + b[i]) + (c[i] + d[i]);
		return;
	}
	for (size_t row = 0; row < rows; row++)
		sums->lanes[row % COLUMN_LANES] += a[row];
}

static void differences_32(union column *restrict out, struct column_sums *restrict sums,
			   const struct lane *restrict lane, size_t rows)
{
	const uint32_t *now = lane->dwords + LANE_FIRST, *last = now - 1;

	FOR_EACH_ROW(i, rows)
	out->reals[i] = from_dword(now[i] - last[i]);
	add_to_sums(sums, out, rows);
}

/*
 * Compute deltas as if the upper bytes were constant. Returns true if that is correct: no upper
 * byte changes and no lower part wraps.
 */
static bool lower_differences(union column *restrict out, const struct lane *restrict low,
			      const struct lane *restrict high, unsigned int shift, size_t rows)
{
	const uint32_t *low_now = low->dwords + LANE_FIRST, *low_last = low_now - 1;
	const uint32_t *high_now = high->dwords + LANE_FIRST, *high_last = high_now - 1;
	uint32_t changes = 0, wraps = 0;

	FOR_EACH_ROW(i, rows)
	{
		out->reals[i] = from_dword(low_now[i] - low_last[i]);
		changes |= high_now[i] ^ high_last[i];
		wraps |= low_now[i] < low_last[i] ? UINT32_MAX : 0;
	}
	return !(changes >> shift & 0xff) && !wraps;
}

static void all_differences(union column *restrict out, const struct lane *restrict low,
			    const struct lane *restrict high, unsigned int shift, size_t rows)
{
	const uint32_t *low_now = low->dwords + LANE_FIRST, *low_last = low_now - 1;
	const uint32_t *high_now = high->dwords + LANE_FIRST, *high_last = high_now - 1;

	FOR_EACH_ROW(i, rows)
	{
		uint32_t difference = low_now[i] - low_last[i];
		uint32_t borrow = low_now[i] < low_last[i];
		uint32_t upper = (high_now[i] >> shift) - (high_last[i] >> shift) - borrow;

		out->reals[i] = (double)(int32_t)(upper & 0xff) * 0x1p32 + from_dword(difference);
	}
}

/* The upper byte changes in only about one of several thousand reports. */
static void differences_40(union column *restrict out, struct column_sums *restrict sums,
			   const struct lane *restrict low, const struct lane *restrict high,
			   unsigned int shift, size_t rows)
{
	if (!lower_differences(out, low, high, shift, rows))
		all_differences(out, low, high, shift, rows);
	add_to_sums(sums, out, rows);
}

static inline __attribute__((always_inline)) void
step_rows(enum column_step step, union column *restrict out, const union column *restrict a,
	  const union column *restrict b, const union column *restrict c, size_t rows)
{
	FOR_EACH_ROW_UNROLLED(i, rows)
	out->reals[i] = step_value(step, a->reals[i], b->reals[i], c->reals[i]);
}

#define STEP_CASE(name)                                                      \
	case STEP_##name:                                                    \
		WHOLE_OR_GROUPS(step_rows, rows, STEP_##name, out, a, b, c); \
		break;

static void step(enum column_step step, union column *out, const union column *a,
		 const union column *b, const union column *c, size_t rows)
{
	switch (step) {
		EACH_STEP(STEP_CASE)
	default: /* STEP_COUNT */
		break;
	}
}

static inline __attribute__((always_inline)) bool
step_fits_rows(enum column_step step, union column *restrict out, const union column *restrict a,
	       const union column *restrict b, size_t rows)
{
	uint64_t large = 0;

	if (step == STEP_ADD) {
		FOR_EACH_ROW_UNROLLED(i, rows)
		{
			double sum = a->reals[i] + b->reals[i];

			out->reals[i] = sum;
			large |= sum >= COLUMN_WIDE ? UINT64_MAX : 0;
		}
	} else {
		FOR_EACH_ROW_UNROLLED(i, rows)
		{
			double product = a->reals[i] * b->reals[i];

			out->reals[i] = product;
			large |= product >= COLUMN_WIDE ? UINT64_MAX : 0;
		}
	}
	return !large;
}

static bool step_fits(enum column_step step, union column *out, const union column *a,
		      const union column *b, size_t rows)
{
	return WHOLE_OR_GROUPS(step_fits_rows, rows, step, out, a, b);
}

static inline double less(double a, double b)
{
	return a < b ? a : b;
}

static inline double more(double a, double b)
{
	return a > b ? a : b;
}

/*
 * A whole batch is four groups. The links of op chains (vector_op_chain.c) add in the same order.
 */
static void summarize_batch(struct column_summary *restrict summary, const double *restrict values)
{
	_Static_assert(COLUMN_ROWS == 4 * COLUMN_LANES, "four groups");
	for (size_t i = 0; i < COLUMN_LANES; i++) {
		const double *a = values + i, *b = a + COLUMN_LANES;
		const double *c = b + COLUMN_LANES, *d = c + COLUMN_LANES;
		double least = summary->least[i], largest = summary->largest[i];

		summary->sums[i] = summary->sums[i] + *a + *b + *c + *d;
		summary->least[i] = less(less(less(less(least, *a), *b), *c), *d);
		summary->largest[i] = more(more(more(more(largest, *a), *b), *c), *d);
	}
}

static void summarize(struct column_summary *summary, const union column *column, size_t rows)
{
	if (rows == COLUMN_ROWS) {
		summarize_batch(summary, column->reals);
		return;
	}
	for (size_t row = 0; row < rows; row++) {
		double value = column->reals[row];
		size_t i = row % COLUMN_LANES;

		summary->sums[i] += value;
		summary->least[i] = less(summary->least[i], value);
		summary->largest[i] = more(summary->largest[i], value);
	}
}

static void to_floats(float *restrict out, const union column *restrict column, size_t rows)
{
	FOR_EACH_ROW(i, rows)
	out[i] = real_to_float(column->reals[i]);
}

static void to_float_words(uint64_t *restrict out, const union column *restrict column, size_t rows)
{
	FOR_EACH_ROW(i, rows)
	{
		union {
			float real;
			uint32_t word;
		} value = { .real = real_to_float(column->reals[i]) };

		out[i] = value.word;
	}
}

static void to_integers(uint64_t *restrict out, const union column *restrict column, size_t rows)
{
	FOR_EACH_ROW(i, rows)
	out[i] = to_integer(column->reals[i]);
}

static void stream(void *out, const void *from, size_t bytes)
{
	const words *value = from;

	for (size_t i = 0; i < bytes / STREAM_BYTES; i++)
		stream_words((uint64_t *)out + i * REALS_COUNT, value[i]);
}

static const reals *vector_of(const double *from)
{
	return (const reals *)from;
}

static void stream_floats(float *out, const union column *column, size_t rows)
{
	for (size_t i = 0; i < rows; i += 2 * REALS_COUNT)
		stream_floats_of(out + i, *vector_of(column->reals + i),
				 *vector_of(column->reals + i + REALS_COUNT));
}

static void stream_integers(uint64_t *out, const union column *column, size_t rows)
{
	for (size_t i = 0; i < rows; i += REALS_COUNT)
		stream_words(out + i, reals_to_words(*vector_of(column->reals + i)));
}

static void to_rows(uint64_t *out, size_t stride, const uint64_t *values, size_t columns,
		    size_t rows)
{
	size_t column = 0;

	for (; column + TRANSPOSE_QWORDS <= columns; column += TRANSPOSE_QWORDS) {
		size_t row = 0;

		for (; row + TRANSPOSE_QWORDS <= rows; row += TRANSPOSE_QWORDS)
			transpose_qwords(out + row * stride + column, stride,
					 values + column * COLUMN_ROWS + row, COLUMN_ROWS);
		for (; row < rows; row++)
			for (size_t i = column; i < column + TRANSPOSE_QWORDS; i++)
				out[row * stride + i] = values[i * COLUMN_ROWS + row];
	}
	for (; column < columns; column++)
		for (size_t row = 0; row < rows; row++)
			out[row * stride + column] = values[column * COLUMN_ROWS + row];
}

const struct vector_ops OPS(VECTOR_OPS) = {
	.name = NAME_OF(VECTOR_OPS),
	.small_delta = &TABLE_OF(small_delta_ops),
	.chain = &TABLE_OF(op_chain_ops),
	.load_lanes = load_lanes,
	.differences_32 = differences_32,
	.differences_40 = differences_40,
	.step = step,
	.step_fits = step_fits,
	.to_floats = to_floats,
	.to_float_words = to_float_words,
	.to_integers = to_integers,
	.stream = stream,
	.stream_floats = stream_floats,
	.stream_integers = stream_integers,
	.stream_end = stream_end,
	.to_rows = to_rows,
	.summarize = summarize,
};
