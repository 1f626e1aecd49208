// SPDX-License-Identifier: MIT
/* notes.c - side data found while reading reports: clock pairs and markers */
#include "reader/notes.h"

#include <errno.h>
#include <stdlib.h>

#define MARKERS_MAX 65536 /* limit for markers that are never fetched */
#define MARKERS_MIN 16

int notes_init(struct notes *notes, uint64_t timestamp_frequency)
{
	*notes = (struct notes){ 0 };
	return timestamp_frequency ? gpuoa_time_open(timestamp_frequency, &notes->time) : 0;
}

void notes_fini(struct notes *notes)
{
	gpuoa_time_close(notes->time);
	free(notes->markers);
}

int notes_take_clock(struct notes *notes, const struct gpuoa_clock_pair *pair)
{
	int err;

	if (!notes->time || notes->all_pairs)
		return 0;
	err = gpuoa_time_add(notes->time, pair);
	return err == -ENOSPC ? 0 : err; /* more clocks than supported: ignore */
}

static struct gpuoa_stream_marker *place(const struct notes *notes, size_t index)
{
	return &notes->markers[(notes->first + index) & (notes->room - 1)];
}

static int make_room(struct notes *notes)
{
	const size_t room = notes->room ? 2 * notes->room : MARKERS_MIN;
	struct gpuoa_stream_marker *markers;

	if (notes->count < notes->room)
		return 0;
	if (notes->count == MARKERS_MAX) {
		notes->forgotten = true;
		notes->first++;
		notes->count--;
		return 0;
	}
	markers = calloc(room, sizeof(*markers));
	if (!markers)
		return -ENOMEM;
	for (size_t i = 0; i < notes->count; i++)
		markers[i] = *place(notes, i);
	free(notes->markers);
	notes->markers = markers;
	notes->first = 0;
	notes->room = room;
	return 0;
}

int notes_take_marker(struct notes *notes, const struct gpuoa_stream_marker *marker)
{
	const int err = make_room(notes);

	if (!err)
		*place(notes, notes->count++) = *marker;
	return err;
}

int notes_next_marker(struct notes *notes, struct gpuoa_stream_marker *marker)
{
	if (notes->forgotten) {
		notes->forgotten = false;
		return -ENOBUFS;
	}
	if (!notes->count)
		return 0;
	*marker = *place(notes, 0);
	notes->first++;
	notes->count--;
	return 1;
}
