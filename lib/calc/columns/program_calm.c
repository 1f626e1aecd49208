// SPDX-License-Identifier: MIT
/*
 * program_calm.c - calm tiles: differences of reports, and a list of calls that compute them.
 *
 * Nearly all tiles are calm, and what is known of them saves most of the work: inputs are small, so
 * that nearly every operation is a step that fits; rows are COLUMN_ROWS, so that steps are
 * unrolled; and what to call with which columns is known when the program is made.
 */
#include <errno.h>
#include <stdlib.h>

#include "calc/columns/program.h"

/* reports in */

bool program_load_calm(const struct program *program, const char *const *reports,
		       const char *before, struct lane *lanes)
{
	for (uint32_t i = 0; i < program->block_count; i++)
		if (!program->vector->load_calm(reports, before,
						program->blocks[i] * LANE_BLOCK_BYTES,
						&program->rules[i], lanes + i * LANE_BLOCK,
						program->totals + i * LANE_BLOCK))
			return false;
	return true;
}

/* The lanes hold differences: these come from the reports. */
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

/* calls */

/* What calls are made of. */
struct maker {
	struct program *program;
	struct program_calls *to;
	const struct lane *lanes;
	struct column_summary *summaries; /* NULL: outputs are not summarized */
	bool *plain; /* columns that a call has written last, and so are not wide */
	uint32_t other_count;
};

static struct column_call *add_call(struct maker *maker)
{
	return &maker->to->calls[maker->to->count++];
}

static void note_operand(const struct maker *maker, struct program_other *other, uint16_t column)
{
	if (maker->plain[column])
		other->small[other->small_count++] = column;
}

/* This one takes more than a call. */
static void add_other(struct maker *maker, uint32_t number)
{
	const struct program_operation *operation = &maker->program->operations[number];
	struct program_other *other = &maker->to->others[maker->other_count++];

	add_call(maker)->run = NULL;
	other->operation = number;
	if (operation->kind == OPERATION_LOAD)
		return;
	note_operand(maker, other, operation->a);
	if (operation->kind == OPERATION_OUTPUT)
		return;
	note_operand(maker, other, operation->b);
	note_operand(maker, other, operation->c);
}

static void make_load(struct maker *maker, uint32_t number)
{
	const struct program_operation *operation = &maker->program->operations[number];
	const struct program_input *input = &maker->program->inputs[operation->a];

	if (input->absolute)
		add_other(maker, number);
	else
		*add_call(maker) = (struct column_call){
			.run = maker->program->vector->call_widen,
			.out = &maker->program->columns[operation->out],
			.lane = &maker->lanes[input->low],
		};
	maker->plain[operation->out] = !input->absolute;
}

/* Is this an output of the step before it, to be summarized? */
static bool is_summary_of(const struct maker *maker, uint32_t number, uint32_t column)
{
	const struct program_operation *operation = &maker->program->operations[number];

	return maker->summaries && number < maker->program->operation_count &&
	       operation->kind == OPERATION_OUTPUT && operation->a == column;
}

/* Returns the number of operations that the call does. */
static uint32_t make_step(struct maker *maker, uint32_t number)
{
	const struct program_operation *operation = &maker->program->operations[number];
	const struct vector_ops *vector = maker->program->vector;
	union column *columns = maker->program->columns;
	struct column_call *call = add_call(maker);

	maker->plain[operation->out] = true;
	*call = (struct column_call){
		.run = vector->call_step[operation->op],
		.out = &columns[operation->out],
		.a = &columns[operation->a],
		.b = &columns[operation->b],
		.c = &columns[operation->c],
	};
	if (!is_summary_of(maker, number + 1, operation->out))
		return 1;
	call->run = vector->call_step_summarize[operation->op];
	call->summary = &maker->summaries[operation[1].out];
	return 2;
}

static void make_output(struct maker *maker, uint32_t number)
{
	const struct program_operation *operation = &maker->program->operations[number];

	if (!maker->summaries || !maker->plain[operation->a])
		add_other(maker, number);
	else
		*add_call(maker) = (struct column_call){
			.run = maker->program->vector->call_summarize,
			.a = &maker->program->columns[operation->a],
			.summary = &maker->summaries[operation->out],
		};
}

/* Returns the number of operations that were taken. */
static uint32_t make_call(struct maker *maker, uint32_t number)
{
	const struct program_operation *operation = &maker->program->operations[number];

	switch (operation->kind) {
	case OPERATION_STEP:
		return make_step(maker, number);
	case OPERATION_LOAD:
		make_load(maker, number);
		return 1;
	case OPERATION_OUTPUT:
		make_output(maker, number);
		return 1;
	default:
		add_other(maker, number);
		maker->plain[operation->out] = false;
		return 1;
	}
}

static int make_calls(struct maker maker)
{
	const struct program *program = maker.program;

	maker.to->calls = calloc(program->operation_count, sizeof(*maker.to->calls));
	maker.to->others = calloc(program->operation_count, sizeof(*maker.to->others));
	maker.plain = calloc(program->column_count, sizeof(*maker.plain));
	for (uint32_t i = 0;
	     maker.to->calls && maker.to->others && maker.plain && i < program->operation_count;)
		i += make_call(&maker, i);
	free(maker.plain);
	return maker.to->count ? 0 : -ENOMEM;
}

int program_make_calls(struct program *program, const struct lane *lanes,
		       struct column_summary *summaries)
{
	struct maker maker = { .program = program, .to = &program->calls, .lanes = lanes };
	int err = make_calls(maker);

	maker.to = &program->summary_calls;
	maker.summaries = summaries;
	return err ? err : make_calls(maker);
}

static void run_other(struct program *program, const struct program_other *other,
		      const struct program_tile *tile)
{
	const struct program_operation *operation = &program->operations[other->operation];

	for (uint32_t i = 0; i < other->small_count; i++)
		program->wide[other->small[i]] = false;
	if (operation->kind == OPERATION_LOAD)
		load_absolute(program, operation, tile);
	else
		program_run_operation(program, operation, tile, COLUMN_ROWS);
}

void program_run_calm(struct program *program, const struct program_tile *tile, bool summarize)
{
	const struct program_calls *list = summarize ? &program->summary_calls : &program->calls;
	const struct column_call *call = list->calls;
	const struct program_other *other = list->others;
	const char *next = tile->next, *end = next + tile->next_size;
	size_t share = tile->next_size / list->count + 1;

	if (!tile->output) {
		program_fetch(next, tile->next_size);
		return;
	}
	for (uint32_t i = 0; i < list->count; i++, call++) {
		if (next < end)
			next = program_fetch(next, share);
		if (call->run)
			call->run(call);
		else
			run_other(program, other++, tile);
	}
}
