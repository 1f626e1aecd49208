// SPDX-License-Identifier: MIT
/* program_place.c - convert the graph of values to a list of operations */
#include "calc/columns/program_place.h"

/*
 * True if the node is a division that can multiply by a reciprocal. If the dividend is too large,
 * the division is performed instead.
 */
static bool divides(const struct builder *builder, const struct node *node)
{
	const struct node *a = &builder->nodes[node->left], *b = &builder->nodes[node->right];

	if (node->kind == NODE_INTEGER_OPERATION)
		return node->op == CODE_DIVIDE && node_is_small(b);
	return node->kind == NODE_REAL_OPERATION && node->op == CODE_REAL_DIVIDE &&
	       node_is_tame(node) && node_is_tame(a) && node_is_tame(b);
}

static struct program_operation *add_operation(struct placer *placer, enum operation_kind kind,
					       unsigned int op, uint16_t out)
{
	struct program *program = placer->builder->program;
	struct program_operation *operation = &program->operations[program->operation_count++];

	*operation = (struct program_operation){ .kind = kind, .op = op, .out = out };
	return operation;
}

/* Return the value of a node, for use by an operation. The first use of an input loads it. */
static uint16_t use(struct placer *placer, uint16_t number)
{
	struct placement *placement = &placer->placements[number];

	if (!placement->placed && placer->builder->nodes[number].kind == NODE_INPUT) {
		add_operation(placer, OPERATION_LOAD, 0, number)->a = number;
		placement->placed = true;
	}
	return placement->value;
}

/* True if the values of a node are integers below 2^WHOLE_BITS. */
static bool is_whole(const struct builder *builder, const struct node *node)
{
	const double real = node->literal.real;

	switch (node->kind) {
	case NODE_REAL:
		return real >= 0 && real < 0x1p50 && real == (double)(uint64_t)real;
	case NODE_REAL_OPERATION:
		return false;
	case NODE_TO_REAL:
		return builder->nodes[node->left].bits <= WHOLE_BITS;
	default: /* an integer */
		return node->bits <= WHOLE_BITS;
	}
}

/*
 * Add an operation for the reciprocal of a divisor that divides at least twice; reciprocals of
 * literals are computed in advance. Returns the value of the reciprocal, or 0 if there is none.
 */
static uint16_t use_reciprocal(struct placer *placer, uint16_t number)
{
	struct placement *placement = &placer->placements[number];
	const struct node *node = &placer->builder->nodes[number];
	const bool literal = node_is_literal(node);
	enum column_step step;
	uint16_t value;

	if (placement->reciprocal || (!literal && placement->divides < 2))
		return placement->reciprocal;
	value = use(placer, number);
	placement->reciprocal = placer->values++;
	step = is_whole(placer->builder, node) ? STEP_RECIPROCAL_WHOLE : STEP_RECIPROCAL;
	if (!literal)
		add_operation(placer, OPERATION_STEP, step, placement->reciprocal)->a = value;
	return placement->reciprocal;
}

static enum column_step step_of(enum code_op op)
{
	switch (op) {
	case CODE_ADD:
	case CODE_REAL_ADD:
		return STEP_ADD;
	case CODE_SUBTRACT:
		return STEP_SUBTRACT;
	case CODE_REAL_SUBTRACT:
		return STEP_REAL_SUBTRACT;
	case CODE_MULTIPLY:
	case CODE_REAL_MULTIPLY:
		return STEP_MULTIPLY;
	case CODE_DIVIDE:
		return STEP_QUOTIENT;
	case CODE_REAL_DIVIDE:
		return STEP_DIVIDE;
	case CODE_MINIMUM:
	case CODE_REAL_MINIMUM:
		return STEP_MINIMUM;
	default:
		return STEP_MAXIMUM;
	}
}

/*
 * True if all integers involved are so small that a single step on doubles can compute this node.
 */
static bool is_step(const struct builder *builder, const struct node *node)
{
	if (node->kind == NODE_REAL_OPERATION)
		return true;
	return node->op <= CODE_MAXIMUM && node_is_small(node) &&
	       node_is_small(&builder->nodes[node->left]) &&
	       node_is_small(&builder->nodes[node->right]);
}

/* Return the fastest exact step that divides by means of a reciprocal. */
static enum column_step divide_step(const struct builder *builder, const struct node *node)
{
	const struct node *a = &builder->nodes[node->left], *b = &builder->nodes[node->right];

	if (node->kind == NODE_INTEGER_OPERATION)
		return a->bits <= WHOLE_BITS ? STEP_QUOTIENT_WHOLE : STEP_QUOTIENT_WITH;
	return is_whole(builder, b) ? STEP_DIVIDE_WHOLE : STEP_DIVIDE_WITH;
}

static bool is_commutative(const struct node *node)
{
	return node->op == CODE_ADD || node->op == CODE_MULTIPLY || node->op == CODE_REAL_ADD ||
	       node->op == CODE_REAL_MULTIPLY;
}

/* True if the last operation computed this value. */
static bool is_last(const struct placer *placer, uint16_t value)
{
	const struct program *program = placer->builder->program;
	const struct program_operation *last = &program->operations[program->operation_count - 1];

	return program->operation_count && last->kind != OPERATION_OUTPUT &&
	       last->kind != OPERATION_LOAD && last->out == value;
}

