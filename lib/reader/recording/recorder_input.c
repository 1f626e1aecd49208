// SPDX-License-Identifier: MIT
/*
 * recorder_input.c - one recorded stream: read its ring and AUX area
 *
 * Records are written to the file as stored in the ring. In AUX mode, records that describe reports
 * in the area are replaced by samples with these reports (aux_samples.c). The common reader parses
 * everything first, only for statistics.
 */
#include "reader/recording/recorder_input.h"

#include <errno.h>
#include <limits.h>
#include <time.h>

#include "reader/recording/recording_metadata.h"
#include "reader/stream/unit.h"
#include "reader/uapi.h"
#include "uapi/gpuoa.h"

static struct metadata_target target_of(const struct recorder_input *input,
					struct perfdata_writer *writer)
{
	const struct stream *stream = input->stream;

	return (struct metadata_target){
		.writer = writer,
		.layout = &stream->layout,
		.id = stream->id,
		.cpu = stream->cpu,
	};
}

/* CPU clocks for which streams have no pairs. */
static const int other_clocks[] = { CLOCK_MONOTONIC_RAW, CLOCK_BOOTTIME, CLOCK_REALTIME,
				    CLOCK_TAI };

int recorder_input_write_clocks(struct recorder_input *input, struct perfdata_writer *writer)
{
	const struct metadata_target target = target_of(input, writer);
	struct gpuoa_record_clock record;
	struct gpuoa_clock_pair pair;
	int err = 0;

	for (size_t i = 0; i < sizeof(other_clocks) / sizeof(other_clocks[0]) && !err; i++) {
		if (gpuoa_unit_clock(input->stream->unit, other_clocks[i], &pair))
			break;
		uapi_clock_record(&record, &pair);
		err = metadata_write_sample(&target, &record, sizeof(record));
	}
	owners_ask_again(&input->owners);
	return err;
}

int recorder_input_begin(struct recorder_input *input, struct stream *stream,
			 struct perfdata_writer *writer)
{
	struct metadata_target target;
	int err = 0;

	*input = (struct recorder_input){ .stream = stream };
	ring_rewind(&stream->ring);
	event_reader_init(&input->events, stream_next_event, stream,
			  stream->reader.desc.report_size);
	target = target_of(input, writer);
	if (stream->set)
		err = metadata_write(&target, stream->set, stream->reader.constants);
	if (!err)
		err = event_reader_set_mask(&input->events, stream->reader.desc.dword_mask);
	stream->recorded = true;
	return err;
}

void recorder_input_end(struct recorder_input *input)
{
	if (!input->stream)
		return;
	event_reader_fini(&input->events);
	input->stream->recorded = false;
}

/* Consume all records of the ring, count their content, and query owners of contexts. */
static int take(struct recorder_input *input, const struct metadata_target *target,
		struct gpuoa_recorder_stats *stats)
{
	struct gpuoa_read_status status;
	const void *reports;
	int n, err;

	do {
		n = event_reader_next(&input->events, &reports, INT_MAX, &status);
		if (n < 0)
			return n == -EBADMSG ? -EIO : n;
		err = owners_look(&input->owners, input->stream, target, reports, n);
		if (err)
			return err;
		stats->reports += n;
		stats->lost += status.lost_overflow + status.lost_hardware + status.lost_ring;
		stats->lost_unknown |= status.lost_unknown;
	} while (n);
	return 0;
}

/* Write records of the ring from one position to another. */
static int write_ring(struct recorder_input *input, struct aux_samples *samples, uint64_t from,
		      uint64_t to)
{
	struct iovec pieces[2];
	const int count = ring_pieces(&input->stream->ring, from, to, pieces);

	return count ? aux_samples_add(samples, pieces, count) : 0;
}

static int write_area(struct recorder_input *input, struct aux_samples *samples,
		      const struct perf_event_header *record)
{
	struct area *area = &input->stream->area;
	struct rawdata_item item;
	int err = area_begin(area, record);

	while (!err && area_next(area, &item))
		err = aux_samples_add_item(samples, record, &item);
	return err;
}

/* Write all records up to @end: without an area, one range of the ring. */
static int write_records(struct recorder_input *input, struct aux_samples *samples, uint64_t end)
{
	struct stream *stream = input->stream;
	struct ring *ring = &stream->ring;
	const struct perf_event_header *record;
	uint64_t from = ring->at;
	int err = 0;

	while (!err && stream->area.data && ring->at < end) {
		const uint64_t at = ring->at;

		err = ring_next(ring, &record);
		if (err < 0)
			return err;
		err = 0;
		if (record->type == PERF_RECORD_LOST)
			area_note_ring_lost(&stream->area);
		if (record->type != PERF_RECORD_AUX)
			continue;
		err = write_ring(input, samples, from, at);
		if (!err)
			err = write_area(input, samples, record);
		from = ring->at;
	}
	ring->at = end;
	return err ? err : write_ring(input, samples, from, end);
}

/* Write the records that were consumed. */
static int write_taken(struct recorder_input *input, struct perfdata_writer *writer,
		       struct aux_samples *samples)
{
	struct stream *stream = input->stream;
	const uint64_t end = stream->ring.at;
	int err;

	ring_rewind(&stream->ring);
	if (stream->ring.at == end)
		return 0;
	stream->area = input->before.area;
	aux_samples_init(samples, writer, &stream->layout);
	err = write_records(input, samples, end);
	return err ? err : aux_samples_flush(samples);
}

int recorder_input_write(struct recorder_input *input, struct perfdata_writer *writer,
			 struct aux_samples *samples, struct gpuoa_recorder_stats *stats)
{
	const struct metadata_target target = target_of(input, writer);
	int err;

	input->before = (struct recorder_place){ input->events, input->stream->area };
	err = take(input, &target, stats);
	return err ? err : write_taken(input, writer, samples);
}

void recorder_input_keep(struct recorder_input *input)
{
	area_release(&input->stream->area, 0);
	ring_release(&input->stream->ring);
}

/* Owners of contexts were not written either. */
void recorder_input_undo(struct recorder_input *input)
{
	ring_rewind(&input->stream->ring);
	input->stream->area = input->before.area;
	input->events = input->before.events;
	owners_ask_again(&input->owners);
}

bool recorder_input_lost_at_end(const struct recorder_input *input)
{
	struct event_reader events = input->events;
	struct gpuoa_read_status status = { 0 };

	event_reader_finish(&events, &status);
	return status.lost_unknown;
}
