/* SPDX-License-Identifier: MIT */
/* window_edges.h - where windows of time begin and end. */
#ifndef GPUOA_LIB_CALC_WINDOW_EDGES_H
#define GPUOA_LIB_CALC_WINDOW_EDGES_H

#include "base/complaint.h"
#include "gpuoa.h"

/* A list of windows, or windows of one length. */
struct window_edges {
	bool is_list; /* else of one length */
	bool grows;
	struct gpuoa_interval *list;
	size_t capacity; /* of .list */
	size_t first; /* index of the first window that is still needed, */
	size_t count; /*   and the number of windows from there on */
	uint64_t base; /* number of that window */
	uint64_t last_end; /* of the last one that was added */
	uint64_t origin; /* ticks */
	unsigned __int128 length; /* in ticks, times .scale */
	uint32_t scale;
};

struct window_span {
	uint64_t number;
	uint64_t begin; /* ticks */
	uint64_t end;
};

/* As gpuoa_windows_open(). */
int window_edges_make(struct window_edges *edges, const struct gpuoa_constants *constants,
		      const struct gpuoa_windows_options *options,
		      const struct complaint *complaint);

void window_edges_free(struct window_edges *edges);

/*
 * As gpuoa_windows_add(). Windows before window @number are no longer needed. Takes time that is
 * proportional to @count on average.
 */
int window_edges_add(struct window_edges *edges, uint64_t number, const struct gpuoa_interval *list,
		     size_t count, const struct complaint *complaint);

/* The first window. False: there is none yet, and @span is one before it. */
bool window_edges_first(const struct window_edges *edges, struct window_span *span);

/*
 * The window behind @span; of those of one length, the first that ends after @ticks. False: there
 * is none, and @span stays as it is.
 */
bool window_edges_next(const struct window_edges *edges, uint64_t ticks, struct window_span *span);

#endif /* GPUOA_LIB_CALC_WINDOW_EDGES_H */
