// SPDX-License-Identifier: MIT
/* program_op_chain.c - compile the operations of a fast-path program to chains */
#include <errno.h>
#include <stdlib.h>

#include "calc/columns/program.h"

/*
 * Maximum number of links and steps that one operation adds: 3 links to store each of up to 3
 * inputs, 2 to store a value and end the preceding chain, and 3 for a new chain.
 */
#define LINKS_MAX 16
#define STEPS_MAX 5

#define NOTHING UINT32_MAX

/* State of a column while chains are built. In fast-path programs, a column has a single value. */
struct value {
	const struct program_input *input; /* input of which the value is the delta; NULL: none */
	/*
	 * number of uses, less those as operand a of steps and outputs that have been added: if it
	 * is not 0, the value must be stored
	 */
	uint32_t uses;
	bool stored;
	bool maybe_wide;
};

struct maker {
	struct program *program;
	struct program_small_delta *small_delta;
	const struct lane *lanes;
	struct column_summary *summaries;
	struct value *values;
	uint32_t value; /* column whose value is in the registers, or NOTHING */
	uint32_t checked; /* index of the first operation of a checked chain, or NOTHING */
	uint32_t end; /* end of its operations */
	bool running; /* a chain has been started */
};

/*
 * True if the operation uses operand b. Operands that an operation does not have are 0, the ticks
 * input, or equal to operand a.
 */
static bool uses_b(const struct program_operation *operation)
{
	return operation->kind != OPERATION_STEP ||
	       (operation->op != STEP_RECIPROCAL && operation->op != STEP_RECIPROCAL_WHOLE &&
		operation->op != STEP_QUOTIENT_WHOLE);
}

/*
 * Return the step on doubles that computes an integer operation if all values fit; STEP_COUNT if
 * there is none.
 */
static enum column_step checked_step(const struct program_operation *operation)
{
	switch ((enum code_op)operation->op) {
	case CODE_ADD:
		return STEP_ADD;
	case CODE_SUBTRACT:
		return STEP_SUBTRACT;
	case CODE_MULTIPLY:
		return STEP_MULTIPLY;
	case CODE_DIVIDE:
		return operation->c != operation->b ? STEP_QUOTIENT_WITH : STEP_QUOTIENT;
	case CODE_MINIMUM:
		return STEP_MINIMUM;
	case CODE_MAXIMUM:
		return STEP_MAXIMUM;
	default:
		return STEP_COUNT;
	}
}

static struct op_chain_link *add_link(struct maker *maker, void (*run)(void))
{
	struct op_chain_link *link = &maker->small_delta->links[maker->small_delta->link_count++];
	const double *anything = maker->program->columns->reals;

	*link = (struct op_chain_link){ .run = run, .b = anything, .c = anything };
	return link;
}

static struct op_chain_link *add_task(struct maker *maker, enum op_chain_task task)
{
	return add_link(maker, maker->program->vector->chain->task[task]);
}

static double *column_of(const struct maker *maker, uint32_t value)
{
	return maker->program->columns[value].reals;
}

static const uint32_t *lane_of(const struct maker *maker, const struct program_input *input)
{
	return maker->lanes[input->low].dwords + LANE_FIRST;
}

/* End the current chain. */
static void terminate(struct maker *maker)
{
	if (maker->running)
		add_task(maker, OP_CHAIN_END);
	maker->running = false;
}

static struct small_delta_step *add_step(struct maker *maker, enum small_delta_step_kind kind)
{
	struct small_delta_step *step;

	terminate(maker);
	step = &maker->small_delta->steps[maker->small_delta->step_count++];
	*step = (struct small_delta_step){ .kind = kind, .link = maker->small_delta->link_count };
	return step;
}

/* Store the value that is in the registers, if a later operation needs it. */
static void store(struct maker *maker)
{
	struct value *value = &maker->values[maker->value];

	if (value->stored || value->input || !value->uses)
		return;
	add_task(maker, OP_CHAIN_STORE)->out = column_of(maker, maker->value);
	value->stored = true;
}

