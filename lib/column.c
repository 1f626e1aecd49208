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
		INTEGERS(b[i] ? a[i] / b[i] : 0);
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
		REALS(b[i] != 0 ? a[i] / b[i] : 0);
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
