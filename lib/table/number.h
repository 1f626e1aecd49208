/* SPDX-License-Identifier: MIT */
/* number.h - the number types of equations and the operations on them */
#ifndef GPUOA_LIB_TABLE_NUMBER_H
#define GPUOA_LIB_TABLE_NUMBER_H

#include <stdint.h>

#include "table/code.h"

/* A value. The operation, or the type of the metric, determines which member is valid. */
union number {
	uint64_t integer;
	double real;
};

/*
 * Convert a real to an integer, rounding toward 0. Values out of range are clamped; NaN becomes 0.
 */
static inline uint64_t real_to_integer(double real)
{
	if (!(real > 0))
		return 0;
	return real < 0x1p64 ? (uint64_t)real : UINT64_MAX;
}

/*
 * Round a real to the float that a metric reports. -0 becomes 0, because its sign would depend on
 * how a quotient was computed, and "-0 %" reads badly.
 */
static inline float real_to_float(double real)
{
	return (float)real + 0.0f;
}

/*
 * Evaluate a binary operation on integers. Results wrap at 64 bits, except that a negative
 * difference is 0. A division by 0 yields 0.
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
