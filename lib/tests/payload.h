/* SPDX-License-Identifier: MIT */
/* payload.h - Builders for RAW payloads, perf records and perf.data files */
#ifndef GPUOA_LIB_TESTS_PAYLOAD_H
#define GPUOA_LIB_TESTS_PAYLOAD_H

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "uapi/gpuoa.h"

/* A growable buffer */
struct bytes {
	uint8_t *data;
	size_t size;
};

/*
 * Return the size of the memory for @size bytes. It is exact for small buffers, so that sanitizers
 * find reads beyond their end.
 */
static inline size_t room_of(size_t size)
{
	return size < 65536 ? size + 1 : (size_t)2 << (63 - __builtin_clzll(size));
}

static inline size_t put(struct bytes *bytes, const void *data, size_t size)
{
	const size_t at = bytes->size, room = room_of(at + size);

	if (!bytes->data || room != room_of(at))
		bytes->data = realloc(bytes->data, room);
	if (!bytes->data)
		abort();
	if (data)
		memcpy(bytes->data + at, data, size);
	else
		memset(bytes->data + at, 0, size);
	bytes->size += size;
	return at;
}

static inline void put32(struct bytes *bytes, uint32_t value)
{
	put(bytes, &value, sizeof(value));
}

static inline void put64(struct bytes *bytes, uint64_t value)
{
	put(bytes, &value, sizeof(value));
}

static inline void clear(struct bytes *bytes)
{
	free(bytes->data);
	*bytes = (struct bytes){ 0 };
}

/* payloads */

#define TEST_UUID "a490e9d2-55b3-4db0-8dab-53011032c5f3" /* RenderBasic of Haswell */
#define TEST_REPORT_SIZE 256
#define TEST_REPORT_ID 0x80000 /* any value but 0 */
#define TEST_EXPONENT 5
#define TEST_TICKS (1u << (TEST_EXPONENT + 1))

static inline void put_head(struct bytes *payload)
{
	const struct gpuoa_raw raw = { .magic = GPUOA_RAW_MAGIC };

	put(payload, &raw, sizeof(raw));
}

static inline struct gpuoa_record_stream test_stream(void)
{
	return (struct gpuoa_record_stream){
		.record = { GPUOA_RECORD_STREAM, sizeof(struct gpuoa_record_stream) },
		.uuid = TEST_UUID,
		.format = GPUOA_FORMAT_A45_B8_C8,
		.exponent = TEST_EXPONENT,
		.report_size = TEST_REPORT_SIZE,
		.info = {
			.platform = "hsw",
			.pmu = "gpuoa0",
			.timestamp_frequency = 12500000,
			.gt_min_frequency = 200000000,
			.gt_max_frequency = 1200000000,
			.slice_mask = 1,
			.subslice_mask = { 3 },
			.n_slices = 1,
			.n_subslices = 2,
			.n_eus = 20,
			.threads_per_eu = 7,
			.timestamp_bits = 32,
		},
	};
}

static inline void put_stream(struct bytes *payload)
{
	const struct gpuoa_record_stream stream = test_stream();

	put(payload, &stream, sizeof(stream));
}

/* Append report @number with the timestamp of that number. The third dword is the number itself. */
static inline void put_report(struct bytes *payload, uint32_t number)
{
	uint32_t report[TEST_REPORT_SIZE / 4] = { TEST_REPORT_ID, number * TEST_TICKS, number };

	put(payload, report, sizeof(report));
}

static inline uint32_t report_number(const void *reports, size_t index)
{
	uint32_t number;

	memcpy(&number, (const char *)reports + index * TEST_REPORT_SIZE + 8, sizeof(number));
	return number;
}

/*
 * Append a record of reports numbered from @number. @first: position of the first one in the stream
 */
static inline void put_reports_at(struct bytes *payload, uint64_t first, uint32_t number,
				  uint32_t count)
{
	const struct gpuoa_record_reports record = {
		.record = { GPUOA_RECORD_REPORTS, sizeof(record) + count * TEST_REPORT_SIZE },
		.first = first,
		.report_size = TEST_REPORT_SIZE,
		.count = count,
	};

	put(payload, &record, sizeof(record));
	for (uint32_t i = 0; i < count; i++)
		put_report(payload, number + i);
}

static inline void put_reports(struct bytes *payload, uint64_t first, uint32_t count)
{
	put_reports_at(payload, first, first, count);
}

static inline void put_resume(struct bytes *payload, bool stopped)
{
	const struct gpuoa_record_enabled record = { { GPUOA_RECORD_ENABLED, sizeof(record) },
						     stopped,
						     0 };

	put(payload, &record, sizeof(record));
}

static inline void put_lost(struct bytes *payload, uint32_t type, uint64_t count)
{
	const struct gpuoa_record_lost record = { { type, sizeof(record) }, count };

	put(payload, &record, sizeof(record));
}

