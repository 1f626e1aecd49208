// SPDX-License-Identifier: MIT
/*
 * rawdata.c - parse gpuoa's PERF_SAMPLE_RAW payloads
 *
 * Payloads also come from files, so every size is checked before use. Payloads may be unaligned, so
 * records are copied before access.
 */
#include "reader/rawdata.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "report/dword_mask.h"
#include "reader/rawdata_format.h"
#include "reader/uapi.h"
#include "uapi/gpuoa.h"

#define RECORD_ALIGN 8
#define EXPONENT_LIMIT 63
#define TIMESTAMP_BITS_MAX 64
/* Maximum size of a report; a perf sample cannot contain larger ones. */
#define REPORT_SIZE_MAX UINT16_MAX

int rawdata_begin(struct rawdata *raw, const void *payload, size_t size)
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

static int reports_from_uapi(struct rawdata_item *item, const uint8_t *at, size_t size)
{
	struct gpuoa_record_reports record;

	if (size < sizeof(record))
		return -EBADMSG;
	memcpy(&record, at, sizeof(record));
	if (!record.report_size || record.count > (size - sizeof(record)) / record.report_size)
		return -EBADMSG;
	item->kind = RAWDATA_REPORTS;
	item->reports = (struct rawdata_reports){
		.data = at + sizeof(record),
		.first = record.first,
		.size = record.report_size,
		.count = record.count,
	};
	return 1;
}

static int lost_from_uapi(struct rawdata_item *item, const uint8_t *at, size_t size)
{
	struct gpuoa_record_lost record;
	bool unknown;

	if (size < sizeof(record))
		return -EBADMSG;
	memcpy(&record, at, sizeof(record));
	unknown = record.count == GPUOA_LOST_UNKNOWN;
	item->kind = RAWDATA_LOST;
	item->lost = (struct rawdata_lost){
		.overflow = record.record.type == GPUOA_RECORD_BUFFER_OVERFLOW,
		.unknown = unknown,
		.count = unknown ? 0 : record.count,
	};
	return 1;
}

static int resume_from_uapi(struct rawdata_item *item, const uint8_t *at, size_t size)
{
	struct gpuoa_record_enabled record;

	if (size < sizeof(record))
		return -EBADMSG;
	memcpy(&record, at, sizeof(record));
	item->kind = RAWDATA_RESUME;
	item->resume.stopped = record.stopped;
	return 1;
}

static int status_from_uapi(struct rawdata_item *item, const uint8_t *at, size_t size)
{
	struct gpuoa_record_status record;

	if (size < sizeof(record))
		return -EBADMSG;
	memcpy(&record, at, sizeof(record));
	item->kind = RAWDATA_STATUS;
	item->status = (struct rawdata_status){
		.wrapped = record.flags & GPUOA_STATUS_COUNTERS_WRAPPED,
		.triggers_lost = record.flags & GPUOA_STATUS_TRIGGERS_LOST,
	};
	return 1;
}

static int clock_from_uapi(struct rawdata_item *item, const uint8_t *at, size_t size)
{
	struct gpuoa_record_clock record;

	if (size < sizeof(record))
		return -EBADMSG;
	memcpy(&record, at, sizeof(record));
	item->kind = RAWDATA_CLOCK;
	uapi_clock_pair(&item->clock, &record.clock);
	return 1;
}

static int marker_from_uapi(struct rawdata_item *item, const uint8_t *at, size_t size)
{
	struct gpuoa_record_marker record;

	if (size < sizeof(record))
		return -EBADMSG;
	memcpy(&record, at, sizeof(record));
	item->kind = RAWDATA_MARKER;
	uapi_marker(&item->marker, &record.marker);
	return 1;
}

static int text_from_uapi(struct rawdata_item *item, const uint8_t *at, size_t size)
{
	struct text_record record;

	if (size < sizeof(record))
		return -EBADMSG;
	memcpy(&record, at, sizeof(record));
	if (record.size > size - sizeof(record))
		return -EBADMSG;
	if (record.kind >= RAWDATA_TEXTS)
		return 0; /* written by a newer library */
	item->kind = RAWDATA_TEXT;
	item->text = (struct rawdata_text){
		.kind = record.kind,
		.data = at + sizeof(record),
		.size = record.size,
		.offset = record.offset,
		.total = record.total,
	};
	return 1;
}

static int context_from_uapi(struct rawdata_item *item, const uint8_t *at, size_t size)
{
	struct context_record record;

	if (size < sizeof(record))
		return -EBADMSG;
	memcpy(&record, at, sizeof(record));
	item->kind = RAWDATA_CONTEXT;
	item->context = (struct rawdata_context){
		.id = record.id,
		.owner = {
			.process = record.process,
			.handle = record.handle,
			.client = record.client,
			.gone = record.flags & CONTEXT_RECORD_GONE,
		},
	};
	uapi_string(item->context.owner.program, sizeof(item->context.owner.program),
		    record.program, sizeof(record.program));
	return 1;
}

/*
 * The dword mask is a separate record after the stream record, because newer kernels may append
 * members to the stream record.
 */
static const void *mask_at(const uint8_t *at, const uint8_t *end)
{
	struct gpuoa_record record;

	if ((size_t)(end - at) < sizeof(struct gpuoa_record_dword_mask))
		return NULL;
	memcpy(&record, at, sizeof(record));
	return record.type == GPUOA_RECORD_DWORD_MASK &&
			       record.size >= sizeof(struct gpuoa_record_dword_mask) ?
		       at :
		       NULL;
}

