// SPDX-License-Identifier: MIT
/* program.c - execute a program: the operations of a set on the columns of a batch */
#include "calc/columns/program.h"

#include "table/number.h"

/* Integers of any size */

void column_words(const struct vector_ops *vector, const union column *column, bool wide,
		  uint64_t *words, size_t rows)
{
	if (wide)
		memcpy(words, column->wide, rows * sizeof(*words));
	else
		vector->to_integers(words, column, rows);
}

static void program_words(const struct program *program, uint32_t column, uint64_t *words,
			  size_t rows)
{
	column_words(program->vector, &program->columns[column], program->wide[column], words,
		     rows);
}

/* Convert the integers of a column to doubles if all of them fit. */
void program_put_words(struct program *program, uint32_t column, uint64_t all, size_t rows)
{
	union column *out = &program->columns[column];

	program->wide[column] = all >= (uint64_t)COLUMN_WIDE;
	for (size_t i = 0; !program->wide[column] && i < rows; i++)
		out->reals[i] = (double)out->wide[i];
}

static uint64_t lane_value(const struct lane *low, const struct lane *high,
			   struct report_field field, size_t at)
{
	uint64_t value = low->dwords[at];

	if (field.bits > 32)
		value |= (uint64_t)high->dwords[at] << 32;
	return value;
}

/* Load values of more than 40 bits, and values that are not deltas. */
static void load_words(struct program *program, const struct program_input *input, uint32_t column,
		       const struct program_batch *batch)
{
	const struct lane *low = &batch->lanes[input->low], *high = &batch->lanes[input->high];
	uint64_t mask = field_mask(input->field), all = 0;
	uint64_t *out = program->columns[column].wide;
	uint64_t last = 0;

	if (!input->absolute)
		last = lane_value(low, high, input->field, LANE_FIRST - 1);
	for (size_t i = 0; i < batch->rows; i++) {
		uint64_t value = lane_value(low, high, input->field, LANE_FIRST + i);

		out[i] = (value - last) & mask;
		all |= out[i];
		if (!input->absolute)
			last = value;
	}
	program_put_words(program, column, all, batch->rows);
}

/* Use the extended timestamp, because the one in the report wraps. */
void program_load_times(struct program *program, uint32_t column, const struct program_batch *batch)
{
	uint64_t all = 0;

	for (size_t row = 0; row < batch->rows; row++)
		all |= program->columns[column].wide[row] = batch->ticks[row];
	program_put_words(program, column, all, batch->rows);
}

static size_t rows_of(const struct program_batch *batch)
{
	return batch->kept ? column_round(batch->kept_count) : batch->rows;
}

/*
 * Move the rows that the filter keeps to the front of the column, and zero the padding of the last
 * group.
 */
static void compact(union column *column, const struct program_batch *batch)
{
	size_t rows = rows_of(batch);

	for (size_t row = 0; row < batch->kept_count; row++)
		column->wide[row] = column->wide[batch->kept[row]];
	memset(column->wide + batch->kept_count, 0,
	       (rows - batch->kept_count) * sizeof(column->wide[0]));
}

static void load_differences(struct program *program, const struct program_input *input,
			     uint32_t column, struct column_sums *sums,
			     const struct program_batch *batch)
{
	union column *out = &program->columns[column];

	program->wide[column] = false;
	if (input->field.bits == 40)
		program->vector->differences_40(out, sums, &batch->lanes[input->low],
						&batch->lanes[input->high],
						input->field.high % 4 * 8, batch->rows);
	else
		program->vector->differences_32(out, sums, &batch->lanes[input->low], batch->rows);
}

static void load_input(struct program *program, uint32_t number, uint32_t column,
		       struct column_sums *sums, const struct program_batch *batch)
{
	const struct program_input *input = &program->inputs[number];

	if (input->absolute && input->source == SOURCE_TIMESTAMP)
		program_load_times(program, column, batch);
	else if (input->absolute || input->field.bits > 40)
		load_words(program, input, column, batch);
	else
		load_differences(program, input, column, sums, batch);
}

static void add_words(const struct program *program, uint32_t column, uint64_t *sum, size_t rows)
{
	uint64_t words[COLUMN_ROWS];

	program_words(program, column, words, rows);
	for (size_t row = 0; row < rows; row++)
		*sum += words[row];
}

/* Add only the deltas of intervals that the filter keeps to the sums. */
static void load_kept(struct program *program, const struct program_operation *operation,
		      const struct program_batch *batch)
{
	const struct program_input *input = &program->inputs[operation->a];
	struct column_sums ignored = { 0 };

	load_input(program, operation->a, operation->out, &ignored, batch);
	compact(&program->columns[operation->out], batch);
	if (!input->absolute)
		add_words(program, operation->out, &batch->wide_sums[operation->a], rows_of(batch));
}

static void run_load(struct program *program, const struct program_operation *operation,
		     const struct program_batch *batch)
{
	const struct program_input *input = &program->inputs[operation->a];

	if (batch->kept) {
		load_kept(program, operation, batch);
		return;
	}
	load_input(program, operation->a, operation->out, &batch->sums[operation->a], batch);
	if (!input->absolute && input->field.bits > 40)
		add_words(program, operation->out, &batch->wide_sums[operation->a], batch->rows);
}

void program_load_lengths(struct program *program, const struct program_batch *batch,
			  uint64_t *lengths)
{
	struct column_sums ignored = { 0 };

	load_input(program, INPUT_TICKS, 0, &ignored, batch);
	program_words(program, 0, lengths, batch->rows);
}

