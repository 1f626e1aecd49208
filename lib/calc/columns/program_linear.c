// SPDX-License-Identifier: MIT
/*
 * program_linear.c - linear path: outputs that are sums of inputs times a factor, as most counts
 * are
 *
 * In a batch with small deltas, such a sum is a 32-bit integer. Its total follows from the inputs'
 * totals. For a single input, minimum and maximum follow from the input's bounds, which are known
 * without transposing lanes.
 */
#include <errno.h>
#include <stdlib.h>

#include "calc/columns/program_linear.h"

/* The sum of this number of deltas of a batch with small deltas is below 2^32. */
#define TERMS_MAX ((1u << (32 - SMALL_DELTA_BITS)) - 1)

/* Maximum nesting of products; equations have one or two. */
#define DEPTH_MAX 16

/* Append the inputs to .linear_lanes. Returns the common factor, or 0 if the node is not linear. */
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

/*
 * Find the integer node of an output that can be linear: an integer, or in summaries a converted
 * integer.
 */
static bool linear_node(const struct builder *builder, uint32_t output, uint16_t *number)
{
	const struct program_output *wanted = &builder->program->outputs[output];
	const struct node *node = &builder->nodes[wanted->column];

	*number = wanted->column;
	if (wanted->result == RESULT_FLOAT) {
		if (builder->request->small_delta != SMALL_DELTA_SUMMARIES ||
		    node->kind != NODE_TO_REAL)
			return false;
		*number = node->left;
	}
	return wanted->result != RESULT_NONE && node_is_small(&builder->nodes[*number]);
}

static bool find_linear(struct builder *builder, uint32_t output)
{
	struct program_small_delta *small_delta = &builder->program->small_delta;
	uint32_t count = 0;
	uint64_t factor;
	uint16_t number;

	if (!linear_node(builder, output, &number))
		return false;
	factor = collect(builder, number, &count, 0);
	if (!factor || factor > UINT32_MAX)
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

int program_find_linears(struct placer *placer)
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
