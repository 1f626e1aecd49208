// SPDX-License-Identifier: MIT
/*
 * file.c - read a recording: the samples of one gpuoa event in a perf.data file
 *
 * Records of type GPUOA_RECORD_STREAM in the samples describe the recording. The first one may
 * follow reports, if perf lost the sample with an earlier one, so opening searches for it, and
 * reading starts from the beginning. The same applies to the first clock pair: the first read
 * returns it, so that time does not jump when its record is reached. The file may also contain
 * other events. Recordings of i915-perf-recorder are opened by i915_file.c.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gpu/topology.h"
#include "reader/rawdata.h"
#include "reader/recording/file_reader.h"
#include "reader/recording/i915_file.h"
#include "reader/recording/owners.h"
#include "reader/recording/perfdata.h"
#include "reader/recording/recording_metadata.h"
#include "reader/stream/emulated_ring.h"

/* One of the streams in a file. Streams are numbered in the order of the file's events. */
struct stream_place {
	size_t event; /* index in perfdata.layouts */
	uint32_t index;
	uint32_t count; /* total number of streams */
};

/*
 * Find the events of gpuoa by the content of their samples. The attributes of an event do not
 * identify its driver: PMU numbers change from boot to boot, and names are in the file only if the
 * writer was not killed.
 */

/* Result of examining an event. */
enum knowledge {
	NO_SAMPLE,
	FOREIGN, /* samples, but not of gpuoa */
	UNDESCRIBED, /* a stream of gpuoa, without description in the samples so far */
	DESCRIBED, /* a stream of gpuoa, with a description or with a damaged sample */
};

/* Examine another sample of an event. Returns what is then known of the event. */
static enum knowledge learn(enum knowledge known, const struct sample_layout *layout,
			    const struct perf_event_header *record)
{
	struct rawdata_item item;
	struct rawdata raw;
	const void *payload;
	size_t size;
	int ret;

	if (known == DESCRIBED || sample_raw(layout, record, &payload, &size))
		return known;
	if (rawdata_begin(&raw, payload, size))
		return known == NO_SAMPLE ? FOREIGN : known;
	while ((ret = rawdata_next(&raw, &item)) > 0)
		if (item.kind == RAWDATA_STREAM)
			return DESCRIBED;
	return ret < 0 ? DESCRIBED : UNDESCRIBED;
}

/*
 * False for an event that never has samples, for which the search must not wait. The perf tool adds
 * such an event to its files. In gpuoa's recordings, streams of stock i915 and xe have equal
 * attributes, but another id.
 */
static bool can_be_stream(const struct perfdata *data, size_t event)
{
	const struct sample_layout *layout = &data->layouts[event];

	if (!(layout->sample_type & PERF_SAMPLE_RAW))
		return false;
	if (layout->type != PERF_TYPE_SOFTWARE)
		return true;
	for (size_t i = 0; i < data->id_count; i++)
		if (data->ids[i].event == event && data->ids[i].id & EMULATED_ID)
			return true;
	return false;
}

static bool all_known(const struct perfdata *data, const uint8_t *known)
{
	for (size_t i = 0; i < data->event_count; i++)
		if ((known[i] == NO_SAMPLE || known[i] == UNDESCRIBED) && can_be_stream(data, i))
			return false;
	return true;
}

/*
 * Examine samples until all events are known. Returns 0, or the error that prevents reading the
 * file to its end.
 */
static int learn_all(struct perfdata *data, uint8_t *known)
{
	const struct perf_event_header *record;
	size_t event;
	int ret;

	while ((ret = perfdata_next(data, &record)) > 0) {
		enum knowledge now;

		if (record->type != PERF_RECORD_SAMPLE || perfdata_event(data, record, &event))
			continue;
		now = learn(known[event], &data->layouts[event], record);
		if (now == known[event])
			continue;
		known[event] = now;
		if (all_known(data, known))
			return 0;
	}
	return ret;
}

/*
 * True if this is the stream to find: the one at @index, or any one with a description if @index is
 * NULL.
 */
static bool is_meant(const uint32_t *index, uint32_t at, enum knowledge known)
{
	return index ? at == *index : known == DESCRIBED;
}

