// SPDX-License-Identifier: MIT
/* teller.c - record encoder: convert stock drivers' data to gpuoa's records */
#include "reader/drm/teller.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/nsec.h"
#include "report/dword_mask.h"
#include "reader/stream/unit.h"
#include "reader/uapi.h"

#define BATCH_BYTES 32000 /* maximum size of reports in a sample */

#define DESCRIBE_PERIOD_NS ((uint64_t)NSEC_PER_SEC)

static const struct gpuoa_raw raw_head = { .magic = GPUOA_RAW_MAGIC };

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)(now.tv_sec * NSEC_PER_SEC + now.tv_nsec);
}

static struct iovec piece(const void *data, size_t size)
{
	return (struct iovec){ (void *)data, size };
}

/*
 * Write the description of the stream and a clock pair. After the GPU was removed, there is no
 * pair.
 */
static void describe(struct teller *teller)
{
	struct gpuoa_record_clock record;
	struct gpuoa_clock_pair pair;
	struct iovec pieces[4];
	int count = 0;

	pieces[count++] = piece(&raw_head, sizeof(raw_head));
	pieces[count++] = piece(&teller->about, sizeof(teller->about));
	if (teller->thin.record.size)
		pieces[count++] = piece(&teller->thin, sizeof(teller->thin));
	if (!teller->unit->backend->clock(teller->unit, CLOCK_MONOTONIC, &pair)) {
		uapi_clock_record(&record, &pair);
		pieces[count++] = piece(&record, sizeof(record));
	}
	feed_sample(teller->feed, pieces, count);
	teller->describe_due = now_ns() + DESCRIBE_PERIOD_NS;
}

static void put_record(struct teller *teller, const void *record, size_t size)
{
	const struct iovec pieces[] = {
		piece(&raw_head, sizeof(raw_head)),
		piece(record, size),
	};

	feed_sample(teller->feed, pieces, 2);
}

void teller_begin(struct teller *teller)
{
	const struct gpuoa_record_enabled resume = {
		.record = { GPUOA_RECORD_ENABLED, sizeof(resume) },
		.stopped = 1,
	};

	if (teller->begun)
		return;
	describe(teller);
	put_record(teller, &resume, sizeof(resume));
	teller->begun = true;
	teller->has_last = false;
}

static void put_loss(struct teller *teller, uint64_t count)
{
	const struct gpuoa_record_lost lost = {
		.record = { teller->loss, sizeof(lost) },
		.count = count,
	};

	put_record(teller, &lost, sizeof(lost));
	teller->loss = 0;
}

/* Number of the timer's reports between the last report and @timestamp. */
static uint64_t count_between(const struct teller *teller, uint64_t timestamp)
{
	const uint64_t ticks = (timestamp - teller->last) & field_mask(teller->format->timestamp);

	if (!teller->has_last || !teller->period)
		return GPUOA_LOST_UNKNOWN;
	return ticks ? (ticks - 1) / teller->period : 0;
}

static void make_thin(struct teller *teller)
{
	struct teller_batch *batch = &teller->batch;
	const size_t size = teller->wire_size;

	for (size_t i = 0; i < batch->count; i++)
		thin_shrink(teller->dword_mask, teller->thin_reports + i * size,
			    teller->format->size, batch->pieces[2 + i].iov_base);
	batch->pieces[2] = piece(teller->thin_reports, batch->count * size);
}

void teller_flush(struct teller *teller)
{
	struct teller_batch *batch = &teller->batch;
	const struct gpuoa_record_reports head = {
		.record = { GPUOA_RECORD_REPORTS, sizeof(head) + batch->count * teller->wire_size },
		.first = teller->first,
		.report_size = teller->wire_size,
		.count = batch->count,
	};

	if (!batch->count)
		return;
	batch->pieces[0] = piece(&raw_head, sizeof(raw_head));
	batch->pieces[1] = piece(&head, sizeof(head));
	if (teller->thin_reports)
		make_thin(teller);
	feed_sample(teller->feed, batch->pieces,
		    2 + (teller->thin_reports ? 1 : (int)batch->count));
	teller->first += batch->count;
	batch->count = 0;
}

void teller_report(struct teller *teller, const uint8_t *report)
{
	const uint64_t timestamp = report_read(report, teller->format->timestamp);
	struct teller_batch *batch = &teller->batch;

	if (teller->loss)
		put_loss(teller, count_between(teller, timestamp));
	if (batch->count == TELLER_BATCH_REPORTS ||
	    (batch->count + 1) * teller->wire_size > BATCH_BYTES)
		teller_flush(teller);
	batch->pieces[2 + batch->count++] = piece(report, teller->format->size);
	teller->last = timestamp;
	teller->has_last = true;
}

void teller_loss(struct teller *teller, uint32_t loss)
{
	teller_flush(teller);
	/* A full buffer takes precedence, because the user can avoid it. */
	if (teller->loss != GPUOA_RECORD_BUFFER_OVERFLOW)
		teller->loss = loss;
}

void teller_repeat(struct teller *teller)
{
	if (now_ns() >= teller->describe_due)
		describe(teller);
}

void teller_status(struct teller *teller, uint32_t flags)
{
	const struct gpuoa_record_status status = {
		.record = { GPUOA_RECORD_STATUS, sizeof(status) },
		.flags = flags,
	};

	teller_flush(teller);
	put_record(teller, &status, sizeof(status));
}

void teller_end(struct teller *teller)
{
	if (teller->loss)
		put_loss(teller, GPUOA_LOST_UNKNOWN);
}

/* Make the records that describe the stream. */
static void make_about(struct teller *teller, const struct stream *stream)
{
	const struct gpuoa_reader_desc *desc = &stream->reader.desc;

	teller->about = (struct gpuoa_record_stream){
		.record = { GPUOA_RECORD_STREAM, sizeof(teller->about) },
		.format = desc->format,
		.exponent = desc->exponent,
		.report_size = teller->wire_size,
		.flags = desc->context_filter ? GPUOA_ATTR_CONTEXT : 0,
	};
	strcpy(teller->about.uuid, desc->uuid);
	uapi_unit_info(&teller->about.info, &stream->unit->desc);
	if (thin_is_whole(desc->dword_mask))
		return;
	teller->thin.record =
		(struct gpuoa_record){ GPUOA_RECORD_DWORD_MASK, sizeof(teller->thin) };
	memcpy(teller->thin.dword_mask, desc->dword_mask, sizeof(teller->thin.dword_mask));
	memcpy(teller->dword_mask, desc->dword_mask, sizeof(teller->dword_mask));
}

int teller_init(struct teller *teller, struct feed *feed, const struct stream *stream)
{
	const struct gpuoa_reader_desc *desc = &stream->reader.desc;

	*teller = (struct teller){
		.feed = feed,
		.unit = stream->unit,
		.format = format_get(desc->format),
		.wire_size = (uint32_t)stream->wire_size,
		.period = desc->context_filter ? 0 : UINT64_C(2) << desc->exponent,
	};
	make_about(teller, stream);
	if (!teller->thin.record.size)
		return 0;
	teller->thin_reports = malloc(TELLER_BATCH_REPORTS * stream->wire_size);
	return teller->thin_reports ? 0 : -ENOMEM;
}

void teller_fini(struct teller *teller)
{
	free(teller->thin_reports);
}