/* Find the step on doubles that has the same result as an integer operation if all values fit. */
static bool small_step(enum code_op op, enum column_step *step)
{
	switch (op) {
	case CODE_ADD:
		*step = STEP_ADD;
		return true;
	case CODE_SUBTRACT:
		*step = STEP_SUBTRACT;
		return true;
	case CODE_MULTIPLY:
		*step = STEP_MULTIPLY;
		return true;
	case CODE_DIVIDE:
		*step = STEP_QUOTIENT;
		return true;
	case CODE_MINIMUM:
		*step = STEP_MINIMUM;
		return true;
	case CODE_MAXIMUM:
		*step = STEP_MAXIMUM;
		return true;
	default:
		return false;
	}
}

/*
 * Compute with doubles if operands and results fit. It suffices to check rounded results: a product
 * that is too large is also too large after rounding.
 */
static bool run_small(struct program *program, const struct program_operation *operation,
		      size_t rows)
{
	union column *out = &program->columns[operation->out];
	const union column *a = &program->columns[operation->a],
			   *b = &program->columns[operation->b],
			   *c = &program->columns[operation->c];
	enum column_step step;

	if (program->wide[operation->a] || program->wide[operation->b] ||
	    !small_step(operation->op, &step))
		return false;
	program->wide[operation->out] = false;
	if (step == STEP_ADD || step == STEP_MULTIPLY)
		return program->vector->step_fits(step, out, a, b, rows);
	if (step == STEP_QUOTIENT && operation->c != operation->b)
		step = STEP_QUOTIENT_WITH;
	program->vector->step(step, out, a, b, c, rows);
	return true;
}

static void run_integer(struct program *program, const struct program_operation *operation,
			size_t rows)
{
	uint64_t left[COLUMN_ROWS], right[COLUMN_ROWS], all = 0;
	uint64_t *out = program->columns[operation->out].wide;

	if (run_small(program, operation, rows))
		return;
	program_words(program, operation->a, left, rows);
	program_words(program, operation->b, right, rows);
	for (size_t i = 0; i < rows; i++)
		all |= out[i] = integer_operation(operation->op, left[i], right[i]);
	program_put_words(program, operation->out, all, rows);
}

/* Read the literals from the first row: literals are equal in all rows. */
static void run_scale(struct program *program, const struct program_operation *operation,
		      size_t rows)
{
	uint64_t words[COLUMN_ROWS], factor[COLUMN_ROWS], divisor[COLUMN_ROWS];
	uint64_t *out = program->columns[operation->out].wide, all = 0;

	program_words(program, operation->a, words, rows);
	program_words(program, operation->b, factor, COLUMN_GROUP);
	program_words(program, operation->c, divisor, COLUMN_GROUP);
	for (size_t i = 0; i < rows; i++) {
		unsigned __int128 product = (unsigned __int128)words[i] * factor[0];

		product = divisor[0] ? product / divisor[0] : 0;
		out[i] = product > UINT64_MAX ? UINT64_MAX : (uint64_t)product;
		all |= out[i];
	}
	program_put_words(program, operation->out, all, rows);
}

static void run_to_real(struct program *program, const struct program_operation *operation,
			size_t rows)
{
	const union column *from = &program->columns[operation->a];
	union column *out = &program->columns[operation->out];

	if (!program->wide[operation->a])
		memcpy(out->reals, from->reals, rows * sizeof(*out->reals));
	for (size_t i = 0; program->wide[operation->a] && i < rows; i++)
		out->reals[i] = (double)from->wide[i];
}

static void run_to_integer(struct program *program, const struct program_operation *operation,
			   size_t rows)
{
	const union column *from = &program->columns[operation->a];
	uint64_t *out = program->columns[operation->out].wide, all = 0;

	for (size_t i = 0; i < rows; i++)
		all |= out[i] = real_to_integer(from->reals[i]);
	program_put_words(program, operation->out, all, rows);
}

static void run_step(struct program *program, const struct program_operation *operation,
		     size_t rows)
{
	union column *columns = program->columns;

	program->vector->step(operation->op, &columns[operation->out], &columns[operation->a],
			      &columns[operation->b], &columns[operation->c], rows);
	program->wide[operation->out] = false;
}

void program_run_operation(struct program *program, const struct program_operation *operation,
			   const struct program_batch *batch, size_t rows)
{
	switch (operation->kind) {
	case OPERATION_OUTPUT:
		batch->output(batch->context, operation->out, &program->columns[operation->a],
			      program->wide[operation->a]);
		break;
	case OPERATION_STEP:
		run_step(program, operation, rows);
		break;
	case OPERATION_INTEGER:
		run_integer(program, operation, rows);
		break;
	case OPERATION_SCALE:
		run_scale(program, operation, rows);
		break;
	case OPERATION_TO_REAL:
		run_to_real(program, operation, rows);
		program->wide[operation->out] = false;
		break;
	default: /* OPERATION_TO_INTEGER */
		run_to_integer(program, operation, rows);
		break;
	}
}

const char *program_fetch(const char *next, size_t bytes)
{
	const char *end = next + bytes;

	for (; next < end; next += LANE_BLOCK_BYTES) {
		__builtin_prefetch(next);
		/* Prevent the compiler from removing a loop that only prefetches. */
		__asm__ volatile("");
	}
	return next;
}

void program_run(struct program *program, const struct program_batch *batch)
{
	const struct program_operation *operation = program->operations;
	size_t rows = rows_of(batch);
	const char *next = batch->next, *end = batch->next_end;
	size_t share = (end - next) / program->operation_count + 1;

	for (uint32_t i = 0; i < program->operation_count; i++, operation++) {
		if (next < end)
			next = program_fetch(next, share);
		if (operation->kind == OPERATION_LOAD)
			run_load(program, operation, batch);
		else if (batch->output)
			program_run_operation(program, operation, batch, rows);
	}
}
