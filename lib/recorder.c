// SPDX-License-Identifier: MIT
/*
 * recorder.c - from a stream's ring buffer straight to a perf.data file
 *
 * Records go to the file as they lie in the ring. On the way they are read, by the reader that all sources use, only
 * to count what is in them.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "describe.h"
#include "perfdata_writer.h"
#include "recorder.h"
#include "stream.h"

struct gpuoa_recorder {
	struct gpuoa_stream *stream;
	struct gpuoa_perfdata_writer writer;
	struct gpuoa_reader reader;
	struct gpuoa_recorder_stats stats;
	int error; /* the first one */
};

int gpuoa_recorder_begin(struct gpuoa_stream *stream, const char *path,
			 struct gpuoa_recorder **recorder)
{
	struct gpuoa_recorder *new = calloc(1, sizeof(*new));
	int err;

	if (!new)
		return -ENOMEM;
	err = gpuoa_perfdata_create(&new->writer, path, &stream->attr,
				    stream->id, stream->event_name);
	if (err) {
		free(new);
		return err;
	}
	new->stream = stream;
	new->stats.bytes = gpuoa_perfdata_written(&new->writer);
	gpuoa_ring_rewind(&stream->ring);
	gpuoa_reader_init(&new->reader, gpuoa_stream_next_event, stream,
			  stream->source.desc.report_size);
	*recorder = new;
	return 0;
}

int gpuoa_recorder_open(struct gpuoa_source *source, const char *path,
			struct gpuoa_recorder **recorder)
{
	struct gpuoa_stream *stream = gpuoa_stream_from_source(source);

	return stream ? gpuoa_recorder_begin(stream, path, recorder) :
			-EOPNOTSUPP;
}

/* Take all records that the ring has, and count what is in them. */
static int take(struct gpuoa_reader *reader, struct gpuoa_recorder_stats *stats)
{
	struct gpuoa_read_status status;
	int n;

	do {
		n = gpuoa_reader_read(reader, NULL, INT_MAX, &status);
		if (n < 0)
			return n == -EBADMSG ? -EIO : n;
		stats->reports += n;
		stats->lost += status.lost_overflow + status.lost_hardware +
			       status.lost_ring;
		stats->lost_unknown |= status.lost_unknown;
	} while (n);
	return 0;
}

static int write_taken(struct gpuoa_recorder *recorder)
{
	struct iovec pieces[2];
	const int count = gpuoa_ring_taken(&recorder->stream->ring, pieces);

	return count ? gpuoa_perfdata_append(&recorder->writer, pieces, count) :
		       0;
}

int gpuoa_recorder_write(struct gpuoa_recorder *recorder)
{
	struct gpuoa_recorder_stats stats = recorder->stats;
	struct gpuoa_reader reader = recorder->reader;
	int err;

	err = take(&reader, &stats);
	if (!err)
		err = write_taken(recorder);
	if (err) {
		gpuoa_ring_rewind(&recorder->stream->ring);
		if (!recorder->error)
			recorder->error = err;
		return err;
	}
	gpuoa_ring_release(&recorder->stream->ring);
	stats.bytes = gpuoa_perfdata_written(&recorder->writer);
	recorder->reader = reader;
	recorder->stats = stats;
	return 0;
}

void gpuoa_recorder_stats(const struct gpuoa_recorder *recorder,
			  struct gpuoa_recorder_stats *stats, size_t size)
{
	struct gpuoa_recorder_stats now = recorder->stats;
	struct gpuoa_reader reader = recorder->reader;
	struct gpuoa_read_status status = { 0 };

	/* If nothing comes any more, this is all that will ever be known. */
	gpuoa_reader_finish(&reader, &status);
	now.lost_unknown |= status.lost_unknown;
	describe(stats, size, &now, sizeof(now));
}

int gpuoa_recorder_close(struct gpuoa_recorder *recorder)
{
	int err;

	if (!recorder)
		return 0;
	gpuoa_recorder_write(recorder);
	err = gpuoa_perfdata_finish(&recorder->writer);
	if (recorder->error)
		err = recorder->error;
	free(recorder);
	return err;
}
