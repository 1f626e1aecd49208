// SPDX-License-Identifier: MIT
/* view.c - filtered lists of the metrics of a set or platform */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/complaint.h"
#include "base/sized.h"
#include "gpu/constants.h"
#include "gpuoa-catalog.h"
#include "table/table.h"

/*
 * The metrics of the view, in ascending order of set number and metric number, so that they can be
 * found by binary search.
 */
struct gpuoa_view {
	size_t count;
	const struct gpuoa_metric *metrics[];
};

static bool good_for(uint32_t apis, uint32_t wanted)
{
	return !wanted || !apis || (apis & wanted);
}

static bool shows_set(const struct gpuoa_view_options *options, const struct gpuoa_set *set)
{
	return good_for(set->apis, options->apis) &&
	       (!options->constants ||
		gpuoa_set_available(set, NULL, options->constants, NULL, 0) > 0);
}

static bool is_available(const struct gpuoa_view_options *options,
			 const struct gpuoa_metric *metric)
{
	if (metric_definition(metric)->query_only && (options->queries || !options->constants))
		return options->queries;
	return !options->constants ||
	       gpuoa_metric_available(metric, options->constants, NULL, 0) > 0;
}

static bool shows_metric(const struct gpuoa_view_options *options,
			 const struct gpuoa_metric *metric)
{
	const struct table_metric *definition = metric_definition(metric);

	return good_for(definition->apis, options->apis) &&
	       (!options->usage || (definition->usage & options->usage)) &&
	       (!options->tier || (definition->tier && definition->tier <= options->tier)) &&
	       is_available(options, metric);
}

static void add_set(struct gpuoa_view *view, const struct gpuoa_view_options *options,
		    const struct gpuoa_set *set)
{
	if (!shows_set(options, set))
		return;
	for (uint32_t i = 0; i < set->metric_count; i++)
		if (shows_metric(options, &set_metrics(set)[i]))
			view->metrics[view->count++] = &set_metrics(set)[i];
}

static int take_options(struct gpuoa_view_options *options, const struct gpuoa_view_options *given,
			const struct gpuoa_platform *platform, const struct complaint *complaint)
{
	const int err = sized_take(options, sizeof(*options), given, sizeof(options->size),
				   "the view's options", complaint);

	if (err)
		return err;
	if (!given)
		options->apis = GPUOA_API_IO;
	if (options->constants && options->constants->platform != platform)
		return COMPLAIN(complaint, -EINVAL, "the constants are not those of %s",
				gpuoa_platform_title(platform));
	return 0;
}

/* Open a view of @count sets that are consecutive in memory. */
static int view_open(const struct gpuoa_set *sets, size_t count,
		     const struct gpuoa_platform *platform, const struct gpuoa_view_options *given,
		     struct gpuoa_view **view, const struct complaint *complaint)
{
	struct gpuoa_view_options options;
	struct gpuoa_view *new;
	size_t metrics = 0;
	const int err = take_options(&options, given, platform, complaint);

	if (err)
		return err;
	for (size_t i = 0; i < count; i++)
		metrics += sets[i].metric_count;
	new = malloc(sizeof(*new) + metrics * sizeof(new->metrics[0]));
	if (!new)
		return -ENOMEM;
	new->count = 0;
	for (size_t i = 0; i < count; i++)
		add_set(new, &options, &sets[i]);
	*view = new;
	return 0;
}

int gpuoa_view_open(const struct gpuoa_set *set, const struct gpuoa_view_options *options,
		    struct gpuoa_view **view, char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);

	return complaint_end(&complaint,
			     view_open(set, 1, set_platform(set), options, view, &complaint));
}

int gpuoa_view_open_platform(const struct gpuoa_platform *platform,
			     const struct gpuoa_view_options *options, struct gpuoa_view **view,
			     char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);

	return complaint_end(&complaint, view_open(platform_sets(platform), platform->set_count,
						   platform, options, view, &complaint));
}

void gpuoa_view_close(struct gpuoa_view *view)
{
	free(view);
}

size_t gpuoa_view_count(const struct gpuoa_view *view)
{
	return view->count;
}

const struct gpuoa_metric *gpuoa_view_get_metric(const struct gpuoa_view *view, size_t index)
{
	return index < view->count ? view->metrics[index] : NULL;
}

/* Compare the positions of two metrics in the platform. Returns a value like strcmp(). */
static int compare(const struct gpuoa_metric *a, const struct gpuoa_metric *b)
{
	uint32_t set_a = set_index(metric_set(a)), set_b = set_index(metric_set(b));

	if (set_a != set_b)
		return set_a < set_b ? -1 : 1;
	if (metric_index(a) != metric_index(b))
		return metric_index(a) < metric_index(b) ? -1 : 1;
	return 0;
}

uint32_t gpuoa_view_find(const struct gpuoa_view *view, const struct gpuoa_metric *metric)
{
	size_t first = 0, last = view->count;

	while (first < last) {
		size_t middle = first + (last - first) / 2;
		int order = compare(view->metrics[middle], metric);

		if (!order)
			return view->metrics[middle] == metric ? (uint32_t)middle :
								 GPUOA_INDEX_NONE;
		if (order < 0)
			first = middle + 1;
		else
			last = middle;
	}
	return GPUOA_INDEX_NONE;
}