static void add_fetch(struct maker *maker)
{
	add_task(maker, OP_CHAIN_FETCH)->out = &maker->small_delta->fetch;
	maker->small_delta->fetch_count++;
}

/*
 * Release the registers: store their value if a later operation needs it, and end a checked chain.
 */
static void leave(struct maker *maker)
{
	struct small_delta_step *step =
		&maker->small_delta->steps[maker->small_delta->step_count - 1];

	if (maker->value == NOTHING)
		return;
	store(maker);
	if (maker->checked != NOTHING) {
		step->kind = SMALL_DELTA_CHECKED;
		step->column = maker->value;
		step->operation = maker->checked;
		step->end = maker->end;
		maker->values[maker->value].maybe_wide = true;
		terminate(maker);
	}
	maker->value = maker->checked = NOTHING;
}

/*
 * Continue with @value if it is in the registers. Otherwise add a link that loads it, to the same
 * chain if @same.
 */
static void begin(struct maker *maker, uint32_t value, bool same)
{
	const struct program_input *input = maker->values[value].input;

	if (same && maker->value == value)
		return;
	leave(maker);
	if (!same || !maker->running)
		add_step(maker, SMALL_DELTA_CHAIN);
	maker->running = true;
	add_fetch(maker);
	maker->value = value;
	if (input)
		add_task(maker, OP_CHAIN_WIDEN)->b = lane_of(maker, input);
	else
		add_task(maker, OP_CHAIN_LOAD)->b = column_of(maker, value);
}

/*
 * Swap the operands of a commutative step if its second operand is in the registers. Only sums can
 * then use an input that is not stored in a column.
 */
static void swap_operands(const struct maker *maker, struct program_operation *operation)
{
	const struct value *a = &maker->values[operation->a];
	const bool sum = operation->op == STEP_ADD;
	const bool product = operation->op == STEP_MULTIPLY && a->stored;

	if ((sum || product) && operation->b == maker->value) {
		operation->b = operation->a;
		operation->a = maker->value;
	}
}

static void make_step_link(struct maker *maker, const struct program_operation *operation)
{
	const struct value *b = &maker->values[operation->b];
	struct op_chain_link *link;

	if (operation->op == STEP_ADD && b->input && !b->stored) {
		add_task(maker, OP_CHAIN_ADD_LANE)->b = lane_of(maker, b->input);
		return;
	}
	link = add_link(maker, maker->program->vector->chain->step[operation->op]);
	link->b = column_of(maker, operation->b);
	link->c = column_of(maker, operation->c);
}

static void make_step(struct maker *maker, struct program_operation operation)
{
	swap_operands(maker, &operation);
	if (maker->checked != NOTHING)
		leave(maker);
	begin(maker, operation.a, true);
	maker->values[operation.a].uses--;
	store(maker);
	make_step_link(maker, &operation);
	maker->value = operation.out;
}

static bool is_maybe_wide(const struct maker *maker, uint32_t value)
{
	return maker->values[value].maybe_wide;
}

/* True for integer operations on small operands or on results of the open checked chain. */
static bool can_check(const struct maker *maker, const struct program_operation *operation)
{
	return operation->kind == OPERATION_INTEGER && checked_step(operation) != STEP_COUNT &&
	       operation->b != operation->a && !is_maybe_wide(maker, operation->a) &&
	       !is_maybe_wide(maker, operation->b);
}

static void make_checked_link(struct maker *maker, const struct program_operation *operation)
{
	const enum column_step step = checked_step(operation);
	struct op_chain_link *link;

	if (step == STEP_ADD || step == STEP_MULTIPLY) {
		link = add_task(maker,
				step == STEP_ADD ? OP_CHAIN_ADD_FITS : OP_CHAIN_MULTIPLY_FITS);
		link->out = &maker->small_delta->large;
	} else {
		link = add_link(maker, maker->program->vector->chain->step[step]);
	}
	link->b = column_of(maker, operation->b);
	link->c = column_of(maker, operation->c);
}

