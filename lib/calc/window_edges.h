/* SPDX-License-Identifier: MIT */
/* window_edges.h - where windows of time begin and end. */
#ifndef GPUOA_LIB_CALC_WINDOW_EDGES_H
#define GPUOA_LIB_CALC_WINDOW_EDGES_H

#include "gpuoa.h"

/* A list of windows, or windows of one length. */
struct window_edges {
	struct gpuoa_interval *list; /* NULL: of one length: */
	size_t count;
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
		      const struct gpuoa_windows_options *options);

void window_edges_free(struct window_edges *edges);

/* The first window. */
void window_edges_first(const struct window_edges *edges, struct window_span *span);

/*
 * The window behind @span; of those of one length, the first that ends after @ticks. False: there
 * is none, and @span stays as it is.
 */
bool window_edges_next(const struct window_edges *edges, uint64_t ticks, struct window_span *span);

#endif /* GPUOA_LIB_CALC_WINDOW_EDGES_H */
