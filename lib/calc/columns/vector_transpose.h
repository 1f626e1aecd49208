/* SPDX-License-Identifier: MIT */
/*
 * vector_transpose.h - transpose squares of words in registers; compiled once for each instruction
 * set
 *
 * transpose_dwords() writes TRANSPOSE_DWORDS dwords each of as many reports to as many lanes, from
 * element @at on; it overwrites its square. transpose_qwords() transposes a square of
 * TRANSPOSE_QWORDS values;
 * @stride: distance between lines, in values.
 */
#ifndef GPUOA_LIB_CALC_COLUMNS_VECTOR_TRANSPOSE_H
#define GPUOA_LIB_CALC_COLUMNS_VECTOR_TRANSPOSE_H

#include <string.h>

#include "calc/columns/column.h"

#if defined(VECTOR_PLAIN)
#define TRANSPOSE_DWORDS 4
#elif defined(__AVX512F__)
#include <immintrin.h>
#define TRANSPOSE_DWORDS 16
#elif defined(__AVX2__)
#include <immintrin.h>
#define TRANSPOSE_DWORDS 8
#else /* SSE2 */
#include <emmintrin.h>
#define TRANSPOSE_DWORDS 4
#endif

/*
 * Only the moves of words between vectors are written by hand, because the compiler supports
 * arithmetic on vectors.
 */
typedef uint32_t dwords __attribute__((vector_size(4 * TRANSPOSE_DWORDS)));

static inline dwords load_dwords(const void *from)
{
	typedef dwords anywhere __attribute__((aligned(1), may_alias));

	return *(const anywhere *)from;
}

static inline void store_dwords(uint32_t *out, dwords value)
{
	typedef dwords anywhere __attribute__((aligned(4), may_alias));

	*(anywhere *)out = value;
}

#if defined(VECTOR_PLAIN)

#define TRANSPOSE_QWORDS 1

static inline void transpose_dwords(dwords *square, struct lane *lanes, size_t at)
{
	for (size_t row = 0; row < TRANSPOSE_DWORDS; row++)
		for (size_t i = 0; i < TRANSPOSE_DWORDS; i++)
			lanes[i].dwords[at + row] = square[row][i];
}

static inline void transpose_qwords(uint64_t *out, size_t out_stride, const uint64_t *in,
				    size_t in_stride)
{
	(void)out_stride;
	(void)in_stride;
	*out = *in;
}

#elif defined(__AVX512F__)

#define TRANSPOSE_QWORDS 8

/* Combine 128-bit parts 0 and 2 of both vectors, and parts 1 and 3 of both. */
#define EVEN_LANES(a, b) _mm512_shuffle_i32x4(a, b, 0x88)
#define ODD_LANES(a, b) _mm512_shuffle_i32x4(a, b, 0xdd)

static inline void transpose_dwords(dwords *square, struct lane *lanes, size_t at)
{
	__m512i *a = (__m512i *)square, b[16];

	for (int i = 0; i < 16; i += 2) {
		b[i] = _mm512_unpacklo_epi32(a[i], a[i + 1]);
		b[i + 1] = _mm512_unpackhi_epi32(a[i], a[i + 1]);
	}
	/* a[4 * k + n] holds words n, n + 4, n + 8 and n + 12 of reports 4 * k to 4 * k + 3. */
	for (int i = 0; i < 16; i += 4) {
		a[i] = _mm512_unpacklo_epi64(b[i], b[i + 2]);
		a[i + 1] = _mm512_unpackhi_epi64(b[i], b[i + 2]);
		a[i + 2] = _mm512_unpacklo_epi64(b[i + 1], b[i + 3]);
		a[i + 3] = _mm512_unpackhi_epi64(b[i + 1], b[i + 3]);
	}
	for (int n = 0; n < 4; n++) {
		__m512i even_low = EVEN_LANES(a[n], a[4 + n]);
		__m512i even_high = EVEN_LANES(a[8 + n], a[12 + n]);
		__m512i odd_low = ODD_LANES(a[n], a[4 + n]);
		__m512i odd_high = ODD_LANES(a[8 + n], a[12 + n]);

		_mm512_store_si512(&lanes[n].dwords[at], EVEN_LANES(even_low, even_high));
		_mm512_store_si512(&lanes[4 + n].dwords[at], EVEN_LANES(odd_low, odd_high));
		_mm512_store_si512(&lanes[8 + n].dwords[at], ODD_LANES(even_low, even_high));
		_mm512_store_si512(&lanes[12 + n].dwords[at], ODD_LANES(odd_low, odd_high));
	}
}

