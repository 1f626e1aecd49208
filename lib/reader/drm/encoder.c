// SPDX-License-Identifier: MIT
/* encoder.c - record encoder: convert stock drivers' data to gpuoa's records */
#include "reader/drm/encoder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/nsec.h"
#include "report/dword_mask.h"
#include "reader/stream/unit.h"
#include "reader/uapi.h"

#define BATCH_BYTES 32000 /* maximum size in bytes of the reports in a sample */

#define DESCRIBE_PERIOD_NS ((uint64_t)NSEC_PER_SEC)

static const struct gpuoa_raw raw_head = { .magic = GPUOA_RAW_MAGIC };

static struct iovec piece(const void *data, size_t size)
{
	return (struct iovec){ (void *)data, size };
}

/*
 * Write the description of the stream and a clock pair. If the GPU was removed, there is no clock
 * pair.
 */
static void describe(struct encoder *encoder)
{
	struct gpuoa_record_clock record;
	struct gpuoa_clock_pair pair;
	struct iovec pieces[4];
	int count = 0;

	pieces[count++] = piece(&raw_head, sizeof(raw_head));
	pieces[count++] = piece(&encoder->about, sizeof(encoder->about));
	if (encoder->mask_record.record.size)
		pieces[count++] = piece(&encoder->mask_record, sizeof(encoder->mask_record));
	if (!encoder->unit->backend->clock(encoder->unit, CLOCK_MONOTONIC, &pair)) {
		uapi_clock_record(&record, &pair);
		pieces[count++] = piece(&record, sizeof(record));
	}
	emulated_sample(encoder->emulated, pieces, count);
	encoder->describe_due = now_ns() + DESCRIBE_PERIOD_NS;
}

static void put_record(struct encoder *encoder, const void *record, size_t size)
{
	const struct iovec pieces[] = {
		piece(&raw_head, sizeof(raw_head)),
		piece(record, size),
	};

	emulated_sample(encoder->emulated, pieces, 2);
}

void encoder_begin(struct encoder *encoder)
{
	const struct gpuoa_record_enabled resume = {
		.record = { GPUOA_RECORD_ENABLED, sizeof(resume) },
		.stopped = 1,
	};

	encoder->gap_count = 0;
	if (encoder->begun)
		return;
	describe(encoder);
	put_record(encoder, &resume, sizeof(resume));
	encoder->begun = true;
	encoder->has_last = false;
	encoder->seeks = false;
	if (encoder->found)
		encoder->loss = 0;
}

static void put_loss(struct encoder *encoder, uint64_t count)
{
	const struct gpuoa_record_lost lost = {
		.record = { encoder->loss, sizeof(lost) },
		.count = encoder->uncounted ? GPUOA_LOST_UNKNOWN : count,
	};

	encoder->uncounted = false;
	put_record(encoder, &lost, sizeof(lost));
}

/* Return the number of timer reports that should be between the last report and @timestamp. */
static uint64_t count_between(const struct encoder *encoder, uint64_t timestamp)
{
	const uint64_t ticks = (timestamp - encoder->last) & field_mask(encoder->format->timestamp);

	if (!encoder->has_last || !encoder->period)
		return GPUOA_LOST_UNKNOWN;
	return ticks ? (ticks - 1) / encoder->period : 0;
}

static void mask_reports(struct encoder *encoder)
{
	struct encoder_batch *batch = &encoder->batch;
	const size_t size = encoder->wire_size;

	for (size_t i = 0; i < batch->count; i++)
		dword_mask_shrink(encoder->dword_mask, encoder->masked_reports + i * size,
				  encoder->format->size, batch->pieces[2 + i].iov_base);
	batch->pieces[2] = piece(encoder->masked_reports, batch->count * size);
}

void encoder_flush(struct encoder *encoder)
{
	struct encoder_batch *batch = &encoder->batch;
	const struct gpuoa_record_reports head = {
		.record = { GPUOA_RECORD_REPORTS,
			    sizeof(head) + batch->count * encoder->wire_size },
		.first = encoder->first,
		.report_size = encoder->wire_size,
		.count = batch->count,
	};

	if (!batch->count)
		return;
	batch->pieces[0] = piece(&raw_head, sizeof(raw_head));
	batch->pieces[1] = piece(&head, sizeof(head));
	if (encoder->masked_reports)
		mask_reports(encoder);
	emulated_sample(encoder->emulated, batch->pieces,
			2 + (encoder->masked_reports ? 1 : (int)batch->count));
	encoder->first += batch->count;
	batch->count = 0;
}

/*
 * Maximum number of gaps in the data of one read: each one starts a new sample, and the space in
 * the ring was only checked before the read.
 */
#define GAPS_MAX 8

