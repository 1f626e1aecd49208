// SPDX-License-Identifier: MIT
/* windows.c - resampling into windows: describe, note discontinuities and time bases, close */
#include "calc/windows.h"

#include <stdlib.h>

void windows_open_span(struct gpuoa_resampler *windows, bool found)
{
	windows->idle = !found && windows->edges.grows;
	windows->open = found || windows->idle;
	if (windows->idle) {
		windows->span.begin = windows->span.end;
		windows->span.end = UINT64_MAX;
	}
}

void gpuoa_resampler_close(struct gpuoa_resampler *windows)
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

size_t gpuoa_resampler_output_count(const struct gpuoa_resampler *windows)
{
	return gpuoa_calc_output_count(windows->inputs->calc);
}

enum gpuoa_value_type gpuoa_resampler_output_type(const struct gpuoa_resampler *windows,
						  size_t index)
{
	return gpuoa_calc_output_type(windows->inputs->calc, index);
}

int gpuoa_resampler_output_describe(const struct gpuoa_resampler *windows, size_t index,
				    struct gpuoa_output_desc *desc, size_t size)
{
	return gpuoa_calc_output_describe(windows->inputs->calc, index, desc, size);
}

void gpuoa_resampler_discontinuity(struct gpuoa_resampler *windows, uint32_t input)
{
	if (input < windows->input_count)
		gpuoa_calc_discontinuity(windows->inputs[input].calc);
}

void gpuoa_resampler_set_time_base(struct gpuoa_resampler *windows, uint32_t input,
				   uint64_t gpu_ticks)
{
	if (input < windows->input_count)
		gpuoa_calc_set_time_base(windows->inputs[input].calc, gpu_ticks);
}

void gpuoa_resampler_end(struct gpuoa_resampler *windows, uint32_t input)
{
	if (input < windows->input_count)
		windows->inputs[input].ended = true;
}
