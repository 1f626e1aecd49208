/* SPDX-License-Identifier: MIT */
/*
 * top.h - state of the live view
 */
#ifndef GPUOA_TOOLS_TOP_TOP_H
#define GPUOA_TOOLS_TOP_TOP_H

#include "top/watch.h"

enum view {
	VIEW_METRICS,
	VIEW_CONTEXTS,
	VIEW_SETS, /* list of sets to select from */
	VIEW_HELP,
};

/* Sort order of metrics */
enum order {
	ORDER_HOT, /* exceeded watermarks first, then by fraction of the maximum */
	ORDER_SET, /* in the order of the set */
	ORDER_NAME,
	ORDER_COUNT,
};

#define TOP_NOTHING SIZE_MAX

struct top {
	struct watches *watches;
	size_t unit; /* index of the selected unit */
	enum view view;
	enum view back; /* view that help and the list of sets return to */
	enum order order;
	bool paused;
	bool done;
	unsigned int interval_ms;
	size_t metric; /* selected metric of the unit; TOP_NOTHING: none */
	size_t first; /* first metric shown, in sort order */
	size_t rows; /* rows of the table when last drawn */
	char filter[32]; /* filter text of the list of sets */
	size_t choice; /* selected set of the filtered list */
	bool blocks; /* the terminal shows Unicode blocks */
};

/* Return the selected unit; NULL: there is none. */
static inline struct watch *top_watch(const struct top *top)
{
	return top->unit < top->watches->count ? top->watches->list[top->unit] : NULL;
}

/*
 * Sort the metrics of a unit, except those of the roles. @order: array of watch->metric_count
 * indices. Returns the number of metrics.
 */
size_t top_order(const struct top *top, const struct watch *watch, size_t *order);

/* Return set @index of the unit's sets that match the filter; NULL after the last. */
const struct gpuoa_set *top_choice(const struct top *top, size_t index);

/* Handle a key. */
void top_key(struct top *top, int key);

#endif /* GPUOA_TOOLS_TOP_TOP_H */