static inline void put_clock(struct bytes *payload, uint64_t gpu_ticks)
{
	const struct gpuoa_record_clock record = {
		.record = { GPUOA_RECORD_CLOCK, sizeof(record) },
		.clock = { .gpu_ticks = gpu_ticks,
			   .cpu_ns = 80 * gpu_ticks,
			   .clock_id = 1,
			   .error_ns = 50 },
	};

	put(payload, &record, sizeof(record));
}

/* Append a clock pair of another CPU clock, which is 1 s ahead of CLOCK_MONOTONIC. */
static inline void put_clock_of(struct bytes *payload, int32_t clock_id, uint64_t gpu_ticks)
{
	const struct gpuoa_record_clock record = {
		.record = { GPUOA_RECORD_CLOCK, sizeof(record) },
		.clock = { .gpu_ticks = gpu_ticks,
			   .cpu_ns = 80 * gpu_ticks + 1000000000,
			   .clock_id = clock_id,
			   .error_ns = 50 },
	};

	put(payload, &record, sizeof(record));
}

static inline void put_status(struct bytes *payload, uint32_t flags)
{
	const struct gpuoa_record_status record = {
		.record = { GPUOA_RECORD_STATUS, sizeof(record) },
		.flags = flags,
	};

	put(payload, &record, sizeof(record));
}

static inline void put_marker(struct bytes *payload, uint64_t value, uint64_t gpu_ticks)
{
	const struct gpuoa_record_marker record = {
		.record = { GPUOA_RECORD_MARKER, sizeof(record) },
		.marker = { .value = value,
			    .gpu_ticks = gpu_ticks,
			    .cpu_ns = 80 * gpu_ticks,
			    .error_ns = 50 },
	};

	put(payload, &record, sizeof(record));
}

static inline void put_unknown(struct bytes *payload, uint32_t size)
{
	const struct gpuoa_record record = { 4711, size };

	put(payload, &record, sizeof(record));
	put(payload, NULL, size - sizeof(record));
}

/* perf records */

#define TEST_SAMPLE_TYPE                                                                 \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | \
	 PERF_SAMPLE_RAW)

static inline size_t begin_record(struct bytes *records, uint32_t type)
{
	const struct perf_event_header header = { .type = type };

	return put(records, &header, sizeof(header));
}

static inline void end_record(struct bytes *records, size_t at)
{
	const uint16_t size = records->size - at;

	memcpy(records->data + at + offsetof(struct perf_event_header, size), &size, sizeof(size));
}

/* Append a sample of TEST_SAMPLE_TYPE. */
static inline void put_sample(struct bytes *records, uint64_t id, uint32_t cpu,
			      const struct bytes *payload)
{
	const size_t at = begin_record(records, PERF_RECORD_SAMPLE);

	put64(records, id);
	put64(records, 0); /* TID */
	put64(records, 0); /* TIME */
	put64(records, cpu);
	put32(records, payload->size);
	put(records, payload->data, payload->size);
	end_record(records, at);
}

/* Append the trailer that perf adds to each record other than a sample. */
static inline void put_trailer(struct bytes *records, uint64_t id, uint32_t cpu)
{
	put64(records, 0); /* TID */
	put64(records, 0); /* TIME */
	put64(records, cpu);
	put64(records, id);
}

static inline void put_perf_lost(struct bytes *records, uint64_t id, uint32_t cpu, uint64_t count)
{
	const size_t at = begin_record(records, PERF_RECORD_LOST);

	put64(records, id);
	put64(records, count);
	put_trailer(records, id, cpu);
	end_record(records, at);
}

static inline void put_lost_samples(struct bytes *records, uint64_t id, uint32_t cpu,
				    uint64_t count)
{
	const size_t at = begin_record(records, PERF_RECORD_LOST_SAMPLES);

	put64(records, count);
	put_trailer(records, id, cpu);
	end_record(records, at);
}

/* Append a sample that contains one record of reports. */
static inline void put_reports_sample(struct bytes *records, uint64_t id, uint64_t first,
				      uint32_t count)
{
	struct bytes payload = { 0 };

	put_head(&payload);
	put_reports(&payload, first, count);
	put_sample(records, id, 0, &payload);
	clear(&payload);
}

/* Append a sample that contains the initial description of a stream. */
static inline void put_first_sample(struct bytes *records, uint64_t id)
{
	struct bytes payload = { 0 };

	put_head(&payload);
	put_stream(&payload);
	put_clock(&payload, 1000);
	put_sample(records, id, 0, &payload);
	clear(&payload);
}

static inline struct perf_event_attr test_attr(uint64_t sample_type)
{
	return (struct perf_event_attr){
		.size = sizeof(struct perf_event_attr),
		.sample_type = sample_type,
		.sample_id_all = 1,
	};
}

#endif /* GPUOA_LIB_TESTS_PAYLOAD_H */
