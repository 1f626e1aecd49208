// SPDX-License-Identifier: MIT
/* program_build.c - compiled equations to one program: a graph of values, each once, then a list of operations. */
#include <errno.h>
#include <stdlib.h>

#include "evaluate.h"
#include "number.h"
#include "program.h"

#define NODE_MAX (UINT16_MAX / 2)
#define BUCKETS 256

/* Integers of so many bits are kept as doubles without looking. */
#define SMALL_BITS 52

/* Reals whose magnitude is between these powers of two have reciprocals and quotients far from the ends. */
#define TAME_EXPONENT 400

enum node_kind {
	NODE_INPUT,
	NODE_INTEGER, /* literal */
	NODE_REAL, /* literal */
	NODE_INTEGER_OPERATION,
	NODE_REAL_OPERATION,
	NODE_SCALE, /* left * factor / divisor */
	NODE_TO_REAL,
	NODE_TO_INTEGER,
};

/* A value, and the column that holds it. Nodes that are the same are one. */
struct node {
	enum node_kind kind;
	enum code_op op;
	uint16_t left;
	uint16_t right;
	uint16_t third;
	union number literal;
	uint32_t next; /* in the bucket, + 1 */
	/* what is known of it: */
	uint8_t bits; /* integers are below 2^bits */
	int16_t low; /* reals are 0, or 2^low at least */
	int16_t high; /* and 2^high at most */
};

struct builder {
	const struct program_request *request;
	struct program *program;
	struct program_output
		*metrics; /* of all metrics of the set that are needed */
	struct node *nodes;
	uint32_t count;
	uint32_t room;
	uint32_t buckets[BUCKETS]; /* first node, + 1 */
	bool info; /* an information item is being built: its values are absolute */
	int error;
};

/* ---- nodes --------------------------------------------------------------------------------------- */

static bool node_same(const struct node *a, const struct node *b)
{
	return a->kind == b->kind && a->op == b->op && a->left == b->left &&
	       a->right == b->right && a->third == b->third &&
	       a->literal.integer == b->literal.integer;
}

static uint32_t *node_bucket(struct builder *builder, const struct node *node)
{
	uint64_t hash = node->kind + node->op * 8ull + node->left * 521ull +
			node->right * 32771ull + node->third * 1048583ull +
			node->literal.integer;

	return &builder->buckets[(hash * 0x9e3779b97f4a7c15ull) >> 56];
}

static uint16_t node_fail(struct builder *builder, int error)
{
	if (!builder->error)
		builder->error = error;
	return 0;
}

/* The column of this value. After a failure, builder->error is set and what is returned means nothing. */
static uint16_t node_get(struct builder *builder, struct node node)
{
	uint32_t *bucket = node_bucket(builder, &node);

	if (builder->error)
		return 0;
	for (uint32_t i = *bucket; i; i = builder->nodes[i - 1].next)
		if (node_same(&builder->nodes[i - 1], &node))
			return i - 1;
	if (builder->count == NODE_MAX)
		return node_fail(builder, -ENOMEM);
	if (builder->count == builder->room) {
		uint32_t room = builder->room ? 2 * builder->room : 256;
		struct node *nodes =
			realloc(builder->nodes, room * sizeof(*nodes));

		if (!nodes)
			return node_fail(builder, -ENOMEM);
		builder->nodes = nodes;
		builder->room = room;
	}
	node.next = *bucket;
	builder->nodes[builder->count] = node;
	*bucket = ++builder->count;
	return builder->count - 1;
}

static uint8_t bits_of(uint64_t integer)
{
	return integer ? 64 - __builtin_clzll(integer) : 0;
}

static uint16_t node_integer(struct builder *builder, uint64_t integer)
{
	return node_get(builder, (struct node){ .kind = NODE_INTEGER,
						.literal.integer = integer,
						.bits = bits_of(integer) });
}

/* Binary exponent: of what is not a normal number, one that is far out. */
static int exponent_of(double real)
{
	union number number = { .real = real };

	return real == 0 ? 0 : (int)(number.integer >> 52 & 0x7ff) - 1023;
}

