// SPDX-License-Identifier: MIT
/*
 * vector_op_chain.c - vector code for op chains
 *
 * Compiled once for each instruction set; VECTOR_OPS is the name of the table. A link receives and
 * passes its eight vectors as arguments, which compilers keep in registers. It calls the next link
 * last, which compilers turn into a jump.
 */
#include "calc/columns/op_chain.h"
#include "calc/columns/vector_real.h"
#include "calc/columns/vector_stream.h"
#include "table/number.h"

#define OPS_OF(name) op_chain_ops_##name
#define OPS(name) OPS_OF(name)

#define VECTORS 8
#define STRIP_ROWS (VECTORS * REALS_COUNT)
#define UNROLLED _Pragma("GCC unroll 8")
#define FOR_EACH_VECTOR(i) UNROLLED for (size_t i = 0; i < VECTORS; i++)

/* Number of vectors after which the parallel sums of a summary repeat */
#define LANE_VECTORS (COLUMN_LANES / REALS_COUNT)

_Static_assert(COLUMN_ROWS % STRIP_ROWS == 0 && VECTORS % LANE_VECTORS == 0, "whole groups");

#define ARGUMENTS reals v0, reals v1, reals v2, reals v3, reals v4, reals v5, reals v6, reals v7
#define ARGUMENTS_IN                           \
	{                                      \
		v0, v1, v2, v3, v4, v5, v6, v7 \
	}
#define ARGUMENTS_OUT(v) (v)[0], (v)[1], (v)[2], (v)[3], (v)[4], (v)[5], (v)[6], (v)[7]

/* @row: first row of the strip in the batch */
typedef void link_fn(const struct op_chain_link *link, size_t row, ARGUMENTS);

#define LINK(name) static void link_##name(const struct op_chain_link *link, size_t row, ARGUMENTS)
#define NEXT(v) ((link_fn *)link[1].run)(link + 1, row, ARGUMENTS_OUT(v))

REALS_INLINE reals load_reals(const double *from)
{
	return *(const reals *)from;
}

REALS_INLINE void store_reals(double *to, reals value)
{
	*(reals *)to = value;
}

LINK(FETCH)
{
	struct op_chain_fetch *fetch = link->out;
	const char *end = fetch->next + fetch->share;
	reals v[VECTORS] = ARGUMENTS_IN;

	if (fetch->next < fetch->end)
		for (; fetch->next < end; fetch->next += LANE_BLOCK_BYTES)
			__builtin_prefetch(fetch->next);
	NEXT(v);
}

LINK(WIDEN)
{
	const uint32_t *lane = (const uint32_t *)link->b + row;
	reals v[VECTORS] = ARGUMENTS_IN;

	FOR_EACH_VECTOR(i)
	v[i] = reals_widen(lane + i * REALS_COUNT);
	NEXT(v);
}

LINK(LOAD)
{
	const double *column = (const double *)link->b + row;
	reals v[VECTORS] = ARGUMENTS_IN;

	FOR_EACH_VECTOR(i)
	v[i] = load_reals(column + i * REALS_COUNT);
	NEXT(v);
}

/* Prevent the compiler from interleaving all vectors, which would need too many registers. */
#if defined(__x86_64__)
#define DONE(value) __asm__ volatile("" : "+v"(value))
#define NOTHING_IN(value) __asm__("" : "=v"(value))
#else
#define DONE(value) ((void)0)
#define NOTHING_IN(value) ((value) = (reals){ 0 })
#endif

