// SPDX-License-Identifier: MIT
/* file_reader.c - read reports of a recording: the part that is common to all formats */
#include "reader/recording/file_reader.h"

int file_source_begin(struct file_source *file, event_reader_next_event next_event)
{
	struct gpuoa_reader *reader = &file->reader;
	int err;

	event_reader_init(&file->events, next_event, file, reader->desc.report_size);
	file->events.side_data = &reader->side_data;
	sanity_init(&file->sanity, &reader->desc, &reader->unit);
	file->events.sanity = &file->sanity;
	err = side_data_init(&reader->side_data, reader->unit.timestamp_frequency);
	return err ? err : event_reader_set_mask(&file->events, reader->desc.dword_mask);
}

void file_source_fini(struct file_source *file)
{
	event_reader_fini(&file->events);
	side_data_fini(&file->reader.side_data);
	gpuoa_constants_free(file->constants);
}

/* Complete the status of a read that returned @n of at most @max reports. */
static int complete(struct file_source *file, int n, size_t max, struct gpuoa_read_status *status)
{
	if (n > 0 && file->clock_ahead) {
		if (!status->has_clock)
			status->clock = file->first_clock;
		status->has_clock = true;
		file->clock_ahead = false;
	}
	if (!n && max) {
		status->end = true;
		event_reader_finish(&file->events, status);
	}
	return n;
}

int file_source_read(struct gpuoa_reader *reader, void *reports, size_t max,
		     struct gpuoa_read_status *status)
{
	struct file_source *file = (struct file_source *)reader;
	const int n = event_reader_read(&file->events, reports, max, status);

	return complete(file, n, max, status);
}

int file_source_next(struct gpuoa_reader *reader, const void **reports, size_t max,
		     struct gpuoa_read_status *status)
{
	struct file_source *file = (struct file_source *)reader;
	const int n = event_reader_next(&file->events, reports, max, status);

	return complete(file, n, max, status);
}
