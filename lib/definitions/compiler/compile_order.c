// SPDX-License-Identifier: MIT
/* compile_order.c - sorts the metrics of a set so that each follows those that it uses */
#include <stdlib.h>
#include <string.h>

#include "definitions/compiler/compiler.h"

/* Maximum length of a chain of metrics in which each uses one that is listed later. */
#define DEPTH_MAX 128

enum state {
	STATE_NEW,
	STATE_IN_WORK,
	STATE_PLACED,
};

struct order {
	struct compiler *compiler;
	const struct set_metric *metrics;
	uint32_t count;
	uint32_t depth;
	uint8_t *states; /* enum state */
	uint32_t *numbers; /* numbers of the metrics in the new order */
	uint32_t placed;
};

static bool place(struct order *order, uint32_t number);

/*
 * Return the number of the metric that a name refers to, or .count if it refers to none. A constant
 * takes precedence over a metric that is listed later.
 */
static uint32_t metric_of(const struct order *order, const char *name, uint32_t user)
{
	const struct compiler *compiler = order->compiler;
	const uint32_t number = name_map_find_number(&compiler->set_metrics, name, order->count);

	if (number >= user && number < order->count &&
	    name_map_find(&compiler->constants.slots, name))
		return order->count;
	return number;
}

static bool place_used(struct order *order, const struct expression *expression, uint32_t user)
{
	const char *symbol = order->metrics[user].symbol;
	uint32_t number;

	if (!expression)
		return true;
	if (expression->kind != EXPRESSION_NAME)
		return place_used(order, expression->left, user) &&
		       place_used(order, expression->right, user);
	number = metric_of(order, expression->name, user);
	if (number == order->count || order->states[number] == STATE_PLACED)
		return true;
	if (number == user)
		return COMPILE_FAIL(order->compiler, expression->location,
				    "%s is used in its own equation", symbol);
	if (order->states[number] == STATE_IN_WORK)
		return COMPILE_FAIL(order->compiler, expression->location,
				    "%s uses itself, by way of %s", expression->name, symbol);
	if (order->depth == DEPTH_MAX)
		return COMPILE_FAIL(order->compiler, expression->location,
				    "more than %d metrics use one another before they are listed",
				    DEPTH_MAX);
	order->depth++;
	if (!place(order, number))
		return false;
	order->depth--;
	return true;
}

/* Add a metric to the new order, after the metrics that it uses. */
static bool place(struct order *order, uint32_t number)
{
	order->states[number] = STATE_IN_WORK;
	if (!place_used(order, order->metrics[number].attributes.equation.root, number))
		return false;
	order->states[number] = STATE_PLACED;
	order->numbers[order->placed++] = number;
	return true;
}

static bool place_all(struct order *order)
{
	for (uint32_t i = 0; i < order->count; i++)
		if (order->states[i] == STATE_NEW && !place(order, i))
			return false;
	return true;
}

static bool is_sorted(const struct order *order)
{
	for (uint32_t i = 0; i < order->count; i++)
		if (order->numbers[i] != i)
			return false;
	return true;
}

/* Store the metrics in the new order, and update the numbers to which their names map. */
static bool apply(const struct order *order, struct set_metric *metrics)
{
	struct name_map *names = &order->compiler->set_metrics;
	struct set_metric *old = malloc(order->count * sizeof(*old));

	if (!old)
		return false;
	memcpy(old, metrics, order->count * sizeof(*old));
	name_map_clear(names);
	for (uint32_t i = 0; i < order->count; i++) {
		metrics[i] = old[order->numbers[i]];
		if (!name_map_add_number(names, metrics[i].symbol, i)) {
			free(old);
			return false;
		}
	}
	free(old);
	return true;
}

bool compile_order(struct compiler *compiler, struct set_metric *metrics, uint32_t count)
{
	struct order order = {
		.compiler = compiler,
		.metrics = metrics,
		.count = count,
		.states = calloc(count + 1, sizeof(*order.states)),
		.numbers = calloc(count + 1, sizeof(*order.numbers)),
	};
	bool memory = order.states && order.numbers;
	const bool good = memory && place_all(&order);

	if (good && !is_sorted(&order))
		memory = apply(&order, metrics);
	free(order.states);
	free(order.numbers);
	compiler->blob->failed |= !memory;
	return good && memory;
}
