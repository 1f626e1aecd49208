// SPDX-License-Identifier: MIT
/*
 * vector_small_delta.c - vector code for batches with small deltas: deltas and their bounds, before
 * the transposition
 *
 * Compiled once for each instruction set; VECTOR_OPS is the name of the table.
 *
 * A vector holds the same quad of several reports that are four rows apart. Two rounds of
 * interleaving within 128 bits then transpose four vectors into four lanes, without any operation
 * across 128-bit boundaries.
 */
#include <string.h>

#include "calc/columns/small_delta.h"

#if defined(VECTOR_PLAIN)
#define GROUPS 1
#elif defined(__AVX512F__)
#include <immintrin.h>
#define GROUPS 4
#elif defined(__AVX2__)
#include <immintrin.h>
#define GROUPS 2
#else /* SSE2 */
#include <emmintrin.h>
#define GROUPS 1
#endif

#define OPS_OF(name) small_delta_ops_##name
#define OPS(name) OPS_OF(name)

#define INLINE static inline __attribute__((always_inline))

#define ROWS (QUAD_DWORDS * GROUPS)
#define UNROLLED _Pragma("GCC unroll 4")

/*
 * Number of cache lines of the next batch to prefetch for each quad of ROWS rows. Together this is
 * half of the batch if most quads are loaded. The op chains prefetch the rest, but there may be
 * only a few chains.
 */
#define FETCHED (ROWS / 8 ? ROWS / 8 : 1)

typedef uint32_t quad __attribute__((vector_size(16)));
typedef uint32_t quads __attribute__((vector_size(16 * GROUPS)));

union parts {
	quads all;
	quad parts[GROUPS];
};

INLINE quad load_quad(const void *from)
{
	quad value;

	memcpy(&value, from, sizeof(value));
	return value;
}

/*
 * Load the quad at @first. Wider vectors also hold the quad at @second, then one every @step bytes.
 */
INLINE quads load_quads(const char *first, const char *second, size_t step)
{
#if GROUPS == 4
	__m512i value = _mm512_castsi128_si512((__m128i)load_quad(first));

	value = _mm512_inserti32x4(value, (__m128i)load_quad(second), 1);
	value = _mm512_inserti32x4(value, (__m128i)load_quad(second + step), 2);
	return (quads)_mm512_inserti32x4(value, (__m128i)load_quad(second + 2 * step), 3);
#elif GROUPS == 2
	(void)step;
	return (quads)_mm256_inserti128_si256(_mm256_castsi128_si256((__m128i)load_quad(first)),
					      (__m128i)load_quad(second), 1);
#else
	(void)second;
	(void)step;
	return load_quad(first);
#endif
}

#if defined(VECTOR_PLAIN)

INLINE void store_square(struct lane *lanes, size_t row, const quads *square)
{
	for (size_t i = 0; i < QUAD_DWORDS; i++)
		for (size_t n = 0; n < QUAD_DWORDS; n++)
			lanes[i].dwords[LANE_FIRST + row + n] = square[n][i];
}

#else

#if GROUPS == 4
typedef __m512i registers;
#define LOW_DWORDS _mm512_unpacklo_epi32
#define HIGH_DWORDS _mm512_unpackhi_epi32
#define LOW_QWORDS _mm512_unpacklo_epi64
#define HIGH_QWORDS _mm512_unpackhi_epi64
#elif GROUPS == 2
typedef __m256i registers;
#define LOW_DWORDS _mm256_unpacklo_epi32
#define HIGH_DWORDS _mm256_unpackhi_epi32
#define LOW_QWORDS _mm256_unpacklo_epi64
#define HIGH_QWORDS _mm256_unpackhi_epi64
#else
typedef __m128i registers;
#define LOW_DWORDS _mm_unpacklo_epi32
#define HIGH_DWORDS _mm_unpackhi_epi32
#define LOW_QWORDS _mm_unpacklo_epi64
#define HIGH_QWORDS _mm_unpackhi_epi64
#endif

INLINE void store_lane(struct lane *lane, size_t row, quads value)
{
	*(quads *)(lane->dwords + LANE_FIRST + row) = value;
}

INLINE void store_square(struct lane *lanes, size_t row, const quads *square)
{
	const registers a = (registers)square[0], b = (registers)square[1];
	const registers c = (registers)square[2], d = (registers)square[3];
	const registers low = LOW_DWORDS(a, b), high = HIGH_DWORDS(a, b);
	const registers next_low = LOW_DWORDS(c, d), next_high = HIGH_DWORDS(c, d);

	store_lane(&lanes[0], row, (quads)LOW_QWORDS(low, next_low));
	store_lane(&lanes[1], row, (quads)HIGH_QWORDS(low, next_low));
	store_lane(&lanes[2], row, (quads)LOW_QWORDS(high, next_high));
	store_lane(&lanes[3], row, (quads)HIGH_QWORDS(high, next_high));
}

#endif

#if GROUPS == 4
#define quads_least(a, b) ((quads)_mm512_min_epu32((__m512i)(a), (__m512i)(b)))
#define quads_largest(a, b) ((quads)_mm512_max_epu32((__m512i)(a), (__m512i)(b)))
#elif GROUPS == 2
#define quads_least(a, b) ((quads)_mm256_min_epu32((__m256i)(a), (__m256i)(b)))
#define quads_largest(a, b) ((quads)_mm256_max_epu32((__m256i)(a), (__m256i)(b)))
#else
INLINE quads quads_least(quads a, quads b)
{
	const quads mask = (quads)(a < b);

	return (a & mask) | (b & ~mask);
}

