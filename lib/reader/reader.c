// SPDX-License-Identifier: MIT
/* reader.c - the common interface of streams and recordings */
#include "reader/reader.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "base/read_status.h"
#include "base/sized.h"
#include "calc/calc.h"
#include "reader/side_data.h"

/* maximum number of markers that are stored if the caller does not fetch them */
#define MARKERS_MAX 65536
#define MARKERS_MIN 16

int side_data_init(struct side_data *side_data, uint64_t timestamp_frequency)
{
	*side_data = (struct side_data){ 0 };
	return timestamp_frequency ? gpuoa_time_open(timestamp_frequency, &side_data->time) : 0;
}

void side_data_fini(struct side_data *side_data)
{
	gpuoa_time_close(side_data->time);
	free(side_data->markers);
}

int side_data_take_clock(struct side_data *side_data, const struct gpuoa_clock_pair *pair)
{
	int err;

	if (!side_data->time || side_data->all_pairs)
		return 0;
	err = gpuoa_time_add(side_data->time, pair);
	return err == -ENOSPC ? 0 : err; /* more clocks than supported: ignore */
}

static struct gpuoa_stream_marker *place(const struct side_data *side_data, size_t index)
{
	return &side_data->markers[(side_data->first + index) & (side_data->room - 1)];
}

static int make_room(struct side_data *side_data)
{
	const size_t room = side_data->room ? 2 * side_data->room : MARKERS_MIN;
	struct gpuoa_stream_marker *markers;

	if (side_data->count < side_data->room)
		return 0;
	if (side_data->count == MARKERS_MAX) {
		side_data->forgotten = true;
		side_data->first++;
		side_data->count--;
		return 0;
	}
	markers = calloc(room, sizeof(*markers));
	if (!markers)
		return -ENOMEM;
	for (size_t i = 0; i < side_data->count; i++)
		markers[i] = *place(side_data, i);
	free(side_data->markers);
	side_data->markers = markers;
	side_data->first = 0;
	side_data->room = room;
	return 0;
}

int side_data_take_marker(struct side_data *side_data, const struct gpuoa_stream_marker *marker)
{
	const int err = make_room(side_data);

	if (!err)
		*place(side_data, side_data->count++) = *marker;
	return err;
}

int side_data_next_marker(struct side_data *side_data, struct gpuoa_stream_marker *marker)
{
	if (side_data->forgotten) {
		side_data->forgotten = false;
		return -ENOBUFS;
	}
	if (!side_data->count)
		return 0;
	*marker = *place(side_data, 0);
	side_data->first++;
	side_data->count--;
	return 1;
}

void gpuoa_reader_close(struct gpuoa_reader *reader)
{
	if (reader)
		reader->ops->close(reader);
}

void gpuoa_reader_describe(const struct gpuoa_reader *reader, struct gpuoa_reader_desc *desc,
			   size_t size)
{
	sized_give(desc, size, &reader->desc, sizeof(reader->desc));
}

void gpuoa_reader_describe_unit(const struct gpuoa_reader *reader, struct gpuoa_unit_desc *desc,
				size_t size)
{
	sized_give(desc, size, &reader->unit, sizeof(reader->unit));
}

const struct gpuoa_platform *gpuoa_reader_platform(const struct gpuoa_reader *reader)
{
	return reader->platform;
}

const struct gpuoa_constants *gpuoa_reader_constants(const struct gpuoa_reader *reader)
{
	return reader->constants;
}

int gpuoa_reader_read(struct gpuoa_reader *reader, void *reports, size_t max,
		      struct gpuoa_read_status *status)
{
	return reader->ops->read(reader, reports, max, status);
}

int gpuoa_reader_peek(struct gpuoa_reader *reader, const void **reports, size_t max,
		      struct gpuoa_read_status *status)
{
	return reader->ops->next(reader, reports, max, status);
}

void gpuoa_reader_consume(struct gpuoa_reader *reader)
{
	if (reader->ops->release)
		reader->ops->release(reader);
}

int gpuoa_reader_wait(struct gpuoa_reader *reader, int timeout_ms)
{
	return reader->ops->wait ? reader->ops->wait(reader, timeout_ms) : 0;
}

int gpuoa_reader_fd(const struct gpuoa_reader *reader)
{
	return reader->ops->fd ? reader->ops->fd(reader) : -EOPNOTSUPP;
}

int gpuoa_reader_disable(struct gpuoa_reader *reader)
{
	return reader->ops->disable ? reader->ops->disable(reader) : -EOPNOTSUPP;
}

int gpuoa_reader_enable(struct gpuoa_reader *reader)
{
	return reader->ops->enable ? reader->ops->enable(reader) : -EOPNOTSUPP;
}

int gpuoa_reader_time(struct gpuoa_reader *reader, const struct gpuoa_time **time)
{
	struct side_data *side_data = &reader->side_data;
	int err;

	if (!side_data->time)
		return -EINVAL;
	if (reader->ops->find_pairs && !side_data->all_pairs) {
		err = reader->ops->find_pairs(reader);
		if (err)
			return err;
		side_data->all_pairs = true;
	}
	*time = side_data->time;
	return 0;
}

int gpuoa_reader_context(struct gpuoa_reader *reader, uint32_t context_id,
			 struct gpuoa_context_owner *owner, size_t size)
{
	struct gpuoa_context_owner known = { 0 };
	int err;

	if (!reader->ops->context)
		return -EOPNOTSUPP;
	err = reader->ops->context(reader, context_id, &known);
	if (!err)
		sized_give(owner, size, &known, sizeof(known));
	return err;
}

int gpuoa_reader_next_marker(struct gpuoa_reader *reader, struct gpuoa_stream_marker *marker,
			     size_t size)
{
	struct gpuoa_stream_marker known;
	const int ret = side_data_next_marker(&reader->side_data, &known);

	if (ret > 0)
		sized_give(marker, size, &known, sizeof(known));
	return ret;
}

static void take_status(struct gpuoa_calc *calc, const struct gpuoa_read_status *found)
{
	if (found->gap)
		gpuoa_calc_discontinuity(calc);
	if (found->has_clock)
		gpuoa_calc_set_time_base(calc, found->clock.gpu_ticks);
}

int gpuoa_calc_read(struct gpuoa_calc *calc, struct gpuoa_reader *reader, union gpuoa_value *values,
		    struct gpuoa_interval *intervals, size_t max_rows,
		    struct gpuoa_read_status *status)
{
	struct gpuoa_read_status sum = { 0 };
	struct gpuoa_reader_desc desc;
	size_t rows = 0;
	int n;

	gpuoa_reader_describe(reader, &desc, sizeof(desc));
	if (desc.format != calc->format->id)
		return -EINVAL;
	if (!max_rows)
		return -ENOBUFS;
	if (max_rows > INT_MAX)
		max_rows = INT_MAX;
	/*
	 * Read until there is a row: the first report yields none, and neither do reports that the
	 * filter skips.
	 */
	do {
		struct gpuoa_read_status found;
		const void *reports;
		size_t used;

		n = gpuoa_reader_peek(reader, &reports, max_rows, &found);
		if (n < 0)
			break;
		status_add(&sum, &found);
		take_status(calc, &found);
		rows = gpuoa_calc_run(calc, reports, n, values, intervals, max_rows, &used);
	} while (n && !rows);
	gpuoa_reader_consume(reader);
	if (status)
		*status = sum;
	return n < 0 ? n : (int)rows;
}