/*
 * Find the stream at @index. If @index is NULL, find the first stream with a description, or if
 * there is none, the first stream. The file is read from its beginning until all events are known,
 * and rewound. In a damaged file, only streams before the damage are found. Returns 0, -ENODATA if
 * there are no samples of gpuoa, -ERANGE if there is no such stream, or errors of perfdata_next().
 */
static int streams_find(struct perfdata *data, const uint32_t *index, struct stream_place *place)
{
	uint8_t known[PERFDATA_EVENTS_MAX] = { NO_SAMPLE };
	const int err = learn_all(data, known);
	bool found = false;

	*place = (struct stream_place){ 0 };
	for (size_t i = 0; i < data->event_count; i++) {
		if (known[i] < UNDESCRIBED)
			continue;
		if (!found && (is_meant(index, place->count, known[i]) || !place->count)) {
			found = is_meant(index, place->count, known[i]);
			place->event = i;
			place->index = place->count;
		}
		place->count++;
	}
	perfdata_rewind(data);
	if (found || (!index && place->count))
		return 0;
	if (err)
		return err;
	if (!place->count)
		return COMPLAIN(&data->complaint, -ENODATA,
				"no samples of a gpuoa event; record with -e gpuoa0/.../ and -R");
	if (place->count == 1)
		return COMPLAIN(&data->complaint, -ERANGE, "it has only stream 0");
	return COMPLAIN(&data->complaint, -ERANGE, "it has only streams 0 to %u", place->count - 1);
}

/*
 * Find the description of the stream in a sample. Returns 1, 0 if the sample has none, or errors of
 * rawdata.h.
 */
static int describe_from(struct rawdata *raw, struct gpuoa_reader_desc *desc,
			 struct gpuoa_unit_desc *unit)
{
	struct rawdata_item item;
	int ret;

	while ((ret = rawdata_next(raw, &item)) > 0) {
		if (item.kind != RAWDATA_STREAM)
			continue;
		ret = rawdata_describe(&item.stream, desc, unit);
		return ret ? ret : 1;
	}
	return ret;
}

/* Begin to parse a sample. Returns -ENOMSG if it is not a sample of @event, or not one of gpuoa. */
static int begin_sample(struct perfdata *data, size_t event, const struct perf_event_header *record,
			struct rawdata *raw)
{
	const void *payload;
	size_t size, of;

	if (record->type != PERF_RECORD_SAMPLE || perfdata_event(data, record, &of) ||
	    of != event || sample_raw(&data->layouts[event], record, &payload, &size))
		return -ENOMSG;
	return rawdata_begin(raw, payload, size);
}

/*
 * Find and read the description of an event's stream, from the current read position on.
 *
 * Returns 0, -ENODATA if there is none, -EOPNOTSUPP if it requires a newer library, -EBADMSG if it
 * is invalid, or errors of perfdata_next().
 */
static int stream_describe(struct perfdata *data, size_t event, struct gpuoa_reader_desc *desc,
			   struct gpuoa_unit_desc *unit)
{
	const struct complaint *complaint = &data->complaint;
	const struct perf_event_header *record;
	int ret;

	while ((ret = perfdata_next(data, &record)) > 0) {
		struct rawdata raw;

		if (begin_sample(data, event, record, &raw))
			continue;
		ret = describe_from(&raw, desc, unit);
		if (ret == -EOPNOTSUPP)
			return COMPLAIN(complaint, ret, "recorded by a newer gpuoa; update gpuoa");
		if (ret < 0)
			return COMPLAIN(complaint, ret, "damaged (contradictions within a sample)");
		if (ret > 0)
			return 0;
	}
	if (ret < 0)
		return ret;
	return COMPLAIN(complaint, -ENODATA,
			"perf lost the samples that describe the stream; record for longer");
}

struct file {
	struct file_source head;
	struct perfdata data;
	struct recording_metadata metadata;
	struct owners owners; /* owners of contexts */
	size_t event; /* index of the event being read */
	uint32_t cpu; /* CPU on which the event was recorded */
	bool has_cpu; /* .cpu is valid */
	/*
	 * number of this event's samples that perf lost while recording, according to LOST records
	 */
	uint64_t lost_events;
	uint64_t reports_end; /* number of the report after the last one that was read */
};

