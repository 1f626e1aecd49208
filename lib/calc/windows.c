// SPDX-License-Identifier: MIT
/* windows.c - resampling into windows: describe, note discontinuities and time bases, close */
#include "calc/windows.h"

#include <stdlib.h>

void windows_open_span(struct gpuoa_windows *windows, bool found)
{
	windows->idle = !found && windows->edges.grows;
	windows->open = found || windows->idle;
	if (windows->idle) {
		windows->span.begin = windows->span.end;
		windows->span.end = UINT64_MAX;
	}
}

void gpuoa_windows_close(struct gpuoa_windows *windows)
{
	if (!windows)
		return;
	for (uint32_t i = 0; i < windows->input_count; i++) {
		gpuoa_calc_close(windows->inputs[i].calc);
		free(windows->inputs[i].sums);
		free(windows->inputs[i].piece.sums);
	}
	free(windows->inputs);
	free(windows->sums);
	window_edges_free(&windows->edges);
	free(windows);
}

size_t gpuoa_windows_columns(const struct gpuoa_windows *windows)
{
	return gpuoa_calc_columns(windows->inputs->calc);
}

enum gpuoa_value_type gpuoa_windows_column_type(const struct gpuoa_windows *windows, size_t index)
{
	return gpuoa_calc_column_type(windows->inputs->calc, index);
}

int gpuoa_windows_column_describe(const struct gpuoa_windows *windows, size_t index,
				  struct gpuoa_column_desc *desc, size_t size)
{
	return gpuoa_calc_column_describe(windows->inputs->calc, index, desc, size);
}

void gpuoa_windows_gap(struct gpuoa_windows *windows, uint32_t input)
{
	if (input < windows->input_count)
		gpuoa_calc_gap(windows->inputs[input].calc);
}

void gpuoa_windows_anchor(struct gpuoa_windows *windows, uint32_t input, uint64_t gpu_ticks)
{
	if (input < windows->input_count)
		gpuoa_calc_anchor(windows->inputs[input].calc, gpu_ticks);
}

void gpuoa_windows_end(struct gpuoa_windows *windows, uint32_t input)
{
	if (input < windows->input_count)
		windows->inputs[input].ended = true;
}
