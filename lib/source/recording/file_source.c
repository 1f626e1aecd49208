// SPDX-License-Identifier: MIT
/* file_source.c - reading: the common part of all recording formats */
#include "source/recording/file_source.h"

int file_source_begin(struct file_source *file, reader_next_event next_event)
{
	struct gpuoa_source *source = &file->source;
	int err;

	reader_init(&file->reader, next_event, file, source->desc.report_size);
	file->reader.notes = &source->notes;
	sanity_init(&file->sanity, &source->desc, &source->unit);
	file->reader.sanity = &file->sanity;
	err = notes_init(&source->notes, source->unit.timestamp_frequency);
	return err ? err : reader_thin(&file->reader, source->desc.keep);
}

void file_source_fini(struct file_source *file)
{
	reader_fini(&file->reader);
	notes_fini(&file->source.notes);
	gpuoa_constants_free(file->constants);
}

/* Complete the status of a read of at most @max reports that returned @n. */
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
		reader_finish(&file->reader, status);
	}
	return n;
}

int file_source_read(struct gpuoa_source *source, void *reports, size_t max,
		     struct gpuoa_read_status *status)
{
	struct file_source *file = (struct file_source *)source;
	const int n = reader_read(&file->reader, reports, max, status);

	return complete(file, n, max, status);
}

int file_source_next(struct gpuoa_source *source, const void **reports, size_t max,
		     struct gpuoa_read_status *status)
{
	struct file_source *file = (struct file_source *)source;
	const int n = reader_next(&file->reader, reports, max, status);

	return complete(file, n, max, status);
}
