// SPDX-License-Identifier: MIT
/* program.c - the equations of a set as one list of operations on columns. */
#include "program.h"

#include <errno.h>
#include <stdlib.h>

#include "evaluate.h"

#define NODE_MAX UINT16_MAX
#define BUCKETS 256

/* A value, and the column that holds it. Nodes that are the same are one. */
struct node {
	enum code_op op;
	uint16_t left;
	uint16_t right;
	bool uniform; /* follows from constants: the same in every row */
	uint8_t bits; /* an integer is below 2^bits */
	uint64_t literal; /* CODE_INTEGER, CODE_REAL: the value; CODE_COUNTER: which one */
	uint32_t next; /* in the bucket, + 1 */
};

struct builder {
	const struct gpuoa_set *set;
	const struct gpuoa_constants *constants;
	const struct report_format *format;
	struct program *program;
	struct node *nodes;
	uint32_t count;
	uint32_t room;
	uint32_t buckets[BUCKETS]; /* first node, + 1 */
	int error;
};

static bool node_same(const struct node *a, const struct node *b)
{
	return a->op == b->op && a->left == b->left && a->right == b->right &&
	       a->literal == b->literal;
}

static uint32_t *node_bucket(struct builder *builder, const struct node *node)
{
	uint64_t hash = node->op + node->left * 31ull + node->right * 1009ull +
			node->literal;

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

static uint16_t node_literal(struct builder *builder, enum code_op op,
			     uint64_t literal)
{
	return node_get(
		builder,
		(struct node){ .op = op,
			       .literal = literal,
			       .uniform = true,
			       .bits = literal ? 64 - __builtin_clzll(literal) :
						 0 });
}

static uint32_t at_most_64(uint32_t bits)
{
	return bits < 64 ? bits : 64;
}

/* How large the result of an operation on integers can be. */
static uint32_t result_bits(enum code_op op, uint32_t left, uint32_t right)
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
	default:
		return 64;
	}
}

/* The fastest division that is right for these operands. */
static enum code_op division(const struct node *left, const struct node *right)
{
	bool by_one = right->op == CODE_INTEGER && right->literal > 1;

	if (by_one && left->bits <= 32 && right->bits <= 32)
		return CODE_DIVIDE_ONE;
	return left->bits <= 52 && right->bits <= 52 ? CODE_DIVIDE_52 :
						       CODE_DIVIDE;
}

static uint16_t node_operation(struct builder *builder, enum code_op op,
			       uint16_t left, uint16_t right)
{
	struct node node = { .left = left, .right = right };
	const struct node *a, *b;

	if (builder->error)
		return 0;
	a = &builder->nodes[left];
	b = &builder->nodes[right];
	node.op = op == CODE_DIVIDE ? division(a, b) : op;
	node.uniform = a->uniform && b->uniform;
	node.bits = result_bits(op, a->bits, b->bits);
	return node_get(builder, node);
}

static uint16_t node_input(struct builder *builder, uint32_t counter)
{
	for (uint32_t i = 0; i < builder->program->input_count; i++)
		if (builder->program->inputs[i].counter == counter)
			return i;
	return node_fail(builder, -EINVAL);
}

/* The column of a metric that another one uses: none if it is not available, and so 0. */
static uint16_t node_metric(struct builder *builder, uint32_t number)
{
	const struct program_output *output =
		&builder->program->outputs[number];

	return output->result == RESULT_NONE ?
		       node_literal(builder, CODE_INTEGER, 0) :
		       output->column;
}

