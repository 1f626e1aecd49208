/* SPDX-License-Identifier: MIT */
/* windows.h - windows of time, each of which gets a row. */
#ifndef GPUOA_LIB_CALC_WINDOWS_H
#define GPUOA_LIB_CALC_WINDOWS_H

#include "calc/calc.h"
#include "calc/window_edges.h"

/* What an input counted between two ticks, and is not yet part of a window. */
struct window_piece {
	bool there;
	uint64_t begin;
	uint64_t end;
	uint64_t *sums;
};

struct window_input {
	struct gpuoa_calc *calc;
	uint64_t offset; /* added to times, modulo 2^64 */
	struct window_piece piece;
	uint64_t *sums; /* in the open window */
	bool ended; /* no window waits for it */
};

struct gpuoa_windows {
	struct window_edges edges;
	struct window_span span; /* the open window */
	bool open; /* there is one, */
	bool idle; /*   but it stands for the time until the next one, which is not known yet */
	struct window_input *inputs;
	uint32_t input_count;
	uint32_t sum_count;

	/* of the open window */
	bool has_data;
	struct gpuoa_interval data;
	struct evaluation end; /* header of the report that ended what is last in it */
	uint64_t *sums; /* of all inputs */
};

/* The open window is .span if it was @found. Until one is added, time goes by. */
void windows_open_span(struct gpuoa_windows *windows, bool found);

#endif /* GPUOA_LIB_CALC_WINDOWS_H */