static uint16_t node_real(struct builder *builder, double real)
{
	int exponent = exponent_of(real);

	return node_get(builder, (struct node){ .kind = NODE_REAL,
						.literal.real = real,
						.low = exponent,
						.high = exponent + 1 });
}

/* ---- operations on integers ---------------------------------------------------------------------- */

static uint8_t at_most_64(uint32_t bits)
{
	return bits < 64 ? bits : 64;
}

/* How large the result of an operation on integers can be. */
static uint8_t result_bits(enum code_op op, uint8_t left, uint8_t right)
{
	switch (op) {
	case CODE_ADD:
		return at_most_64((left > right ? left : right) + 1);
	case CODE_MULTIPLY:
		return at_most_64(left + right);
	case CODE_SUBTRACT:
	case CODE_DIVIDE:
	case CODE_SHIFT_RIGHT:
		return left;
	case CODE_MINIMUM:
	case CODE_BIT_AND:
		return left < right ? left : right;
	case CODE_MAXIMUM:
		return left > right ? left : right;
	case CODE_SHIFT_LEFT:
		return 64;
	default: /* comparisons, and, or */
		return 1;
	}
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static bool is_integer(const struct node *node, uint64_t integer)
{
	return node->kind == NODE_INTEGER && node->literal.integer == integer;
}

/* An operation as it stands, but for what follows from literals alone. */
static uint16_t node_plain(struct builder *builder, enum code_op op,
			   uint16_t left, uint16_t right)
{
	const struct node *a, *b;

	if (builder->error)
		return 0;
	a = &builder->nodes[left];
	b = &builder->nodes[right];
	if (a->kind == NODE_INTEGER && b->kind == NODE_INTEGER)
		return node_integer(builder,
				    integer_operation(op, a->literal.integer,
						      b->literal.integer));
	if ((op == CODE_MULTIPLY || op == CODE_DIVIDE) && is_integer(b, 1))
		return left;
	return node_get(builder, (struct node){ .kind = NODE_INTEGER_OPERATION,
						.op = op,
						.left = left,
						.right = right,
						.bits = result_bits(op, a->bits,
								    b->bits) });
}

/*
 * x * factor // divisor, both literals, in lowest terms. A row's product wraps, so that only one that can't may be
 * shortened; information items are exact.
 */
static uint16_t node_scaled(struct builder *builder, uint16_t value,
			    uint64_t factor, uint64_t divisor)
{
	uint64_t common = common_divisor(factor, divisor);

	factor /= common;
	divisor /= common;
	if (builder->nodes[value].bits + bits_of(factor) > 64)
		return node_get(
			builder,
			(struct node){ .kind = NODE_SCALE,
				       .left = value,
				       .right = node_integer(builder, factor),
				       .third = node_integer(builder, divisor),
				       .bits = 64 });
	value = node_plain(builder, CODE_MULTIPLY, value,
			   node_integer(builder, factor));
	return node_plain(builder, CODE_DIVIDE, value,
			  node_integer(builder, divisor));
}

/* Is this x * literal, whose quotient by a literal can be shortened? */
static bool can_scale(const struct builder *builder, const struct node *product,
		      const struct node *divisor)
{
	if (product->kind != NODE_INTEGER_OPERATION ||
	    product->op != CODE_MULTIPLY || divisor->kind != NODE_INTEGER ||
	    !divisor->literal.integer ||
	    builder->nodes[product->right].kind != NODE_INTEGER ||
	    !builder->nodes[product->right].literal.integer)
		return false;
	return builder->info ||
	       builder->nodes[product->left].bits +
			       builder->nodes[product->right].bits <=
		       64;
}

static uint16_t node_integers(struct builder *builder, enum code_op op,
			      uint16_t left, uint16_t right)
{
	const struct node *a, *b;

	if (builder->error)
		return 0;
	a = &builder->nodes[left];
	b = &builder->nodes[right];
	/* The literal on the right, where it is looked for. */
	if (op == CODE_MULTIPLY && a->kind == NODE_INTEGER)
		return node_plain(builder, op, right, left);
	if (op == CODE_DIVIDE && can_scale(builder, a, b))
		return node_scaled(builder, a->left,
				   builder->nodes[a->right].literal.integer,
				   b->literal.integer);
	return node_plain(builder, op, left, right);
}

/* ---- operations on reals ------------------------------------------------------------------------- */

static int16_t smaller(int a, int b)
{
	int least = a < b ? a : b;

	return least < -TAME_EXPONENT ? -TAME_EXPONENT - 1 : least;
}

static int16_t larger(int a, int b)
{
	int most = a > b ? a : b;

	return most > TAME_EXPONENT ? TAME_EXPONENT + 1 : most;
}

static bool tame(const struct node *node)
{
	return node->low >= -TAME_EXPONENT && node->high <= TAME_EXPONENT;
}

/* How small and how large the result can be. Both stay where they are once they are beyond what is tame. */
static void note_range(struct node *node, const struct node *a,
		       const struct node *b)
{
	if (!tame(a) || !tame(b)) {
		node->low = -TAME_EXPONENT - 1;
		node->high = TAME_EXPONENT + 1;
		return;
	}
	switch (node->op) {
	case CODE_REAL_MULTIPLY:
		node->low = smaller(a->low + b->low, a->low + b->low);
		node->high = larger(a->high + b->high, a->high + b->high);
		break;
	case CODE_REAL_DIVIDE:
		node->low = smaller(a->low - b->high - 1, a->low - b->high - 1);
		node->high = larger(a->high - b->low + 1, a->high - b->low + 1);
		break;
	case CODE_REAL_ADD:
	case CODE_REAL_SUBTRACT: /* what is left is a unit of the last place at least */
		node->low = smaller(a->low - 53, b->low - 53);
		node->high = larger(a->high + 1, b->high + 1);
		break;
	default:
		node->low = smaller(a->low, b->low);
		node->high = larger(a->high, b->high);
		break;
	}
}

static uint16_t node_reals(struct builder *builder, enum code_op op,
			   uint16_t left, uint16_t right)
{
	struct node node = { .kind = NODE_REAL_OPERATION,
			     .op = op,
			     .left = left,
			     .right = right };
	const struct node *a, *b;

	if (builder->error)
		return 0;
	a = &builder->nodes[left];
	b = &builder->nodes[right];
	if (a->kind == NODE_REAL && b->kind == NODE_REAL)
		return node_real(builder, real_operation(op, a->literal.real,
							 b->literal.real));
	note_range(&node, a, b);
	return node_get(builder, node);
}

static uint16_t node_to_real(struct builder *builder, uint16_t integer)
{
	const struct node *node;

	if (builder->error)
		return 0;
	node = &builder->nodes[integer];
	if (node->kind == NODE_INTEGER)
		return node_real(builder, (double)node->literal.integer);
	return node_get(builder, (struct node){ .kind = NODE_TO_REAL,
						.left = integer,
						.high = 64 });
}

static uint16_t node_to_integer(struct builder *builder, uint16_t real)
{
	const struct node *node;

	if (builder->error)
		return 0;
	node = &builder->nodes[real];
	if (node->kind == NODE_REAL)
		return node_integer(builder,
				    real_to_integer(node->literal.real));
	return node_get(builder, (struct node){ .kind = NODE_TO_INTEGER,
						.left = real,
						.bits = 64 });
}

/* ---- inputs -------------------------------------------------------------------------------------- */

static struct report_field source_field(const struct report_format *format,
					uint32_t source)
{
	switch (source) {
	case SOURCE_TIMESTAMP:
		return format->timestamp;
	case SOURCE_CLOCK:
		return format->clock;
	case SOURCE_REPORT_ID:
		return format->report_id;
	case SOURCE_CONTEXT_ID:
		return format->context;
	default:
		return format_counter(format, source);
	}
}

/* Lane of the dword at @offset; its cache line gets lanes when it is met first. */
static uint16_t lane_of(struct program *program, uint16_t offset)
{
	uint16_t line = offset / LANE_BLOCK_BYTES;
	uint32_t block = 0;

	while (block < program->block_count && program->blocks[block] != line)
		block++;
	if (block == program->block_count)
		program->blocks[program->block_count++] = line;
	return block * LANE_BLOCK + offset % LANE_BLOCK_BYTES / 4;
}

/* The column of an input. Inputs are nodes 0 and following, in the order in which they were met. */
static uint16_t node_input(struct builder *builder, uint32_t source,
			   bool absolute)
{
	struct report_field field =
		source_field(builder->request->format, source);
	struct program *program = builder->program;

	for (uint32_t i = 0; i < program->input_count; i++)
		if (program->inputs[i].source == source &&
		    program->inputs[i].absolute == absolute)
			return i;
	if (!field.bits)
		return node_fail(builder, -EINVAL);
	program->inputs[program->input_count] = (struct program_input){
		.source = source,
		.absolute = absolute,
		.field = field,
		.low = lane_of(program, field.offset),
		.high = lane_of(program, field.bits == 40 ? field.high :
					 field.bits > 32  ? field.offset + 4 :
							    field.offset),
	};
	return node_get(
		builder,
		(struct node){ .kind = NODE_INPUT,
			       .literal.integer = program->input_count++,
			       .bits = absolute && source == SOURCE_TIMESTAMP ?
					       64 :
					       field.bits });
}

/* ---- equations ----------------------------------------------------------------------------------- */

/* The column of a metric that another one uses: none if it is not available, and so 0. */
static uint16_t node_metric(struct builder *builder, uint32_t number)
{
	const struct program_output *metric = &builder->metrics[number];

	return metric->result == RESULT_NONE ? node_integer(builder, 0) :
					       metric->column;
}

static uint16_t node_metric_real(struct builder *builder, uint32_t number)
{
	const struct program_output *metric = &builder->metrics[number];

	return metric->result == RESULT_NONE ? node_real(builder, 0) :
					       metric->column;
}

static uint16_t node_operand(struct builder *builder, const uint32_t *word)
{
	uint32_t argument = code_argument(*word);

	switch (code_op(*word)) {
	case CODE_INTEGER:
		return node_integer(builder, argument);
	case CODE_INTEGER_64:
		return node_integer(builder, code_literal(word));
	case CODE_REAL:
		return node_real(builder, code_real(code_literal(word)));
	case CODE_CONSTANT:
		return node_integer(
			builder,
			builder->request->constants->values[argument].value);
	case CODE_COUNTER:
		return node_input(builder, argument, builder->info);
	case CODE_TIMESTAMP:
		return node_input(builder, SOURCE_TIMESTAMP, builder->info);
	case CODE_CLOCK:
		return node_input(builder, SOURCE_CLOCK, builder->info);
	case CODE_REPORT_ID:
		return node_input(builder, SOURCE_REPORT_ID, true);
	case CODE_CONTEXT_ID:
		return node_input(builder, SOURCE_CONTEXT_ID, true);
	case CODE_METRIC:
		return node_metric(builder, argument);
	case CODE_METRIC_REAL:
		return node_metric_real(builder, argument);
	default: /* CODE_QUERY_MODE: this library reads streams */
		return node_integer(builder, 0);
	}
}

/* The column of an equation's value. */
static uint16_t build_code(struct builder *builder, const uint32_t *code)
{
	const uint32_t *word = code + 1, *end = word + code_length(code);
	uint16_t stack[CODE_DEPTH_MAX] = { 0 };
	uint32_t depth = 0;

	for (; word < end && !builder->error;
	     word += code_words(code_op(*word))) {
		enum code_op op = code_op(*word);
		uint16_t *top = &stack[depth ? depth - 1 : 0];
		uint16_t *below = &stack[depth > 1 ? depth - 2 : 0];

		if (op < CODE_ADD) {
			stack[depth++] = node_operand(builder, word);
		} else if (op < CODE_TO_REAL) {
			*below = op < CODE_REAL_ADD ?
					 node_integers(builder, op, *below,
						       *top) :
					 node_reals(builder, op, *below, *top);
			depth--;
		} else {
			uint16_t *operand = op == CODE_TO_REAL ? top : below;

			*operand = node_to_real(builder, *operand);
		}
	}
	return stack[0];
}

static void build_metric(struct builder *builder,
			 const struct gpuoa_metric *metric,
			 struct program_output *output)
{
	const uint32_t *code = table_follow(&metric->equation);
	uint16_t column = build_code(builder, code);
	bool real = code_is_real(code);

	if (metric_definition(metric)->type == GPUOA_FLOAT) {
		output->column = real ? column : node_to_real(builder, column);
		output->result = RESULT_FLOAT;
	} else {
		output->column = real ? node_to_integer(builder, column) :
					column;
		output->result = RESULT_INTEGER;
	}
}

/* Metrics refer to those before them only. */
static void build_metrics(struct builder *builder)
{
	const struct program_request *request = builder->request;
	const struct gpuoa_metric *metrics = set_metrics(request->set);

	for (uint32_t i = 0; i < request->set->metric_count && !builder->error;
	     i++)
		if (request->needed[i] &&
		    gpuoa_metric_available(&metrics[i], request->constants) > 0)
			build_metric(builder, &metrics[i],
				     &builder->metrics[i]);
	for (uint32_t i = 0; i < request->metric_count; i++)
		builder->program->outputs[i] =
			builder->metrics[request->metrics[i]];
}

static void build_infos(struct builder *builder)
{
	const struct program_request *request = builder->request;
	const struct gpuoa_info *infos = set_infos(request->set);
	struct program_output *output =
		builder->program->outputs + request->metric_count;

	builder->info = true;
	for (uint32_t i = 0; i < request->set->info_count && !builder->error;
	     i++)
		output[i] = (struct program_output){
			.result = RESULT_INTEGER,
			.column = build_code(builder,
					     table_follow(&infos[i].equation)),
		};
}

/* Inputs come first, so that their columns have their numbers. */
static void build_inputs(struct builder *builder, const uint32_t *code)
{
	const uint32_t *word = code + 1, *end = word + code_length(code);

	for (; word < end && !builder->error;
	     word += code_words(code_op(*word)))
		if (code_op(*word) >= CODE_COUNTER &&
		    code_op(*word) <= CODE_CONTEXT_ID)
			node_operand(builder, word);
}

static void build_info_inputs(struct builder *builder)
{
	const struct gpuoa_info *infos = set_infos(builder->request->set);

	builder->info = true;
	for (uint32_t i = 0; i < builder->request->set->info_count; i++)
		build_inputs(builder, table_follow(&infos[i].equation));
	builder->info = false;
}

/* Maxima need theirs for the totals only. */
static void build_all_inputs(struct builder *builder)
{
	const struct program_request *request = builder->request;
	const struct gpuoa_metric *metrics = set_metrics(request->set);

	node_input(builder, SOURCE_TIMESTAMP, false);
	for (uint32_t i = 0; i < request->set->metric_count; i++) {
		const uint32_t *max = table_follow(&metrics[i].max);

		if (!request->needed[i] ||
		    gpuoa_metric_available(&metrics[i], request->constants) <=
			    0)
			continue;
		build_inputs(builder, table_follow(&metrics[i].equation));
		if (max)
			build_inputs(builder, max);
	}
	if (request->infos)
		build_info_inputs(builder);
}

/* ---- the list of operations ---------------------------------------------------------------------- */

/* Of each node, while operations still name nodes: where its value is. */
struct placement {
	uint16_t value; /* another node's where a conversion is none */
	uint16_t reciprocal; /* 0: none */
	uint16_t divides; /* steps that divide by it */
	bool placed;
};

/* Numbers of values: nodes, and behind them reciprocals. */
struct placer {
	struct builder *builder;
	struct placement *placements;
	uint32_t values;
};

static bool small(const struct node *node)
{
	return node->bits <= SMALL_BITS;
}

static bool is_literal(const struct node *node)
{
	return node->kind == NODE_INTEGER || node->kind == NODE_REAL;
}

/* Does this node divide by something whose reciprocal helps? If the dividend turns out to be large, it does not. */
static bool divides(const struct builder *builder, const struct node *node)
{
	const struct node *a = &builder->nodes[node->left],
			  *b = &builder->nodes[node->right];

	if (node->kind == NODE_INTEGER_OPERATION)
		return node->op == CODE_DIVIDE && small(b);
	return node->kind == NODE_REAL_OPERATION &&
	       node->op == CODE_REAL_DIVIDE && tame(node) && tame(a) && tame(b);
}

static struct program_operation *add_operation(struct placer *placer,
					       enum operation_kind kind,
					       unsigned int op, uint16_t out)
{
	struct program *program = placer->builder->program;
	struct program_operation *operation =
		&program->operations[program->operation_count++];

	*operation = (struct program_operation){ .kind = kind,
						 .op = op,
						 .out = out };
	return operation;
}

/* The value of a node that an operation is to use. An input is loaded when it is used first. */
static uint16_t use(struct placer *placer, uint16_t number)
{
	struct placement *placement = &placer->placements[number];

	if (!placement->placed &&
	    placer->builder->nodes[number].kind == NODE_INPUT) {
		add_operation(placer, OPERATION_LOAD, 0, number)->a = number;
		placement->placed = true;
	}
	return placement->value;
}

/* Worth it for two quotients; that of a literal is computed once for all. Returns its value, or 0. */
static uint16_t use_reciprocal(struct placer *placer, uint16_t number)
{
	struct placement *placement = &placer->placements[number];
	bool literal = is_literal(&placer->builder->nodes[number]);
	uint16_t value;

	if (placement->reciprocal || (!literal && placement->divides < 2))
		return placement->reciprocal;
	value = use(placer, number);
	placement->reciprocal = placer->values++;
	if (!literal)
		add_operation(placer, OPERATION_STEP, STEP_RECIPROCAL,
			      placement->reciprocal)
			->a = value;
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

/* Integers that are all known to be small, by an operation that a step does. */
static bool is_step(const struct builder *builder, const struct node *node)
{
	if (node->kind == NODE_REAL_OPERATION)
		return true;
	return node->op <= CODE_MAXIMUM && small(node) &&
	       small(&builder->nodes[node->left]) &&
	       small(&builder->nodes[node->right]);
}

static void place_operation(struct placer *placer, uint16_t number)
{
	const struct node *node = &placer->builder->nodes[number];
	bool step = is_step(placer->builder, node);
	unsigned int op = step ? step_of(node->op) : node->op;
	uint16_t a = use(placer, node->left), b = use(placer, node->right);
	struct program_operation *operation;
	uint16_t reciprocal = 0;

	if (divides(placer->builder, node))
		reciprocal = use_reciprocal(placer, node->right);
	if (reciprocal && step)
		op = op == STEP_DIVIDE ? STEP_DIVIDE_WITH : STEP_QUOTIENT_WITH;
	operation = add_operation(
		placer, step ? OPERATION_STEP : OPERATION_INTEGER, op, number);
	operation->a = a;
	operation->b = b;
	operation->c = reciprocal ? reciprocal : b;
}

/* A conversion is nothing where an integer is kept as a double anyway. */
static void place_conversion(struct placer *placer, uint16_t number)
{
	const struct node *node = &placer->builder->nodes[number];
	bool to_real = node->kind == NODE_TO_REAL;
	uint16_t value = use(placer, node->left);

	if (to_real && small(&placer->builder->nodes[node->left])) {
		placer->placements[number].value = value;
	} else {
		struct program_operation *operation = add_operation(
			placer,
			to_real ? OPERATION_TO_REAL : OPERATION_TO_INTEGER, 0,
			number);

		operation->a = operation->b = operation->c = value;
	}
}

static void place_scale(struct placer *placer, uint16_t number)
{
	const struct node *node = &placer->builder->nodes[number];
	uint16_t value = use(placer, node->left);
	struct program_operation *operation =
		add_operation(placer, OPERATION_SCALE, 0, number);

	operation->a = value;
	operation->b = node->right;
	operation->c = node->third;
}

/* Results leave as soon as they are there. */
static void place_outputs(struct placer *placer, uint16_t number)
{
	const struct program *program = placer->builder->program;

	for (uint32_t i = 0; i < program->output_count; i++) {
		uint16_t value;

		if (program->outputs[i].result == RESULT_NONE ||
		    program->outputs[i].column != number)
			continue;
		value = use(placer, number);
		add_operation(placer, OPERATION_OUTPUT, 0, i)->a = value;
	}
}

static void place_node(struct placer *placer, uint16_t number)
{
	switch (placer->builder->nodes[number].kind) {
	case NODE_INPUT: /* when it is used */
		return;
	case NODE_INTEGER:
	case NODE_REAL:
		break;
	case NODE_INTEGER_OPERATION:
	case NODE_REAL_OPERATION:
		place_operation(placer, number);
		break;
	case NODE_SCALE:
		place_scale(placer, number);
		break;
	default:
		place_conversion(placer, number);
		break;
	}
	place_outputs(placer, number);
}

static void place_nodes(struct placer *placer)
{
	struct builder *builder = placer->builder;
	const uint32_t inputs = builder->program->input_count;

	placer->values = builder->count;
	for (uint32_t i = 0; i < builder->count; i++) {
		placer->placements[i].value = i;
		if (divides(builder, &builder->nodes[i]))
			placer->placements[builder->nodes[i].right].divides++;
	}
	use(placer, INPUT_TICKS);
	for (uint32_t i = 0; i < builder->count; i++)
		place_node(placer, i);
	/* Those that only maxima or outputs ask for. */
	for (uint32_t i = 0; i < inputs; i++) {
		use(placer, i);
		place_outputs(placer, i);
	}
}

/* ---- columns ------------------------------------------------------------------------------------- */

/*
 * Columns are used again once their values have been used for the last time: the fewer they are, the better they stay in
 * the processor's first cache.
 */
struct allocator {
	struct program *program;
	uint32_t *last_use; /* of each value: number of an operation; 0: none yet */
	uint16_t *column; /* of each value */
	uint16_t *free;
	uint32_t free_count;
};

#define FOREVER UINT32_MAX

/* Which of an operation's members name values? */
static void note_uses(struct allocator *allocator,
		      const struct program_operation *operation, uint32_t at)
{
	const uint16_t operands[] = { operation->a, operation->b,
				      operation->c };
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
	if (allocator->last_use[value] != at)
		return;
	allocator->last_use[value] = FOREVER; /* once is enough */
	allocator->free[allocator->free_count++] = allocator->column[value];
}

/* Operations name values before, columns after. Results get a column before operands give theirs back. */
static void allocate_operation(struct allocator *allocator,
			       struct program_operation *operation, uint32_t at)
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
	/* An input that is only summed up. */
	if (!output && !allocator->last_use[values.out])
		allocator->free[allocator->free_count++] = operation->out;
}

static void allocate_columns(struct allocator *allocator)
{
	struct program *program = allocator->program;

	for (uint32_t i = 0; i < program->operation_count; i++)
		note_uses(allocator, &program->operations[i], i);
	for (uint32_t i = 0; i < program->operation_count; i++)
		allocate_operation(allocator, &program->operations[i], i);
}

/* Literals and their reciprocals have columns of their own; so has the ticks' input, the first. */
static void allocate_literals(struct allocator *allocator,
			      const struct placer *placer)
{
	const struct builder *builder = placer->builder;

	allocator->last_use[INPUT_TICKS] = FOREVER;
	allocator->column[INPUT_TICKS] = take_column(allocator);
	for (uint32_t i = 0; i < builder->count; i++) {
		uint16_t reciprocal = placer->placements[i].reciprocal;

		if (!is_literal(&builder->nodes[i]))
			continue;
		allocator->last_use[i] = FOREVER;
		allocator->column[i] = take_column(allocator);
		if (reciprocal) {
			allocator->last_use[reciprocal] = FOREVER;
			allocator->column[reciprocal] = take_column(allocator);
		}
	}
}

static void fill_literal(struct program *program, const struct node *node,
			 uint16_t column)
{
	union number number = node->literal;

	if (node->kind == NODE_INTEGER) {
		program->wide[column] = !small(node);
		if (small(node))
			number.real = (double)node->literal.integer;
	}
	for (size_t i = 0; i < COLUMN_ROWS; i++)
		program->columns[column].wide[i] = number.integer;
}

static void fill_literals(const struct allocator *allocator,
			  const struct placer *placer)
{
	const struct builder *builder = placer->builder;
	struct program *program = allocator->program;

	for (uint32_t i = 0; i < builder->count; i++) {
		uint16_t reciprocal = placer->placements[i].reciprocal;
		union column *column = &program->columns[allocator->column[i]];

		if (!is_literal(&builder->nodes[i]))
			continue;
		fill_literal(program, &builder->nodes[i], allocator->column[i]);
		if (reciprocal)
			program->vector->step(
				STEP_RECIPROCAL,
				&program->columns[allocator->column[reciprocal]],
				column, column, column, COLUMN_ROWS);
	}
}

static int allocate(struct program *program, const struct placer *placer)
{
	struct allocator allocator = {
		.program = program,
		.last_use = calloc(placer->values, sizeof(uint32_t)),
		.column = calloc(placer->values, sizeof(uint16_t)),
		.free = calloc(placer->values, sizeof(uint16_t)),
	};
	int error = -ENOMEM;

	if (allocator.last_use && allocator.column && allocator.free) {
		allocate_literals(&allocator, placer);
		allocate_columns(&allocator);
		program->columns = aligned_alloc(_Alignof(union column),
						 program->column_count *
							 sizeof(union column));
		program->wide =
			calloc(program->column_count, sizeof(*program->wide));
	}
	if (program->columns && program->wide) {
		memset(program->columns, 0,
		       program->column_count * sizeof(union column));
		fill_literals(&allocator, placer);
		error = 0;
	}
	free(allocator.last_use);
	free(allocator.column);
	free(allocator.free);
	return error;
}

/* A node has one operation, and a second one for its reciprocal at most; outputs have one each. */
static int build_operations(struct builder *builder)
{
	struct program *program = builder->program;
	struct placer placer = {
		.builder = builder,
		.placements = calloc(builder->count, sizeof(struct placement)),
	};
	int error = -ENOMEM;

	program->operations =
		calloc(2 * (size_t)builder->count + program->output_count,
		       sizeof(*program->operations));
	if (placer.placements && program->operations) {
		place_nodes(&placer);
		error = allocate(program, &placer);
	}
	free(placer.placements);
	return error;
}

static int build(struct builder *builder)
{
	build_all_inputs(builder);
	build_metrics(builder);
	if (builder->request->infos)
		build_infos(builder);
	return builder->error ? builder->error : build_operations(builder);
}

static int builder_alloc(struct builder *builder)
{
	const struct program_request *request = builder->request;
	struct program *program = builder->program;

	program->vector = request->vector;
	program->output_count = request->metric_count +
				(request->infos ? request->set->info_count : 0);
	program->inputs =
		calloc(2 * (size_t)SOURCE_COUNT, sizeof(*program->inputs));
	program->outputs =
		calloc(program->output_count + 1, sizeof(*program->outputs));
	program->blocks = calloc(request->format->size / LANE_BLOCK_BYTES,
				 sizeof(*program->blocks));
	builder->metrics = calloc(request->set->metric_count + 1,
				  sizeof(*builder->metrics));
	return program->inputs && program->outputs && program->blocks &&
			       builder->metrics ?
		       0 :
		       -ENOMEM;
}

int program_new(const struct program_request *request, struct program **program)
{
	struct builder builder = { .request = request };
	int error;

	builder.program = calloc(1, sizeof(*builder.program));
	if (!builder.program)
		return -ENOMEM;
	error = builder_alloc(&builder);
	if (!error)
		error = build(&builder);
	free(builder.nodes);
	free(builder.metrics);
	if (error) {
		program_free(builder.program);
		return error;
	}
	*program = builder.program;
	return 0;
}

void program_free(struct program *program)
{
	if (!program)
		return;
	free(program->inputs);
	free(program->operations);
	free(program->outputs);
	free(program->blocks);
	free(program->columns);
	free(program->wide);
	free(program);
}
