// SPDX-License-Identifier: MIT
/* program_build.c - build the program of a set from its equations and the report format */
#include <errno.h>
#include <stdlib.h>

#include "calc/columns/program_place.h"
#include "metadata/evaluate.h"

/*
 * Allocation of columns to values. A column is reused after the last use of its value, because
 * fewer columns stay better in the first-level cache. In fast-path programs, which keep most values
 * in registers, each value has a separate column.
 */
struct allocator {
	struct program *program;
	uint32_t *last_use; /* index of the last operation that uses each value; 0: none */
	uint16_t *column; /* column of each value */
	uint16_t *free;
	uint32_t free_count;
};

#define FOREVER UINT32_MAX

/*
 * Record the values that an operation uses. Operands that it does not have are 0, the ticks input,
 * which is never released.
 */
static void note_uses(struct allocator *allocator, const struct program_operation *operation,
		      uint32_t at)
{
	const uint16_t operands[] = { operation->a, operation->b, operation->c };

	if (operation->kind == OPERATION_LOAD)
		return;
	for (size_t i = 0; i < sizeof(operands) / sizeof(operands[0]); i++)
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
 * Replace the numbers of values in an operation by columns. The column of the result is allocated
 * before the columns of the operands are released.
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
		operation->b = allocator->column[values.b];
		operation->c = allocator->column[values.c];
		release(allocator, values.a, at);
		release(allocator, values.b, at);
		release(allocator, values.c, at);
	}
	/*
	 * No operation uses the value, because it is an input that is only summed: release its
	 * column.
	 */
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

/* Columns of literals, of their reciprocals and of the ticks input are never released. */
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
	fill_literals(allocator, placer);
	return 0;
}

/* Allocate columns and fill those of literals. Returns 0 or -ENOMEM. */
static int program_allocate_columns(struct program *program, const struct placer *placer)
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

/*
 * Linear outputs are sums of inputs times a factor. In a batch with small deltas, such a sum is a
 * 32-bit integer, and its total follows from the totals of the inputs. If there is a single input,
 * minimum and maximum follow from the input's bounds, which are known without transposing its
 * dwords.
 */

/* Maximum number of inputs whose small deltas have a sum below 2^32 */
#define TERMS_MAX ((1u << (32 - SMALL_DELTA_BITS)) - 1)

/* Maximum nesting depth of products; equations have one or two levels. */
#define DEPTH_MAX 16

/*
 * Append the inputs of a node to .linear_lanes. Returns their common factor, or 0 if the node is
 * not linear.
 */
static uint64_t collect(struct builder *builder, uint16_t number, uint32_t *count, uint32_t depth)
{
	const struct node *node = &builder->nodes[number];
	struct program *program = builder->program;
	const struct program_input *input =
		node->kind == NODE_INPUT ? &program->inputs[node->literal.integer] : NULL;

	if (input && !input->absolute && *count < TERMS_MAX) {
		program->small_delta
			.linear_lanes[program->small_delta.linear_lane_count + (*count)++] =
			input->low;
		return 1;
	}
	if (node->kind != NODE_INTEGER_OPERATION || depth == DEPTH_MAX)
		return 0;
	if (node->op == CODE_MULTIPLY && builder->nodes[node->right].kind == NODE_INTEGER)
		return collect(builder, node->left, count, depth + 1) *
		       builder->nodes[node->right].literal.integer;
	if (node->op == CODE_ADD) {
		uint64_t left = collect(builder, node->left, count, depth + 1);

		if (left && left == collect(builder, node->right, count, depth + 1))
			return left;
	}
	return 0;
}

/* Return the node of an output that may be linear. In summaries, it may be converted to a real. */
static uint16_t linear_node(const struct builder *builder, uint32_t output)
{
	const uint16_t number = builder->program->outputs[output].column;
	const struct node *node = &builder->nodes[number];
	const bool summaries = builder->request->small_delta == SMALL_DELTA_SUMMARIES;

	return summaries && node->kind == NODE_TO_REAL ? node->left : number;
}

/* Sums and factors of small integers are below 2^SMALL_BITS. */
_Static_assert(SMALL_BITS - SMALL_DELTA_BITS < 32, "a factor has 32 bits");

