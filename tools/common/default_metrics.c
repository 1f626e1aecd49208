// SPDX-License-Identifier: MIT
/*
 * default_metrics.c - default metrics
 */
#include <stdlib.h>
#include <string.h>

#include "common/default_metrics.h"

/* A column that may be selected, and its rank. The columns with the lowest ranks are selected. */
struct candidate {
	size_t column;
	int rank;
};

/*
 * Return whether a column is a time or a number of clock cycles, which alone say nothing about the
 * GPU.
 */
static bool is_time(const struct column *column)
{
	struct gpuoa_measure_desc units;

	gpuoa_measure_describe(column->units, &units, sizeof(units));
	return units.quantity == GPUOA_QUANTITY_TIME || !strcmp(column->units, "cycles");
}

int default_metrics_rank(const struct column *column)
{
	struct gpuoa_metric_desc desc;
	int rank;

	if (!column->metric || column->absent)
		return DEFAULT_METRICS_NEVER;
	gpuoa_metric_describe(column->metric, &desc, sizeof(desc));
	rank = desc.tier ? desc.tier : 5;
	if (desc.usage & GPUOA_USAGE_SYSTEM)
		rank -= 2;
	if (!(desc.usage & (GPUOA_USAGE_SYSTEM | GPUOA_USAGE_OVERVIEW)))
		rank += 3;
	return is_time(column) ? rank + 100 : rank;
}

static int rank_of(const struct column *column, const struct series_track *track)
{
	int rank = default_metrics_rank(column);

	if (track->lowest == track->highest)
		rank += track->highest ? 10 : 50;
	return rank;
}

static int by_rank(const void *a, const void *b)
{
	const struct candidate *left = a, *right = b;

	if (left->rank != right->rank)
		return left->rank - right->rank;
	return left->column < right->column ? -1 : 1;
}

static int by_column(const void *a, const void *b)
{
	const size_t left = *(const size_t *)a, right = *(const size_t *)b;

	return (left > right) - (left < right);
}

size_t default_metrics_select(const struct columns *columns, const struct series *series,
			      size_t *chosen, size_t max)
{
	struct candidate *list = calloc(columns->count + 1, sizeof(*list));
	size_t count = 0;

	if (!list)
		return 0;
	for (size_t i = 0; i < columns->count; i++)
		list[i] = (struct candidate){ i, rank_of(&columns->list[i], &series->tracks[i]) };
	qsort(list, columns->count, sizeof(*list), by_rank);
	for (size_t i = 0;
	     i < columns->count && count < max && list[i].rank < DEFAULT_METRICS_NEVER; i++) {
		/* Select metrics that are always 0 only if there are no others. */
		if (count && list[i].rank >= 40)
			break;
		chosen[count++] = list[i].column;
	}
	free(list);
	qsort(chosen, count, sizeof(*chosen), by_column);
	return count;
}
