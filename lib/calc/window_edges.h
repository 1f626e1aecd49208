/* SPDX-License-Identifier: MIT */
/* window_edges.h - compute the edges of resampling windows */
#ifndef GPUOA_LIB_CALC_WINDOW_EDGES_H
#define GPUOA_LIB_CALC_WINDOW_EDGES_H

#include "base/complaint.h"
#include "gpuoa.h"

/* A list of windows, or windows of fixed length. */
struct window_edges {
	bool is_list; /* a list of windows; false: fixed length */
	bool grows;
	struct gpuoa_interval *list;
	size_t capacity; /* capacity of .list */
	size_t first; /* index of the first window that is still needed */
	size_t count; /* number of windows from .first on */
	uint64_t base; /* number of the window at .first */
	uint64_t last_end; /* end of the last window that was added */
	uint64_t start; /* start of window 0, in ticks */
	unsigned __int128 length; /* fixed length in ticks, times .scale */
	uint32_t scale;
};

struct window_span {
	uint64_t number;
	uint64_t begin; /* first tick */
	uint64_t end;
};

/* Parameters are those of gpuoa_resampler_open(). */
int window_edges_make(struct window_edges *edges, const struct gpuoa_constants *constants,
		      const struct gpuoa_resampler_options *options,
		      const struct complaint *complaint);

void window_edges_free(struct window_edges *edges);

/*
 * Implement gpuoa_resampler_add(). Windows before window @number are dropped. Takes time
 * proportional to @count on average.
 */
int window_edges_add(struct window_edges *edges, uint64_t number, const struct gpuoa_interval *list,
		     size_t count, const struct complaint *complaint);

/* Get the first window. Returns false if there is none yet; then @span precedes it. */
bool window_edges_first(const struct window_edges *edges, struct window_span *span);

/*
 * Get the window after @span; for fixed lengths, the first one that ends after @ticks. Returns
 * false, and leaves @span unchanged, if there is none.
 */
bool window_edges_next(const struct window_edges *edges, uint64_t ticks, struct window_span *span);

#endif /* GPUOA_LIB_CALC_WINDOW_EDGES_H */
