/* SPDX-License-Identifier: MIT */
/* chars.h - locale-independent character classes */
#ifndef GPUOA_LIB_BASE_CHARS_H
#define GPUOA_LIB_BASE_CHARS_H

#include <stdbool.h>

static inline bool is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static inline bool is_letter(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

#endif /* GPUOA_LIB_BASE_CHARS_H */
