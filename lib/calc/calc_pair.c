// SPDX-License-Identifier: MIT
/*
 * calc_pair.c - calculate one row from two reports, value by value
 *
 * The vector code processes rows in groups of 16, so that one row costs as much as 16 rows. This
 * code performs the same operations on single numbers, with bit-identical results.
 */
#include <stdlib.h>
#include <string.h>

#include "base/ticks.h"
#include "calc/calc.h"
#include "calc/columns/vector_step.h"

/*
 * The values from which one row is calculated. A "wide" integer is one that a double cannot
 * represent; see column.h.
 */
struct pair_cells {
	const char *begin; /* earlier and later report */
	const char *end;
	uint64_t ticks; /* time of the later report, extended to 64 bits */
	union gpuoa_value *values;
	bool *wide; /* for each column, whether it contains a wide integer */
	union number numbers[];
};

/* Set the columns of literals. No operation changes these columns. */
static struct pair_cells *make_cells(const struct program *program)
{
	const uint32_t count = program->column_count;
	struct pair_cells *pair =
		calloc(1, sizeof(*pair) + count * (sizeof(*pair->numbers) + sizeof(*pair->wide)));

	if (!pair)
		return NULL;
	pair->wide = (bool *)(pair->numbers + count);
	for (uint32_t i = 0; i < count; i++) {
		pair->numbers[i].integer = program->columns[i].wide[0];
		pair->wide[i] = program->wide[i];
	}
	return pair;
}

static uint64_t get_word(const struct pair_cells *pair, uint32_t at)
{
	const union number *number = &pair->numbers[at];

	return pair->wide[at] ? number->integer : (uint64_t)(int64_t)number->real;
}

static void put_real(struct pair_cells *pair, uint32_t at, double real)
{
	pair->numbers[at].real = real;
	pair->wide[at] = false;
}

static void put_word(struct pair_cells *pair, uint32_t at, uint64_t word)
{
	if (word < (uint64_t)COLUMN_WIDE) {
		put_real(pair, at, (double)(int64_t)word);
		return;
	}
	pair->numbers[at].integer = word;
	pair->wide[at] = true;
}

static uint64_t load(const struct pair_cells *pair, const struct program_input *input)
{
	const uint64_t end = report_read(pair->end, input->field);

	if (!input->absolute)
		return (end - report_read(pair->begin, input->field)) & field_mask(input->field);
	return input->source == SOURCE_TIMESTAMP ? pair->ticks : end;
}

/* Calculate with doubles first: most integers are so small that the result fits in a double. */
static void compute_integer(struct pair_cells *pair, const struct program_operation *operation)
{
	const double a = pair->numbers[operation->a].real, b = pair->numbers[operation->b].real;
	const bool small = !pair->wide[operation->a] && !pair->wide[operation->b];
	const double result = operation->op == CODE_ADD ? a + b : a * b;

	if (small && (operation->op == CODE_ADD || operation->op == CODE_MULTIPLY) &&
	    result < COLUMN_WIDE)
		put_real(pair, operation->out, result);
	else
		put_word(pair, operation->out,
			 integer_operation(operation->op, get_word(pair, operation->a),
					   get_word(pair, operation->b)));
}

static uint64_t scale(const struct pair_cells *pair, const struct program_operation *operation)
{
	const unsigned __int128 product =
		(unsigned __int128)get_word(pair, operation->a) * get_word(pair, operation->b);
	const uint64_t divisor = get_word(pair, operation->c);
	unsigned __int128 quotient;

	if (!divisor)
		return 0;
	if (!(product >> 64))
		return (uint64_t)product / divisor;
	quotient = product / divisor;
	return quotient > UINT64_MAX ? UINT64_MAX : (uint64_t)quotient;
}

static void put_value(const struct program *program, const struct pair_cells *pair,
		      const struct program_operation *operation)
{
	union gpuoa_value *value = &pair->values[operation->out];

	if (program->outputs[operation->out].result == RESULT_FLOAT)
		value->f32 = real_to_float(pair->numbers[operation->a].real);
	else
		value->u64 = get_word(pair, operation->a);
}

/*
 * Use a single switch, because the processor predicts its branch better than those of nested
 * switches.
 */
#define STEP_CASE(name)                                                                       \
	case STEP_##name:                                                                     \
		put_real(pair, operation->out,                                                \
			 step_value(STEP_##name, numbers[operation->a].real,                  \
				    numbers[operation->b].real, numbers[operation->c].real)); \
		break;

static void run_operation(const struct program *program, struct pair_cells *pair,
			  const struct program_operation *operation)
{
	const unsigned int kind = operation->kind;
	const union number *numbers = pair->numbers;

	switch (kind == OPERATION_STEP ? operation->op : STEP_COUNT + kind) {
		EACH_STEP(STEP_CASE)
	case STEP_COUNT + OPERATION_LOAD:
		put_word(pair, operation->out, load(pair, &program->inputs[operation->a]));
		break;
	case STEP_COUNT + OPERATION_OUTPUT:
		put_value(program, pair, operation);
		break;
	case STEP_COUNT + OPERATION_INTEGER:
		compute_integer(pair, operation);
		break;
	case STEP_COUNT + OPERATION_SCALE:
		put_word(pair, operation->out, scale(pair, operation));
		break;
	case STEP_COUNT + OPERATION_TO_REAL:
		put_real(pair, operation->out,
			 pair->wide[operation->a] ? (double)numbers[operation->a].integer :
						    numbers[operation->a].real);
		break;
	case STEP_COUNT + OPERATION_TO_INTEGER:
		put_word(pair, operation->out, real_to_integer(numbers[operation->a].real));
		break;
	}
}

bool calc_run_pair(struct gpuoa_calc *calc, const char *begin, const char *end, uint64_t near,
		   union gpuoa_value *values)
{
	const struct report_field field = calc->format->timestamp;
	const uint64_t first = report_read(begin, field), mask = field_mask(field);
	struct pair_cells *pair = calc->pair;

	if (!pair)
		pair = calc->pair = make_cells(calc->program);
	if (!pair)
		return false;
	pair->begin = begin;
	pair->end = end;
	pair->ticks = near ? ticks_near(near, first, mask) : first;
	pair->ticks += (report_read(end, field) - first) & mask;
	pair->values = values;
	memset(values, 0, calc->program->output_count * sizeof(*values));
	for (uint32_t i = 0; i < calc->program->operation_count; i++)
		run_operation(calc->program, pair, &calc->program->operations[i]);
	return true;
}
