// SPDX-License-Identifier: MIT
/* window_edges.c - compute the edges of resampling windows */
#include "calc/window_edges.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/nsec.h"

static int check_list(const struct gpuoa_interval *list, size_t count, uint64_t last_end,
		      const struct complaint *complaint)
{
	for (size_t i = 0; i < count; i++) {
		if (list[i].begin >= list[i].end)
			return COMPLAIN(complaint, -EINVAL,
					"window %zu of the list ends at %" PRIu64
					", before or where it begins, at %" PRIu64,
					i, list[i].end, list[i].begin);
		if (list[i].begin < last_end)
			return COMPLAIN(complaint, -EINVAL,
					"window %zu of the list begins at %" PRIu64
					", before the end of the one before it, at %" PRIu64,
					i, list[i].begin, last_end);
		last_end = list[i].end;
	}
	return 0;
}

/*
 * Make room for @count more intervals at the end of the list. Compact only when half of the list is
 * free, so that an interval is moved once on average, even if windows are added one at a time.
 */
static int make_room(struct window_edges *edges, size_t count)
{
	const size_t room = 2 * (edges->count + count);
	struct gpuoa_interval *list;

	if (edges->capacity - edges->first - edges->count >= count)
		return 0;
	if (room <= edges->capacity) {
		memmove(edges->list, edges->list + edges->first,
			edges->count * sizeof(*edges->list));
		edges->first = 0;
		return 0;
	}
	list = calloc(room, sizeof(*list));
	if (!list)
		return -ENOMEM;
	if (edges->count)
		memcpy(list, edges->list + edges->first, edges->count * sizeof(*list));
	free(edges->list);
	edges->list = list;
	edges->first = 0;
	edges->capacity = room;
	return 0;
}

/* Drop the windows before window @number. */
static void forget_before(struct window_edges *edges, uint64_t number)
{
	const uint64_t over = number - edges->base;
	const size_t count = over < edges->count ? over : edges->count;

	edges->first += count;
	edges->count -= count;
	edges->base += count;
}

int window_edges_add(struct window_edges *edges, uint64_t number, const struct gpuoa_interval *list,
		     size_t count, const struct complaint *complaint)
{
	int err = check_list(list, count, edges->last_end, complaint);

	if (err || !count)
		return err;
	forget_before(edges, number);
	err = make_room(edges, count);
	if (err)
		return err;
	memcpy(edges->list + edges->first + edges->count, list, count * sizeof(*list));
	edges->count += count;
	edges->last_end = list[count - 1].end;
	return 0;
}

/*
 * A length in ns need not be a whole number of ticks. The exact length is kept, so that edges do
 * not drift.
 */
static int take_ns(struct window_edges *edges, const struct gpuoa_constants *constants, uint64_t ns)
{
	uint64_t frequency;

	if (gpuoa_constants_get(constants, "GpuTimestampFrequency", &frequency) || !frequency)
		return -ENODATA;
	edges->length = (unsigned __int128)ns * frequency;
	edges->scale = NSEC_PER_SEC;
	return edges->length < NSEC_PER_SEC ? -ERANGE : 0;
}

static int take_period(struct window_edges *edges, const struct gpuoa_constants *constants,
		       uint64_t ns, const struct complaint *complaint)
{
	const int err = take_ns(edges, constants, ns);

	if (err == -ENODATA)
		return COMPLAIN(
			complaint, err,
			"cannot use a period in ns: constant GpuTimestampFrequency has no value");
	if (err)
		return COMPLAIN(complaint, err, "a period of %llu ns is shorter than a tick",
				(unsigned long long)ns);
	return 0;
}

int window_edges_make(struct window_edges *edges, const struct gpuoa_constants *constants,
		      const struct gpuoa_resampler_options *options,
		      const struct complaint *complaint)
{
	const bool is_list = options->list || options->list_grows;
	const int kinds = is_list + !!options->period_ticks + !!options->period_ns;

	*edges = (struct window_edges){
		.start = options->start,
		.is_list = is_list,
		.grows = options->list_grows,
	};
	if (kinds != 1)
		return COMPLAIN(complaint, -EINVAL,
				"missing intervals; give a period in ticks or in ns, or a list");
	if (options->list && !options->list_count)
		return COMPLAIN(complaint, -EINVAL, "the list of windows is empty");
	if (is_list)
		return window_edges_add(edges, 0, options->list,
					options->list ? options->list_count : 0, complaint);
	edges->length = options->period_ticks;
	edges->scale = 1;
	if (options->period_ns == UINT64_MAX)
		edges->length = UINT64_MAX;
	else if (options->period_ns)
		return take_period(edges, constants, options->period_ns, complaint);
	return 0;
}

void window_edges_free(struct window_edges *edges)
{
	free(edges->list);
}

/* Returns the first tick of window @number, saturated to UINT64_MAX. */
static uint64_t begin_of(const struct window_edges *edges, unsigned __int128 number)
{
	unsigned __int128 limit = (unsigned __int128)(UINT64_MAX - edges->start) * edges->scale;

	if (number && edges->length > limit / number)
		return UINT64_MAX;
	return edges->start + (uint64_t)(edges->length * number / edges->scale);
}

/* Number of the window that contains @ticks. */
static uint64_t number_of(const struct window_edges *edges, uint64_t ticks)
{
	if (ticks < edges->start)
		return 0;
	return (((unsigned __int128)(ticks - edges->start) + 1) * edges->scale - 1) / edges->length;
}

static void take_number(const struct window_edges *edges, uint64_t number, struct window_span *span)
{
	if (edges->is_list)
		*span = (struct window_span){
			.number = number,
			.begin = edges->list[edges->first + number - edges->base].begin,
			.end = edges->list[edges->first + number - edges->base].end,
		};
	else
		*span = (struct window_span){
			.number = number,
			.begin = begin_of(edges, number),
			.end = begin_of(edges, (unsigned __int128)number + 1),
		};
}

bool window_edges_first(const struct window_edges *edges, struct window_span *span)
{
	*span = (struct window_span){ .number = UINT64_MAX };
	if (edges->is_list && !edges->count)
		return false;
	take_number(edges, 0, span);
	return true;
}

bool window_edges_next(const struct window_edges *edges, uint64_t ticks, struct window_span *span)
{
	uint64_t number = span->number + 1;

	if (edges->is_list) {
		if (number - edges->base == edges->count)
			return false;
	} else {
		uint64_t at = number_of(edges, ticks);

		if (span->end == UINT64_MAX)
			return false;
		number = at > number ? at : number;
	}
	take_number(edges, number, span);
	return true;
}