static inline void transpose_qwords(uint64_t *out, size_t out_stride, const uint64_t *in,
				    size_t in_stride)
{
	__m512i a[8], b[8];

	for (int i = 0; i < 8; i++)
		a[i] = _mm512_loadu_si512(in + i * in_stride);
	for (int i = 0; i < 8; i += 2) {
		b[i] = _mm512_unpacklo_epi64(a[i], a[i + 1]);
		b[i + 1] = _mm512_unpackhi_epi64(a[i], a[i + 1]);
	}
	for (int n = 0; n < 2; n++) {
		__m512i even_low = EVEN_LANES(b[n], b[2 + n]);
		__m512i even_high = EVEN_LANES(b[4 + n], b[6 + n]);
		__m512i odd_low = ODD_LANES(b[n], b[2 + n]);
		__m512i odd_high = ODD_LANES(b[4 + n], b[6 + n]);

		_mm512_storeu_si512(out + n * out_stride, EVEN_LANES(even_low, even_high));
		_mm512_storeu_si512(out + (2 + n) * out_stride, EVEN_LANES(odd_low, odd_high));
		_mm512_storeu_si512(out + (4 + n) * out_stride, ODD_LANES(even_low, even_high));
		_mm512_storeu_si512(out + (6 + n) * out_stride, ODD_LANES(odd_low, odd_high));
	}
}

#elif defined(__AVX2__)

#define TRANSPOSE_QWORDS 4

#define LOW_LANES(a, b) _mm256_permute2x128_si256(a, b, 0x20)
#define HIGH_LANES(a, b) _mm256_permute2x128_si256(a, b, 0x31)

static inline __m256i load_256(const void *from)
{
	return _mm256_loadu_si256(from);
}

static inline void transpose_dwords(dwords *square, struct lane *lanes, size_t at)
{
	__m256i *a = (__m256i *)square, b[8];

	for (int i = 0; i < 8; i += 2) {
		b[i] = _mm256_unpacklo_epi32(a[i], a[i + 1]);
		b[i + 1] = _mm256_unpackhi_epi32(a[i], a[i + 1]);
	}
	/* a[4 * k + n] holds words n and n + 4 of reports 4 * k to 4 * k + 3. */
	for (int i = 0; i < 8; i += 4) {
		a[i] = _mm256_unpacklo_epi64(b[i], b[i + 2]);
		a[i + 1] = _mm256_unpackhi_epi64(b[i], b[i + 2]);
		a[i + 2] = _mm256_unpacklo_epi64(b[i + 1], b[i + 3]);
		a[i + 3] = _mm256_unpackhi_epi64(b[i + 1], b[i + 3]);
	}
	for (int n = 0; n < 4; n++) {
		_mm256_store_si256((__m256i *)&lanes[n].dwords[at], LOW_LANES(a[n], a[4 + n]));
		_mm256_store_si256((__m256i *)&lanes[4 + n].dwords[at], HIGH_LANES(a[n], a[4 + n]));
	}
}

static inline void transpose_qwords(uint64_t *out, size_t out_stride, const uint64_t *in,
				    size_t in_stride)
{
	__m256i a[4], b[4];

	for (int i = 0; i < 4; i++)
		a[i] = load_256(in + i * in_stride);
	for (int i = 0; i < 4; i += 2) {
		b[i] = _mm256_unpacklo_epi64(a[i], a[i + 1]);
		b[i + 1] = _mm256_unpackhi_epi64(a[i], a[i + 1]);
	}
	for (int n = 0; n < 2; n++) {
		_mm256_storeu_si256((__m256i *)(out + n * out_stride), LOW_LANES(b[n], b[2 + n]));
		_mm256_storeu_si256((__m256i *)(out + (2 + n) * out_stride),
				    HIGH_LANES(b[n], b[2 + n]));
	}
}

#else /* SSE2 */

#define TRANSPOSE_QWORDS 2

static inline __m128i load_128(const void *from)
{
	return _mm_loadu_si128(from);
}

static inline void transpose_dwords(dwords *square, struct lane *lanes, size_t at)
{
	__m128i *a = (__m128i *)square, b[4];

	b[0] = _mm_unpacklo_epi32(a[0], a[1]);
	b[1] = _mm_unpackhi_epi32(a[0], a[1]);
	b[2] = _mm_unpacklo_epi32(a[2], a[3]);
	b[3] = _mm_unpackhi_epi32(a[2], a[3]);
	_mm_store_si128((__m128i *)&lanes[0].dwords[at], _mm_unpacklo_epi64(b[0], b[2]));
	_mm_store_si128((__m128i *)&lanes[1].dwords[at], _mm_unpackhi_epi64(b[0], b[2]));
	_mm_store_si128((__m128i *)&lanes[2].dwords[at], _mm_unpacklo_epi64(b[1], b[3]));
	_mm_store_si128((__m128i *)&lanes[3].dwords[at], _mm_unpackhi_epi64(b[1], b[3]));
}

static inline void transpose_qwords(uint64_t *out, size_t out_stride, const uint64_t *in,
				    size_t in_stride)
{
	__m128i a = load_128(in), b = load_128(in + in_stride);

	_mm_storeu_si128((__m128i *)out, _mm_unpacklo_epi64(a, b));
	_mm_storeu_si128((__m128i *)(out + out_stride), _mm_unpackhi_epi64(a, b));
}

#endif

#endif /* GPUOA_LIB_CALC_COLUMNS_VECTOR_TRANSPOSE_H */
