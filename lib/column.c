// SPDX-License-Identifier: MIT
/* column.c - operations on columns: the same step of many rows at once. */
#include "column.h"

#include "number.h"

/* An assignment for each row, in groups. */
#define FOR_EACH_ROW(row, rows, assignment)                                 \
	for (size_t group = 0; group < (rows); group += COLUMN_GROUP)       \
		for (size_t row = group; row < group + COLUMN_GROUP; row++) \
	assignment

#define INTEGERS(expression) \
	FOR_EACH_ROW(i, rows, out->integers[i] = (expression))
#define REALS(expression) FOR_EACH_ROW(i, rows, out->reals[i] = (expression))

/* By one number below 2^32: a multiplication by its reciprocal is exact. */
static void divide_by_one(uint64_t *restrict out, const uint64_t *restrict a,
			  uint64_t divisor, size_t rows)
{
	/* 2^64 / divisor, rounded up: off by less than one part in 2^32. */
	uint64_t reciprocal = UINT64_MAX / divisor + 1;

	FOR_EACH_ROW(i, rows,
		     out[i] = (unsigned __int128)a[i] * reciprocal >> 64);
}

/*
 * Below 2^52, reals have the same quotients: two that differ are farther apart
 * than the rounding of a double can move one.
 */
static void divide_as_reals(uint64_t *restrict out, const uint64_t *restrict a,
			    const uint64_t *restrict b, size_t rows)
{
	for (size_t i = 0; i < rows; i++) {
		int64_t divisor = b[i] + !b[i];
		int64_t quotient = (double)(int64_t)a[i] / (double)divisor;

		out[i] = b[i] ? quotient : 0;
	}
}

/* Division of 64-bit integers is slow on most processors, and mostly the numbers are smaller. */
static void divide_integers(uint64_t *restrict out, const uint64_t *restrict a,
			    const uint64_t *restrict b, size_t rows)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < rows; i++)
		bits |= a[i] | b[i];
	if (bits >> 52)
		FOR_EACH_ROW(i, rows, out[i] = b[i] ? a[i] / b[i] : 0);
	else
		divide_as_reals(out, a, b, rows);
}

static void integer_operation(enum code_op op, union column *restrict out,
			      const uint64_t *restrict a,
			      const uint64_t *restrict b, size_t rows)
{
	switch (op) {
	case CODE_ADD:
		INTEGERS(a[i] + b[i]);
		break;
	case CODE_SUBTRACT:
		INTEGERS(a[i] > b[i] ? a[i] - b[i] : 0);
		break;
	case CODE_MULTIPLY:
		INTEGERS(a[i] * b[i]);
		break;
	case CODE_DIVIDE:
		divide_integers(out->integers, a, b, rows);
		break;
	case CODE_DIVIDE_52:
		divide_as_reals(out->integers, a, b, rows);
		break;
	case CODE_DIVIDE_ONE:
		divide_by_one(out->integers, a, b[0], rows);
		break;
	case CODE_MINIMUM:
		INTEGERS(a[i] < b[i] ? a[i] : b[i]);
		break;
	case CODE_MAXIMUM:
		INTEGERS(a[i] > b[i] ? a[i] : b[i]);
		break;
	case CODE_BIT_AND:
		INTEGERS(a[i] & b[i]);
		break;
	case CODE_SHIFT_LEFT:
		INTEGERS(b[i] < 64 ? a[i] << b[i] : 0);
		break;
	case CODE_SHIFT_RIGHT:
		INTEGERS(b[i] < 64 ? a[i] >> b[i] : 0);
		break;
	case CODE_EQUAL:
		INTEGERS(a[i] == b[i]);
		break;
	case CODE_NOT_EQUAL:
		INTEGERS(a[i] != b[i]);
		break;
	case CODE_LESS:
		INTEGERS(a[i] < b[i]);
		break;
	case CODE_LESS_EQUAL:
		INTEGERS(a[i] <= b[i]);
		break;
	case CODE_GREATER:
		INTEGERS(a[i] > b[i]);
		break;
	case CODE_GREATER_EQUAL:
		INTEGERS(a[i] >= b[i]);
		break;
	case CODE_AND:
		INTEGERS(a[i] && b[i]);
		break;
	default: /* CODE_OR */
		INTEGERS(a[i] || b[i]);
		break;
	}
}

/* Without a branch, so that several rows are divided at once. */
static double divide(double a, double b)
{
	double quotient = a / b;

	return b != 0 ? quotient : 0;
}

static void real_operation(enum code_op op, union column *restrict out,
			   const double *restrict a, const double *restrict b,
			   size_t rows)
{
	switch (op) {
	case CODE_REAL_ADD:
		REALS(a[i] + b[i]);
		break;
	case CODE_REAL_SUBTRACT:
		REALS(a[i] - b[i]);
		break;
	case CODE_REAL_MULTIPLY:
		REALS(a[i] * b[i]);
		break;
	case CODE_REAL_DIVIDE:
		REALS(divide(a[i], b[i]));
		break;
	case CODE_REAL_MINIMUM:
		REALS(a[i] < b[i] ? a[i] : b[i]);
		break;
	default: /* CODE_REAL_MAXIMUM */
		REALS(a[i] > b[i] ? a[i] : b[i]);
		break;
	}
}

void column_operation(enum code_op op, union column *out,
		      const union column *left, const union column *right,
		      size_t rows)
{
	if (op < CODE_REAL_ADD)
		integer_operation(op, out, left->integers, right->integers,
				  rows);
	else if (op < CODE_TO_REAL)
		real_operation(op, out, left->reals, right->reals, rows);
	else if (op == CODE_TO_REAL)
		REALS((double)left->integers[i]);
	else
		INTEGERS(real_to_integer(left->reals[i]));
}
