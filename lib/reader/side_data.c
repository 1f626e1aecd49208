// SPDX-License-Identifier: MIT
/* side_data.c - side data found while reading reports: clock pairs and markers */
#include "reader/side_data.h"

#include <errno.h>
#include <stdlib.h>

#define MARKERS_MAX 65536 /* limit for markers that are never fetched */
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
