/* SPDX-License-Identifier: MIT */
/*
 * vector_stream.h - results past the caches, for the instruction set that is compiled for.
 *
 * Each writes STREAM_BYTES, aligned: stream_vector() a copy, stream_float_vector() doubles as
 * floats, stream_integer_vector() integers below 2^52 as words. stream_end() lets them be seen.
 */
#ifndef GPUOA_LIB_CALC_COLUMNS_VECTOR_STREAM_H
#define GPUOA_LIB_CALC_COLUMNS_VECTOR_STREAM_H

#include <string.h>

#include "calc/columns/vector_divide.h"
#include "table/number.h"

#if defined(VECTOR_PLAIN)

#define STREAM_BYTES 64

static inline void stream_vector(void *out, const void *from)
{
	memcpy(out, from, STREAM_BYTES);
}

static inline void stream_float_vector(float *out, const double *from)
{
	for (size_t i = 0; i < STREAM_BYTES / sizeof(*out); i++)
		out[i] = real_to_float(from[i]);
}

static inline void stream_integer_vector(uint64_t *out, const double *from)
{
	for (size_t i = 0; i < STREAM_BYTES / sizeof(*out); i++)
		out[i] = (uint64_t)from[i];
}

static inline void stream_end(void)
{
}

#elif defined(__AVX512F__)

#include <immintrin.h>

#define STREAM_BYTES 64

static inline void stream_vector(void *out, const void *from)
{
	_mm512_stream_si512(out, _mm512_loadu_si512(from));
}

/* Zero is added as real_to_float() does it. */
static inline void stream_float_vector(float *out, const double *from)
{
	__m256 low = _mm512_cvtpd_ps(_mm512_loadu_pd(from));
	__m256 high = _mm512_cvtpd_ps(_mm512_loadu_pd(from + 8));
	__m512 both = _mm512_insertf32x8(_mm512_castps256_ps512(low), high, 1);

	_mm512_stream_ps(out, _mm512_add_ps(both, _mm512_setzero_ps()));
}

static inline void stream_integer_vector(uint64_t *out, const double *from)
{
	__m512d sum = _mm512_add_pd(_mm512_loadu_pd(from), _mm512_set1_pd(MAGIC));

	_mm512_stream_si512((__m512i *)out, _mm512_xor_si512(_mm512_castpd_si512(sum),
							     _mm512_set1_epi64(MAGIC_BITS)));
}

#elif defined(__AVX2__)

#include <immintrin.h>

#define STREAM_BYTES 32

static inline void stream_vector(void *out, const void *from)
{
	_mm256_stream_si256(out, _mm256_loadu_si256(from));
}

/* Zero is added as real_to_float() does it. */
static inline void stream_float_vector(float *out, const double *from)
{
	__m128 low = _mm256_cvtpd_ps(_mm256_loadu_pd(from));
	__m128 high = _mm256_cvtpd_ps(_mm256_loadu_pd(from + 4));

	_mm256_stream_ps(out, _mm256_add_ps(_mm256_set_m128(high, low), _mm256_setzero_ps()));
}

static inline void stream_integer_vector(uint64_t *out, const double *from)
{
	__m256d sum = _mm256_add_pd(_mm256_loadu_pd(from), _mm256_set1_pd(MAGIC));

	_mm256_stream_si256((__m256i *)out, _mm256_xor_si256(_mm256_castpd_si256(sum),
							     _mm256_set1_epi64x(MAGIC_BITS)));
}

#else /* SSE2 */

#include <emmintrin.h>

#define STREAM_BYTES 16

static inline void stream_vector(void *out, const void *from)
{
	_mm_stream_si128(out, _mm_loadu_si128(from));
}

/* Zero is added as real_to_float() does it. */
static inline void stream_float_vector(float *out, const double *from)
{
	__m128 low = _mm_cvtpd_ps(_mm_loadu_pd(from));
	__m128 high = _mm_cvtpd_ps(_mm_loadu_pd(from + 2));

	_mm_stream_ps(out, _mm_add_ps(_mm_movelh_ps(low, high), _mm_setzero_ps()));
}

static inline void stream_integer_vector(uint64_t *out, const double *from)
{
	__m128d sum = _mm_add_pd(_mm_loadu_pd(from), _mm_set1_pd(MAGIC));

	_mm_stream_si128((__m128i *)out,
			 _mm_xor_si128(_mm_castpd_si128(sum), _mm_set1_epi64x(MAGIC_BITS)));
}

#endif

#if !defined(VECTOR_PLAIN)
static inline void stream_end(void)
{
	_mm_sfence();
}
#endif

#endif /* GPUOA_LIB_CALC_COLUMNS_VECTOR_STREAM_H */