/* Add an operation that a chain cannot perform. */
static void make_other(struct maker *maker, uint32_t number)
{
	const struct program_operation *operation = &maker->program->operations[number];

	leave(maker);
	add_step(maker, SMALL_DELTA_OPERATION)->operation = number;
	maker->values[operation->out].maybe_wide = operation->kind != OPERATION_TO_REAL;
	maker->values[operation->out].stored = true;
}

/*
 * End the chain after a value with other uses, because a checked chain stores no intermediate
 * values.
 */
static void make_checked(struct maker *maker, uint32_t number)
{
	const struct program_operation *operation = &maker->program->operations[number];
	const bool goes_on = maker->checked != NOTHING && maker->value == operation->a &&
			     maker->values[operation->a].uses == 1;

	if (!goes_on || !can_check(maker, operation)) {
		leave(maker);
		if (!can_check(maker, operation)) {
			make_other(maker, number);
			return;
		}
		begin(maker, operation->a, false);
		maker->checked = number;
	}
	make_checked_link(maker, operation);
	maker->value = operation->out;
	maker->end = number + 1;
}

static void add_output_link(struct maker *maker, uint32_t output)
{
	const bool is_float = maker->program->outputs[output].result == RESULT_FLOAT;

	if (maker->small_delta->purpose == SMALL_DELTA_SUMMARIES) {
		add_task(maker, OP_CHAIN_SUMMARIZE)->out = &maker->summaries[output];
		return;
	}
	add_task(maker, !is_float ? OP_CHAIN_PUT_INTEGERS :
			maker->small_delta->purpose == SMALL_DELTA_COLUMNS ?
				    OP_CHAIN_PUT_FLOATS :
				    OP_CHAIN_PUT_FLOAT_WORDS)
		->out = &maker->small_delta->slots[output];
}

/* A value that may be wide has already been stored to its column. */
static void make_output(struct maker *maker, uint32_t number)
{
	const struct program_operation *operation = &maker->program->operations[number];
	struct small_delta_step *step;

	if (maker->checked != NOTHING)
		leave(maker);
	if (!is_maybe_wide(maker, operation->a)) {
		begin(maker, operation->a, true);
		add_output_link(maker, operation->out);
		maker->values[operation->a].uses--;
		return;
	}
	leave(maker);
	step = add_step(maker, SMALL_DELTA_OUTPUT);
	step->operation = number;
	step->column = operation->a;
	add_task(maker, OP_CHAIN_LOAD)->b = column_of(maker, operation->a);
	add_output_link(maker, operation->out);
	add_task(maker, OP_CHAIN_END);
}

static void make_operation(struct maker *maker, uint32_t number)
{
	const struct program_operation *operation = &maker->program->operations[number];

	switch (operation->kind) {
	case OPERATION_LOAD:
		if (maker->program->inputs[operation->a].absolute)
			make_other(maker, number);
		break;
	case OPERATION_OUTPUT:
		make_output(maker, number);
		break;
	case OPERATION_STEP:
		make_step(maker, *operation);
		break;
	case OPERATION_INTEGER:
		make_checked(maker, number);
		break;
	default:
		make_other(maker, number);
		break;
	}
}

/* Store an input to a column if chains cannot load it directly from the reports' dwords. */
static void store_input(struct maker *maker, uint32_t value)
{
	if (!maker->values[value].input || maker->values[value].stored)
		return;
	begin(maker, value, true);
	add_task(maker, OP_CHAIN_STORE)->out = column_of(maker, value);
	maker->values[value].stored = true;
}

static void store_inputs(struct maker *maker, const struct program_operation *operation)
{
	const bool step = operation->kind == OPERATION_STEP;

	if (operation->kind == OPERATION_LOAD || operation->kind == OPERATION_OUTPUT)
		return;
	if (!step || operation->a == operation->b)
		store_input(maker, operation->a);
	if (uses_b(operation) && !(step && operation->op == STEP_ADD))
		store_input(maker, operation->b);
}

