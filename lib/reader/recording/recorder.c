// SPDX-License-Identifier: MIT
/*
 * recorder.c - write streams to a perf.data file, one event for each
 *
 * Each stream is recorded independently of the others, but they are written together: after a
 * write, either the data of all streams is in the file, or all streams still have their data.
 */
#include "reader/recording/recorder.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/sized.h"
#include "reader/recording/aux_samples.h"
#include "reader/recording/owners.h"
#include "reader/recording/perfdata.h"
#include "reader/recording/recording_metadata.h"
#include "reader/stream/emulated_ring.h"
#include "reader/stream/stream.h"
#include "reader/stream/unit.h"
#include "reader/uapi.h"
#include "uapi/gpuoa.h"

/* Read position in a stream: in its ring and in its AUX area */
struct recorder_place {
	struct event_reader events;
	struct area area;
};

struct recorder_input {
	struct stream *stream;
	struct event_reader events;
	struct owners_asked owners;
	struct recorder_place before; /* state before the current write */
};

/*
 * Records of the ring are written to the file unchanged. In AUX mode, records that describe reports
 * in the area are replaced by samples that contain these reports (aux_samples.c). Before that, the
 * common event reader parses all records, but only for statistics.
 */

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

/* CPU clocks of which streams contain no clock pairs */
static const int other_clocks[] = { CLOCK_MONOTONIC_RAW, CLOCK_BOOTTIME, CLOCK_REALTIME,
				    CLOCK_TAI };

/*
 * Write clock pairs of the CPU clocks of which the stream contains none. If the GPU was removed,
 * there are no pairs.
 */
static int recorder_input_write_clocks(struct recorder_input *input, struct perfdata_writer *writer)
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

/*
 * Begin to record a stream: write the metadata that a reader of the file needs to @writer. The
 * stream must not have another recorder. Returns 0, -ENOMEM or an error of write(2).
 */
static int recorder_input_begin(struct recorder_input *input, struct stream *stream,
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

/* End the recording of a stream. @input may be zero-initialized. */
static void recorder_input_end(struct recorder_input *input)
{
	if (!input->stream)
		return;
	event_reader_fini(&input->events);
	input->stream->recorded = false;
}

/* Consume all records of the ring, count what they contain, and query the owners of contexts. */
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

/* Write the records of the ring between two positions. */
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

/* Write all records up to @end. If there is no AUX area, this is one range of the ring. */
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

/* Write the records that take() has consumed. */
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

/*
 * Write all data of the stream, and count it in @stats. @samples is a buffer for data that is
 * written at once. After the header has been updated, recorder_input_keep() releases the data to
 * the kernel; after an error, recorder_input_undo() makes it available again.
 */
static int recorder_input_write(struct recorder_input *input, struct perfdata_writer *writer,
				struct aux_samples *samples, struct gpuoa_recorder_stats *stats)
{
	const struct metadata_target target = target_of(input, writer);
	int err;

	input->before = (struct recorder_place){ input->events, input->stream->area };
	err = take(input, &target, stats);
	return err ? err : write_taken(input, writer, samples);
}

static void recorder_input_keep(struct recorder_input *input)
{
	area_release(&input->stream->area, 0);
	ring_release(&input->stream->ring);
}

/*
 * Undo a write: make its data available again. The owners of contexts are also queried again,
 * because they were not written.
 */
static void recorder_input_undo(struct recorder_input *input)
{
	ring_rewind(&input->stream->ring);
	input->stream->area = input->before.area;
	input->events = input->before.events;
	owners_ask_again(&input->owners);
}

/* True if reports were lost after the last data that was written, and their number is unknown. */
static bool recorder_input_lost_at_end(const struct recorder_input *input)
{
	struct event_reader events = input->events;
	struct gpuoa_read_status status = { 0 };

	event_reader_finish(&events, &status);
	return status.lost_unknown;
}

/* Period in s at which the CPU clocks are read of which streams contain no clock pairs */
#define CLOCKS_PERIOD_S 10

struct gpuoa_recorder {
	struct perfdata_writer writer;
	struct aux_samples samples;
	struct gpuoa_recorder_stats stats;
	time_t clocks_due; /* time at which clock pairs are written next, CLOCK_MONOTONIC in s */
	int err; /* the first error of a write */
	struct sample_layout side; /* layout of the side event's samples */
	uint32_t count;
	struct recorder_input inputs[];
};

static int write_clocks(struct gpuoa_recorder *recorder)
{
	int err = 0;

	for (uint32_t i = 0; i < recorder->count && !err; i++)
		if (!stream_check(recorder->inputs[i].stream))
			err = recorder_input_write_clocks(&recorder->inputs[i], &recorder->writer);
	return err;
}

/*
 * Write clock pairs if they are due. They are not only written at the end, because the process may
 * be killed.
 */
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
	return err;
}

