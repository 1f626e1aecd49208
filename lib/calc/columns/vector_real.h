/* SPDX-License-Identifier: MIT */
/*
 * vector_real.h - steps on vectors of doubles; compiled once for each instruction set
 *
 * The results are bit-identical to those of step_value() in vector_step.h for single rows.
 */
#ifndef GPUOA_LIB_CALC_COLUMNS_VECTOR_REAL_H
#define GPUOA_LIB_CALC_COLUMNS_VECTOR_REAL_H

#include <string.h>

#include "calc/columns/vector_step.h"

#if defined(VECTOR_PLAIN)
#define REALS_BYTES 16
#elif defined(__AVX512F__)
#include <immintrin.h>
#define REALS_BYTES 64
#elif defined(__AVX2__)
#include <immintrin.h>
#define REALS_BYTES 32
#else /* SSE2 */
#include <emmintrin.h>
#define REALS_BYTES 16
#endif

#define REALS_COUNT (REALS_BYTES / 8)

typedef double reals __attribute__((vector_size(REALS_BYTES)));
typedef int64_t reals_mask __attribute__((vector_size(REALS_BYTES)));
typedef uint64_t words __attribute__((vector_size(REALS_BYTES)));
typedef float floats __attribute__((vector_size(REALS_BYTES / 2)));
typedef int32_t half_dwords __attribute__((vector_size(REALS_BYTES / 2)));

#define REALS_INLINE static inline __attribute__((always_inline))

REALS_INLINE reals reals_all(double real)
{
	reals all;

	for (size_t i = 0; i < REALS_COUNT; i++)
		all[i] = real;
	return all;
}

/* Return the elements of @a for which the mask is set, and 0 for the others. */
REALS_INLINE reals reals_where(reals_mask mask, reals a)
{
	return (reals)((reals_mask)a & mask);
}

#if defined(VECTOR_PLAIN)

REALS_INLINE reals reals_minimum(reals a, reals b)
{
	for (size_t i = 0; i < REALS_COUNT; i++)
		a[i] = a[i] < b[i] ? a[i] : b[i];
	return a;
}

REALS_INLINE reals reals_maximum(reals a, reals b)
{
	for (size_t i = 0; i < REALS_COUNT; i++)
		a[i] = a[i] > b[i] ? a[i] : b[i];
	return a;
}

#elif defined(__AVX512F__)

#define reals_minimum(a, b) ((reals)_mm512_min_pd((__m512d)(a), (__m512d)(b)))
#define reals_maximum(a, b) ((reals)_mm512_max_pd((__m512d)(a), (__m512d)(b)))
#define reals_add_product(a, b, c) \
	((reals)_mm512_fmadd_pd((__m512d)(b), (__m512d)(c), (__m512d)(a)))
#define reals_subtract_product(a, b, c) \
	((reals)_mm512_fnmadd_pd((__m512d)(b), (__m512d)(c), (__m512d)(a)))
#define reals_floor(a) \
	((reals)_mm512_roundscale_pd((__m512d)(a), _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC))

/* relative error below 2^-14 */
#define reals_near_reciprocal(a) ((reals)_mm512_rcp14_pd((__m512d)(a)))

#elif defined(__AVX2__)

#define reals_minimum(a, b) ((reals)_mm256_min_pd((__m256d)(a), (__m256d)(b)))
#define reals_maximum(a, b) ((reals)_mm256_max_pd((__m256d)(a), (__m256d)(b)))
#define reals_add_product(a, b, c) \
	((reals)_mm256_fmadd_pd((__m256d)(b), (__m256d)(c), (__m256d)(a)))
#define reals_subtract_product(a, b, c) \
	((reals)_mm256_fnmadd_pd((__m256d)(b), (__m256d)(c), (__m256d)(a)))
#define reals_floor(a) ((reals)_mm256_floor_pd((__m256d)(a)))

#else /* SSE2 */

#define reals_minimum(a, b) ((reals)_mm_min_pd((__m128d)(a), (__m128d)(b)))
#define reals_maximum(a, b) ((reals)_mm_max_pd((__m128d)(a), (__m128d)(b)))

#endif

REALS_INLINE reals reals_nearest(reals a)
{
	return (a + MAGIC) - MAGIC;
}

#ifdef reals_floor
#define reals_truncate(a) reals_floor(a)
#else
#define reals_subtract_product(a, b, c) ((a) - (b) * (c))

REALS_INLINE reals reals_truncate(reals a)
{
	const reals near = reals_nearest(a);

	return near - reals_where(near > a, reals_all(1));
}
#endif

REALS_INLINE reals reals_divide(reals a, reals b)
{
	return reals_where(b != 0.0, a / b);
}

REALS_INLINE reals reals_divide_with(reals a, reals b, reals c)
{
#ifdef reals_add_product
	reals quotient = a * c;

	quotient = reals_add_product(quotient, reals_subtract_product(a, quotient, b), c);
	return reals_add_product(quotient, reals_subtract_product(a, quotient, b), c);
#else
	(void)c;
	return reals_divide(a, b);
#endif
}

