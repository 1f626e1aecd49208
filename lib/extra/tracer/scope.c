// SPDX-License-Identifier: MIT
/*
 * scope.c - one scope of a decoder: convert frames to rows of values
 *
 * Each frame is converted as a whole: the calculator is fastest with many reports at a time, and no
 * pointer into the caller's data remains.
 */
#include "extra/tracer/scope.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/read_status.h"
#include "report/dword_mask.h"

static int next_payload(void *ctx, struct payload *payload)
{
	struct scope *scope = ctx;

	if (!scope->has_payload)
		return 0;
	scope->has_payload = false;
	*payload = scope->payload;
	return 1;
}

/*
 * Open the calculator with the constants of the unit. For a set of a user-defined platform, derive
 * them again, because constants have other numbers there.
 */
static int open_calc(struct scope *scope, const struct gpuoa_reader *reader, uint32_t format,
		     const struct gpuoa_calc_options *options)
{
	const struct gpuoa_constants *constants = gpuoa_reader_constants(reader);
	struct gpuoa_constants *ours = NULL;
	struct gpuoa_set_desc desc;
	int err = 0;

	gpuoa_set_describe(scope->desc.set, &desc, sizeof(desc));
	if (desc.platform != gpuoa_reader_platform(reader)) {
		err = gpuoa_constants_of_unit(&scope->desc.unit, sizeof(scope->desc.unit),
					      desc.platform, &ours);
		constants = ours;
	}
	if (!err)
		err = gpuoa_calc_open(scope->desc.set, constants, format, options, &scope->calc,
				      NULL, 0);
	gpuoa_constants_free(ours);
	return err;
}

int scope_init(struct scope *scope, uint32_t number, const struct gpuoa_reader *reader,
	       const struct gpuoa_set *set, const struct gpuoa_calc_options *options)
{
	struct gpuoa_reader_desc desc;
	struct gpuoa_set_desc set_desc;
	int err;

	*scope = (struct scope){ .number = number, .desc.set = set };
	gpuoa_reader_describe(reader, &desc, sizeof(desc));
	gpuoa_reader_describe_unit(reader, &scope->desc.unit, sizeof(scope->desc.unit));
	gpuoa_set_describe(set, &set_desc, sizeof(set_desc));
	scope->wire_size = dword_mask_is_whole(desc.dword_mask) ? desc.report_size :
								  dword_mask_size(desc.dword_mask);
	err = payload_reader_open(&desc, &scope->desc.unit, next_payload, scope, false, NULL,
				  &scope->reader);
	if (!err)
		err = open_calc(scope, reader, desc.format, options);
	if (err)
		return err;
	scope->stride = gpuoa_calc_output_count(scope->calc);
	scope->metric_count = options->metrics ? options->metric_count : set_desc.metric_count;
	scope->columns = scope->stride - scope->metric_count;
	scope->metrics = calloc(scope->columns + 1, sizeof(*scope->metrics));
	return scope->metrics ? 0 : -ENOMEM;
}

void scope_fini(struct scope *scope)
{
	gpuoa_reader_close(scope->reader);
	gpuoa_calc_close(scope->calc);
	free(scope->metrics);
	free(scope->values);
	free(scope->intervals);
}

/* Allocate rows for the maximum number of reports in a payload of @size bytes. */
static int make_room(struct scope *scope, size_t size)
{
	const size_t rows = size / scope->wire_size + 1;
	struct gpuoa_interval *intervals;
	union gpuoa_value *values;

	if (rows <= scope->room)
		return 0;
	values = realloc(scope->values, rows * (scope->stride + 1) * sizeof(*values));
	if (values)
		scope->values = values;
	intervals = realloc(scope->intervals, rows * sizeof(*intervals));
	if (intervals)
		scope->intervals = intervals;
	if (!values || !intervals)
		return -ENOMEM;
	scope->room = rows;
	return 0;
}

static void take_time(struct scope *scope)
{
	const uint64_t frequency = scope->desc.unit.timestamp_frequency;
	const struct gpuoa_interval *interval = &scope->intervals[scope->row];

	if (!scope_has_rows(scope))
		return;
	scope->begin_ns = gpuoa_ticks_to_ns(frequency, interval->begin);
	scope->end_ns = gpuoa_ticks_to_ns(frequency, interval->end);
}

void scope_step(struct scope *scope)
{
	scope->row++;
	take_time(scope);
}

/* Calculate the rows of consecutive reports. */
static void add_rows(struct scope *scope, const void *reports, size_t count,
		     const struct gpuoa_read_status *found)
{
	size_t used;

	if (found->gap)
		gpuoa_calc_discontinuity(scope->calc);
	if (found->has_clock)
		gpuoa_calc_set_time_base(scope->calc, found->clock.gpu_ticks);
	scope->count += gpuoa_calc_run(scope->calc, reports, count,
				       scope->values + scope->count * scope->stride,
				       scope->intervals + scope->count, scope->room - scope->count,
				       &used);
}

/* Convert a frame. Returns 0, -EBADMSG or -ENOMEM. */
static int take(struct scope *scope, const struct frame_view *view,
		struct gpuoa_read_status *status)
{
	struct gpuoa_read_status found;
	const void *reports;
	int n;

	scope->row = scope->count = 0;
	n = make_room(scope, view->head.payload_size);
	if (n)
		return n;
	scope->payload = frame_payload(view);
	scope->has_payload = true;
	do {
		n = gpuoa_reader_peek(scope->reader, &reports, INT_MAX, &found);
		status_add(status, &found);
		if (n >= 0)
			add_rows(scope, reports, n, &found);
	} while (n > 0);
	take_time(scope);
	return n;
}

int scope_fill(struct scope *scope, const void *raw, size_t size, struct gpuoa_read_status *status)
{
	struct frame_view view;

	while (!scope_has_rows(scope)) {
		int ret = frame_get(raw, size, scope->at, &view);

		if (ret <= 0)
			return ret ? SCOPE_DAMAGED : SCOPE_OUT;
		if (view.head.kind == FRAME_END)
			return SCOPE_END;
		ret = view.head.scope == scope->number ? take(scope, &view, status) : 0;
		/*
		 * If there are rows from before the damaged frame, return them first. The next call
		 * finds the damage again.
		 */
		if (ret && !scope_has_rows(scope))
			return ret == -EBADMSG ? SCOPE_DAMAGED : ret;
		if (ret)
			break;
		scope->at += view.head.size;
	}
	return SCOPE_ROWS;
}

size_t scope_count(const struct scope *scope, const void *raw, size_t size)
{
	size_t rows = scope->count - scope->row;
	struct frame_view view;

	for (size_t at = scope->at; frame_get(raw, size, at, &view) > 0; at += view.head.size)
		if (view.head.kind == FRAME_PAYLOAD && view.head.scope == scope->number)
			rows += view.head.payload_size / scope->wire_size;
	return rows;
}