static void recorder_free(struct gpuoa_recorder *recorder)
{
	for (uint32_t i = 0; i < recorder->count; i++)
		recorder_input_end(&recorder->inputs[i]);
	free(recorder);
}

/* Neither an id of the kernel, which are small, nor one of an emulated ring */
#define SIDE_ID (UINT64_C(1) << 62)

static int create_file(struct gpuoa_recorder *recorder, struct stream *const *streams,
		       uint32_t count, const char *side, const char *path)
{
	struct perfdata_writer_event *events = calloc(count + 1, sizeof(*events));
	int err;

	if (!events)
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++)
		events[i] = (struct perfdata_writer_event){ streams[i]->attr, streams[i]->id,
							    streams[i]->event_name };
	if (side) {
		events[count].attr = emulated_attr(PERF_TYPE_SOFTWARE);
		events[count].attr.config = PERF_COUNT_SW_DUMMY;
		events[count].id = SIDE_ID;
		events[count].name = side;
		recorder->side = sample_layout(&events[count].attr);
	}
	err = perfdata_create(&recorder->writer, path, events, count + !!side);
	free(events);
	return err;
}

/* Write the metadata of all streams, which a reader of the file needs, before their data. */
static int begin_inputs(struct gpuoa_recorder *recorder, struct stream *const *streams,
			uint32_t count)
{
	int err = 0;

	for (uint32_t i = 0; i < count && !err; i++) {
		recorder->count++;
		err = recorder_input_begin(&recorder->inputs[i], streams[i], &recorder->writer);
	}
	if (!err)
		err = perfdata_commit(&recorder->writer);
	return err ? err : write_clocks_in_time(recorder);
}

static int begin(struct stream *const *streams, uint32_t count, const char *side, const char *path,
		 struct gpuoa_recorder **recorder, const struct complaint *complaint)
{
	struct gpuoa_recorder *new =
		calloc(1, sizeof(*new) + count * sizeof(struct recorder_input));
	int err;

	if (!new)
		return -ENOMEM;
	err = create_file(new, streams, count, side, path);
	if (err) {
		free(new);
		return COMPLAIN(complaint, err, "cannot create %s: %s", path, strerror(-err));
	}
	err = begin_inputs(new, streams, count);
	if (err) {
		perfdata_finish(&new->writer);
		recorder_free(new);
		return COMPLAIN(complaint, err, "cannot write %s: %s", path, strerror(-err));
	}
	new->stats.bytes = perfdata_written(&new->writer);
	*recorder = new;
	return 0;
}

int recorder_begin(struct stream *const *streams, uint32_t count, const char *path,
		   struct gpuoa_recorder **recorder, const struct complaint *complaint)
{
	return begin(streams, count, NULL, path, recorder, complaint);
}

/*
 * Returns the stream at @index, after checking that it can be recorded. On error, returns NULL and
 * sets *err.
 */
static struct stream *take_stream(struct gpuoa_reader *const *readers, uint32_t index,
				  const struct complaint *complaint, int *err)
{
	struct stream *stream = readers[index] ? stream_from_source(readers[index]) : NULL;

	*err = 0;
	if (!stream)
		*err = COMPLAIN(complaint, -EOPNOTSUPP,
				"source %u is no stream of a unit: only those are recorded", index);
	for (uint32_t i = 0; i < index && !*err; i++)
		if (readers[i] == readers[index])
			*err = COMPLAIN(complaint, -EINVAL, "sources %u and %u are the same stream",
					i, index);
	if (!*err && stream->recorded)
		*err = COMPLAIN(complaint, -EBUSY, "another recorder has the stream of %s",
				stream->reader.unit.name);
	return *err ? NULL : stream;
}

