// SPDX-License-Identifier: MIT
/*
 * recorder.c - writes a stream's ring buffer and AUX area straight to a perf.data file
 *
 * Records go to the file as they lie in the ring. In AUX mode, records that tell of reports in the
 * area are replaced by samples with these reports (aux_samples.c). The reader that all sources use
 * goes over everything first, only to count.
 */
#include "source/recording/recorder.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/sized.h"
#include "source/recording/aux_samples.h"
#include "source/recording/legend.h"
#include "source/recording/owners.h"
#include "source/recording/perfdata_writer.h"
#include "source/stream/stream.h"
#include "source/stream/unit.h"
#include "source/uapi.h"
#include "uapi/gpuoa.h"

/* How often clocks of the CPU are compared that the stream itself has no pairs of. */
#define CLOCKS_PERIOD_S 10

struct gpuoa_recorder {
	struct stream *stream;
	struct perfdata_writer writer;
	struct reader reader;
	struct aux_samples samples;
	struct gpuoa_recorder_stats stats;
	time_t clocks_due; /* CLOCK_MONOTONIC, s */
	struct owners_asked owners;
	int err; /* the first one */
};

static struct legend_target legend_target(struct gpuoa_recorder *recorder)
{
	const struct stream *stream = recorder->stream;

	return (struct legend_target){
		.writer = &recorder->writer,
		.layout = &stream->layout,
		.id = stream->id,
		.cpu = stream->cpu,
	};
}

/* Clocks of the CPU that streams have no pairs of. */
static const int other_clocks[] = { CLOCK_MONOTONIC_RAW, CLOCK_BOOTTIME, CLOCK_REALTIME,
				    CLOCK_TAI };

/* A GPU that sleeps or is gone has no pairs. */
static int write_clocks(struct gpuoa_recorder *recorder)
{
	const struct legend_target target = legend_target(recorder);
	struct gpuoa_record_clock record;
	struct gpuoa_clock_pair pair;
	int err = 0;

	for (size_t i = 0; i < sizeof(other_clocks) / sizeof(other_clocks[0]) && !err; i++) {
		if (gpuoa_unit_clock(recorder->stream->unit, other_clocks[i], &pair))
			break;
		uapi_clock_record(&record, &pair);
		err = legend_write_sample(&target, &record, sizeof(record));
	}
	return err;
}

/* Now and then, in case that the recording ends without us. */
static int write_clocks_in_time(struct gpuoa_recorder *recorder)
{
	struct timespec now;
	int err;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (now.tv_sec < recorder->clocks_due)
		return 0;
	err = write_clocks(recorder);
	if (!err)
		err = perfdata_commit(&recorder->writer);
	if (err)
		perfdata_cancel(&recorder->writer);
	else
		recorder->clocks_due = now.tv_sec + CLOCKS_PERIOD_S;
	owners_ask_again(&recorder->owners);
	return err;
}

/* What a reader needs to know, in front of all else. */
static int begin_legend(struct gpuoa_recorder *recorder)
{
	const struct stream *stream = recorder->stream;
	const struct legend_target target = legend_target(recorder);
	int err = 0;

	if (stream->set)
		err = legend_write(&target, stream->set, stream->source.constants);
	if (!err)
		err = perfdata_commit(&recorder->writer);
	return err ? err : write_clocks_in_time(recorder);
}

int recorder_begin(struct stream *stream, const char *path, struct gpuoa_recorder **recorder)
{
	struct gpuoa_recorder *new = calloc(1, sizeof(*new));
	int err;

	if (!new)
		return -ENOMEM;
	err = perfdata_create(&new->writer, path, &stream->attr, stream->id, stream->event_name);
	if (err) {
		free(new);
		return err;
	}
	new->stream = stream;
	err = begin_legend(new);
	if (err) {
		perfdata_finish(&new->writer);
		free(new);
		return err;
	}
	new->stats.bytes = perfdata_written(&new->writer);
	ring_rewind(&stream->ring);
	reader_init(&new->reader, stream_next_event, stream, stream->source.desc.report_size);
	err = reader_thin(&new->reader, stream->source.desc.keep);
	if (err) {
		perfdata_finish(&new->writer);
		free(new);
		return err;
	}
	stream->recorded = true;
	*recorder = new;
	return 0;
}

int gpuoa_recorder_open(struct gpuoa_source *source, const char *path,
			struct gpuoa_recorder **recorder)
{
	struct stream *stream = stream_from_source(source);