static struct file *to_file(struct gpuoa_reader *reader)
{
	return (struct file *)reader;
}

static const struct sample_layout *layout_of(const struct file *file, size_t event)
{
	return &file->data.layouts[event];
}

/*
 * Return the number of lost samples in a record LOST or LOST_SAMPLES, or 0 if the record is too
 * short.
 */
static uint64_t lost_count(const struct perf_event_header *record)
{
	const size_t offset =
		sizeof(*record) + (record->type == PERF_RECORD_LOST ? sizeof(uint64_t) : 0);
	uint64_t count = 0;

	if (record->size >= offset + sizeof(count))
		memcpy(&count, (const char *)record + offset, sizeof(count));
	return count;
}

/* True if gpuoa has written the recording: only its recordings have metadata. */
static bool is_of_gpuoa(const struct file *file)
{
	return file->metadata.totals[RAWDATA_DEFINITIONS];
}

/*
 * True if a loss record of another event can also concern this event. The stock perf tool shares
 * one buffer between all events of a CPU. In gpuoa's recordings, each stream has a separate buffer.
 */
static bool same_buffer(const struct file *file, const struct perf_event_header *record,
			size_t event)
{
	uint32_t cpu;

	return !is_of_gpuoa(file) && file->has_cpu &&
	       !sample_cpu(layout_of(file, event), record, &cpu) && cpu == file->cpu;
}

/* True if this record indicates that samples of our event may be missing at this point. */
static bool tells_of_loss(struct file *file, const struct perf_event_header *record)
{
	size_t event;

	if (record->type != PERF_RECORD_LOST && record->type != PERF_RECORD_LOST_SAMPLES)
		return false;
	if (perfdata_event(&file->data, record, &event))
		return false;
	if (record->type == PERF_RECORD_LOST) {
		if (event == file->event)
			file->lost_events += lost_count(record);
		return event == file->event || same_buffer(file, record, event);
	}
	/*
	 * A LOST_SAMPLES record at the end of the file has the total number. It is a loss only if
	 * the total exceeds the sum of the LOST records.
	 */
	return event == file->event && lost_count(record) > file->lost_events;
}

/* Return the number of the report after the last one of a sample, or 0 if it has no reports. */
static uint64_t reports_end(const struct stream_event *event)
{
	struct rawdata_item item;
	struct rawdata raw;
	uint64_t end = 0;

	if (rawdata_begin(&raw, event->payload, event->size))
		return 0;
	while (rawdata_next(&raw, &item) > 0)
		if (item.kind == RAWDATA_REPORTS && item.reports.count)
			end = item.reports.first + item.reports.count;
	return end;
}

/*
 * True if all reports of a sample have been read. perf reads the head of its buffer twice before it
 * copies the records (perf_mmap__push(), up to Linux 7.3 at least). It copies those that arrive in
 * between, and copies them again in the next round. Samples without reports cannot be recognized.
 */
static bool is_repeated(struct file *file, const struct stream_event *event)
{
	const uint64_t end = is_of_gpuoa(file) ? 0 : reports_end(event);

	if (end && end <= file->reports_end)
		return true;
	if (end)
		file->reports_end = end;
	return false;
}

static bool is_ours(struct file *file, const struct perf_event_header *record)
{
	size_t event;

	return record->type == PERF_RECORD_SAMPLE && !perfdata_event(&file->data, record, &event) &&
	       event == file->event;
}

static int next_event(void *ctx, struct stream_event *event)
{
	struct file *file = ctx;
	const struct perf_event_header *record;
	int ret;

	while ((ret = perfdata_next(&file->data, &record)) > 0) {
		if (is_ours(file, record)) {
			const struct sample_layout *layout = layout_of(file, file->event);

			file->has_cpu = !sample_cpu(layout, record, &file->cpu);
			event->kind = STREAM_EVENT_RAW;
			ret = sample_raw(layout, record, &event->payload, &event->size);
			if (!ret && is_repeated(file, event))
				continue;
			return ret ? -EBADMSG : 1;
		}
		if (tells_of_loss(file, record)) {
			event->kind = STREAM_EVENT_LOST;
			return 1;
		}
	}
	return ret;
}