static uint16_t node_operand(struct builder *builder, const uint32_t *word)
{
	uint32_t argument = code_argument(*word);

	switch (code_op(*word)) {
	case CODE_INTEGER:
		return node_literal(builder, CODE_INTEGER, argument);
	case CODE_INTEGER_64:
		return node_literal(builder, CODE_INTEGER, code_literal(word));
	case CODE_REAL:
		return node_literal(builder, CODE_REAL, code_literal(word));
	case CODE_CONSTANT:
		return node_literal(builder, CODE_INTEGER,
				    builder->constants->values[argument].value);
	case CODE_COUNTER:
		return node_input(builder, argument);
	case CODE_TIMESTAMP:
		return node_input(builder, PROGRAM_TIMESTAMP);
	default: /* CODE_METRIC, CODE_METRIC_REAL */
		return node_metric(builder, argument);
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

		if (op < CODE_ADD) {
			stack[depth++] = node_operand(builder, word);
		} else if (op < CODE_TO_REAL) {
			depth--;
			stack[depth - 1] = node_operation(
				builder, op, stack[depth - 1], stack[depth]);
		} else {
			uint16_t *operand =
				&stack[op == CODE_TO_REAL ? depth - 1 :
							    depth - 2];

			*operand = node_operation(builder, CODE_TO_REAL,
						  *operand, *operand);
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
		output->result = RESULT_FLOAT;
		output->column = real ? column :
					node_operation(builder, CODE_TO_REAL,
						       column, column);
	} else {
		output->result = RESULT_INTEGER;
		output->column = real ? node_operation(builder, CODE_TO_INTEGER,
						       column, column) :
					column;
	}
}

/* Note the counters of an equation as inputs. */
static int find_inputs(struct builder *builder, const uint32_t *code)
{
	const uint32_t *word = code + 1, *end = word + code_length(code);
	struct program *program = builder->program;

	for (; word < end; word += code_words(code_op(*word))) {
		uint32_t counter = code_argument(*word), i = 1;
		struct report_field field;

		if (code_op(*word) != CODE_COUNTER)
			continue;
		while (i < program->input_count &&
		       program->inputs[i].counter != counter)
			i++;
		if (i < program->input_count)
			continue;
		field = format_counter(builder->format, counter);
		if (field.bits != 32)
			return -EINVAL;
		program->inputs[program->input_count++] =
			(struct program_input){ .offset = field.offset,
						.counter = counter };
	}
	return 0;
}

static bool available(const struct builder *builder,
		      const struct gpuoa_metric *metric)
{
	return gpuoa_metric_available(metric, builder->constants) > 0;
}

/* Inputs come first, so that their columns have their numbers. Maxima need theirs for the totals only. */
static int build_inputs(struct builder *builder)
{
	const struct gpuoa_metric *metrics = set_metrics(builder->set);
	struct program *program = builder->program;

	program->inputs[program->input_count++] = (struct program_input){
		.offset = builder->format->timestamp.offset,
		.counter = PROGRAM_TIMESTAMP
	};
	for (uint32_t i = 0; i < builder->set->metric_count; i++) {
		const uint32_t *max = table_follow(&metrics[i].max);
		int error;

		if (!available(builder, &metrics[i]))
			continue;
		error = find_inputs(builder,
				    table_follow(&metrics[i].equation));
		if (!error && max)
			error = find_inputs(builder, max);
		if (error)
			return error;
	}
	for (uint32_t i = 0; i < program->input_count; i++)
		node_get(builder,
			 (struct node){ .op = CODE_COUNTER,
					.bits = 32,
					.literal =
						program->inputs[i].counter });
	return builder->error;
}

static int build_outputs(struct builder *builder)
{
	const struct gpuoa_metric *metrics = set_metrics(builder->set);

	for (uint32_t i = 0; i < builder->set->metric_count && !builder->error;
	     i++)
		if (available(builder, &metrics[i]))
			build_metric(builder, &metrics[i],
				     &builder->program->outputs[i]);
	return builder->error;
}

static void fill_column(union column *column, uint64_t literal)
{
	for (size_t i = 0; i < COLUMN_ROWS; i++)
		column->integers[i] = literal;
}

/* Give every node its column; compute the uniform ones now, list the others as operations. */
static int build_operations(struct builder *builder)
{
	struct program *program = builder->program;

	program->columns = aligned_alloc(_Alignof(union column),
					 builder->count * sizeof(union column));
	program->operations =
		calloc(builder->count, sizeof(*program->operations));
	if (!program->columns || !program->operations)
		return -ENOMEM;
	memset(program->columns, 0, builder->count * sizeof(union column));
	for (uint32_t i = program->input_count; i < builder->count; i++) {
		const struct node *node = &builder->nodes[i];
		union column *columns = program->columns;

		if (node->op == CODE_INTEGER || node->op == CODE_REAL)
			fill_column(&columns[i], node->literal);
		else if (node->uniform)
			column_operation(node->op, &columns[i],
					 &columns[node->left],
					 &columns[node->right], COLUMN_ROWS);
		else
			program->operations[program->operation_count++] =
				(struct program_operation){
					.op = node->op,
					.out = i,
					.left = node->left,
					.right = node->right
				};
	}
	return 0;
}

int program_new(const struct gpuoa_set *set,
		const struct gpuoa_constants *constants,
		const struct report_format *format, struct program **program)
{
	struct builder builder = { .set = set,
				   .constants = constants,
				   .format = format };
	int error = -ENOMEM;

	builder.program = calloc(1, sizeof(*builder.program));
	if (!builder.program)
		return -ENOMEM;
	builder.program->output_count = set->metric_count;
	builder.program->inputs =
		calloc(1 + COUNTER_COUNT, sizeof(struct program_input));
	builder.program->outputs =
		calloc(set->metric_count, sizeof(struct program_output));
	if (builder.program->inputs && builder.program->outputs)
		error = build_inputs(&builder);
	if (!error)
		error = build_outputs(&builder);
	if (!error)
		error = build_operations(&builder);
	free(builder.nodes);
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
	free(program->columns);
	free(program);
}

void program_run(const struct program *program, size_t rows)
{
	union column *columns = program->columns;

	rows = column_round(rows);
	for (uint32_t i = 0; i < program->operation_count; i++) {
		const struct program_operation *operation =
			&program->operations[i];

		column_operation(operation->op, &columns[operation->out],
				 &columns[operation->left],
				 &columns[operation->right], rows);
	}
}
