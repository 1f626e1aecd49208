/* SPDX-License-Identifier: MIT */
/* number.h - the two kinds of numbers that equations work on, and what operations make of them. */
#ifndef GPUOA_LIB_TABLE_NUMBER_H
#define GPUOA_LIB_TABLE_NUMBER_H

#include <stdint.h>

#include "table/code.h"

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

/*
 * The value that a metric shows. Zero never has a sign: it would depend on how a quotient was
 * computed, and "-0 %" reads badly.
 */
static inline float real_to_float(double real)
{
	return (float)real + 0.0f;
}

/*
 * An operation on integers in a row: 64 bits that wrap, but a difference below 0 is 0; so is what
 * is divided by 0.
 */
static inline uint64_t integer_operation(enum code_op op, uint64_t left, uint64_t right)
{
	switch (op) {
	case CODE_ADD:
		return left + right;
	case CODE_SUBTRACT:
		return left > right ? left - right : 0;
	case CODE_MULTIPLY:
		return left * right;
	case CODE_DIVIDE:
		return right ? left / right : 0;
	case CODE_MINIMUM:
		return left < right ? left : right;
	case CODE_MAXIMUM:
		return left > right ? left : right;
	case CODE_BIT_AND:
		return left & right;
	case CODE_SHIFT_LEFT:
		return right < 64 ? left << right : 0;
	case CODE_SHIFT_RIGHT:
		return right < 64 ? left >> right : 0;
	case CODE_EQUAL:
		return left == right;
	case CODE_NOT_EQUAL:
		return left != right;
	case CODE_LESS:
		return left < right;
	case CODE_LESS_EQUAL:
		return left <= right;
	case CODE_GREATER:
		return left > right;
	case CODE_GREATER_EQUAL:
		return left >= right;
	case CODE_AND:
		return left && right;
	default: /* CODE_OR */
		return left || right;
	}
}

static inline double real_operation(enum code_op op, double left, double right)
{
	switch (op) {
	case CODE_REAL_ADD:
		return left + right;
	case CODE_REAL_SUBTRACT:
		return left - right;
	case CODE_REAL_MULTIPLY:
		return left * right;
	case CODE_REAL_DIVIDE:
		return right != 0 ? left / right : 0;
	case CODE_REAL_MINIMUM:
		return left < right ? left : right;
	default: /* CODE_REAL_MAXIMUM */
		return left > right ? left : right;
	}
}

#endif /* GPUOA_LIB_TABLE_NUMBER_H */
