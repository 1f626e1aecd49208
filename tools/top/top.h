/* SPDX-License-Identifier: MIT */
/*
 * top.h - the live view: what it shows now, shared by what draws it and what changes it
 */
#ifndef GPUOA_TOP_H
#define GPUOA_TOP_H

#include "watches.h"

enum view {
	VIEW_METRICS,
	VIEW_CONTEXTS,
	VIEW_SETS, /* to choose from */
	VIEW_HELP,
};

/* The order of metrics, from the top down. */
enum order {
	ORDER_HOT, /* above watermarks, then nearest to the maximum */
	ORDER_SET, /* as the set has them */
	ORDER_NAME,
	ORDER_COUNT,
};

#define TOP_NOTHING SIZE_MAX

struct top {
	struct watches *watches;
	size_t unit; /* which of them is shown */
	enum view view;
	enum view back; /* where help and the list of sets return to */
	enum order order;
	bool paused;
	bool done;
	unsigned int interval_ms;
	size_t metric; /* of the unit, the selected one; TOP_NOTHING */
	size_t first; /* of the ordered metrics, the first one in the table */
	size_t rows; /* that the table has, as drawn last */
	char filter[32]; /* of the list of sets: what was typed */
	size_t choice; /* in the filtered list */
	bool blocks; /* the terminal shows blocks of Unicode */
};

/* All of the view, until the user ends it. Returns an exit code. */
int top_run(struct watches *watches, unsigned int interval_ms, bool contexts);

/* The unit that is shown; NULL: there is none. */
static inline struct watch *top_watch(const struct top *top)
{
	return top->unit < top->watches->count ? top->watches->list[top->unit] : NULL;
}

/*
 * Metrics of a unit in the order that was chosen. @order: room for watch->metric_count indices.
 * Without those that are on top as gauges.
 */
size_t top_order(const struct top *top, const struct watch *watch, size_t *order);

/* Set @index of those that the shown unit has and that fit the filter; NULL beyond. */
const struct gpuoa_set *top_choice(const struct top *top, size_t index);

/* What a key does. */
void top_key(struct top *top, int key);

#endif /* GPUOA_TOP_H */
