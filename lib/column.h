/* SPDX-License-Identifier: MIT */
/*
 * column.h - operations on columns: the same step of many rows at once.
 *
 * Integers are 64 bits and wrap, but a difference below zero is 0; everything divided by 0 is 0.
 */
#ifndef GPUOA_COLUMN_H
#define GPUOA_COLUMN_H

#include <stddef.h>
#include <stdint.h>

#include "code.h"

/* Rows that are worked on at once: enough to spread the cost of a step, few enough to stay in cache. */
#define COLUMN_ROWS 64

/* Loops run over whole groups of rows, so that the compiler knows their shape. */
#define COLUMN_GROUP 8

union column {
	_Alignas(64) uint64_t integers[COLUMN_ROWS];
	double reals[COLUMN_ROWS];
};

static inline size_t column_round(size_t rows)
{
	return (rows + COLUMN_GROUP - 1) & -(size_t)COLUMN_GROUP;
}

/* One of code.h's operations on @rows rows, a multiple of COLUMN_GROUP; @right is not used by conversions. */
void column_operation(enum code_op op, union column *out,
		      const union column *left, const union column *right,
		      size_t rows);

#endif /* GPUOA_COLUMN_H */