static bool find_linear(struct builder *builder, uint32_t output)
{
	struct program_small_delta *small_delta = &builder->program->small_delta;
	const uint16_t number = linear_node(builder, output);
	uint32_t count = 0;
	uint64_t factor;

	if (builder->program->outputs[output].result == RESULT_NONE ||
	    !node_is_small(&builder->nodes[number]))
		return false;
	factor = collect(builder, number, &count, 0);
	if (!factor)
		return false;
	small_delta->linears[small_delta->linear_count++] = (struct linear_output){
		.output = output,
		.sum = { .numbers = small_delta->linear_lanes + small_delta->linear_lane_count,
			 .count = count,
			 .factor = factor },
	};
	small_delta->linear_lane_count += count;
	return true;
}

/* Find the linear outputs of a fast-path program. Returns 0 or -ENOMEM. */
static int program_find_linears(struct placer *placer)
{
	const uint32_t outputs = placer->builder->program->output_count;
	struct program_small_delta *small_delta = &placer->builder->program->small_delta;

	small_delta->purpose = placer->builder->request->small_delta;
	if (small_delta->purpose == SMALL_DELTA_NONE)
		return 0;
	small_delta->linears = calloc(outputs + 1, sizeof(*small_delta->linears));
	small_delta->linear_lanes =
		calloc(outputs + 1, TERMS_MAX * sizeof(*small_delta->linear_lanes));
	if (!small_delta->linears || !small_delta->linear_lanes)
		return -ENOMEM;
	for (uint32_t i = 0; i < outputs; i++)
		placer->outputs[i] = small_delta->purpose == SMALL_DELTA_SUMS ||
				     find_linear(placer->builder, i);
	return 0;
}

void program_begin_linears(struct program *program)
{
	for (uint32_t i = 0; i < program->small_delta.linear_count; i++) {
		struct lane_bounds *bounds = program->small_delta.linears[i].bounds;

		for (size_t lane = 0; bounds && lane < LANE_BLOCK; lane++) {
			bounds->least[lane] = UINT32_MAX;
			bounds->largest[lane] = 0;
		}
	}
}

static void find_bounds(const struct linear_output *linear, const struct small_delta_run *run,
			uint32_t *least, uint32_t *largest)
{
	if (!linear->bounds) {
		*least = run->least[linear->sum.numbers[0]];
		*largest = run->largest[linear->sum.numbers[0]];
		return;
	}
	*least = linear->bounds->least[0];
	*largest = linear->bounds->largest[0];
	for (size_t i = 1; i < LANE_BLOCK; i++) {
		if (linear->bounds->least[i] < *least)
			*least = linear->bounds->least[i];
		if (linear->bounds->largest[i] > *largest)
			*largest = linear->bounds->largest[i];
	}
}

/* These values are exact, like sums of doubles, if the sum is below 2^53. */
static void end_linear(const struct linear_output *linear, const struct small_delta_run *run,
		       struct column_summary *summary)
{
	const double factor = linear->sum.factor;
	unsigned __int128 sum = 0;
	uint32_t least, largest;

	for (uint32_t i = 0; i < linear->sum.count; i++)
		sum += run->sums[linear->sum.numbers[i]];
	find_bounds(linear, run, &least, &largest);
	summary->sums[0] += (double)(sum * linear->sum.factor);
	if (least * factor < summary->least[0])
		summary->least[0] = least * factor;
	if (largest * factor > summary->largest[0])
		summary->largest[0] = largest * factor;
}

void program_end_linears(const struct program *program, const struct small_delta_run *run,
			 struct column_summary *summaries)
{
	for (uint32_t i = 0; i < program->small_delta.linear_count; i++) {
		const struct linear_output *linear = &program->small_delta.linears[i];

		end_linear(linear, run, &summaries[linear->output]);
	}
}

static struct report_field source_field(const struct report_format *format, uint32_t source)
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

/*
 * Returns the number of the lane for the dword at @offset of a report. The lanes of a cache line
 * are allocated when the first one is used.
 */
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

#define QUADS_OF_LINE (LANE_BLOCK / QUAD_DWORDS)

/* Add the quad (four dwords) that contains this lane to the program. */
static void add_quad(struct program *program, uint16_t lane)
{
	const uint16_t first = lane & -(uint16_t)QUAD_DWORDS;
	uint32_t i = 0;

	while (i < program->quad_count && program->quads[i].lane != first)
		i++;
	if (i == program->quad_count)
		program->quads[program->quad_count++] = (struct small_delta_quad){
			.offset = program->blocks[lane / LANE_BLOCK] * LANE_BLOCK_BYTES +
				  first % LANE_BLOCK * 4,
			.lane = first,
		};
}

