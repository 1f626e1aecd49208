// SPDX-License-Identifier: MIT
/* program_columns.c - allocate as few columns as possible to the values of a program */
#include <errno.h>
#include <stdlib.h>

#include "calc/columns/program_columns.h"

/*
 * Columns are reused after the last use of their value: fewer columns stay better in the
 * first-level cache. Fast-path programs keep most values in registers, so there each value has its
 * own column.
 */
struct allocator {
	struct program *program;
	uint32_t *last_use; /* last operation that uses each value; 0: none */
	uint16_t *column; /* column of each value */
	uint16_t *free;
	uint32_t free_count;
};

#define FOREVER UINT32_MAX

/* Record the values that an operation uses. */
static void note_uses(struct allocator *allocator, const struct program_operation *operation,
		      uint32_t at)
{
	const uint16_t operands[] = { operation->a, operation->b, operation->c };
	size_t count = operation->kind == OPERATION_LOAD   ? 0 :
		       operation->kind == OPERATION_OUTPUT ? 1 :
							     3;

	for (size_t i = 0; i < count; i++)
		if (allocator->last_use[operands[i]] != FOREVER)
			allocator->last_use[operands[i]] = at;
}

static uint16_t take_column(struct allocator *allocator)
{
	if (allocator->free_count)
		return allocator->free[--allocator->free_count];
	return allocator->program->column_count++;
}

static void release(struct allocator *allocator, uint16_t value, uint32_t at)
{
	if (allocator->last_use[value] != at || program_is_small_delta(allocator->program))
		return;
	allocator->last_use[value] = FOREVER; /* prevents a second release */
	allocator->free[allocator->free_count++] = allocator->column[value];
}

/*
 * Before this function, operations refer to values, afterwards to columns. The result is allocated
 * before the operands are released.
 */
static void allocate_operation(struct allocator *allocator, struct program_operation *operation,
			       uint32_t at)
{
	const struct program_operation values = *operation;
	bool load = operation->kind == OPERATION_LOAD;
	bool output = operation->kind == OPERATION_OUTPUT;

	if (!output) {
		if (allocator->last_use[values.out] != FOREVER)
			allocator->column[values.out] = take_column(allocator);
		operation->out = allocator->column[values.out];
	}
	if (!load) {
		operation->a = allocator->column[values.a];
		release(allocator, values.a, at);
	}
	if (!load && !output) {
		operation->b = allocator->column[values.b];
		operation->c = allocator->column[values.c];
		release(allocator, values.b, at);
		release(allocator, values.c, at);
	}
	/* The value has no use: it is an input that is only summed. */
	if (!output && !allocator->last_use[values.out] &&
	    !program_is_small_delta(allocator->program))
		allocator->free[allocator->free_count++] = operation->out;
}

static void allocate_all(struct allocator *allocator)
{
	struct program *program = allocator->program;

	for (uint32_t i = 0; i < program->operation_count; i++)
		note_uses(allocator, &program->operations[i], i);
	for (uint32_t i = 0; i < program->operation_count; i++)
		allocate_operation(allocator, &program->operations[i], i);
}

/* Literals, their reciprocals and the ticks input have columns that are never released. */
static void allocate_literals(struct allocator *allocator, const struct placer *placer)
{
	const struct builder *builder = placer->builder;

	allocator->last_use[INPUT_TICKS] = FOREVER;
	allocator->column[INPUT_TICKS] = take_column(allocator);
	for (uint32_t i = 0; i < builder->count; i++) {
		uint16_t reciprocal = placer->placements[i].reciprocal;

		if (!node_is_literal(&builder->nodes[i]))
			continue;
		allocator->last_use[i] = FOREVER;
		allocator->column[i] = take_column(allocator);
		if (reciprocal) {
			allocator->last_use[reciprocal] = FOREVER;
			allocator->column[reciprocal] = take_column(allocator);
		}
	}
}

static void fill_literal(struct program *program, const struct node *node, uint16_t column)
{
	union number number = node->literal;

	if (node->kind == NODE_INTEGER) {
		program->wide[column] = !node_is_small(node);
		if (node_is_small(node))
			number.real = (double)node->literal.integer;
	}
	for (size_t i = 0; i < COLUMN_ROWS; i++)
		program->columns[column].wide[i] = number.integer;
}

static void fill_literals(const struct allocator *allocator, const struct placer *placer)
{
	const struct builder *builder = placer->builder;
	struct program *program = allocator->program;

	for (uint32_t i = 0; i < builder->count; i++) {
		uint16_t reciprocal = placer->placements[i].reciprocal;
		union column *column = &program->columns[allocator->column[i]];

		if (!node_is_literal(&builder->nodes[i]))
			continue;
		fill_literal(program, &builder->nodes[i], allocator->column[i]);
		if (reciprocal)
			program->vector->step(STEP_RECIPROCAL,
					      &program->columns[allocator->column[reciprocal]],
					      column, column, column, COLUMN_ROWS);
	}
}

static int allocate(struct allocator *allocator, const struct placer *placer)
{
	struct program *program = allocator->program;

	if (!allocator->last_use || !allocator->column || !allocator->free)
		return -ENOMEM;
	allocate_literals(allocator, placer);
	allocate_all(allocator);
	program->columns =
		aligned_alloc(_Alignof(union column), program->column_count * sizeof(union column));
	program->wide = calloc(program->column_count, sizeof(*program->wide));
	if (!program->columns || !program->wide)
		return -ENOMEM;
	memset(program->columns, 0, program->column_count * sizeof(union column));
	fill_literals(allocator, placer);
	return 0;
}

int program_allocate_columns(struct program *program, const struct placer *placer)
{
	struct allocator allocator = {
		.program = program,
		.last_use = calloc(placer->values, sizeof(uint32_t)),
		.column = calloc(placer->values, sizeof(uint16_t)),
		.free = calloc(placer->values, sizeof(uint16_t)),
	};
	int err = allocate(&allocator, placer);

	free(allocator.last_use);
	free(allocator.column);
	free(allocator.free);
	return err;
}