	return stream ? recorder_begin(stream, path, recorder) : -EOPNOTSUPP;
}

/* Take all records that the ring has, count what is in them, and ask whose contexts are. */
static int take(struct gpuoa_recorder *recorder, struct reader *reader,
		struct gpuoa_recorder_stats *stats)
{
	const struct legend_target target = legend_target(recorder);
	struct gpuoa_read_status status;
	const void *reports;
	int n, err;

	do {
		n = reader_next(reader, &reports, INT_MAX, &status);
		if (n < 0)
			return n == -EBADMSG ? -EIO : n;
		err = owners_look(&recorder->owners, recorder->stream, &target, reports, n);
		if (err)
			return err;
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
	const int count = ring_pieces(&recorder->stream->ring, from, to, pieces);

	return count ? aux_samples_add(&recorder->samples, pieces, count) : 0;
}

static int write_area(struct gpuoa_recorder *recorder, const struct perf_event_header *record)
{
	struct area *area = &recorder->stream->area;
	struct rawdata_item item;
	int err = area_begin(area, record);

	while (!err && area_next(area, &item))
		err = aux_samples_add_item(&recorder->samples, record, &item);
	return err;
}

/* All records up to @end. Of a stream without an area, that is one range of the ring. */
static int write_records(struct gpuoa_recorder *recorder, uint64_t end)
{
	struct ring *ring = &recorder->stream->ring;
	const struct perf_event_header *record;
	uint64_t from = ring->at;
	int err = 0;

	while (!err && recorder->stream->area.data && ring->at < end) {
		const uint64_t at = ring->at;

		err = ring_next(ring, &record);
		if (err < 0)
			return err;
		err = 0;
		if (record->type == PERF_RECORD_LOST)
			area_note_ring_lost(&recorder->stream->area);
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
static int write_taken(struct gpuoa_recorder *recorder, const struct area *area)
{
	struct stream *stream = recorder->stream;
	const uint64_t end = stream->ring.at;
	int err;

	ring_rewind(&stream->ring);
	if (stream->ring.at == end)
		return 0;
	stream->area = *area;
	aux_samples_init(&recorder->samples, &recorder->writer, &stream->layout);
	err = write_records(recorder, end);
	if (!err)
		err = aux_samples_flush(&recorder->samples);
	if (!err)
		return perfdata_commit(&recorder->writer);
	perfdata_cancel(&recorder->writer);
	return err;
}

int gpuoa_recorder_write(struct gpuoa_recorder *recorder)
{
	struct gpuoa_recorder_stats stats = recorder->stats;
	struct stream *stream = recorder->stream;
	struct reader reader = recorder->reader;
	const struct area area = stream->area;
	const int gone = stream_check(stream);
	int err;

	err = gone ? 0 : write_clocks_in_time(recorder);
	if (!err)
		err = take(recorder, &reader, &stats);
	if (!err)
		err = write_taken(recorder, &area);
	if (err) {
		perfdata_cancel(&recorder->writer);
		ring_rewind(&stream->ring);
		stream->area = area;
		if (!recorder->err)
			recorder->err = err;
		return err;
	}
	area_release(&stream->area, 0);
	ring_release(&stream->ring);
	stats.bytes = perfdata_written(&recorder->writer);
	recorder->reader = reader;
	recorder->stats = stats;
	return gone;
}

void gpuoa_recorder_stats(const struct gpuoa_recorder *recorder, struct gpuoa_recorder_stats *stats,
			  size_t size)
{
	struct gpuoa_recorder_stats now = recorder->stats;
	struct reader reader = recorder->reader;
	struct gpuoa_read_status status = { 0 };

	/*
	 * Count also the loss that the reader would tell with the next report: there may be none.
	 */
	reader_finish(&reader, &status);
	now.lost_unknown |= status.lost_unknown;
	sized_give(stats, size, &now, sizeof(now));
}

int gpuoa_recorder_close(struct gpuoa_recorder *recorder)
{
	int err;

	if (!recorder)
		return 0;
	recorder->clocks_due = 0;
	gpuoa_recorder_write(recorder);
	err = perfdata_finish(&recorder->writer);
	if (recorder->err)
		err = recorder->err;
	reader_fini(&recorder->reader);
	recorder->stream->recorded = false;
	free(recorder);
	return err;
}
