/* SPDX-License-Identifier: MIT */
/* windows.h - resampling into windows of time, one row for each */
#ifndef GPUOA_LIB_CALC_WINDOWS_H
#define GPUOA_LIB_CALC_WINDOWS_H

#include "calc/calc.h"
#include "calc/window_edges.h"

/* Counts of an input between two ticks that are not yet assigned to a window. */
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
	uint64_t *sums; /* sums in the open window */
	bool ended; /* windows do not wait for it */
};

struct gpuoa_resampler {
	struct window_edges edges;
	struct window_span span; /* the open window */
	bool open; /* there is an open window */
	bool idle; /* .span is the time until the next window, which has not been added yet */
	struct window_input *inputs;
	uint32_t input_count;
	uint32_t sum_count;

	/* data of the open window: */
	bool has_data;
	struct gpuoa_interval data;
	/* header of the report at the end of the latest data in the window */
	struct evaluation end;
	uint64_t *sums; /* sums over all inputs */
};

/* Open window .span if it was @found. Otherwise skip time until one is added. */
void windows_open_span(struct gpuoa_resampler *windows, bool found);

#endif /* GPUOA_LIB_CALC_WINDOWS_H */
