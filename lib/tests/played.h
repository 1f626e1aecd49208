/* SPDX-License-Identifier: MIT */
/*
 * played.h - A stream for tests: the test takes the place of the kernel; ring buffer and AUX area
 * are plain memory.
 */
#ifndef GPUOA_LIB_TESTS_PLAYED_H
#define GPUOA_LIB_TESTS_PLAYED_H

#include <errno.h>
#include <unistd.h>

#include "payload.h"
#include "reader/recording/recorder.h"
#include "reader/stream/stream.h"
#include "tap.h"
#include "reader/stream/unit.h"

#define PLAYED_ID 7
#define PLAYED_RING_PAGES 8
#define PLAYED_AREA_REPORTS 1024

struct played {
	struct stream stream;
	struct gpuoa_unit unit; /* unit without a device; it is not marked as removed */
	struct perf_event_mmap_page *page;
	size_t page_size;
	uint8_t *area; /* NULL: RAW mode */
};

static inline int played_check(const struct gpuoa_unit *unit)
{
	(void)unit;
	return 0;
}

static inline int played_clock(struct gpuoa_unit *unit, int clock_id, struct gpuoa_clock_pair *pair)
{
	(void)unit;
	(void)clock_id;
	(void)pair;
	return -ENODEV;
}

static const struct backend played_backend = { .check = played_check, .clock = played_clock };

static inline void played_begin(struct played *played)
{
	const size_t page_size = sysconf(_SC_PAGESIZE);
	const size_t size = (1 + PLAYED_RING_PAGES) * page_size;

	*played = (struct played){ .page_size = page_size };
	played->page = aligned_alloc(page_size, size);
	memset(played->page, 0, size);
	played->unit.backend = &played_backend;
	played->unit.fd = -1;
	played->stream.unit = &played->unit;
	played->stream.attr = test_attr(TEST_SAMPLE_TYPE);
	played->stream.layout = sample_layout(&played->stream.attr);
	played->stream.id = PLAYED_ID;
	strcpy(played->stream.event_name, "gpuoa0/RenderBasic/");
	played->stream.reader.desc.report_size = TEST_REPORT_SIZE;
	CHECK(!ring_init(&played->stream.ring, played->page, size));
	event_reader_init(&played->stream.events, stream_next_event, &played->stream,
			  TEST_REPORT_SIZE);
}

static inline void played_begin_aux(struct played *played, bool overwrite)
{
	played_begin(played);
	played->area = calloc(PLAYED_AREA_REPORTS, TEST_REPORT_SIZE);
	played->stream.area = (struct area){
		.page = played->page,
		.data = played->area,
		.size = PLAYED_AREA_REPORTS * TEST_REPORT_SIZE,
		.report_size = TEST_REPORT_SIZE,
		.overwrite = overwrite,
		.report_id = { .bits = 32, .offset = 0 },
		.timestamp = { .bits = 32, .offset = 4 },
		.id_is_never_0 = true,
		.period = TEST_TICKS,
	};
}

static inline void played_end(struct played *played)
{
	ring_fini(&played->stream.ring);
	free(played->page);
	free(played->area);
}

/* Write @records to the ring buffer as the kernel does, and clear @records. */
static inline void played_produce(struct played *played, struct bytes *records)
{
	uint8_t *data = (uint8_t *)played->page + played->page_size;
	uint64_t head = played->page->data_head;

	for (size_t i = 0; i < records->size; i++, head++)
		data[head % played->stream.ring.size] = records->data[i];
	played->page->data_head = head;
	clear(records);
}

/*
 * Write reports @first to @first + @count - 1 to the AUX area as the GPU does, starting at slot
 * @slot.
 */
static inline void played_land(struct played *played, uint64_t slot, uint32_t first, uint32_t count)
{
	struct bytes report = { 0 };

	for (uint32_t i = 0; i < count; i++) {
		put_report(&report, first + i);
		memcpy(played->area + (slot + i) % PLAYED_AREA_REPORTS * TEST_REPORT_SIZE,
		       report.data, TEST_REPORT_SIZE);
		clear(&report);
	}
	played->page->aux_head = (slot + count) * TEST_REPORT_SIZE;
}

/*
 * Make the report in a slot of the AUX area invalid: set its id to 0, and its timestamp to
 * @timestamp.
 */
static inline void played_spoil(struct played *played, uint64_t slot, uint32_t timestamp)
{
	const uint32_t header[] = { 0, timestamp };

	memcpy(played->area + slot % PLAYED_AREA_REPORTS * TEST_REPORT_SIZE, header,
	       sizeof(header));
}

/* Open a recorder, as gpuoa_recorder_open() does for a real stream. */
static inline int played_record(struct played *played, const char *path,
				struct gpuoa_recorder **recorder)
{
	const struct complaint quiet = { 0 };
	struct stream *stream = &played->stream;

	return recorder_begin(&stream, 1, path, recorder, &quiet);
}

static inline void put_aux(struct bytes *records, uint64_t offset, uint64_t size, uint64_t flags)
{
	const size_t at = begin_record(records, PERF_RECORD_AUX);

	put64(records, offset);
	put64(records, size);
	put64(records, flags);
	put_trailer(records, PLAYED_ID, 0);
	end_record(records, at);
}

/* Append the AUX record of @count reports, starting at slot @slot. */
static inline void put_aux_reports(struct bytes *records, uint64_t slot, uint32_t count)
{
	put_aux(records, slot * TEST_REPORT_SIZE, (uint64_t)count * TEST_REPORT_SIZE,
		GPUOA_FORMAT_A45_B8_C8 << 8);
}

/*
 * Append the AUX record of a flight recorder's window. It contains @count reports, of which the
 * last one is in the slot before @end.
 */
static inline void put_window(struct bytes *records, uint64_t end, uint32_t count, uint64_t flags)
{
	put_aux(records, end * TEST_REPORT_SIZE, (uint64_t)count * TEST_REPORT_SIZE,
		flags | PERF_AUX_FLAG_OVERWRITE);
}

/* Append a sample that contains one loss record of this type. */
static inline void put_lost_sample(struct bytes *records, uint32_t type, uint64_t count)
{
	struct bytes payload = { 0 };

	put_head(&payload);
	put_lost(&payload, type, count);
	put_sample(records, PLAYED_ID, 0, &payload);
	clear(&payload);
}

static inline void put_resume_sample(struct bytes *records, bool stopped)
{
	struct bytes payload = { 0 };

	put_head(&payload);
	put_resume(&payload, stopped);
	put_sample(records, PLAYED_ID, 0, &payload);
	clear(&payload);
}

static inline void put_clock_sample(struct bytes *records, uint64_t ticks)
{
	struct bytes payload = { 0 };

	put_head(&payload);
	put_clock(&payload, ticks);
	put_sample(records, PLAYED_ID, 0, &payload);
	clear(&payload);
}

#endif /* GPUOA_LIB_TESTS_PLAYED_H */
