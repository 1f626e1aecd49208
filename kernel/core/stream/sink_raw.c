// SPDX-License-Identifier: GPL-2.0-only
/* sink_raw.c - delivery of reports as PERF_SAMPLE_RAW samples. */
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "perf_hacks.h"
#include "sink_raw.h"

/**
 * DOC: Samples
 *
 * A sample consists of the u32 size written by perf, struct gpuoa_raw (12 bytes, of which perf
 * overwrites 8) and records of multiples of 8 bytes: 16 + 8n bytes in total. perf therefore adds no
 * padding, and records are aligned for the reader.
 *
 * Reports are not copied here: perf copies them from the OABUFFER to each reader's ring. A sample
 * with reports is therefore written before their slots are returned to the hardware (mode_raw.c).
 */

static_assert((sizeof(u32) + sizeof(struct gpuoa_raw)) % 8 == 0);

static struct gpuoa_sink_raw *to_raw(struct gpuoa_sink *sink)
{
	return container_of(sink, struct gpuoa_sink_raw, sink);
}

/* A record of reports takes two pieces: its header and the reports. */
static u32 raw_room(const struct gpuoa_sink_raw *raw)
{
	const struct gpuoa_pieces *pieces = &raw->sample->pieces;

	return gpuoa_pieces_full(pieces) ? 0 : GPUOA_RAW_SAMPLE_SIZE - pieces->size;
}

/* Append @size bytes of storage in the sample itself. */
static void *raw_add(struct gpuoa_sink_raw *raw, u32 size)
{
	void *data = raw->sample->room + raw->used;

	gpuoa_pieces_add(&raw->sample->pieces, data, size);
	raw->used += size;

	return data;
}

static void raw_reset(struct gpuoa_sink_raw *raw)
{
	gpuoa_pieces_clear(&raw->sample->pieces);
	raw->used = 0;
	raw_add(raw, sizeof(struct gpuoa_raw));
	raw->reports = 0;
	raw->open = NULL;
}

static void raw_flush(struct gpuoa_sink *sink)
{
	struct gpuoa_sink_raw *raw = to_raw(sink);

	if (raw->sample->pieces.size == sizeof(struct gpuoa_raw))
		return;

	/*
	 * Callers that poll on behalf of others check gpuoa_perf_can_output() first. A sample
	 * rejected here belongs to the unit's last event, stopped during a sample of a software
	 * event. The reader detects the gap by gpuoa_record_reports.first.
	 */
	gpuoa_perf_output(&raw->events, raw->sample, raw->reports);
	raw_reset(raw);
}

/* Reserve a record of @size bytes; flush the sample first if it is too full. */
static void *raw_reserve(struct gpuoa_sink_raw *raw, u32 type, u32 size)
{
	struct gpuoa_record *record;

	if (raw_room(raw) < size)
		raw_flush(&raw->sink);

	record = raw_add(raw, size);
	record->type = type;
	record->size = size;
	raw->open = NULL;

	return record;
}

static void raw_announce_thin(struct gpuoa_sink_raw *raw)
{
	struct gpuoa_record_dword_mask *record;

	record = raw_reserve(raw, GPUOA_RECORD_DWORD_MASK, sizeof(*record));
	memcpy(record->dword_mask, raw->sink.thin.dword_mask, sizeof(record->dword_mask));
}

static void raw_announce(struct gpuoa_sink *sink, const struct gpuoa_record_stream *stream,
			 const struct gpuoa_clock *clocks)
{
	struct gpuoa_sink_raw *raw = to_raw(sink);
	struct gpuoa_record_clock *record;
	struct gpuoa_record_stream *copy;
	unsigned int i;

	/* Records that describe a stream must be in the same sample. */
	if (raw_room(raw) < sizeof(*copy) + sizeof(struct gpuoa_record_dword_mask))
		raw_flush(sink);
	copy = raw_reserve(raw, GPUOA_RECORD_STREAM, sizeof(*copy));
	memcpy((void *)copy + sizeof(copy->record), (void *)stream + sizeof(stream->record),
	       sizeof(*copy) - sizeof(copy->record));

	if (sink->thin.size) {
		copy->report_size = sink->thin.size;
		raw_announce_thin(raw);
	}

	for (i = 0; i < GPUOA_ANNOUNCE_CLOCKS; i++) {
		record = raw_reserve(raw, GPUOA_RECORD_CLOCK, sizeof(*record));
		record->clock = clocks[i];
	}
}

