// SPDX-License-Identifier: MIT
/*
 * recorder.c - write streams to a perf.data file, one event for each
 *
 * The data of each stream are independent of the others (recorder_input.c). A write covers all of
 * them: either the data of all streams are in the file, or all streams still have their data.
 */
#include "reader/recording/recorder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/sized.h"
#include "reader/recording/perfdata.h"
#include "reader/recording/recorder_input.h"

/* Period of reading the CPU clocks for which streams have no pairs. */
#define CLOCKS_PERIOD_S 10

struct gpuoa_recorder {
	struct perfdata_writer writer;
	struct aux_samples samples;
	struct gpuoa_recorder_stats stats;
	time_t clocks_due; /* time of the next clock pairs, CLOCK_MONOTONIC in s */
	int err; /* the first error of a write */
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

/* Periodically, in case the process is killed. */
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

static int create_file(struct gpuoa_recorder *recorder, struct stream *const *streams,
		       uint32_t count, const char *path)
{
	struct perfdata_writer_event *events = calloc(count, sizeof(*events));
	int err;

	if (!events)
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++)
		events[i] = (struct perfdata_writer_event){ streams[i]->attr, streams[i]->id,
							    streams[i]->event_name };
	err = perfdata_create(&recorder->writer, path, events, count);
	free(events);
	return err;
}

/* Write the data that a reader needs about each stream before all others. */
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

int recorder_begin(struct stream *const *streams, uint32_t count, const char *path,
		   struct gpuoa_recorder **recorder, const struct complaint *complaint)
{
	struct gpuoa_recorder *new =
		calloc(1, sizeof(*new) + count * sizeof(struct recorder_input));
	int err;

	if (!new)
		return -ENOMEM;
	err = create_file(new, streams, count, path);
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

/* Returns the stream to record at @index. On error, returns NULL and sets *err. */
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

static int begin_sources(struct gpuoa_reader *const *readers, uint32_t count, const char *path,
			 struct gpuoa_recorder **recorder, const struct complaint *complaint)
{
	struct stream *streams[PERFDATA_EVENTS_MAX];
	int err = 0;

	if (!count)
		return COMPLAIN(complaint, -EINVAL, "there is no stream to record");
	if (count > PERFDATA_EVENTS_MAX)
		return COMPLAIN(complaint, -E2BIG, "a recording has at most %d streams, not %u",
				PERFDATA_EVENTS_MAX, count);
	for (uint32_t i = 0; i < count && !err; i++)
		streams[i] = take_stream(readers, i, complaint, &err);
	return err ? err : recorder_begin(streams, count, path, recorder, complaint);
}

int gpuoa_recorder_open(struct gpuoa_reader *const *streams, uint32_t count, const char *path,
			struct gpuoa_recorder **recorder, char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	const int err = begin_sources(streams, count, path, recorder, &complaint);

	return err ? complaint_end(&complaint, err) : 0;
}

static void undo(struct gpuoa_recorder *recorder, uint32_t count)
{
	perfdata_cancel(&recorder->writer);
	for (uint32_t i = 0; i < count; i++)
		recorder_input_undo(&recorder->inputs[i]);
}

/* Write the data of each stream. */
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

/* Checked before reading: a removed GPU delivers nothing further. */
static int check_streams(const struct gpuoa_recorder *recorder)
{
	int gone = 0;

	for (uint32_t i = 0; i < recorder->count; i++) {
		const int err = stream_check(recorder->inputs[i].stream);

		gone = gone ? gone : err;
	}
	return gone;
}

/* True if a stream has data for which its ring had no space. */
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
	 * Include a pending loss: no report may follow with which a reader would report it.
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
