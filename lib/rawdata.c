// SPDX-License-Identifier: MIT
/*
 * rawdata.c - parser of gpuoa's PERF_SAMPLE_RAW payloads
 *
 * Payloads come out of files too, so every size is checked before it is used, and records are copied out before
 * they are looked at: nothing says that a payload is aligned.
 */
#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "rawdata.h"
#include "uapi.h"
#include "uapi/gpuoa.h"

#define RECORD_ALIGN 8
#define EXPONENT_LIMIT 63
#define TIMESTAMP_BITS_MAX 64
/* Reports come in perf's samples, which have no more. Whoever reads makes room for several. */
#define REPORT_SIZE_MAX UINT16_MAX

/* A stream record of the oldest kernel. */
#define STREAM_SIZE_VER0 \
	(offsetof(struct gpuoa_record_stream, info) + GPUOA_UNIT_INFO_SIZE_VER0)

int gpuoa_rawdata_begin(struct gpuoa_rawdata *raw, const void *payload,
			size_t size)
{
	struct gpuoa_raw head;

	if (size < sizeof(head))
		return -ENOMSG;
	memcpy(&head, payload, sizeof(head));
	if (head.magic != GPUOA_RAW_MAGIC)
		return -ENOMSG;
	raw->at = (const uint8_t *)payload + sizeof(head);
	raw->end = (const uint8_t *)payload + size;
	return 0;
}

static int reports_from_uapi(struct gpuoa_rawdata_item *item, const uint8_t *at,
			     size_t size)
{
	struct gpuoa_record_reports record;

	if (size < sizeof(record))
		return -EBADMSG;
	memcpy(&record, at, sizeof(record));
	if (!record.report_size ||
	    record.count > (size - sizeof(record)) / record.report_size)
		return -EBADMSG;
	item->kind = GPUOA_RAWDATA_REPORTS;
	item->reports = (struct gpuoa_rawdata_reports){
		.data = at + sizeof(record),
		.first = record.first,
		.size = record.report_size,
		.count = record.count,
	};
	return 1;
}

static int lost_from_uapi(struct gpuoa_rawdata_item *item, const uint8_t *at,
			  size_t size)
{
	struct gpuoa_record_lost record;
	bool unknown;

	if (size < sizeof(record))
		return -EBADMSG;
	memcpy(&record, at, sizeof(record));
	unknown = record.count == GPUOA_LOST_UNKNOWN;
	item->kind = GPUOA_RAWDATA_LOST;
	item->lost = (struct gpuoa_rawdata_lost){
		.overflow = record.record.type == GPUOA_RECORD_BUFFER_OVERFLOW,
		.unknown = unknown,
		.count = unknown ? 0 : record.count,
	};
	return 1;
}

static int resume_from_uapi(struct gpuoa_rawdata_item *item, const uint8_t *at,
			    size_t size)
{
	struct gpuoa_record_resume record;

	if (size < sizeof(record))
		return -EBADMSG;
	memcpy(&record, at, sizeof(record));
	item->kind = GPUOA_RAWDATA_RESUME;
	item->resume.stopped = record.stopped;
	return 1;
}

static int clock_from_uapi(struct gpuoa_rawdata_item *item, const uint8_t *at,
			   size_t size)
{
	struct gpuoa_record_clock record;

	if (size < sizeof(record))
		return -EBADMSG;
	memcpy(&record, at, sizeof(record));
	item->kind = GPUOA_RAWDATA_CLOCK;
	gpuoa_clock_pair_from_uapi(&item->clock, &record.clock);
	return 1;
}

static int stream_from_uapi(struct gpuoa_rawdata_item *item, const uint8_t *at,
			    size_t size)
{
	if (size < STREAM_SIZE_VER0)
		return -EBADMSG;
	item->kind = GPUOA_RAWDATA_STREAM;
	item->stream.record = at;
	return 1;
}

/* 1 and an item, or 0 if this library does not know such records. */
static int item_from_uapi(struct gpuoa_rawdata_item *item, uint32_t type,
			  const uint8_t *at, size_t size)
{
	switch (type) {
	case GPUOA_RECORD_STREAM:
		return stream_from_uapi(item, at, size);
	case GPUOA_RECORD_CLOCK:
		return clock_from_uapi(item, at, size);
	case GPUOA_RECORD_REPORTS:
		return reports_from_uapi(item, at, size);
	case GPUOA_RECORD_BUFFER_OVERFLOW:
	case GPUOA_RECORD_REPORTS_LOST:
		return lost_from_uapi(item, at, size);
	case GPUOA_RECORD_RESUME:
		return resume_from_uapi(item, at, size);
	default:
		return 0;
	}
}

int gpuoa_rawdata_next(struct gpuoa_rawdata *raw,
		       struct gpuoa_rawdata_item *item)
{
	/* perf may have padded the payload by less than a record head. */
	while ((size_t)(raw->end - raw->at) >= sizeof(struct gpuoa_record)) {
		const uint8_t *at = raw->at;
		struct gpuoa_record record;
		int ret;

		memcpy(&record, at, sizeof(record));
		if (record.size < sizeof(record) ||
		    record.size % RECORD_ALIGN ||
		    record.size > (size_t)(raw->end - at))
			return -EBADMSG;
		raw->at += record.size;
		ret = item_from_uapi(item, record.type, at, record.size);
		if (ret)
			return ret;
	}
	raw->at = raw->end;
	return 0;
}

/* What is calculated with must be in a range that makes sense; nothing is known of the rest. */
static bool makes_sense(const struct gpuoa_record_stream *record)
{
	const size_t size = gpuoa_format_size(record->format);

	return record->report_size && record->report_size <= REPORT_SIZE_MAX &&
	       (!size || size == record->report_size) &&
	       record->exponent <= EXPONENT_LIMIT &&
	       record->info.timestamp_frequency &&
	       record->info.timestamp_bits &&
	       record->info.timestamp_bits <= TIMESTAMP_BITS_MAX;
}

int gpuoa_rawdata_describe(const struct gpuoa_rawdata_stream *stream,
			   struct gpuoa_source_desc *desc,
			   struct gpuoa_unit_desc *unit)
{
	struct gpuoa_record_stream record = { .format = 0 };
	struct gpuoa_record head;

	/* An older kernel's ends earlier, a newer one's later. */
	memcpy(&head, stream->record, sizeof(head));
	memcpy(&record, stream->record,
	       head.size < sizeof(record) ? head.size : sizeof(record));
	if (!makes_sense(&record))
		return -EBADMSG;
	*desc = (struct gpuoa_source_desc){
		.format = record.format,
		.exponent = record.exponent,
		.report_size = record.report_size,
		.context_filter = record.flags & GPUOA_ATTR_CONTEXT,
		.delivery = record.flags & GPUOA_ATTR_AUX ? GPUOA_DELIVERY_AUX :
							    GPUOA_DELIVERY_RAW,
	};
	gpuoa_unit_desc_from_uapi(unit, &record.info);
	gpuoa_string_from_uapi(desc->uuid, sizeof(desc->uuid), record.uuid,
			       sizeof(record.uuid));
	return 0;
}
