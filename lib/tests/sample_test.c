// SPDX-License-Identifier: MIT
/*
 * sample_test.c - Locate fields in perf's records of all combinations of fields, and in records
 * that end early or have wrong lengths.
 */
#include <errno.h>
#include <string.h>

#include "reader/sample.h"
#include "tap.h"

#define FIELDS 9

/* Fields of 8 bytes in the order of samples; the value of a field in tests is its index + 1. */
static const uint64_t order[FIELDS] = {
	PERF_SAMPLE_IDENTIFIER, PERF_SAMPLE_IP,	  PERF_SAMPLE_TID,
	PERF_SAMPLE_TIME,	PERF_SAMPLE_ADDR, PERF_SAMPLE_ID,
	PERF_SAMPLE_STREAM_ID,	PERF_SAMPLE_CPU,  PERF_SAMPLE_PERIOD,
};

enum { IDENTIFIER, IP, TID, TIME, ADDR, ID, STREAM, CPU, PERIOD };

/* Fields at the end of other records, in their order */
static const int trailer[] = { TID, TIME, ID, STREAM, CPU, IDENTIFIER };

static union {
	struct perf_event_header header;
	uint64_t words[64];
} record;

static void begin_record(uint32_t type)
{
	memset(&record, 0, sizeof(record));
	record.header.type = type;
	record.header.size = sizeof(record.header);
}

static void put(uint64_t value)
{
	record.words[record.header.size / sizeof(uint64_t)] = value;
	record.header.size += sizeof(uint64_t);
}

static struct sample_layout layout_of(uint64_t sample_type)
{
	const struct perf_event_attr attr = { .type = 7,
					      .sample_type = sample_type,
					      .read_format = PERF_FORMAT_GROUP,
					      .sample_id_all = 1 };

	return sample_layout(&attr);
}

/* Return the sample type with those fields of which @mask has the index. */
static uint64_t type_of(unsigned int mask)
{
	uint64_t type = 0;

	for (int i = 0; i < FIELDS; i++)
		type |= mask >> i & 1 ? order[i] : 0;
	return type;
}

static void put_sample_fields(unsigned int mask)
{
	begin_record(PERF_RECORD_SAMPLE);
	for (int i = 0; i < FIELDS; i++)
		if (mask >> i & 1)
			put(i + 1);
}

static bool in_trailer(int field)
{
	for (size_t i = 0; i < sizeof(trailer) / sizeof(trailer[0]); i++)
		if (trailer[i] == field)
			return true;
	return false;
}

/* Write a record that is not a sample, with its fields at its end. */
static void put_other_record(unsigned int mask)
{
	begin_record(PERF_RECORD_LOST);
	put(100);
	for (size_t i = 0; i < sizeof(trailer) / sizeof(trailer[0]); i++)
		if (mask >> trailer[i] & 1)
			put(trailer[i] + 1);
}

static unsigned int expected_id(unsigned int mask)
{
	return mask >> IDENTIFIER & 1 ? IDENTIFIER + 1 : mask >> ID & 1 ? ID + 1 : 0;
}

static void check_words(unsigned int mask)
{
	const struct sample_layout layout = layout_of(type_of(mask));
	uint64_t id = 0;
	uint32_t cpu = 0;

	CHECK(sample_id(&layout, &record.header, &id) == (expected_id(mask) ? 0 : -ENODATA));
	CHECK(id == expected_id(mask));
	CHECK(sample_cpu(&layout, &record.header, &cpu) == (mask >> CPU & 1 ? 0 : -ENODATA));
	CHECK(cpu == (mask >> CPU & 1 ? CPU + 1 : 0));
}

static void id_and_cpu_are_found_in_all_records(void)
{
	for (unsigned int mask = 0; mask < 1 << FIELDS; mask++) {
		put_sample_fields(mask);
		check_words(mask);
		put_other_record(mask);
		check_words(mask);
	}
}

static void records_without_a_trailer_have_no_id(void)
{
	struct sample_layout layout = layout_of(type_of(-1));
	uint64_t id;
	uint32_t cpu;

	layout.sample_id_all = false;
	put_other_record(-1);
	CHECK(sample_id(&layout, &record.header, &id) == -ENODATA);
	CHECK(sample_cpu(&layout, &record.header, &cpu) == -ENODATA);
	put_sample_fields(-1);
	CHECK(!sample_id(&layout, &record.header, &id) && id == IDENTIFIER + 1);
	CHECK(!sample_cpu(&layout, &record.header, &cpu) && cpu == CPU + 1);
}

