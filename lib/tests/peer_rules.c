// SPDX-License-Identifier: MIT
/* peer_rules.c - Arithmetic of libi915_perf where it differs from that of libgpuoa */
#include "peer_rules.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Compute an operation as C does for two numbers of these types. */
static struct rpn_value calculate(enum rpn_operation operation, struct rpn_value a,
				  struct rpn_value b)
{
	struct rpn_value result;

	switch (operation) {
	case FADD:
		operation = UADD;
		break;
	case FSUB:
		operation = USUB;
		break;
	case FMUL:
		operation = UMUL;
		break;
	default:
		break;
	}
	result = rpn_total(operation, a, b);
	result.notes = a.notes | b.notes;
	if (result.real)
		return result;
	if (operation == USUB && a.integer < b.integer) {
		result.integer = a.integer - b.integer;
		result.notes |= PEER_WRAPPED;
	} else if (result.integer >> 64) {
		result.notes |= PEER_OVERFLOWED;
	}
	result.integer = (uint64_t)result.integer;
	return result;
}

/* Convert a double to an integer as x86-64 does, even where C leaves the result undefined. */
static uint64_t cut_off(double number)
{
	if (number >= 0x1p64)
		return 0;
	if (number >= 0x1p63)
		return number;
	return number >= -0x1p63 ? (uint64_t)(int64_t)number : 1ull << 63;
}

static struct rpn_value to_integer(struct rpn_value value)
{
	if (!value.real)
		return value;
	if (value.number < 0)
		value.notes |= PEER_WRAPPED;
	else if (value.number >= 0x1p64)
		value.notes |= PEER_OVERFLOWED;
	else if (value.number != floor(value.number))
		value.notes |= PEER_TRUNCATED;
	value.integer = cut_off(value.number);
	value.real = false;
	return value;
}

static struct rpn_value to_real(struct rpn_value value)
{
	value.number = rpn_number(value);
	value.real = true;
	return value;
}

/*
 * Divide as libi915_perf does, and note if libgpuoa's result differs: it divides doubles if either
 * operand is one.
 */
static struct rpn_value divide(struct rpn_value a, struct rpn_value b)
{
	bool real = a.real || b.real;
	struct rpn_value result;

	a = to_integer(a);
	b = to_integer(b);
	result = calculate(UDIV, a, b);
	if (real && b.integer && a.integer % b.integer)
		result.notes |= PEER_TRUNCATED;
	return result;
}

struct rpn_value peer_rules(enum rpn_operation operation, struct rpn_value a, struct rpn_value b)
{
	switch (operation) {
	case FDIV:
	case FMAX:
		return calculate(operation, to_real(a), to_real(b));
	case FADD:
	case FSUB:
	case FMUL:
		return to_real(calculate(operation, a, b));
	case UADD:
	case USUB:
	case UMUL:
		return to_integer(calculate(operation, a, b));
	case UDIV:
		return divide(a, b);
	default:
		return calculate(operation, to_integer(a), to_integer(b));
	}
}

static bool divide_early(const char *equation, char *early, size_t size)
{
	static const char *const units[] = { "$EuCoresTotalCount", "$VectorEngineTotalCount" };
	const size_t length = strlen(equation);

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		char ending[80];
		size_t tail = snprintf(ending, sizeof(ending),
				       " 100 UMUL $GpuCoreClocks %s UMUL FDIV", units[i]);

		if (length <= tail || strcmp(equation + length - tail, ending))
			continue;
		return snprintf(early, size, "%.*s %s UDIV 100 UMUL $GpuCoreClocks FDIV",
				(int)(length - tail), equation, units[i]) < (int)size;
	}
	return false;
}

const struct facts_set *peer_equations(const struct facts_set *set, bool *divides_early)
{
	static struct facts_set peer;
	static struct facts_metric metrics[FACTS_METRICS_MAX];
	static char equations[FACTS_METRICS_MAX][512];

	peer = *set;
	for (size_t i = 0; i < set->metric_count; i++) {
		const bool early =
			divide_early(set->metrics[i]->equation, equations[i], sizeof(equations[i]));

		metrics[i] = *set->metrics[i];
		if (early)
			metrics[i].equation = equations[i];
		if (divides_early)
			divides_early[i] = early;
		peer.metrics[i] = &metrics[i];
	}
	return &peer;
}
