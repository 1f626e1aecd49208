// SPDX-License-Identifier: MIT
/* evaluate.c - exact evaluation of one equation */
#include "metadata/evaluate.h"

#include <errno.h>

typedef unsigned __int128 wide;

#define WIDE_MAX (~(wide)0)

union cell {
	wide integer;
	double real;
};

static wide wide_add(wide left, wide right)
{
	wide sum;

	return __builtin_add_overflow(left, right, &sum) ? WIDE_MAX : sum;
}

static wide wide_multiply(wide left, wide right)
{
	wide product;

	return __builtin_mul_overflow(left, right, &product) ? WIDE_MAX : product;
}

static wide wide_divide(wide left, wide right)
{
	return right ? left / right : 0;
}

/* Shift a 64-bit word. Bits that are shifted beyond it are lost. */
static wide wide_shift_left(wide left, wide right)
{
	return right < 64 ? (uint64_t)left << (int)right : 0;
}

static wide wide_shift_right(wide left, wide right)
{
	return right < 64 ? left >> (int)right : 0;
}

static wide wide_operation(enum code_op op, wide left, wide right)
{
	switch (op) {
	case CODE_ADD:
		return wide_add(left, right);
	case CODE_SUBTRACT:
		return left > right ? left - right : 0;
	case CODE_MULTIPLY:
		return wide_multiply(left, right);
	case CODE_DIVIDE:
		return wide_divide(left, right);
	case CODE_MINIMUM:
		return left < right ? left : right;
	case CODE_MAXIMUM:
		return left > right ? left : right;
	case CODE_BIT_AND:
		return left & right;
	case CODE_SHIFT_LEFT:
		return wide_shift_left(left, right);
	case CODE_SHIFT_RIGHT:
		return wide_shift_right(left, right);
	case CODE_EQUAL:
		return left == right;
	case CODE_NOT_EQUAL:
		return left != right;
	case CODE_LESS:
		return left < right;
	case CODE_LESS_EQUAL:
		return left <= right;
	case CODE_GREATER:
		return left > right;
	case CODE_GREATER_EQUAL:
		return left >= right;
	case CODE_AND:
		return left && right;
	default: /* CODE_OR */
		return left || right;
	}
}

static union cell operand(const uint32_t *word, const struct evaluation *evaluation)
{
	uint32_t argument = code_argument(*word);
	union cell cell = { .integer = 0 };

	switch (code_op(*word)) {
	case CODE_INTEGER:
		cell.integer = argument;
		break;
	case CODE_INTEGER_64:
		cell.integer = code_literal(word);
		break;
	case CODE_REAL:
		cell.real = code_real(code_literal(word));
		break;
	case CODE_COUNTER:
		if (evaluation->counters)
			cell.integer = evaluation->counters[argument];
		break;
	case CODE_TIMESTAMP:
		cell.integer = evaluation->timestamp;
		break;
	case CODE_CLOCK:
		cell.integer = evaluation->clock;
		break;
	case CODE_REPORT_ID:
		cell.integer = evaluation->report_id;
		break;
	case CODE_CONTEXT_ID:
		cell.integer = evaluation->context_id;
		break;
	case CODE_CONSTANT:
		if (evaluation->constants)
			cell.integer = evaluation->constants->values[argument].value;
		break;
	case CODE_METRIC:
		if (evaluation->metrics)
			cell.integer = evaluation->metrics[argument].integer;
		break;
	case CODE_METRIC_REAL:
		if (evaluation->metrics)
			cell.real = evaluation->metrics[argument].real;
		break;
	default: /* CODE_QUERY_MODE */
		if (evaluation->constants)
			cell.integer = evaluation->constants->query_mode != GPUOA_QUERY_NONE;
		break;
	}
	return cell;
}

/* Returns whether a word of the code refers to a metric without a valid value. */
static bool is_invalid(const uint32_t *word, const struct evaluation *evaluation)
{
	const enum code_op op = code_op(*word);

	return (op == CODE_METRIC || op == CODE_METRIC_REAL) && evaluation->valid &&
	       !evaluation->valid[code_argument(*word)];
}

/*
 * Evaluate an equation. @valid: true on entry; set to false if a divisor is 0, or if the equation
 * uses a metric that is not valid
 */
static union cell evaluate_cell(const uint32_t *code, const struct evaluation *evaluation,
				bool *valid)
{
	const uint32_t *word = code + 1, *end = word + code_length(code);
	/*
	 * There are two zeros at the bottom of the stack, so that damaged code does not read below
	 * it.
	 */
	union cell stack[2 + CODE_DEPTH_MAX];
	uint32_t depth = 2;

	stack[0].integer = stack[1].integer = 0;
	for (; word < end; word += code_words(code_op(*word))) {
		enum code_op op = code_op(*word);
		union cell *top, *below;

		if (op < CODE_ADD) {
			stack[depth++] = operand(word, evaluation);
			*valid &= !is_invalid(word, evaluation);
			continue;
		}
		top = &stack[depth - 1];
		below = op == CODE_TO_REAL ? top : top - 1;
		if ((op == CODE_DIVIDE && !top->integer) ||
		    (op == CODE_REAL_DIVIDE && top->real == 0))
			*valid = false;
		if (op < CODE_REAL_ADD) {
			below->integer = wide_operation(op, below->integer, top->integer);
			depth--;
		} else if (op < CODE_TO_REAL) {
			below->real = real_operation(op, below->real, top->real);
			depth--;
		} else if (op == CODE_TO_REAL) {
			top->real = (double)top->integer;
		} else {
			below->real = (double)below->integer;
		}
	}
	return stack[depth - 1];
}

union number evaluate(const uint32_t *code, const struct evaluation *evaluation,
		      enum gpuoa_value_type type)
{
	bool valid = true;
	union cell cell = evaluate_cell(code, evaluation, &valid);
	bool real = code_is_real(code);
	union number number;

	if (type == GPUOA_TYPE_FLOAT)
		number.real = real ? cell.real : (double)cell.integer;
	else if (real)
		number.integer = real_to_integer(cell.real);
	else
		number.integer = cell.integer > UINT64_MAX ? UINT64_MAX : (uint64_t)cell.integer;
	return number;
}

bool evaluate_valid(const uint32_t *code, const struct evaluation *evaluation)
{
	bool valid = true;

	evaluate_cell(code, evaluation, &valid);
	return valid;
}

bool evaluate_lacks_constants(const uint32_t *code, const struct gpuoa_constants *constants,
			      bool *missing)
{
	const uint32_t *end = code + 1 + code_length(code);
	bool lacks = false;

	for (const uint32_t *word = code + 1; word < end; word += code_words(code_op(*word))) {
		const uint32_t number = code_argument(*word);

		if (code_op(*word) != CODE_CONSTANT ||
		    (constants && constants->values[number].given))
			continue;
		lacks = true;
		if (missing)
			missing[number] = true;
	}
	return lacks;
}

int evaluate_condition(const uint32_t *code, const struct gpuoa_constants *constants)
{
	const struct evaluation evaluation = { .constants = constants };
	bool valid = true;

	if (evaluate_lacks_constants(code, constants, NULL))
		return -ENOENT;
	return evaluate_cell(code, &evaluation, &valid).integer != 0;
}