#define LINK_STEP(name)                                                              \
	LINK(STEP_##name)                                                            \
	{                                                                            \
		const double *b = (const double *)link->b + row, *c = link->c + row; \
		reals v[VECTORS] = ARGUMENTS_IN;                                     \
                                                                                     \
		FOR_EACH_VECTOR(i)                                                   \
		{                                                                    \
			const size_t at = i * REALS_COUNT;                           \
                                                                                     \
			v[i] = reals_step(STEP_##name, v[i], load_reals(b + at),     \
					  load_reals(c + at));                       \
			DONE(v[i]);                                                  \
		}                                                                    \
		NEXT(v);                                                             \
	}
EACH_STEP(LINK_STEP)

LINK(ADD_LANE)
{
	const uint32_t *lane = (const uint32_t *)link->b + row;
	reals v[VECTORS] = ARGUMENTS_IN;

	FOR_EACH_VECTOR(i)
	v[i] += reals_widen(lane + i * REALS_COUNT);
	NEXT(v);
}

/*
 * It suffices to check rounded results: a result that is too large is also too large after
 * rounding.
 */
REALS_INLINE void note_large(const struct op_chain_link *link, const reals *v)
{
	reals_mask large = { 0 };
	uint64_t *some = link->out;

	FOR_EACH_VECTOR(i)
	large |= v[i] >= COLUMN_WIDE;
	for (size_t i = 0; i < REALS_COUNT; i++)
		*some |= (uint64_t)large[i];
}

LINK(ADD_FITS)
{
	const double *b = (const double *)link->b + row;
	reals v[VECTORS] = ARGUMENTS_IN;

	FOR_EACH_VECTOR(i)
	v[i] += load_reals(b + i * REALS_COUNT);
	note_large(link, v);
	NEXT(v);
}

LINK(MULTIPLY_FITS)
{
	const double *b = (const double *)link->b + row;
	reals v[VECTORS] = ARGUMENTS_IN;

	FOR_EACH_VECTOR(i)
	v[i] *= load_reals(b + i * REALS_COUNT);
	note_large(link, v);
	NEXT(v);
}

LINK(STORE)
{
	double *column = (double *)link->out + row;
	reals v[VECTORS] = ARGUMENTS_IN;

	FOR_EACH_VECTOR(i)
	store_reals(column + i * REALS_COUNT, v[i]);
	NEXT(v);
}

/* Add in the same order as summarize() in vector_ops.c, so that the sums are identical. */
LINK(SUMMARIZE)
{
	struct column_summary *summary = link->out;
	reals v[VECTORS] = ARGUMENTS_IN;

	UNROLLED for (size_t lane = 0; lane < LANE_VECTORS; lane++)
	{
		reals sum = load_reals(summary->sums + lane * REALS_COUNT);
		reals least = load_reals(summary->least + lane * REALS_COUNT);
		reals largest = load_reals(summary->largest + lane * REALS_COUNT);

		UNROLLED for (size_t i = lane; i < VECTORS; i += LANE_VECTORS)
		{
			sum += v[i];
			least = reals_minimum(least, v[i]);
			largest = reals_maximum(largest, v[i]);
		}
		store_reals(summary->sums + lane * REALS_COUNT, sum);
		store_reals(summary->least + lane * REALS_COUNT, least);
		store_reals(summary->largest + lane * REALS_COUNT, largest);
	}
	NEXT(v);
}

/* A vector of floats with as many elements as a vector of doubles, and half of its size */
LINK(PUT_FLOATS)
{
	const struct op_chain_slot *slot = link->out;
	float *out = (float *)slot->values + row;
	reals v[VECTORS] = ARGUMENTS_IN;

	if (slot->stream)
		UNROLLED for (size_t i = 0; i < VECTORS; i += 2)
			stream_floats_of(out + i * REALS_COUNT, v[i], v[i + 1]);
	else if (slot->values)
		FOR_EACH_VECTOR(i)
		{
			const floats values = __builtin_convertvector(v[i], floats) + 0.0f;

			memcpy(out + i * REALS_COUNT, &values, sizeof(values));
		}
	NEXT(v);
}

LINK(PUT_FLOAT_WORDS)
{
	typedef uint32_t bits __attribute__((vector_size(REALS_BYTES / 2)));
	const struct op_chain_slot *slot = link->out;
	uint64_t *out = (uint64_t *)slot->values + row;
	reals v[VECTORS] = ARGUMENTS_IN;

	FOR_EACH_VECTOR(i)
	{
		const floats values = __builtin_convertvector(v[i], floats) + 0.0f;
		const words zero_extended = __builtin_convertvector((bits)values, words);

		memcpy(out + i * REALS_COUNT, &zero_extended, sizeof(zero_extended));
	}
	NEXT(v);
}

LINK(PUT_INTEGERS)
{
	const struct op_chain_slot *slot = link->out;
	uint64_t *out = (uint64_t *)slot->values + row;
	reals v[VECTORS] = ARGUMENTS_IN;

	if (slot->values)
		FOR_EACH_VECTOR(i)
		{
			const words values = reals_to_words(v[i]);

			if (slot->stream)
				stream_words(out + i * REALS_COUNT, values);
			else
				memcpy(out + i * REALS_COUNT, &values, sizeof(values));
		}
	NEXT(v);
}

/*
 * Compilers assume that the caller of a function with such arguments is also vector code, and do
 * not clear the upper halves of the registers. SSE code, which runs next, would be slowed down.
 */
LINK(END)
{
	const reals v[VECTORS] = ARGUMENTS_IN;

	(void)link;
	(void)row;
	(void)v;
#ifdef __AVX__
	__builtin_ia32_vzeroupper();
#endif
}

static void run(const struct op_chain_link *first)
{
	reals v[VECTORS];

	/* Pass vectors of any value, because the first link loads its own. */
	FOR_EACH_VECTOR(i)
	NOTHING_IN(v[i]);
	for (size_t row = 0; row < COLUMN_ROWS; row += STRIP_ROWS)
		((link_fn *)first->run)(first, row, ARGUMENTS_OUT(v));
}

static void add_lanes(uint32_t *restrict to, const struct lane_sum *sum)
{
	memcpy(to, sum->lanes[sum->numbers[0]].dwords + LANE_FIRST, COLUMN_ROWS * sizeof(*to));
	for (uint32_t n = 1; n < sum->count; n++) {
		const uint32_t *dwords = sum->lanes[sum->numbers[n]].dwords + LANE_FIRST;

		for (size_t i = 0; i < COLUMN_ROWS; i++)
			to[i] += dwords[i];
	}
}

static void put_lanes(const struct op_chain_slot *slot, const struct lane_sum *sum)
{
	const uint32_t *from = sum->lanes[sum->numbers[0]].dwords + LANE_FIRST;
	const words factor = (words){ 0 } + sum->factor;
	_Alignas(64) uint32_t added[COLUMN_ROWS];

	if (!slot->values)
		return;
	if (sum->count > 1) {
		add_lanes(added, sum);
		from = added;
	}
	for (size_t i = 0; i < COLUMN_ROWS; i += REALS_COUNT) {
		const words product = words_multiply(words_widen(from + i), factor);

		if (slot->stream)
			stream_words((uint64_t *)slot->values + i, product);
		else
			memcpy((uint64_t *)slot->values + i, &product, sizeof(product));
	}
}

static void bound_lanes(struct lane_bounds *bounds, const struct lane_sum *sum)
{
	uint32_t *restrict least = bounds->least, *restrict largest = bounds->largest;
	_Alignas(64) uint32_t added[COLUMN_ROWS];

	add_lanes(added, sum);
	for (size_t row = 0; row < COLUMN_ROWS; row += LANE_BLOCK)
		for (size_t i = 0; i < LANE_BLOCK; i++) {
			const uint32_t value = added[row + i];

			least[i] = value < least[i] ? value : least[i];
			largest[i] = value > largest[i] ? value : largest[i];
		}
}

#define TASK(name) [OP_CHAIN_##name] = (void (*)(void))link_##name
#define STEP_ENTRY(name) [STEP_##name] = (void (*)(void))link_STEP_##name,

const struct op_chain_ops OPS(VECTOR_OPS) = {
	.strips = COLUMN_ROWS / STRIP_ROWS,
	.task = {
		TASK(WIDEN),
		TASK(LOAD),
		TASK(ADD_LANE),
		TASK(ADD_FITS),
		TASK(MULTIPLY_FITS),
		TASK(STORE),
		TASK(SUMMARIZE),
		TASK(PUT_FLOATS),
		TASK(PUT_FLOAT_WORDS),
		TASK(PUT_INTEGERS),
		TASK(FETCH),
		TASK(END),
	},
	.step = { EACH_STEP(STEP_ENTRY) },
	.run = run,
	.put_lanes = put_lanes,
	.bound_lanes = bound_lanes,
};