static void place_operation(struct placer *placer, uint16_t number)
{
	const struct node *node = &placer->builder->nodes[number];
	bool step = is_step(placer->builder, node);
	bool swap = is_commutative(node) && is_last(placer, placer->placements[node->right].value);
	unsigned int op = step ? step_of(node->op) : node->op;
	uint16_t a = use(placer, swap ? node->right : node->left);
	uint16_t b = use(placer, swap ? node->left : node->right);
	struct program_operation *operation;
	uint16_t reciprocal = 0;

	if (divides(placer->builder, node))
		reciprocal = use_reciprocal(placer, node->right);
	if (reciprocal && step)
		op = divide_step(placer->builder, node);
	operation = add_operation(placer, step ? OPERATION_STEP : OPERATION_INTEGER, op, number);
	operation->a = a;
	operation->b = b;
	operation->c = reciprocal ? reciprocal : b;
}

/* An integer that is stored as a double needs no conversion. */
static void place_conversion(struct placer *placer, uint16_t number)
{
	const struct node *node = &placer->builder->nodes[number];
	bool to_real = node->kind == NODE_TO_REAL;
	uint16_t value = use(placer, node->left);

	if (to_real && node_is_small(&placer->builder->nodes[node->left])) {
		placer->placements[number].value = value;
	} else {
		struct program_operation *operation = add_operation(
			placer, to_real ? OPERATION_TO_REAL : OPERATION_TO_INTEGER, 0, number);

		operation->a = operation->b = operation->c = value;
	}
}

static void place_scale(struct placer *placer, uint16_t number)
{
	const struct node *node = &placer->builder->nodes[number];
	uint16_t value = use(placer, node->left);
	struct program_operation *operation = add_operation(placer, OPERATION_SCALE, 0, number);

	operation->a = value;
	operation->b = node->right;
	operation->c = node->third;
}

/*
 * Add the operation that writes a result immediately after it is computed, so that its column can
 * be reused.
 */
static void place_outputs(struct placer *placer, uint16_t number)
{
	const struct program *program = placer->builder->program;

	for (uint32_t i = 0; i < program->output_count; i++) {
		uint16_t value;

		if (placer->outputs[i] || program->outputs[i].result == RESULT_NONE ||
		    program->outputs[i].column != number)
			continue;
		value = use(placer, number);
		add_operation(placer, OPERATION_OUTPUT, 0, i)->a = value;
		placer->outputs[i] = true;
	}
}

static bool is_leaf(const struct node *node)
{
	return node->kind == NODE_INPUT || node_is_literal(node);
}

static void place_node(struct placer *placer, uint16_t number)
{
	switch (placer->builder->nodes[number].kind) {
	case NODE_INTEGER_OPERATION:
	case NODE_REAL_OPERATION:
		place_operation(placer, number);
		break;
	case NODE_SCALE:
		place_scale(placer, number);
		break;
	default: /* not a leaf */
		place_conversion(placer, number);
		break;
	}
	placer->placements[number].placed = true;
	place_outputs(placer, number);
}

static bool is_placed(const struct placer *placer, uint16_t number)
{
	return placer->placements[number].placed || is_leaf(&placer->builder->nodes[number]);
}

/*
 * Returns the next operand of this node without an operation, or the node itself if there is none.
 * The divisor and its reciprocal come before the dividend, so that the dividend is used immediately
 * after it is computed.
 */
static uint16_t next_operand(struct placer *placer, uint16_t number)
{
	const struct node *node = &placer->builder->nodes[number];
	const bool two = node->kind == NODE_INTEGER_OPERATION || node->kind == NODE_REAL_OPERATION;

	if (two && !is_placed(placer, node->right))
		return node->right;
	if (two && divides(placer->builder, node))
		use_reciprocal(placer, node->right);
	return is_placed(placer, node->left) ? number : node->left;
}

/* Add the operations of a node's operands, then that of the node itself. */
static void place_tree(struct placer *placer, uint16_t number)
{
	uint32_t depth = 0;

	if (is_placed(placer, number))
		return;
	placer->stack[depth++] = number;
	while (depth) {
		const uint16_t top = placer->stack[depth - 1];
		const uint16_t operand = next_operand(placer, top);

		if (operand != top) {
			placer->stack[depth++] = operand;
			continue;
		}
		place_node(placer, top);
		depth--;
	}
}

static void count_divisions(struct placer *placer)
{
	const struct builder *builder = placer->builder;

	for (uint32_t i = 0; i < builder->count; i++) {
		placer->placements[i].value = i;
		if (divides(builder, &builder->nodes[i]))
			placer->placements[builder->nodes[i].right].divides++;
	}
}

void program_place_nodes(struct placer *placer)
{
	const struct program *program = placer->builder->program;

	placer->values = placer->builder->count;
	count_divisions(placer);
	if (!program_is_small_delta(program))
		use(placer, INPUT_TICKS);
	for (uint32_t i = 0; i < program->output_count; i++) {
		if (placer->outputs[i] || program->outputs[i].result == RESULT_NONE)
			continue;
		place_tree(placer, program->outputs[i].column);
		place_outputs(placer, program->outputs[i].column);
	}
	/* Load the inputs that no operation uses, which are only summed. */
	for (uint32_t i = 0; i < program->input_count && !program_is_small_delta(program); i++)
		use(placer, i);
}
