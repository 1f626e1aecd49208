// SPDX-License-Identifier: MIT
/*
 * program_small_delta.c - run fast-path programs on batches with small deltas
 *
 * Nearly all batches have small deltas. This saves most of the work. Inputs are small, so that the
 * results of nearly all operations fit in doubles. The number of rows is always COLUMN_ROWS. The
 * operations are known in advance, so that the program can be compiled to chains.
 */
#include "calc/columns/program.h"

/* Read values that are not deltas from the reports, because the lanes contain only deltas. */
static void load_absolute(struct program *program, const struct program_operation *operation,
			  const struct program_batch *batch)
{
	const struct program_input *input = &program->inputs[operation->a];
	uint64_t *out = program->columns[operation->out].wide;
	uint64_t all = 0;

	if (input->source == SOURCE_TIMESTAMP) {
		program_load_times(program, operation->out, batch);
		return;
	}
	for (size_t row = 0; row < batch->rows; row++)
		all |= out[row] = report_read(batch->reports[row], input->field);
	program_put_words(program, operation->out, all, batch->rows);
}

static void run_operation(struct program *program, uint32_t number,
			  const struct program_batch *batch)
{
	const struct program_operation *operation = &program->operations[number];

	if (operation->kind == OPERATION_LOAD)
		load_absolute(program, operation, batch);
	else
		program_run_operation(program, operation, batch, COLUMN_ROWS);
}

static void run_chain(const struct program *program, const struct small_delta_step *step)
{
	program->vector->chain->run(&program->small_delta.links[step->link]);
}

/*
 * A value did not fit: execute the operations instead. This is possible because a chain does not
 * modify its operands.
 */
static void run_checked(struct program *program, const struct small_delta_step *step,
			const struct program_batch *batch)
{
	run_chain(program, step);
	program->wide[step->column] = false;
	if (!program->small_delta.large)
		return;
	program->small_delta.large = 0;
	for (uint32_t i = step->operation; i < step->end; i++)
		if (program->operations[i].kind != OPERATION_LOAD)
			run_operation(program, i, batch);
}

static void run_step(struct program *program, const struct small_delta_step *step,
		     const struct program_batch *batch)
{
	switch (step->kind) {
	case SMALL_DELTA_CHECKED:
		run_checked(program, step, batch);
		break;
	case SMALL_DELTA_OPERATION:
		run_operation(program, step->operation, batch);
		break;
	case SMALL_DELTA_OUTPUT:
		if (program->wide[step->column])
			run_operation(program, step->operation, batch);
		else
			run_chain(program, step);
		break;
	default: /* SMALL_DELTA_CHAIN */
		run_chain(program, step);
		break;
	}
}

static void run_linears(const struct program *program)
{
	const struct program_small_delta *small_delta = &program->small_delta;
	const struct op_chain_ops *chain = program->vector->chain;

	for (uint32_t i = 0; i < small_delta->linear_count; i++) {
		const struct linear_output *linear = &small_delta->linears[i];

		if (small_delta->purpose != SMALL_DELTA_SUMMARIES)
			chain->put_lanes(&small_delta->slots[linear->output], &linear->sum);
		else if (linear->bounds)
			chain->bound_lanes(linear->bounds, &linear->sum);
	}
}

/* Distribute the rest of the memory to prefetch evenly over the links that prefetch. */
static void begin_fetch(struct program_small_delta *small_delta, const struct program_batch *batch,
			uint32_t strips)
{
	small_delta->fetch.next = batch->next;
	small_delta->fetch.end = batch->next_end;
	small_delta->fetch.share = 0;
	if (batch->next < batch->next_end)
		small_delta->fetch.share =
			(batch->next_end - batch->next) / (strips * small_delta->fetch_count + 1) +
			1;
}

void program_run_small_delta(struct program *program, const struct program_batch *batch)
{
	const struct small_delta_step *step = program->small_delta.steps;

	begin_fetch(&program->small_delta, batch, program->vector->chain->strips);
	program_fetch(batch->next, program->small_delta.fetch.share);
	run_linears(program);
	for (uint32_t i = 0; i < program->small_delta.step_count; i++, step++)
		run_step(program, step, batch);
}