static int stream_from_uapi(struct rawdata_item *item, const uint8_t *at, size_t size,
			    const uint8_t *end)
{
	if (size < sizeof(struct gpuoa_record_stream))
		return -EBADMSG;
	item->kind = RAWDATA_STREAM;
	item->stream.record = at;
	item->stream.mask = mask_at(at + size, end);
	return 1;
}

/*
 * Convert a record to an item. Returns 1, 0 if this library does not know the type of the record,
 * or -EBADMSG.
 */
static int item_from_uapi(struct rawdata_item *item, uint32_t type, const uint8_t *at, size_t size,
			  const uint8_t *end)
{
	switch (type) {
	case GPUOA_RECORD_STREAM:
		return stream_from_uapi(item, at, size, end);
	case GPUOA_RECORD_CLOCK:
		return clock_from_uapi(item, at, size);
	case GPUOA_RECORD_REPORTS:
		return reports_from_uapi(item, at, size);
	case GPUOA_RECORD_BUFFER_OVERFLOW:
	case GPUOA_RECORD_REPORTS_LOST:
		return lost_from_uapi(item, at, size);
	case GPUOA_RECORD_ENABLED:
		return resume_from_uapi(item, at, size);
	case GPUOA_RECORD_MARKER:
		return marker_from_uapi(item, at, size);
	case GPUOA_RECORD_STATUS:
		return status_from_uapi(item, at, size);
	case TEXT_RECORD:
		return text_from_uapi(item, at, size);
	case CONTEXT_RECORD:
		return context_from_uapi(item, at, size);
	default:
		return type & GPUOA_RECORD_MUST_KNOW ? -EOPNOTSUPP : 0;
	}
}

int rawdata_next(struct rawdata *raw, struct rawdata_item *item)
{
	/*
	 * Ignore padding at the end, which perf adds and which is shorter than the header of a
	 * record.
	 */
	while ((size_t)(raw->end - raw->at) >= sizeof(struct gpuoa_record)) {
		const uint8_t *at = raw->at;
		struct gpuoa_record record;
		int ret;

		memcpy(&record, at, sizeof(record));
		if (record.size < sizeof(record) || record.size % RECORD_ALIGN ||
		    record.size > (size_t)(raw->end - at))
			return -EBADMSG;
		raw->at += record.size;
		ret = item_from_uapi(item, record.type, at, record.size, raw->end);
		if (ret)
			return ret;
	}
	raw->at = raw->end;
	return 0;
}

/* Check the members that calculations use, because a damaged file may contain any value. */
static bool makes_sense(const struct gpuoa_record_stream *record)
{
	return record->report_size && record->report_size <= REPORT_SIZE_MAX &&
	       record->exponent <= EXPONENT_LIMIT && record->info.timestamp_frequency &&
	       record->info.timestamp_bits && record->info.timestamp_bits <= TIMESTAMP_BITS_MAX;
}

/*
 * Return the size of whole reports, even if only some of their dwords are stored; 0 if the record
 * contradicts itself.
 */
static size_t whole_size(const struct gpuoa_record_stream *record, const uint64_t *dword_mask)
{
	const struct report_format *format = format_get(record->format);
	uint64_t complete[GPUOA_DWORD_MASK_WORDS];

	if (dword_mask_is_whole(dword_mask))
		return !format || format->size == record->report_size ? record->report_size : 0;
	memcpy(complete, dword_mask, sizeof(complete));
	if (format)
		dword_mask_complete(complete, format);
	return format && dword_mask_fits(dword_mask, format) &&
			       !memcmp(complete, dword_mask, sizeof(complete)) &&
			       dword_mask_size(dword_mask) == record->report_size ?
		       format->size :
		       0;
}

int rawdata_describe(const struct rawdata_stream *stream, struct gpuoa_reader_desc *desc,
		     struct gpuoa_unit_desc *unit)
{
	struct gpuoa_record_stream record;
	struct gpuoa_record_dword_mask mask = { .dword_mask = { 0 } };
	uint64_t dword_mask[GPUOA_DWORD_MASK_WORDS] = { 0 };
	size_t size;

	/* Copy the members that this library knows: newer kernel modules write longer records. */
	memcpy(&record, stream->record, sizeof(record));
	if (stream->mask)
		memcpy(&mask, stream->mask, sizeof(mask));
	memcpy(dword_mask, mask.dword_mask, sizeof(mask.dword_mask));
	size = whole_size(&record, dword_mask);
	if (!makes_sense(&record) || !size)
		return -EBADMSG;
	*desc = (struct gpuoa_reader_desc){
		.format = record.format,
		.exponent = record.exponent,
		.report_size = size,
		.context_filter = record.flags & GPUOA_ATTR_CONTEXT,
		.delivery = record.flags & GPUOA_ATTR_AUX ? GPUOA_DELIVERY_AUX : GPUOA_DELIVERY_RAW,
	};
	memcpy(desc->dword_mask, dword_mask, sizeof(desc->dword_mask));
	uapi_unit_desc(unit, &record.info);
	uapi_string(desc->uuid, sizeof(desc->uuid), record.uuid, sizeof(record.uuid));
	return 0;
}