INLINE quads quads_largest(quads a, quads b)
{
	const quads mask = (quads)(a < b);

	return (b & mask) | (a & ~mask);
}
#endif

INLINE quad fold_least(quads value)
{
	const union parts from = { .all = value };
	quad least = from.parts[0];

	for (size_t i = 1; i < GROUPS; i++) {
		const quad mask = (quad)(from.parts[i] < least);

		least = (from.parts[i] & mask) | (least & ~mask);
	}
	return least;
}

INLINE quad fold_largest(quads value)
{
	const union parts from = { .all = value };
	quad largest = from.parts[0];

	for (size_t i = 1; i < GROUPS; i++) {
		const quad mask = (quad)(from.parts[i] > largest);

		largest = (from.parts[i] & mask) | (largest & ~mask);
	}
	return largest;
}

INLINE quad fold_or(quads value)
{
	const union parts from = { .all = value };
	quad all = from.parts[0];

	for (size_t i = 1; i < GROUPS; i++)
		all |= from.parts[i];
	return all;
}

/* Returns the bits of the deltas that violate the rules; 0 if all deltas are small. */
INLINE quad load_one(const struct small_delta_request *request, struct small_delta_reports *reports,
		     const struct small_delta_quad *which, bool turn, bool bounds)
{
	const struct small_delta_rules *rules = &request->rules[which->lane / LANE_BLOCK];
	const char *base = reports->first + which->offset, *last = reports->before + which->offset;
	const quad first = load_quad(last);
	const size_t size = reports->size, step = QUAD_DWORDS * size;
	quads seen = { 0 }, least = ~(quads){ 0 };
	const char *next = reports->next;
	quad total, all;

	for (size_t row = 0; row < COLUMN_ROWS; row += ROWS) {
		quads before = load_quads(last, base + 3 * size, step), square[QUAD_DWORDS];

		UNROLLED for (size_t n = 0; n < QUAD_DWORDS; n++)
		{
			const quads now = load_quads(base + n * size, base + step + n * size, step);

			square[n] = now - before;
			before = now;
			if (bounds) {
				least = quads_least(least, square[n]);
				seen = quads_largest(seen, square[n]);
			} else {
				seen |= square[n];
			}
		}
		if (turn)
			store_square(request->lanes + which->lane, row, square);
		base += ROWS * size;
		last = base - size;
		UNROLLED for (size_t i = 0; i < FETCHED; i++, next += LANE_BLOCK_BYTES)
			__builtin_prefetch(next);
	}
	reports->next = next;
	total = load_quad(last) - first;
	memcpy(request->batch.totals + which->lane, &total, sizeof(total));
	all = bounds ? fold_largest(seen) : fold_or(seen);
	if (bounds) {
		const quad smallest = fold_least(least);

		memcpy(request->batch.least + which->lane, &smallest, sizeof(smallest));
		memcpy(request->batch.largest + which->lane, &all, sizeof(all));
	}
	/*
	 * Check the OR of all deltas: it has an upper bit set if and only if one of the deltas has.
	 */
	return (all & load_quad(rules->zero + which->lane % LANE_BLOCK)) |
	       ((quad)(load_quad(last) < first) &
		load_quad(rules->rising + which->lane % LANE_BLOCK));
}

INLINE bool load_all(const struct small_delta_request *request, struct small_delta_reports *reports,
		     bool bounds)
{
	quad broken = { 0 };

	for (size_t i = 0; i < request->quad_count; i++) {
		const struct small_delta_quad *which = &request->quads[i];

		if (which->turn)
			broken |= load_one(request, reports, which, true, bounds);
		else
			broken |= load_one(request, reports, which, false, bounds);
	}
	return !(broken[0] | broken[1] | broken[2] | broken[3]);
}

static bool load(const struct small_delta_request *request, struct small_delta_reports *reports)
{
	return load_all(request, reports, false);
}

static bool load_bounds(const struct small_delta_request *request,
			struct small_delta_reports *reports)
{
	return load_all(request, reports, true);
}

static void add_totals(uint64_t *restrict sums, const uint32_t *restrict totals, size_t lanes)
{
	if (lanes % LANE_BLOCK)
		__builtin_unreachable();
	for (size_t i = 0; i < lanes; i++)
		sums[i] += totals[i];
}

static void add_bounds(const struct small_delta_run *run, const struct small_delta_batch *batch,
		       size_t lanes)
{
	for (size_t i = 0; i < lanes; i += ROWS) {
		const quads least = *(const quads *)(batch->least + i);
		const quads largest = *(const quads *)(batch->largest + i);
		quads *run_least = (quads *)(run->least + i);
		quads *run_largest = (quads *)(run->largest + i);

		*run_least = quads_least(*run_least, least);
		*run_largest = quads_largest(*run_largest, largest);
	}
}

static void add(struct small_delta_run *run, const struct small_delta_batch *batch, size_t lanes)
{
	add_totals(run->sums, batch->totals, lanes);
	if (run->least)
		add_bounds(run, batch, lanes);
}

const struct small_delta_ops OPS(VECTOR_OPS) = {
	.load = load,
	.load_bounds = load_bounds,
	.add = add,
};