/* Start a record of reports, in a new sample if this one has no space for a report. */
static void raw_open(struct gpuoa_sink_raw *raw, u32 report_size, u64 first)
{
	struct gpuoa_record_reports *record;

	if (raw_room(raw) < sizeof(*record) + report_size)
		raw_flush(&raw->sink);

	record = raw_reserve(raw, GPUOA_RECORD_REPORTS, sizeof(*record));
	record->first = first;
	record->report_size = report_size;
	record->count = 0;
	raw->open = record;
}

static void raw_reports(struct gpuoa_sink *sink, const void *reports, u32 report_size, u32 count,
			u64 first)
{
	struct gpuoa_sink_raw *raw = to_raw(sink);
	u32 size = sink->thin.size ?: report_size;
	u32 n;

	/* All users of the unit may be counting events. */
	if (hlist_empty(&raw->events))
		return;

	while (count) {
		if (!raw->open || raw_room(raw) < size)
			raw_open(raw, size, first);

		n = min(count, raw_room(raw) / size);
		if (sink->thin.size)
			gpuoa_thin_copy(&sink->thin, raw_add(raw, n * size), reports, report_size,
					n);
		else
			gpuoa_pieces_add(&raw->sample->pieces, reports, n * size);
		raw->reports += n;
		raw->open->record.size += n * size;
		raw->open->count += n;

		reports += n * report_size;
		first += n;
		count -= n;
	}
}

static void raw_lost(struct gpuoa_sink *sink, u32 type, u64 count)
{
	struct gpuoa_record_lost *record;

	record = raw_reserve(to_raw(sink), type, sizeof(*record));
	record->count = count;
}

static void raw_resume(struct gpuoa_sink *sink, bool stopped)
{
	struct gpuoa_record_enabled *record;

	record = raw_reserve(to_raw(sink), GPUOA_RECORD_ENABLED, sizeof(*record));
	record->stopped = stopped;
	record->reserved = 0;
}

static void raw_status(struct gpuoa_sink *sink, u32 flags)
{
	struct gpuoa_record_status *record;

	record = raw_reserve(to_raw(sink), GPUOA_RECORD_STATUS, sizeof(*record));
	record->flags = flags;
	record->reserved = 0;
}

static bool raw_mark(struct gpuoa_sink *sink, const struct gpuoa_marker *mark)
{
	struct gpuoa_sink_raw *raw = to_raw(sink);
	struct gpuoa_record_marker *record;

	if (hlist_empty(&raw->events))
		return false;
	record = raw_reserve(raw, GPUOA_RECORD_MARKER, sizeof(*record));
	record->marker = *mark;

	return true;
}

static void raw_gone(struct gpuoa_sink *sink)
{
	raw_reserve(to_raw(sink), GPUOA_RECORD_DEVICE_REMOVED, sizeof(struct gpuoa_record));
}

static const struct gpuoa_sink_ops raw_ops = {
	.announce = raw_announce,
	.reports = raw_reports,
	.lost = raw_lost,
	.resume = raw_resume,
	.status = raw_status,
	.mark = raw_mark,
	.gone = raw_gone,
	.flush = raw_flush,
};

/**
 * gpuoa_sink_raw_init() - Initialize the delivery of RAW samples.
 * @raw: RAW sample state
 *
 * Return: 0 or -ENOMEM
 */
int gpuoa_sink_raw_init(struct gpuoa_sink_raw *raw)
{
	struct gpuoa_raw *head;

	raw->sink.ops = &raw_ops;
	INIT_HLIST_HEAD(&raw->events);
	raw->sample = kvzalloc(sizeof(*raw->sample), GFP_KERNEL);
	if (!raw->sample)
		return -ENOMEM;
	head = (struct gpuoa_raw *)raw->sample->room;
	head->magic = GPUOA_RAW_MAGIC;
	raw_reset(raw);

	return 0;
}

/**
 * gpuoa_sink_raw_fini() - Undo gpuoa_sink_raw_init().
 * @raw: RAW sample state, without events
 */
void gpuoa_sink_raw_fini(struct gpuoa_sink_raw *raw)
{
	kvfree(raw->sample);
}