/* In a batch with small deltas, the delta of an input equals the delta of its lower dword. */
static void add_rules(struct program *program, const struct program_input *input)
{
	struct small_delta_rules *low = &program->rules[input->low / LANE_BLOCK];
	struct small_delta_rules *high = &program->rules[input->high / LANE_BLOCK];

	if (input->absolute)
		return;
	add_quad(program, input->low);
	add_quad(program, input->high);
	low->zero[input->low % LANE_BLOCK] |= UINT32_MAX << SMALL_DELTA_BITS;
	if (input->field.bits <= 32)
		return;
	low->rising[input->low % LANE_BLOCK] = UINT32_MAX;
	high->zero[input->high % LANE_BLOCK] = UINT32_MAX;
}

static uint8_t input_bits(const struct builder *builder, const struct program_input *input)
{
	if (input->absolute)
		return input->source == SOURCE_TIMESTAMP ? 64 : input->field.bits;
	return builder->request->small_delta != SMALL_DELTA_NONE ? SMALL_DELTA_BITS :
								   input->field.bits;
}

/*
 * Return the node of an input, and create it on first use. The first nodes are those of the inputs.
 */
static uint16_t node_input(struct builder *builder, uint32_t source, bool absolute)
{
	struct report_field field = source_field(builder->request->format, source);
	struct program *program = builder->program;
	struct program_input *input = &program->inputs[program->input_count];

	for (uint32_t i = 0; i < program->input_count; i++)
		if (program->inputs[i].source == source && program->inputs[i].absolute == absolute)
			return i;
	if (!field.bits)
		return node_fail(builder, -ENXIO);
	*input = (struct program_input){
		.source = source,
		.absolute = absolute,
		.field = field,
		.low = lane_of(program, field.offset),
		.high = lane_of(program, field.bits == 40 ? field.high :
					 field.bits > 32  ? field.offset + 4 :
							    field.offset),
	};
	add_rules(program, input);
	return node_get(builder, (struct node){ .kind = NODE_INPUT,
						.literal.integer = program->input_count++,
						.bits = input_bits(builder, input) });
}

/*
 * Make the current equation invalid if this divisor is 0. Its validity is the minimum of 1 and of
 * all values that must not be 0, none of which is negative.
 */
static void depend_on(struct builder *builder, uint16_t divisor)
{
	if (builder->valid_metrics)
		builder->valid = node_integers(builder, CODE_MINIMUM, builder->valid, divisor);
}

/*
 * Make the current equation invalid if this real divisor is 0: divided by itself, it yields 1, or 0
 * if it is 0.
 */
static void depend_on_real(struct builder *builder, uint16_t divisor)
{
	if (!builder->valid_metrics || builder->err)
		return;
	if (builder->nodes[divisor].kind == NODE_TO_REAL)
		depend_on(builder, builder->nodes[divisor].left);
	else
		depend_on(builder, node_to_integer(builder, node_reals(builder, CODE_REAL_DIVIDE,
								       divisor, divisor)));
}

static void note_divisor(struct builder *builder, enum code_op op, uint16_t divisor)
{
	if (op == CODE_DIVIDE)
		depend_on(builder, divisor);
	else if (op == CODE_REAL_DIVIDE)
		depend_on_real(builder, divisor);
}

static void note_metric(struct builder *builder, uint32_t number)
{
	if (builder->valid_metrics)
		depend_on(builder, builder->valid_metrics[number]);
}

/* Return the node of a metric that another metric uses; 0 if the metric is not available. */
static uint16_t node_metric(struct builder *builder, uint32_t number)
{
	const struct program_output *metric = &builder->metrics[number];

	note_metric(builder, number);
	return metric->result == RESULT_NONE ? node_integer(builder, 0) : metric->column;
}

static uint16_t node_metric_real(struct builder *builder, uint32_t number)
{
	const struct program_output *metric = &builder->metrics[number];

	note_metric(builder, number);
	return metric->result == RESULT_NONE ? node_real(builder, 0) : metric->column;
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
		return node_integer(builder, builder->request->constants->values[argument].value);
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
	default: /* CODE_METRIC_REAL; only conditions have CODE_QUERY_MODE */
		return node_metric_real(builder, argument);
	}
}

