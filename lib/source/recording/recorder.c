// SPDX-License-Identifier: MIT
/*
 * recorder.c - from a stream's ring buffer and AUX area straight to a perf.data file
 *
 * Records go to the file as they lie in the ring. In AUX mode, those that tell of reports in the
 * area are replaced by samples that have them (see wrapper.c). Before, all is read by the reader
 * that all sources use, only to count.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/describe.h"
#include "source/recording/perfdata_writer.h"
#include "source/recording/recorder.h"
#include "source/stream/stream.h"
#include "source/recording/wrapper.h"

struct gpuoa_recorder {
	struct gpuoa_stream *stream;
	struct gpuoa_perfdata_writer writer;
	struct gpuoa_reader reader;
	struct gpuoa_wrapper wrapper;
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
	err = gpuoa_perfdata_create(&new->writer, path, &stream->attr, stream->id,
				    stream->event_name);
	if (err) {
		free(new);
		return err;
	}
	new->stream = stream;
	new->stats.bytes = gpuoa_perfdata_written(&new->writer);
	gpuoa_ring_rewind(&stream->ring);
	gpuoa_reader_init(&new->reader, gpuoa_stream_next_event, stream,
			  stream->source.desc.report_size);
	err = gpuoa_reader_thin(&new->reader, stream->source.desc.keep);
	if (err) {
		gpuoa_perfdata_finish(&new->writer);
		free(new);
		return err;
	}
	*recorder = new;
	return 0;
}

int gpuoa_recorder_open(struct gpuoa_source *source, const char *path,
			struct gpuoa_recorder **recorder)
{
	struct gpuoa_stream *stream = gpuoa_stream_from_source(source);

	return stream ? gpuoa_recorder_begin(stream, path, recorder) : -EOPNOTSUPP;
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
		stats->lost += status.lost_overflow + status.lost_hardware + status.lost_ring;
		stats->lost_unknown |= status.lost_unknown;
	} while (n);
	return 0;
}

/* Records of the ring as they are, from one position to another. */
static int write_ring(struct gpuoa_recorder *recorder, uint64_t from, uint64_t to)
{
	struct iovec pieces[2];
	const int count = gpuoa_ring_pieces(&recorder->stream->ring, from, to, pieces);

	return count ? gpuoa_wrapper_add(&recorder->wrapper, pieces, count) : 0;
}

static int write_area(struct gpuoa_recorder *recorder, const struct perf_event_header *record)
{
	struct gpuoa_area *area = &recorder->stream->area;
	struct gpuoa_rawdata_item item;
	int err = gpuoa_area_begin(area, record);

	while (!err && gpuoa_area_next(area, &item))
		err = gpuoa_wrapper_add_item(&recorder->wrapper, record, &item);
	return err;
}

/* All records up to @end. Of a stream without an area, that is one range of the ring. */
static int write_records(struct gpuoa_recorder *recorder, uint64_t end)
{
	struct gpuoa_ring *ring = &recorder->stream->ring;
	const struct perf_event_header *record;
	uint64_t from = ring->at;
	int err = 0;

	while (!err && recorder->stream->area.data && ring->at < end) {
		const uint64_t at = ring->at;

		err = gpuoa_ring_next(ring, &record);
		if (err < 0)
			return err;
		err = 0;
		if (record->type != PERF_RECORD_AUX)
			continue;
		err = write_ring(recorder, from, at);
		if (!err)
			err = write_area(recorder, record);
		from = ring->at;
	}
	ring->at = end;
	return err ? err : write_ring(recorder, from, end);
}

/* Write what was taken since @area was as it is. */
static int write_taken(struct gpuoa_recorder *recorder, const struct gpuoa_area *area)
{
	struct gpuoa_stream *stream = recorder->stream;
	const uint64_t end = stream->ring.at;
	int err;

	gpuoa_ring_rewind(&stream->ring);
	if (stream->ring.at == end)
		return 0;
	stream->area = *area;
	gpuoa_wrapper_init(&recorder->wrapper, &recorder->writer, &stream->layout);
	err = write_records(recorder, end);
	if (!err)
		err = gpuoa_wrapper_flush(&recorder->wrapper);
	if (!err)
		return gpuoa_perfdata_commit(&recorder->writer);
	gpuoa_perfdata_cancel(&recorder->writer);
	return err;
}

int gpuoa_recorder_write(struct gpuoa_recorder *recorder)
{
	struct gpuoa_recorder_stats stats = recorder->stats;
	struct gpuoa_stream *stream = recorder->stream;
	struct gpuoa_reader reader = recorder->reader;
	const struct gpuoa_area area = stream->area;
	const int gone = gpuoa_stream_check(stream);
	int err;

	err = take(&reader, &stats);
	if (!err)
		err = write_taken(recorder, &area);
	if (err) {
		gpuoa_ring_rewind(&stream->ring);
		stream->area = area;
		if (!recorder->error)
			recorder->error = err;
		return err;
	}
	gpuoa_area_release(&stream->area, 0);
	gpuoa_ring_release(&stream->ring);
	stats.bytes = gpuoa_perfdata_written(&recorder->writer);
	recorder->reader = reader;
	recorder->stats = stats;
	return gone;
}

void gpuoa_recorder_stats(const struct gpuoa_recorder *recorder, struct gpuoa_recorder_stats *stats,
			  size_t size)
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
	gpuoa_reader_fini(&recorder->reader);
	free(recorder);
	return err;
}