/* A record that ends before a field does not have it. */
static void fields_after_the_end_are_not_read(void)
{
	const struct sample_layout layout = layout_of(type_of(-1));
	const uint16_t word = sizeof(uint64_t);
	uint64_t fields[SAMPLE_FIELDS_MAX], id;
	uint32_t cpu;

	put_sample_fields(-1);
	for (uint16_t size = word; size <= 10 * word; size++) {
		record.header.size = size;
		CHECK(!sample_id(&layout, &record.header, &id) == (size >= 2 * word));
		CHECK(!sample_cpu(&layout, &record.header, &cpu) == (size >= (2 + CPU) * word));
	}
	begin_record(PERF_RECORD_LOST);
	for (int i = 0; i < 3; i++)
		put(100 + i);
	for (uint16_t size = word; size <= 4 * word; size += word) {
		const uint16_t words = size / word;

		record.header.size = size;
		CHECK(!sample_id(&layout, &record.header, &id) == (words >= 2));
		CHECK(!sample_cpu(&layout, &record.header, &cpu) == (words >= 3));
		CHECK(sample_fields(&layout, &record.header, fields) == FIELDS);
		/* words 1 to 3 of the record are 100 to 102 */
		CHECK(fields[IDENTIFIER] == (words >= 2 ? 98u + words : 0));
		CHECK(fields[CPU] == (words >= 3 ? 97u + words : 0));
		CHECK(fields[STREAM] == (words >= 4 ? 96u + words : 0));
		CHECK(!fields[TID] && !fields[TIME] && !fields[ID]);
	}
}

static void fields_of_other_records_precede_a_sample(void)
{
	uint64_t fields[SAMPLE_FIELDS_MAX];

	for (unsigned int mask = 0; mask < 1 << FIELDS; mask++) {
		const struct sample_layout layout = layout_of(type_of(mask));
		size_t n = 0;

		put_other_record(mask);
		CHECK(sample_fields(&layout, &record.header, fields) ==
		      (size_t)__builtin_popcount(mask));
		for (int i = 0; i < FIELDS; i++)
			if (mask >> i & 1)
				CHECK(fields[n++] == (in_trailer(i) ? i + 1u : 0));
	}
}

static void given_values_precede_a_sample(void)
{
	static const uint64_t values[FIELDS] = { 51, 0, 0, 52, 0, 51, 51, 53, 1 };
	uint64_t fields[SAMPLE_FIELDS_MAX];

	for (unsigned int mask = 0; mask < 1 << FIELDS; mask++) {
		const struct sample_layout layout = layout_of(type_of(mask));
		size_t n = 0;

		CHECK(sample_fields_of(&layout, 51, 52, 53, fields) ==
		      (size_t)__builtin_popcount(mask));
		for (int i = 0; i < FIELDS; i++)
			if (mask >> i & 1)
				CHECK(fields[n++] == values[i]);
	}
}

static void layouts_with_the_id_at_the_same_place_are_found(void)
{
	for (unsigned int a = 0; a < 1 << FIELDS; a += 3)
		for (unsigned int b = 0; b < 1 << FIELDS; b += 5) {
			const struct sample_layout of_a = layout_of(type_of(a));
			const struct sample_layout of_b = layout_of(type_of(b));
			uint64_t id_a = 0, id_b = 0, end_a = 0, end_b = 0;

			/* Read each record with the other layout also. */
			put_sample_fields(a);
			sample_id(&of_a, &record.header, &id_a);
			sample_id(&of_b, &record.header, &id_b);
			put_other_record(a);
			sample_id(&of_a, &record.header, &end_a);
			sample_id(&of_b, &record.header, &end_b);
			if (sample_same_id_place(&of_a, &of_b))
				CHECK(id_a == id_b && end_a == end_b);
			else
				CHECK(id_a != id_b || end_a != end_b || !id_b);
		}
}

/* ---- payloads ------------------------------------------------------------------------------- */

#define RAW (PERF_SAMPLE_RAW | PERF_SAMPLE_TIME)

/* Write a sample with its payload, the 12 bytes 1 to 12. */
static void put_payload(void)
{
	static const uint8_t payload[] = { 12, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 };

	memcpy(&record.words[record.header.size / 8], payload, sizeof(payload));
	record.header.size += sizeof(payload);
}

static int check_raw(const struct sample_layout *layout)
{
	const void *payload;
	size_t size;
	const int err = sample_raw(layout, &record.header, &payload, &size);

	if (!err)
		CHECK(size == 12 && *(const uint8_t *)payload == 1 &&
		      ((const uint8_t *)payload)[11] == 12);
	return err;
}