/* Build the nodes of an equation. Returns the node of its value. */
static uint16_t build_code(struct builder *builder, const uint32_t *code)
{
	const uint32_t *word = code + 1, *end = word + code_length(code);
	/* The two elements at the bottom are only for the addresses below. */
	uint16_t stack[2 + CODE_DEPTH_MAX] = { 0 };
	uint32_t depth = 2;

	for (; word < end && !builder->err; word += code_words(code_op(*word))) {
		enum code_op op = code_op(*word);
		uint16_t *top = &stack[depth - 1], *below = &stack[depth - 2];

		if (op < CODE_ADD) {
			stack[depth++] = node_operand(builder, word);
		} else if (op < CODE_TO_REAL) {
			note_divisor(builder, op, *top);
			*below = op < CODE_REAL_ADD ? node_integers(builder, op, *below, *top) :
						      node_reals(builder, op, *below, *top);
			depth--;
		} else {
			uint16_t *operand = op == CODE_TO_REAL ? top : below;

			*operand = node_to_real(builder, *operand);
		}
	}
	return stack[2];
}

/* Build an equation of a metric, with a conversion to the metric's type. */
static struct program_output build_value(struct builder *builder, const uint32_t *code,
					 enum gpuoa_value_type type)
{
	uint16_t column = build_code(builder, code);
	bool real = code_is_real(code);

	if (type == GPUOA_TYPE_FLOAT)
		return (struct program_output){
			.column = real ? column : node_to_real(builder, column),
			.result = RESULT_FLOAT,
		};
	return (struct program_output){
		.column = real ? node_to_integer(builder, column) : column,
		.result = RESULT_INTEGER,
	};
}

static void build_metric(struct builder *builder, uint32_t number)
{
	const struct program_request *request = builder->request;
	const struct gpuoa_metric *metric = &set_metrics(request->set)[number];
	const bool there = request->needed[number] &&
			   gpuoa_metric_available(metric, request->constants, NULL, 0) > 0;

	if (builder->valid_metrics)
		builder->valid = node_integer(builder, there);
	if (there)
		builder->metrics[number] = build_value(builder, table_follow(&metric->equation),
						       metric_definition(metric)->type);
	if (builder->valid_metrics)
		builder->valid_metrics[number] = builder->valid;
}

/* Build all metrics in order, because a metric refers only to preceding ones. */
static void build_metrics(struct builder *builder)
{
	const struct program_request *request = builder->request;

	for (uint32_t i = 0; i < request->set->metric_count && !builder->err; i++)
		build_metric(builder, i);
	for (uint32_t i = 0; i < request->metric_count; i++)
		builder->program->outputs[i] = builder->metrics[request->metrics[i]];
}

static void build_maxima(struct builder *builder, struct program_output *output)
{
	const struct program_request *request = builder->request;

	for (uint32_t i = 0; i < request->metric_count && !builder->err; i++) {
		const uint32_t number = request->metrics[i];
		const struct gpuoa_metric *metric = &set_metrics(request->set)[number];
		const uint32_t *code = table_follow(&metric->max);

		if (code && builder->metrics[number].result != RESULT_NONE)
			output[i] = build_value(builder, code, metric_definition(metric)->type);
	}
}

static void put_validity(const struct builder *builder, struct program_output *output)
{
	const struct program_request *request = builder->request;

	for (uint32_t i = 0; i < request->metric_count; i++)
		output[i] = (struct program_output){
			.result = RESULT_INTEGER,
			.column = builder->valid_metrics[request->metrics[i]],
		};
}

static void build_infos(struct builder *builder, struct program_output *output)
{
	const struct program_request *request = builder->request;
	const struct gpuoa_info *infos = set_infos(request->set);

	builder->info = true;
	for (uint32_t i = 0; i < request->set->info_count && !builder->err; i++)
		output[i] = (struct program_output){
			.result = RESULT_INTEGER,
			.column = build_code(builder, table_follow(&infos[i].equation)),
		};
	builder->info = false;
}