static void count_uses(struct maker *maker, const struct program_operation *operation)
{
	const struct program_input *input = &maker->program->inputs[operation->a];

	if (operation->kind != OPERATION_OUTPUT)
		maker->values[operation->out].stored = false;
	if (operation->kind == OPERATION_LOAD) {
		maker->values[operation->out].input = input->absolute ? NULL : input;
		return;
	}
	maker->values[operation->a].uses++;
	if (uses_b(operation))
		maker->values[operation->b].uses++;
	if (operation->c != operation->b)
		maker->values[operation->c].uses++;
}

/* Lanes to transpose */

static void turn_lane(struct program *program, uint16_t lane)
{
	for (uint32_t i = 0; i < program->quad_count; i++)
		if (program->quads[i].lane == lane / QUAD_DWORDS * QUAD_DWORDS)
			program->quads[i].turn = true;
}

/*
 * In summaries, a single input needs only its totals and bounds, so that its dwords are not
 * transposed.
 */
static void make_linears(struct maker *maker)
{
	struct program_small_delta *small_delta = maker->small_delta;
	uint32_t bounds = 0;

	for (uint32_t i = 0; i < small_delta->linear_count; i++) {
		struct linear_output *linear = &small_delta->linears[i];

		linear->sum.lanes = maker->lanes;
		if (small_delta->purpose == SMALL_DELTA_SUMMARIES && linear->sum.count == 1)
			continue;
		if (small_delta->purpose == SMALL_DELTA_SUMMARIES)
			linear->bounds = &small_delta->bounds[bounds++];
		for (uint32_t n = 0; n < linear->sum.count; n++)
			turn_lane(maker->program, linear->sum.numbers[n]);
	}
}

static void turn_lanes(struct program *program)
{
	turn_lane(program, program->inputs[INPUT_TICKS].low);
	for (uint32_t i = 0; i < program->operation_count; i++) {
		const struct program_operation *operation = &program->operations[i];
		const struct program_input *input = &program->inputs[operation->a];

		if (operation->kind == OPERATION_LOAD && !input->absolute)
			turn_lane(program, input->low);
	}
}

static void make_chains(struct maker *maker)
{
	const struct program *program = maker->program;

	/* Literals are always stored. */
	for (uint32_t i = 0; i < program->column_count; i++)
		maker->values[i] = (struct value){
			.stored = true,
			.maybe_wide = program->wide[i],
		};
	for (uint32_t i = 0; i < program->operation_count; i++)
		count_uses(maker, &program->operations[i]);
	for (uint32_t i = 0; i < program->operation_count; i++)
		store_inputs(maker, &program->operations[i]);
	for (uint32_t i = 0; i < program->operation_count; i++)
		make_operation(maker, i);
	leave(maker);
	terminate(maker);
}

static void *lines(size_t count, size_t size)
{
	const size_t bytes = ((count + 1) * size + LANE_BLOCK_BYTES) & -(size_t)LANE_BLOCK_BYTES;
	void *memory = aligned_alloc(LANE_BLOCK_BYTES, bytes);

	return memory ? memset(memory, 0, bytes) : NULL;
}

int program_make_chains(struct program *program, const struct lane *lanes,
			struct column_summary *summaries)
{
	struct program_small_delta *small_delta = &program->small_delta;
	struct maker maker = {
		.program = program,
		.small_delta = small_delta,
		.lanes = lanes,
		.summaries = summaries,
		.values = calloc(program->column_count, sizeof(struct value)),
		.value = NOTHING,
		.checked = NOTHING,
	};
	const size_t operations = program->operation_count + 1;

	small_delta->links = calloc(operations, LINKS_MAX * sizeof(*small_delta->links));
	small_delta->steps = calloc(operations, STEPS_MAX * sizeof(*small_delta->steps));
	small_delta->slots = calloc(program->output_count + 1, sizeof(*small_delta->slots));
	small_delta->bounds = lines(small_delta->linear_count, sizeof(*small_delta->bounds));
	if (!maker.values || !small_delta->links || !small_delta->steps || !small_delta->slots ||
	    !small_delta->bounds) {
		free(maker.values);
		return -ENOMEM;
	}
	make_linears(&maker);
	turn_lanes(program);
	make_chains(&maker);
	free(maker.values);
	return 0;
}
