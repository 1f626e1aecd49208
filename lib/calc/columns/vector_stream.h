/* SPDX-License-Identifier: MIT */
/*
 * vector_stream.h - non-temporal stores of results; compiled once for each instruction set
 *
 * Each function writes STREAM_BYTES to an aligned address: stream_words() writes words,
 * stream_floats_of() doubles converted to floats. stream_end() makes the stores visible.
 */
#ifndef GPUOA_LIB_CALC_COLUMNS_VECTOR_STREAM_H
#define GPUOA_LIB_CALC_COLUMNS_VECTOR_STREAM_H

#include <string.h>

#include "calc/columns/vector_real.h"

#define STREAM_BYTES REALS_BYTES

#if defined(VECTOR_PLAIN)

REALS_INLINE void stream_words(uint64_t *out, words value)
{
	memcpy(out, &value, sizeof(value));
}

REALS_INLINE void stream_floats_of(float *out, reals low, reals high)
{
	for (size_t i = 0; i < REALS_COUNT; i++) {
		out[i] = (float)low[i] + 0.0f;
		out[REALS_COUNT + i] = (float)high[i] + 0.0f;
	}
}

static inline void stream_end(void)
{
}

#else

REALS_INLINE void stream_words(uint64_t *out, words value)
{
#if defined(__AVX512F__)
	_mm512_stream_si512((__m512i *)out, (__m512i)value);
#elif defined(__AVX2__)
	_mm256_stream_si256((__m256i *)out, (__m256i)value);
#else
	_mm_stream_si128((__m128i *)out, (__m128i)value);
#endif
}

/* Add zero so that -0 becomes 0, as real_to_float() does. */
REALS_INLINE void stream_floats_of(float *out, reals low, reals high)
{
#if defined(__AVX512F__)
	__m512 both = _mm512_castps256_ps512(_mm512_cvtpd_ps((__m512d)low));

	both = _mm512_insertf32x8(both, _mm512_cvtpd_ps((__m512d)high), 1);
	_mm512_stream_ps(out, _mm512_add_ps(both, _mm512_setzero_ps()));
#elif defined(__AVX2__)
	__m256 both =
		_mm256_set_m128(_mm256_cvtpd_ps((__m256d)high), _mm256_cvtpd_ps((__m256d)low));

	_mm256_stream_ps(out, _mm256_add_ps(both, _mm256_setzero_ps()));
#else
	__m128 both = _mm_movelh_ps(_mm_cvtpd_ps((__m128d)low), _mm_cvtpd_ps((__m128d)high));

	_mm_stream_ps(out, _mm_add_ps(both, _mm_setzero_ps()));
#endif
}

static inline void stream_end(void)
{
	_mm_sfence();
}

#endif

#endif /* GPUOA_LIB_CALC_COLUMNS_VECTOR_STREAM_H */