/* Build the inputs first, so that the number of an input is also that of its node. */
static void build_inputs(struct builder *builder, const uint32_t *code)
{
	const uint32_t *word = code + 1, *end = word + code_length(code);

	for (; word < end && !builder->err; word += code_words(code_op(*word)))
		if (code_op(*word) >= CODE_COUNTER && code_op(*word) <= CODE_CONTEXT_ID)
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

/* Build the inputs of maxima even if rows have none, because totals need them. */
static void build_all_inputs(struct builder *builder)
{
	const struct program_request *request = builder->request;
	const struct gpuoa_metric *metrics = set_metrics(request->set);

	node_input(builder, SOURCE_TIMESTAMP, false);
	for (uint32_t i = 0; i < request->set->metric_count; i++) {
		const uint32_t *max = table_follow(&metrics[i].max);

		if (!request->needed[i] ||
		    gpuoa_metric_available(&metrics[i], request->constants, NULL, 0) <= 0)
			continue;
		build_inputs(builder, table_follow(&metrics[i].equation));
		if (max)
			build_inputs(builder, max);
	}
	if (request->infos)
		build_info_inputs(builder);
}

static int place(struct placer *placer)
{
	struct builder *builder = placer->builder;
	int err = program_find_linears(placer);

	if (err)
		return err;
	program_place_nodes(placer);
	return program_allocate_columns(builder->program, placer);
}

/* A node takes at most two operations, the second one for its reciprocal; an output takes one. */
static int build_operations(struct builder *builder)
{
	struct program *program = builder->program;
	struct placer placer = {
		.builder = builder,
		.placements = calloc(builder->count, sizeof(struct placement)),
		.stack = calloc(builder->count, sizeof(*placer.stack)),
		.outputs = calloc(program->output_count + 1, sizeof(*placer.outputs)),
	};
	int err = -ENOMEM;

	program->operations = calloc(2 * (size_t)builder->count + program->output_count,
				     sizeof(*program->operations));
	if (placer.placements && placer.stack && placer.outputs && program->operations)
		err = place(&placer);
	free(placer.placements);
	free(placer.stack);
	free(placer.outputs);
	return err;
}

static int build(struct builder *builder)
{
	const struct program_request *request = builder->request;
	struct program_output *output = builder->program->outputs + request->metric_count;

	build_all_inputs(builder);
	build_metrics(builder);
	if (request->infos) {
		build_infos(builder, output);
		output += request->set->info_count;
	}
	if (request->maxima) {
		build_maxima(builder, output);
		output += request->metric_count;
	}
	if (request->validity)
		put_validity(builder, output);
	return builder->err ? builder->err : build_operations(builder);
}

static uint32_t count_outputs(const struct program_request *request)
{
	const uint32_t of_each_metric = 1 + request->maxima + request->validity;

	return request->metric_count * of_each_metric +
	       (request->infos ? request->set->info_count : 0);
}

static int builder_alloc(struct builder *builder)
{
	const struct program_request *request = builder->request;
	struct program *program = builder->program;
	const size_t lines = request->format->size / LANE_BLOCK_BYTES;

	program->vector = request->vector;
	program->output_count = count_outputs(request);
	program->inputs = calloc(2 * (size_t)SOURCE_COUNT, sizeof(*program->inputs));
	program->outputs = calloc(program->output_count + 1, sizeof(*program->outputs));
	program->blocks = calloc(lines, sizeof(*program->blocks));
	program->rules = calloc(lines, sizeof(*program->rules));
	program->quads = calloc(lines * QUADS_OF_LINE, sizeof(*program->quads));
	builder->metrics = calloc(request->set->metric_count + 1, sizeof(*builder->metrics));
	if (request->validity) {
		builder->valid_metrics = calloc(request->set->metric_count + 1, sizeof(uint16_t));
		if (!builder->valid_metrics)
			return -ENOMEM;
	}
	return program->inputs && program->outputs && program->blocks && program->rules &&
			       program->quads && builder->metrics ?
		       0 :
		       -ENOMEM;
}

int program_new(const struct program_request *request, struct program **program)
{
	struct builder builder = { .request = request };
	int err;

	builder.program = calloc(1, sizeof(*builder.program));
	if (!builder.program)
		return -ENOMEM;
	err = builder_alloc(&builder);
	if (!err)
		err = build(&builder);
	free(builder.nodes);
	free(builder.metrics);
	free(builder.valid_metrics);
	if (err) {
		program_free(builder.program);
		return err;
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
	free(program->rules);
	free(program->quads);
	free(program->small_delta.steps);
	free(program->small_delta.links);
	free(program->small_delta.slots);
	free(program->small_delta.linears);
	free(program->small_delta.bounds);
	free(program->small_delta.linear_lanes);
	free(program->columns);
	free(program->wide);
	free(program);
}
