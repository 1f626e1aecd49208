/* SPDX-License-Identifier: MIT */
/*
 * top.h - state of the live view of gpuoa top
 */
#ifndef GPUOA_TOOLS_TOP_TOP_H
#define GPUOA_TOOLS_TOP_TOP_H

#include "top/stalls.h"
#include "top/watch.h"

enum view {
	VIEW_METRICS,
	VIEW_CONTEXTS,
	VIEW_STALLS,
	VIEW_SETS, /* view of the sets of a unit, from which the user can select one */
	VIEW_HELP,
};

/* Sort order of metrics */
enum order {
	ORDER_HOT, /* metrics that exceed a watermark first, then by fraction of the maximum */
	ORDER_SET, /* in the same order as in the set */
	ORDER_NAME,
	ORDER_COUNT,
};

#define TOP_NOTHING SIZE_MAX

struct top {
	struct watches *watches;
	size_t unit; /* index of the selected unit */
	enum view view;
	enum view back; /* view to which the user returns from the help or from the list of sets */
	enum order order;
	bool paused;
	bool done;
	unsigned int interval_ms;
	size_t metric; /* index of the selected metric of the unit; TOP_NOTHING: none is selected */
	size_t first; /* position of the first metric that is shown, in sort order */
	size_t rows; /* number of rows of the table when it was last drawn */
	char filter[32]; /* text by which the list of sets is filtered */
	size_t choice; /* number of the selected set in the filtered list */
	struct stalls stalls; /* sampled in the view VIEW_STALLS only */
	bool blocks; /* the terminal shows Unicode blocks */
};

/* Return the selected unit; NULL: there are no units. */
static inline struct watch *top_watch(const struct top *top)
{
	return top->unit < top->watches->count ? top->watches->list[top->unit] : NULL;
}

/*
 * Sort the metrics of a unit, except those that have a role.
 *
 * @order: array with space for watch->metric_count indices
 *
 * Returns the number of metrics in @order.
 */
size_t top_order(const struct top *top, const struct watch *watch, size_t *order);

/*
 * Return the set with number @index among those sets of the unit that match the filter; NULL after
 * the last one.
 */
const struct gpuoa_set *top_choice(const struct top *top, size_t index);

/* Handle a key. */
void top_key(struct top *top, int key);

#endif /* GPUOA_TOOLS_TOP_TOP_H */