REALS_INLINE reals reals_divide_whole(reals a, reals b, reals c)
{
#ifdef reals_add_product
	const reals quotient = a * c;

	return reals_add_product(quotient, reals_subtract_product(a, quotient, b), c);
#else
	(void)c;
	return reals_divide(a, b);
#endif
}

REALS_INLINE reals reals_quotient(reals real, reals a, reals b)
{
	const reals integer = reals_nearest(real);

	return integer - reals_where(reals_subtract_product(a, integer, b) < 0.0, reals_all(1));
}

/* The proof that this is the correctly rounded 1 / a is in vector_divide.h. */
REALS_INLINE reals reals_reciprocal_whole(reals a)
{
#ifdef reals_near_reciprocal
	const reals one = reals_all(1);
	reals near = reals_near_reciprocal(a);

	_Pragma("GCC unroll 3") for (int round = 0; round < 3; round++)
		near = reals_add_product(near, near, reals_subtract_product(one, a, near));
	return reals_where(a != 0.0, near);
#else
	return reals_divide(reals_all(1), a);
#endif
}

/* Always inline this function, with a constant @step, so that the switch costs nothing. */
REALS_INLINE reals reals_step(enum column_step step, reals a, reals b, reals c)
{
	switch (step) {
	case STEP_ADD:
		return a + b;
	case STEP_SUBTRACT:
		return reals_where(a > b, a - b);
	case STEP_REAL_SUBTRACT:
		return a - b;
	case STEP_MULTIPLY:
		return a * b;
	case STEP_MINIMUM:
		return reals_minimum(a, b);
	case STEP_MAXIMUM:
		return reals_maximum(a, b);
	case STEP_RECIPROCAL:
		return reals_divide(reals_all(1), a);
	case STEP_RECIPROCAL_WHOLE:
		return reals_reciprocal_whole(a);
	case STEP_DIVIDE:
		return reals_divide(a, b);
	case STEP_DIVIDE_WITH:
		return reals_divide_with(a, b, c);
	case STEP_DIVIDE_WHOLE:
		return reals_divide_whole(a, b, c);
	case STEP_QUOTIENT:
		return reals_quotient(reals_divide(a, b), a, b);
	case STEP_QUOTIENT_WITH:
		return reals_quotient(a * c, a, b);
	default: /* STEP_QUOTIENT_WHOLE */
		return reals_truncate(a * c * (1 + 0x1p-51));
	}
}

/* Convert 32-bit integers below 2^31, which occupy half a vector. */
REALS_INLINE reals reals_widen(const void *dwords)
{
#if defined(VECTOR_PLAIN)
	half_dwords half;

	memcpy(&half, dwords, sizeof(half));
	return __builtin_convertvector(half, reals);
#elif defined(__AVX512F__)
	return (reals)_mm512_cvtepi32_pd(_mm256_loadu_si256(dwords));
#elif defined(__AVX2__)
	return (reals)_mm256_cvtepi32_pd(_mm_loadu_si128(dwords));
#else /* SSE2 */
	return (reals)_mm_cvtepi32_pd(_mm_loadl_epi64(dwords));
#endif
}

/* Convert 32-bit integers, which occupy half a vector, to words. */
REALS_INLINE words words_widen(const void *dwords)
{
#if defined(VECTOR_PLAIN)
	typedef uint32_t half_words __attribute__((vector_size(REALS_BYTES / 2)));
	half_words half;

	memcpy(&half, dwords, sizeof(half));
	return __builtin_convertvector(half, words);
#elif defined(__AVX512F__)
	return (words)_mm512_cvtepu32_epi64(_mm256_loadu_si256(dwords));
#elif defined(__AVX2__)
	return (words)_mm256_cvtepu32_epi64(_mm_loadu_si128(dwords));
#else /* SSE2 */
	return (words)_mm_unpacklo_epi32(_mm_loadl_epi64(dwords), _mm_setzero_si128());
#endif
}

/* Multiply words below 2^32 */

#if defined(VECTOR_PLAIN)
#define words_multiply(a, b) ((a) * (b))
#elif defined(__AVX512F__)
#define words_multiply(a, b) ((words)_mm512_mul_epu32((__m512i)(a), (__m512i)(b)))
#elif defined(__AVX2__)
#define words_multiply(a, b) ((words)_mm256_mul_epu32((__m256i)(a), (__m256i)(b)))
#else /* SSE2 */
#define words_multiply(a, b) ((words)_mm_mul_epu32((__m128i)(a), (__m128i)(b)))
#endif

/* Convert integers below 2^52 */
REALS_INLINE words reals_to_words(reals a)
{
	return (words)(a + MAGIC) ^ MAGIC_BITS;
}

#endif /* GPUOA_LIB_CALC_COLUMNS_VECTOR_REAL_H */
