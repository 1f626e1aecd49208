// SPDX-License-Identifier: MIT
/*
 * program_calm.c - run fast-path programs on calm tiles
 *
 * Nearly all tiles are calm, which saves most of the work: inputs are small, so nearly every
 * operation is a step with results that fit; the number of rows is COLUMN_ROWS; and the operations
 * are known in advance, so that the program can be compiled to chains.
 */
#include "calc/columns/program.h"

/* The lanes contain deltas, so absolute values are read from the reports. */
static void load_absolute(struct program *program, const struct program_operation *operation,
			  const struct program_tile *tile)
{
	const struct program_input *input = &program->inputs[operation->a];
	uint64_t *out = program->columns[operation->out].wide;
	uint64_t all = 0;

	if (input->source == SOURCE_TIMESTAMP) {
		program_load_times(program, operation->out, tile);
		return;
	}
	for (size_t row = 0; row < tile->rows; row++)
		all |= out[row] = report_read(tile->reports[row], input->field);
	program_put_words(program, operation->out, all, tile->rows);
}

static void run_operation(struct program *program, uint32_t number, const struct program_tile *tile)
{
	const struct program_operation *operation = &program->operations[number];

	if (operation->kind == OPERATION_LOAD)
		load_absolute(program, operation, tile);
	else
		program_run_operation(program, operation, tile, COLUMN_ROWS);
}

static void run_chain(const struct program *program, const struct calm_step *step)
{
	program->vector->chain->run(&program->calm.links[step->link]);
}

/* The chain does not modify its operands, so the computation can be repeated. */
static void run_checked(struct program *program, const struct calm_step *step,
			const struct program_tile *tile)
{
	run_chain(program, step);
	program->wide[step->column] = false;
	if (!program->calm.large)
		return;
	program->calm.large = 0;
	for (uint32_t i = step->operation; i < step->end; i++)
		if (program->operations[i].kind != OPERATION_LOAD)
			run_operation(program, i, tile);
}

static void run_step(struct program *program, const struct calm_step *step,
		     const struct program_tile *tile)
{
	switch (step->kind) {
	case CALM_CHECKED:
		run_checked(program, step, tile);
		break;
	case CALM_OPERATION:
		run_operation(program, step->operation, tile);
		break;
	case CALM_OUTPUT:
		if (program->wide[step->column])
			run_operation(program, step->operation, tile);
		else
			run_chain(program, step);
		break;
	default: /* CALM_CHAIN */
		run_chain(program, step);
		break;
	}
}

static void run_linears(const struct program *program)
{
	const struct program_calm *calm = &program->calm;
	const struct chain_ops *chain = program->vector->chain;

	for (uint32_t i = 0; i < calm->linear_count; i++) {
		const struct linear_output *linear = &calm->linears[i];

		if (calm->purpose != CALM_SUMMARIES)
			chain->put_lanes(&calm->slots[linear->output], &linear->sum);
		else if (linear->bounds)
			chain->bound_lanes(linear->bounds, &linear->sum);
	}
}

/* Distribute the rest of the prefetch over the links that prefetch. */
static void begin_fetch(struct program_calm *calm, const struct program_tile *tile, uint32_t strips)
{
	calm->fetch.next = tile->next;
	calm->fetch.end = tile->next_end;
	calm->fetch.share = 0;
	if (tile->next < tile->next_end)
		calm->fetch.share =
			(tile->next_end - tile->next) / (strips * calm->fetch_count + 1) + 1;
}

void program_run_calm(struct program *program, const struct program_tile *tile)
{
	const struct calm_step *step = program->calm.steps;

	begin_fetch(&program->calm, tile, program->vector->chain->strips);
	program_fetch(tile->next, program->calm.fetch.share);
	run_linears(program);
	for (uint32_t i = 0; i < program->calm.step_count; i++, step++)
		run_step(program, step, tile);
}