/*
 * Write a loss before the report with @timestamp, if it is there. Without a gap of the timer's
 * reports up to the time at which the hardware reported the loss, other reports were lost. Beyond
 * GAPS_MAX, the next read continues, with an unknown number of lost reports.
 */
static void locate_loss(struct encoder *encoder, uint64_t timestamp)
{
	const uint64_t mask = field_mask(encoder->format->timestamp);
	const uint64_t count = count_between(encoder, timestamp);
	const bool passed = !encoder->seeks || ((timestamp - encoder->until) & mask) <= mask / 2;

	if (encoder->gap_count == GAPS_MAX) {
		encoder->uncounted |= !encoder->seeks || count;
		return;
	}
	if (!encoder->seeks || count || encoder->uncounted || (passed && !encoder->found)) {
		encoder->gap_count++;
		encoder_flush(encoder);
		put_loss(encoder, count);
		encoder->found = true;
	}
	if (passed)
		encoder->loss = 0;
}

void encoder_report(struct encoder *encoder, const uint8_t *report)
{
	const uint64_t timestamp = report_read(report, encoder->format->timestamp);
	struct encoder_batch *batch = &encoder->batch;

	if (encoder->loss)
		locate_loss(encoder, timestamp);
	if (batch->count == ENCODER_BATCH_REPORTS ||
	    (batch->count + 1) * encoder->wire_size > BATCH_BYTES)
		encoder_flush(encoder);
	batch->pieces[2 + batch->count++] = piece(report, encoder->format->size);
	encoder->last = timestamp;
	encoder->has_last = true;
}

void encoder_loss(struct encoder *encoder, uint32_t loss)
{
	struct gpuoa_clock_pair pair;

	encoder_flush(encoder);
	/*
	 * If there are two reasons for a loss, a full buffer takes precedence, because the user can
	 * avoid it.
	 */
	if (encoder->loss != GPUOA_RECORD_BUFFER_OVERFLOW)
		encoder->loss = loss;
	encoder->found = false;
	encoder->seeks = encoder->loss == GPUOA_RECORD_REPORTS_LOST && encoder->has_last &&
			 encoder->period &&
			 !encoder->unit->backend->clock(encoder->unit, CLOCK_MONOTONIC, &pair);
	if (encoder->seeks)
		encoder->until = pair.gpu_ticks;
}

void encoder_repeat(struct encoder *encoder)
{
	if (now_ns() >= encoder->describe_due)
		describe(encoder);
}

void encoder_status(struct encoder *encoder, uint32_t flags)
{
	const struct gpuoa_record_status status = {
		.record = { GPUOA_RECORD_STATUS, sizeof(status) },
		.flags = flags,
	};

	encoder_flush(encoder);
	put_record(encoder, &status, sizeof(status));
}

void encoder_end(struct encoder *encoder)
{
	if (encoder->loss && !encoder->found)
		put_loss(encoder, GPUOA_LOST_UNKNOWN);
	encoder->loss = 0;
}

/* Make the records that describe the stream. */
static void make_about(struct encoder *encoder, const struct stream *stream)
{
	const struct gpuoa_reader_desc *desc = &stream->reader.desc;

	encoder->about = (struct gpuoa_record_stream){
		.record = { GPUOA_RECORD_STREAM, sizeof(encoder->about) },
		.format = desc->format,
		.exponent = desc->exponent,
		.report_size = encoder->wire_size,
		.flags = desc->context_filter ? GPUOA_ATTR_CONTEXT : 0,
	};
	strcpy(encoder->about.uuid, desc->uuid);
	uapi_unit_info(&encoder->about.info, &stream->unit->desc);
	if (dword_mask_is_whole(desc->dword_mask))
		return;
	encoder->mask_record.record =
		(struct gpuoa_record){ GPUOA_RECORD_DWORD_MASK, sizeof(encoder->mask_record) };
	memcpy(encoder->mask_record.dword_mask, desc->dword_mask,
	       sizeof(encoder->mask_record.dword_mask));
	memcpy(encoder->dword_mask, desc->dword_mask, sizeof(encoder->dword_mask));
}

int encoder_init(struct encoder *encoder, struct emulated_ring *emulated,
		 const struct stream *stream)
{
	const struct gpuoa_reader_desc *desc = &stream->reader.desc;

	*encoder = (struct encoder){
		.emulated = emulated,
		.unit = stream->unit,
		.format = format_get(desc->format),
		.wire_size = (uint32_t)stream->wire_size,
		.period = desc->context_filter ? 0 : UINT64_C(2) << desc->exponent,
	};
	make_about(encoder, stream);
	if (!encoder->mask_record.record.size)
		return 0;
	encoder->masked_reports = malloc(ENCODER_BATCH_REPORTS * stream->wire_size);
	return encoder->masked_reports ? 0 : -ENOMEM;
}

void encoder_fini(struct encoder *encoder)
{
	free(encoder->masked_reports);
}