static void file_close(struct gpuoa_reader *reader)
{
	struct file *file = to_file(reader);

	file_source_fini(&file->head);
	metadata_fini(&file->metadata);
	owners_fini(&file->owners);
	perfdata_close(&file->data);
	free(file);
}

/* Begin to parse a sample of our event. Returns 0, or -ENOMSG if gpuoa did not write it. */
static int begin_payload(const struct file *file, const struct perf_event_header *record,
			 struct rawdata *raw)
{
	const void *payload;
	size_t size;

	if (sample_raw(layout_of(file, file->event), record, &payload, &size))
		return -ENOMSG;
	return rawdata_begin(raw, payload, size);
}

/* Callback that processes an item. Returns 0 or -errno. */
typedef int (*take_function)(struct file *file, const struct rawdata_item *item);

static int take_items(struct file *file, struct rawdata *raw, take_function take)
{
	struct rawdata_item item;
	int err = 0;

	while (!err && rawdata_next(raw, &item) > 0)
		err = take(file, &item);
	return err;
}

/*
 * Call @take for all items of the file, without changing the read position. Damage ends this
 * without an error, because reads report it.
 */
static int look_through(struct file *file, take_function take)
{
	const struct perf_event_header *record;
	struct perfdata_place place;
	int err = perfdata_leave(&file->data, &place);

	if (err)
		return err;
	while (!err && perfdata_next(&file->data, &record) > 0) {
		struct rawdata raw;

		if (is_ours(file, record) && !begin_payload(file, record, &raw))
			err = take_items(file, &raw, take);
	}
	perfdata_return(&file->data, &place);
	return err;
}

static int take_pair(struct file *file, const struct rawdata_item *item)
{
	return item->kind == RAWDATA_CLOCK ?
		       side_data_take_clock(&file->head.reader.side_data, &item->clock) :
		       0;
}

static int find_pairs(struct gpuoa_reader *reader)
{
	return look_through(to_file(reader), take_pair);
}

static int take_owner(struct file *file, const struct rawdata_item *item)
{
	return item->kind == RAWDATA_CONTEXT ? owners_take(&file->owners, &item->context) : 0;
}

static int file_context(struct gpuoa_reader *reader, uint32_t id, struct gpuoa_context_owner *owner)
{
	struct file *file = to_file(reader);
	int err;

	if (!file->owners.complete) {
		err = look_through(file, take_owner);
		if (err)
			return err;
		file->owners.complete = true;
	}
	return owners_find(&file->owners, id, owner);
}

static const struct reader_ops file_ops = {
	.read = file_source_read,
	.next = file_source_next,
	.find_pairs = find_pairs,
	.context = file_context,
	.close = file_close,
};

/* Select the stream at @index, or the first one with a description if @index is NULL. */
static int choose_stream(struct file *file, const uint32_t *index)
{
	struct stream_place place;
	int err = streams_find(&file->data, index, &place);

	if (err)
		return err;
	file->event = place.event;
	err = stream_describe(&file->data, place.event, &file->head.reader.desc,
			      &file->head.reader.unit);
	file->head.reader.desc.stream = place.index;
	file->head.reader.desc.streams = place.count;
	return err;
}

/* Find the first clock pair in a sample. */
static bool clock_from(struct rawdata *raw, struct gpuoa_clock_pair *clock)
{
	struct rawdata_item item;

	while (rawdata_next(raw, &item) > 0) {
		if (item.kind != RAWDATA_CLOCK || item.clock.clock_id != CLOCK_MONOTONIC)
			continue;
		*clock = item.clock;
		return true;
	}
	return false;
}

/*
 * Find the first clock pair in the file. Damage ends this without an error, because reads report
 * it.
 */
