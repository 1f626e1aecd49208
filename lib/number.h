/* SPDX-License-Identifier: MIT */
/* number.h - the two kinds of numbers that equations work on. */
#ifndef GPUOA_NUMBER_H
#define GPUOA_NUMBER_H

#include <stdint.h>

/* Which of the two it is follows from the code or the metric's type. */
union number {
	uint64_t integer;
	double real;
};

/* The fraction is cut off; what is out of range becomes the nearest number in it; NaN becomes 0. */
static inline uint64_t real_to_integer(double real)
{
	if (!(real > 0))
		return 0;
	return real < 0x1p64 ? (uint64_t)real : UINT64_MAX;
}

#endif /* GPUOA_NUMBER_H */