/* A sample that ends early is damaged. */
static void check_all_sizes(const struct sample_layout *layout)
{
	const uint16_t whole = record.header.size;

	CHECK(!check_raw(layout));
	for (uint16_t size = sizeof(record.header); size < whole; size++) {
		record.header.size = size;
		CHECK(check_raw(layout) == -EBADMSG);
	}
	record.header.size = whole;
}

static void payload_follows_all_fields(void)
{
	for (unsigned int mask = 0; mask < 1 << FIELDS; mask++) {
		struct sample_layout layout = layout_of(type_of(mask));

		put_sample_fields(mask);
		put_payload();
		CHECK(check_raw(&layout) == -ENODATA);
		layout.sample_type |= PERF_SAMPLE_RAW;
		check_all_sizes(&layout);
	}
}

static void payload_follows_counters(void)
{
	static const uint64_t parts[] = { PERF_FORMAT_TOTAL_TIME_ENABLED,
					  PERF_FORMAT_TOTAL_TIME_RUNNING, PERF_FORMAT_ID,
					  PERF_FORMAT_LOST };

	for (unsigned int mask = 0; mask < 16; mask++)
		for (unsigned int members = 0; members < 5; members++) {
			struct sample_layout layout = layout_of(RAW | PERF_SAMPLE_READ);
			const unsigned int times = (mask & 1) + (mask >> 1 & 1);
			const unsigned int each = 1 + (mask >> 2 & 1) + (mask >> 3 & 1);

			layout.read_format = members ? PERF_FORMAT_GROUP : 0;
			for (int i = 0; i < 4; i++)
				layout.read_format |= mask >> i & 1 ? parts[i] : 0;
			begin_record(PERF_RECORD_SAMPLE);
			put(TIME + 1);
			if (members)
				put(members);
			for (unsigned int i = 0; i < times + (members ? members : 1) * each; i++)
				put(1000 + i);
			put_payload();
			check_all_sizes(&layout);
		}
}

static void payload_follows_call_chain(void)
{
	const struct sample_layout layout =
		layout_of(RAW | PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN);

	for (unsigned int depth = 0; depth < 5; depth++) {
		begin_record(PERF_RECORD_SAMPLE);
		put(TIME + 1);
		put(2);
		put(1001);
		put(1002);
		put(depth);
		for (unsigned int i = 0; i < depth; i++)
			put(2000 + i);
		put_payload();
		check_all_sizes(&layout);
	}
}

/* Lengths whose number of bytes is small modulo 2^64 */
static void wrong_lengths_are_found(void)
{
	static const uint64_t wrong[] = {
		1, 2, 64, 512, UINT64_MAX, UINT64_C(1) << 61, 1ull << 62, (UINT64_C(1) << 61) + 1
	};
	const struct sample_layout chain = layout_of(RAW | PERF_SAMPLE_CALLCHAIN);
	const struct sample_layout counters = layout_of(RAW | PERF_SAMPLE_READ);

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		for (int n = 0; n < 2; n++) {
			begin_record(PERF_RECORD_SAMPLE);
			put(TIME + 1);
			put(wrong[i]);
			put_payload();
			CHECK(check_raw(n ? &chain : &counters) == -EBADMSG);
		}
}

static void empty_payload_is_found(void)
{
	const struct sample_layout layout = { .sample_type = PERF_SAMPLE_RAW };
	struct {
		struct perf_event_header header;
		uint32_t size;
	} record = { .header = { .type = PERF_RECORD_SAMPLE, .size = 12 } };
	const void *payload = NULL;
	size_t size = 1;

	CHECK(!sample_raw(&layout, &record.header, &payload, &size));
	CHECK(payload == &record + 1 && !size);
	record.size = 1;
	CHECK(sample_raw(&layout, &record.header, &payload, &size) == -EBADMSG);
	record.size = 0;
	record.header.size--;
	CHECK(sample_raw(&layout, &record.header, &payload, &size) == -EBADMSG);
}

int main(void)
{
	RUN(id_and_cpu_are_found_in_all_records);
	RUN(records_without_a_trailer_have_no_id);
	RUN(fields_after_the_end_are_not_read);
	RUN(fields_of_other_records_precede_a_sample);
	RUN(given_values_precede_a_sample);
	RUN(layouts_with_the_id_at_the_same_place_are_found);
	RUN(payload_follows_all_fields);
	RUN(payload_follows_counters);
	RUN(payload_follows_call_chain);
	RUN(wrong_lengths_are_found);
	RUN(empty_payload_is_found);
	return tap_end();
}