static void find_clock(struct file *file)
{
	const struct perf_event_header *record;

	perfdata_rewind(&file->data);
	while (!file->head.clock_ahead && perfdata_next(&file->data, &record) > 0) {
		struct rawdata raw;

		if (is_ours(file, record) && !begin_payload(file, record, &raw))
			file->head.clock_ahead = clock_from(&raw, &file->head.first_clock);
	}
}

/*
 * Process the metadata in a sample. Returns 1 if the next sample may have more, 0 if not, or
 * -errno.
 */
static int take_metadata(struct file *file, struct rawdata *raw)
{
	struct rawdata_item item;
	int err;

	while (rawdata_next(raw, &item) > 0) {
		if (item.kind != RAWDATA_TEXT)
			return 0;
		err = metadata_take(&file->metadata, &item.text);
		if (err)
			return err;
	}
	return 1;
}

/*
 * Read the metadata at the beginning of the event's samples. Recordings of the stock perf tool have
 * no metadata.
 */
static int find_metadata(struct file *file)
{
	const struct perf_event_header *record;
	int ret = 1;

	perfdata_rewind(&file->data);
	while (ret > 0 && perfdata_next(&file->data, &record) > 0) {
		struct rawdata raw;

		if (is_ours(file, record) && !begin_payload(file, record, &raw))
			ret = take_metadata(file, &raw);
	}
	return ret == -EBADMSG ? COMPLAIN(&file->data.complaint, ret, "damaged metrics") :
	       ret < 0	       ? ret :
				 0;
}

/* Open the file, and fill in the descriptions in @file. */
static int open_file(struct file *file, const char *path, const uint32_t *index,
		     const struct complaint *complaint)
{
	int err;

	err = perfdata_open(&file->data, path, complaint);
	if (err)
		return err;
	err = choose_stream(file, index);
	if (err)
		goto err_close;
	err = find_metadata(file);
	if (err)
		goto err_metadata;
	file->head.reader.platform = metadata_platform(&file->metadata, &file->head.reader.unit,
						       file->head.reader.desc.uuid);
	err = topology_constants(&file->head.reader.unit, file->head.reader.platform,
				 &file->head.constants);
	if (err)
		goto err_metadata;
	metadata_constants(&file->metadata, file->head.constants);
	file->head.reader.constants = file->head.constants;
	find_clock(file);
	return 0;

err_metadata:
	metadata_fini(&file->metadata);
err_close:
	perfdata_close(&file->data);
	return err;
}

static int perf_file_open(const char *path, const uint32_t *index, struct gpuoa_reader **reader,
			  const struct complaint *complaint)
{
	struct file *file = calloc(1, sizeof(*file));
	int err = file ? open_file(file, path, index, complaint) : -ENOMEM;

	if (err) {
		free(file);
		return err;
	}
	/*
	 * Forget the caller's buffer for the error message, which is valid only during this call.
	 */
	file->data.complaint = (struct complaint){ 0 };
	file->head.reader.ops = &file_ops;
	perfdata_rewind(&file->data);
	err = file_source_begin(&file->head, next_event);
	if (err)
		file_close(&file->head.reader);
	else
		*reader = &file->head.reader;
	return err;
}

static int open_stream(const char *path, const uint32_t *index, struct gpuoa_reader **reader,
		       char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	char text[256];
	const struct complaint reason = complaint_begin(text, sizeof(text));
	const int err = i915_records_recognise(path) ?
				i915_file_open(path, index, reader, &reason) :
				perf_file_open(path, index, reader, &reason);

	/* If the file is damaged after the part needed here, reads report the damage. */
	if (!err)
		return 0;
	complaint_end(&reason, err);
	if (index)
		return COMPLAIN(&complaint, err, "%s: cannot open stream %" PRIu32 ": %s", path,
				*index, text);
	return COMPLAIN(&complaint, err, "%s: cannot open: %s", path, text);
}

int gpuoa_file_open(const char *path, struct gpuoa_reader **reader, char *error, size_t error_size)
{
	return open_stream(path, NULL, reader, error, error_size);
}

int gpuoa_file_open_stream(const char *path, uint32_t index, struct gpuoa_reader **reader,
			   char *error, size_t error_size)
{
	return open_stream(path, &index, reader, error, error_size);
}
