// SPDX-License-Identifier: MIT
/* windows_open.c - open resampling, and add windows to a list */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/sized.h"
#include "calc/windows.h"

/* Each input has a calculator of 100 KB. */
#define INPUTS_MAX 1024u

/* Size of the options in the first version of the library. */
#define OPTIONS_SIZE_MIN (offsetof(struct gpuoa_resampler_options, offsets) + sizeof(int64_t *))

static int open_input(struct gpuoa_resampler *windows, struct window_input *input,
		      const struct gpuoa_set *set, const struct gpuoa_constants *constants,
		      uint32_t format, const struct gpuoa_calc_options *options,
		      const struct complaint *complaint)
{
	int err = calc_open(set, constants, format, options, &input->calc, complaint);

	if (err)
		return err;
	windows->sum_count = input->calc->program->input_count;
	input->sums = calloc(windows->sum_count, sizeof(*input->sums));
	input->piece.sums = calloc(windows->sum_count, sizeof(*input->sums));
	return input->sums && input->piece.sums ? 0 : -ENOMEM;
}

static int open_inputs(struct gpuoa_resampler *windows, const struct gpuoa_set *set,
		       const struct gpuoa_constants *constants, uint32_t format,
		       const struct gpuoa_resampler_options *options,
		       const struct complaint *complaint)
{
	uint32_t count = options->inputs ? options->inputs : 1;
	int err = 0;

	if (count > INPUTS_MAX)
		return COMPLAIN(complaint, -E2BIG, "%u inputs are more than %u", count, INPUTS_MAX);
	windows->inputs = calloc(count, sizeof(*windows->inputs));
	if (!windows->inputs)
		return -ENOMEM;
	windows->input_count = count;
	for (uint32_t i = 0; i < count && !err; i++) {
		struct window_input *input = &windows->inputs[i];

		input->offset = options->offsets ? options->offsets[i] : 0;
		err = open_input(windows, input, set, constants, format, options->calc, complaint);
	}
	if (err)
		return err;
	windows->sums = calloc(windows->sum_count, sizeof(*windows->sums));
	return windows->sums ? 0 : -ENOMEM;
}

static int read_options(struct gpuoa_resampler_options *known,
			const struct gpuoa_resampler_options *options,
			const struct complaint *complaint)
{
	if (!options)
		return COMPLAIN(complaint, -EINVAL, "which windows? There are no options");
	return sized_take(known, sizeof(*known), options, OPTIONS_SIZE_MIN,
			  "the options of the windows", complaint);
}

static int open_windows(const struct gpuoa_set *set, const struct gpuoa_constants *constants,
			uint32_t format, const struct gpuoa_resampler_options *options,
			struct gpuoa_resampler **windows, const struct complaint *complaint)
{
	struct gpuoa_resampler *new = calloc(1, sizeof(*new));
	int err;

	if (!new)
		return -ENOMEM;
	err = open_inputs(new, set, constants, format, options, complaint);
	if (!err)
		err = window_edges_make(&new->edges, constants, options, complaint);
	if (err) {
		gpuoa_resampler_close(new);
		return err;
	}
	windows_open_span(new, window_edges_first(&new->edges, &new->span));
	*windows = new;
	return 0;
}

int gpuoa_resampler_open(const struct gpuoa_set *set, const struct gpuoa_constants *constants,
			 uint32_t format, const struct gpuoa_resampler_options *options,
			 struct gpuoa_resampler **windows, char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct gpuoa_resampler_options known;
	int err = read_options(&known, options, &complaint);

	if (!err)
		err = open_windows(set, constants, format, &known, windows, &complaint);
	return err ? complaint_end(&complaint, err) : 0;
}

int gpuoa_resampler_add(struct gpuoa_resampler *windows, const struct gpuoa_interval *list,
			size_t count, char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	int err;

	if (!windows->edges.grows)
		return COMPLAIN(&complaint, -EOPNOTSUPP,
				"no windows can be added: they were opened without list_grows");
	err = window_edges_add(&windows->edges, windows->span.number + windows->idle, list, count,
			       &complaint);
	if (err || !count || !windows->idle)
		return complaint_end(&complaint, err);
	/* Data before the added windows belongs to no window. */
	for (uint32_t i = 0; i < windows->input_count; i++)
		memset(windows->inputs[i].sums, 0,
		       windows->sum_count * sizeof(*windows->inputs[i].sums));
	windows->has_data = false;
	windows_open_span(windows, window_edges_next(&windows->edges, 0, &windows->span));
	return 0;
}