int recorder_open_side(struct gpuoa_reader *const *readers, uint32_t count, const char *side,
		       const char *path, struct gpuoa_recorder **recorder,
		       const struct complaint *complaint)
{
	struct stream *streams[PERFDATA_EVENTS_MAX];
	const uint32_t most = PERFDATA_EVENTS_MAX - !!side;
	int err = 0;

	if (!count && !side)
		return COMPLAIN(complaint, -EINVAL, "there is no stream to record");
	if (count > most)
		return COMPLAIN(complaint, -E2BIG, "a recording has at most %u streams, not %u",
				most, count);
	for (uint32_t i = 0; i < count && !err; i++)
		streams[i] = take_stream(readers, i, complaint, &err);
	return err ? err : begin(streams, count, side, path, recorder, complaint);
}

int recorder_write_side(struct gpuoa_recorder *recorder, const void *payload, size_t size)
{
	const struct metadata_target target = {
		.writer = &recorder->writer,
		.layout = &recorder->side,
		.id = SIDE_ID,
	};
	int err = metadata_write_payload(&target, payload, size);

	if (!err)
		err = perfdata_commit(&recorder->writer);
	if (err)
		perfdata_cancel(&recorder->writer);
	if (err && !recorder->err)
		recorder->err = err;
	return err;
}

int gpuoa_recorder_open(struct gpuoa_reader *const *streams, uint32_t count, const char *path,
			struct gpuoa_recorder **recorder, char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	const int err = recorder_open_side(streams, count, NULL, path, recorder, &complaint);

	return err ? complaint_end(&complaint, err) : 0;
}

static void undo(struct gpuoa_recorder *recorder, uint32_t count)
{
	perfdata_cancel(&recorder->writer);
	for (uint32_t i = 0; i < count; i++)
		recorder_input_undo(&recorder->inputs[i]);
}

/* Write the data of all streams, or none on error. */
static int write_inputs(struct gpuoa_recorder *recorder)
{
	struct gpuoa_recorder_stats stats = recorder->stats;
	uint32_t i;
	int err = 0;

	for (i = 0; i < recorder->count && !err; i++)
		err = recorder_input_write(&recorder->inputs[i], &recorder->writer,
					   &recorder->samples, &stats);
	if (!err)
		err = perfdata_commit(&recorder->writer);
	if (err) {
		undo(recorder, i);
		return err;
	}
	for (i = 0; i < recorder->count; i++)
		recorder_input_keep(&recorder->inputs[i]);
	stats.bytes = perfdata_written(&recorder->writer);
	recorder->stats = stats;
	return 0;
}

/*
 * Check whether a GPU was removed. This is done before reading, so that all data of a removed GPU
 * is read afterwards.
 */
static int check_streams(const struct gpuoa_recorder *recorder)
{
	int gone = 0;

	for (uint32_t i = 0; i < recorder->count; i++) {
		const int err = stream_check(recorder->inputs[i].stream);

		gone = gone ? gone : err;
	}
	return gone;
}

/* True if a stream has data that did not fit in its ring. */
static bool has_rest(const struct gpuoa_recorder *recorder)
{
	for (uint32_t i = 0; i < recorder->count; i++)
		if (ring_has_rest(&recorder->inputs[i].stream->ring))
			return true;
	return false;
}

int gpuoa_recorder_write(struct gpuoa_recorder *recorder)
{
	const int gone = check_streams(recorder);
	int err;

	err = write_clocks_in_time(recorder);
	do {
		if (!err)
			err = write_inputs(recorder);
	} while (!err && has_rest(recorder));
	if (err && !recorder->err)
		recorder->err = err;
	return err ? err : gone;
}

void gpuoa_recorder_stats(const struct gpuoa_recorder *recorder, struct gpuoa_recorder_stats *stats,
			  size_t size)
{
	struct gpuoa_recorder_stats now = recorder->stats;

	/*
	 * Include losses that are not in the file yet: a reader would report them with the next
	 * report, which may never follow.
	 */
	for (uint32_t i = 0; i < recorder->count; i++)
		now.lost_unknown |= recorder_input_lost_at_end(&recorder->inputs[i]);
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
	recorder_free(recorder);
	return err;
}
