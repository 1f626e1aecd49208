// SPDX-License-Identifier: MIT
/*
 * order.c - sort order of metrics and sets
 */
#define _GNU_SOURCE /* strcasestr, qsort_r */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/lookup.h"
#include "top/top.h"

/*
 * Number of steps into which a fraction of the maximum is rounded, as displayed. Smaller changes do
 * not reorder metrics.
 */
#define HEAT_STEPS 1000

struct ordering {
	const struct watch *watch;
	enum order order;
};

/*
 * Return the sort key of a metric: metrics that exceed a watermark come first, then by fraction of
 * the maximum. Clocks, and metrics without a scale, have no fraction.
 */
static int heat(const struct watched *metric)
{
	const double fraction = watched_fraction(metric);

	if (metric->mark >= GPUOA_WATERMARK_MEDIUM)
		return metric->mark * 2 * HEAT_STEPS;
	if (isnan(fraction) || !metric->gauge || metric->units.quantity == GPUOA_QUANTITY_FREQUENCY)
		return metric->value > 0 ? 0 : -1;
	return 1 + (int)(fmin(fraction, 1) * HEAT_STEPS);
}

static int compare(const void *left, const void *right, void *context)
{
	const struct ordering *ordering = context;
	const size_t a = *(const size_t *)left, b = *(const size_t *)right;
	const struct watched *one = &ordering->watch->metrics[a];
	const struct watched *other = &ordering->watch->metrics[b];
	uint64_t rank, other_rank;

	if (ordering->order == ORDER_NAME)
		return strcasecmp(one->desc.name, other->desc.name);
	if (ordering->order == ORDER_HOT) {
		if (heat(one) != heat(other))
			return heat(one) > heat(other) ? -1 : 1;
		rank = choose_rank(&one->desc);
		other_rank = choose_rank(&other->desc);
		if (rank != other_rank)
			return rank < other_rank ? -1 : 1;
	}
	return a < b ? -1 : a > b;
}

static bool is_role(const struct watch *watch, size_t index)
{
	for (int role = 0; role < ROLE_COUNT; role++)
		if (watch->roles[role] == index)
			return true;
	return false;
}

size_t top_order(const struct top *top, const struct watch *watch, size_t *order)
{
	struct ordering ordering = { watch, top->order };
	size_t count = 0;

	for (size_t i = 0; i < watch->metric_count; i++)
		if (!is_role(watch, i) && !watch->metrics[i].hidden)
			order[count++] = i;
	qsort_r(order, count, sizeof(*order), compare, &ordering);
	return count;
}

static bool fits(const struct top *top, const struct watch *watch, const struct gpuoa_set *set)
{
	struct gpuoa_set_desc desc;

	gpuoa_set_describe(set, &desc, sizeof(desc));
	if (!set_is_of_domain(set, watch->desc.domain) ||
	    !gpuoa_set_available(set, watch->desc.domain, watch->constants, NULL, 0))
		return false;
	return strcasestr(desc.symbol, top->filter) || strcasestr(desc.name, top->filter);
}

const struct gpuoa_set *top_choice(const struct top *top, size_t index)
{
	const struct watch *watch = top_watch(top);
	const struct gpuoa_set *set;

	if (!watch || !watch->platform || !watch->constants)
		return NULL;
	for (size_t i = 0; (set = gpuoa_platform_get_set(watch->platform, i)); i++)
		if (fits(top, watch, set) && !index--)
			return set;
	return NULL;
}
