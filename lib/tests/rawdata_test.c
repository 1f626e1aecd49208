// SPDX-License-Identifier: MIT
/* rawdata_test.c - Test the parser of RAW payloads. */
#include <errno.h>

#include "payload.h"
#include "reader/rawdata.h"
#include "reader/rawdata_format.h"
#include "tap.h"

/* Parse the header of a payload. The caller then adds records to it. */
static struct rawdata begin(const struct bytes *payload)
{
	struct rawdata raw = { 0 };

	CHECK(!rawdata_begin(&raw, payload->data, payload->size));
	return raw;
}

/* Parse one record that is cut off by @cut bytes. Returns the parser's result. */
static int parse_one(const struct bytes *payload, size_t cut)
{
	struct rawdata_item item;
	struct rawdata raw;
	/* Parse a separate copy, so that a sanitizer detects reads beyond its end. */
	uint8_t *copy = malloc(payload->size - cut);
	int ret;

	memcpy(copy, payload->data, payload->size - cut);
	ret = rawdata_begin(&raw, copy, payload->size - cut);
	if (!ret)
		ret = rawdata_next(&raw, &item);
	free(copy);
	return ret;
}

static void foreign_payload_returns_enomsg(void)
{
	static const uint8_t other[64] = { 1, 2, 3 };
	struct rawdata raw;

	CHECK(rawdata_begin(&raw, other, sizeof(other)) == -ENOMSG);
	CHECK(rawdata_begin(&raw, other, 0) == -ENOMSG);
	CHECK(rawdata_begin(&raw, other, 11) == -ENOMSG);
}

static void empty_payload_has_no_items(void)
{
	struct bytes payload = { 0 };
	struct rawdata_item item;
	struct rawdata raw;

	put_head(&payload);
	raw = begin(&payload);
	CHECK(rawdata_next(&raw, &item) == 0);
	clear(&payload);
}

static void every_record_type_is_read(void)
{
	struct bytes payload = { 0 };
	struct rawdata_item item;
	struct rawdata raw;

	put_head(&payload);
	put_stream(&payload);
	put_clock(&payload, 12345);
	put_reports(&payload, 7, 3);
	put_lost(&payload, GPUOA_RECORD_BUFFER_OVERFLOW, 99);
	put_lost(&payload, GPUOA_RECORD_REPORTS_LOST, GPUOA_LOST_UNKNOWN);
	put_resume(&payload, true);
	raw = begin(&payload);

	REQUIRE(rawdata_next(&raw, &item) == 1);
	CHECK(item.kind == RAWDATA_STREAM);
	REQUIRE(rawdata_next(&raw, &item) == 1);
	CHECK(item.kind == RAWDATA_CLOCK);
	CHECK(item.clock.gpu_ticks == 12345 && item.clock.cpu_ns == 987600);
	CHECK(item.clock.clock_id == 1 && item.clock.error_ns == 50);
	REQUIRE(rawdata_next(&raw, &item) == 1);
	CHECK(item.kind == RAWDATA_REPORTS);
	CHECK(item.reports.first == 7 && item.reports.count == 3);
	CHECK(item.reports.size == TEST_REPORT_SIZE);
	CHECK(report_number(item.reports.data, 2) == 9);
	REQUIRE(rawdata_next(&raw, &item) == 1);
	CHECK(item.kind == RAWDATA_LOST);
	CHECK(item.lost.overflow && !item.lost.unknown && item.lost.count == 99);
	REQUIRE(rawdata_next(&raw, &item) == 1);
	CHECK(item.kind == RAWDATA_LOST);
	CHECK(!item.lost.overflow && item.lost.unknown && item.lost.count == 0);
	REQUIRE(rawdata_next(&raw, &item) == 1);
	CHECK(item.kind == RAWDATA_RESUME && item.resume.stopped);
	CHECK(rawdata_next(&raw, &item) == 0);
	CHECK(rawdata_next(&raw, &item) == 0);
	clear(&payload);
}

static void status_has_each_flag(void)
{
	for (uint32_t flags = 0; flags < 8; flags++) {
		struct bytes payload = { 0 };
		struct rawdata_item item;
		struct rawdata raw;

		put_head(&payload);
		put_status(&payload, flags);
		raw = begin(&payload);
		REQUIRE(rawdata_next(&raw, &item) == 1 && item.kind == RAWDATA_STATUS);
		CHECK(item.status.wrapped == !!(flags & GPUOA_STATUS_COUNTERS_WRAPPED));
		CHECK(item.status.triggers_lost == !!(flags & GPUOA_STATUS_TRIGGERS_LOST));
		CHECK(rawdata_next(&raw, &item) == 0);
		clear(&payload);
	}
}

static void marker_has_all_members(void)
{
	const struct gpuoa_record_marker record = {
		.record = { GPUOA_RECORD_MARKER, sizeof(record) },
		.marker = { .value = 1, .gpu_ticks = 2, .cpu_ns = 3, .error_ns = 4 },
	};
	struct bytes payload = { 0 };
	struct rawdata_item item;
	struct rawdata raw;

	put_head(&payload);
	put(&payload, &record, sizeof(record));
	raw = begin(&payload);
	REQUIRE(rawdata_next(&raw, &item) == 1 && item.kind == RAWDATA_MARKER);
	CHECK(item.marker.value == 1 && item.marker.gpu_ticks == 2);
	CHECK(item.marker.cpu_ns == 3 && item.marker.error_ns == 4);
	clear(&payload);
}

/* Parse a text record with @size bytes of text, of which 16 follow the record. */
static int parse_text(uint32_t kind, uint32_t size, struct rawdata_item *item)
{
	const struct text_record record = {
		.record = { TEXT_RECORD, sizeof(record) + 16 },
		.kind = kind,
		.size = size,
		.offset = 100,
		.total = 200,
	};
	struct bytes payload = { 0 };
	struct rawdata raw;
	int ret;

	put_head(&payload);
	put(&payload, &record, sizeof(record));
	put(&payload, "sixteen letters.", 16);
	put_clock(&payload, 5);
	raw = begin(&payload);
	ret = rawdata_next(&raw, item);
	if (ret > 0 && item->kind == RAWDATA_TEXT) {
		CHECK(!memcmp(item->text.data, "sixteen letters.", item->text.size));
		CHECK(item->text.size == size && item->text.kind == kind);
		CHECK(item->text.offset == 100 && item->text.total == 200);
	}
	clear(&payload);
	return ret;
}

static void text_is_within_its_record(void)
{
	struct rawdata_item item;

	for (uint32_t size = 0; size <= 16; size++)
		for (uint32_t kind = 0; kind < RAWDATA_TEXTS; kind++)
			CHECK(parse_text(kind, size, &item) == 1 && item.kind == RAWDATA_TEXT);
	CHECK(parse_text(RAWDATA_CONSTANTS, 17, &item) == -EBADMSG);
	CHECK(parse_text(RAWDATA_CONSTANTS, 16 + sizeof(struct text_record), &item) == -EBADMSG);
	CHECK(parse_text(RAWDATA_CONSTANTS, UINT32_MAX, &item) == -EBADMSG);
	/* Texts of other kinds are skipped, but must also be within their record. */
	CHECK(parse_text(RAWDATA_TEXTS, 16, &item) == 1 && item.kind == RAWDATA_CLOCK);
	CHECK(parse_text(UINT32_MAX, 16, &item) == 1 && item.kind == RAWDATA_CLOCK);
	CHECK(parse_text(RAWDATA_TEXTS, 17, &item) == -EBADMSG);
}

static void context_has_its_owner(void)
{
	for (uint32_t flags = 0; flags < 4; flags++) {
		struct context_record record = {
			.record = { CONTEXT_RECORD, sizeof(record) },
			.id = 1,
			.flags = flags,
			.process = 2,
			.handle = 3,
			.client = 4,
			.program = "0123456789abcdef", /* without a NUL */
		};
		struct bytes payload = { 0 };
		struct rawdata_item item;
		struct rawdata raw;

		put_head(&payload);
		put(&payload, &record, sizeof(record));
		raw = begin(&payload);
		REQUIRE(rawdata_next(&raw, &item) == 1 && item.kind == RAWDATA_CONTEXT);
		CHECK(item.context.id == 1 && item.context.owner.process == 2);
		CHECK(item.context.owner.handle == 3 && item.context.owner.client == 4);
		CHECK(item.context.owner.gone == !!(flags & CONTEXT_RECORD_GONE));
		CHECK_STRING(item.context.owner.program, "0123456789abcde");
		clear(&payload);
	}
}

/* The mask directly follows the description; both may be the end of the sample. */
static void stream_has_the_mask_that_follows(void)
{
	const struct gpuoa_record_dword_mask mask = {
		.record = { GPUOA_RECORD_DWORD_MASK, sizeof(mask) },
		.dword_mask = { 0x123456789 },
	};
	const size_t sizes[] = { sizeof(mask), sizeof(mask) + 8, sizeof(mask) - 8 };

	for (int i = 0; i < 5; i++) {
		struct gpuoa_record_dword_mask copy = mask;
		struct bytes payload = { 0 };
		struct rawdata_item item;
		struct rawdata raw;

		put_head(&payload);
		put_stream(&payload);
		if (i == 3)
			put_clock(&payload, 5);
		if (i < 3)
			copy.record.size = (uint32_t)sizes[i];
		if (i == 4)
			copy.record.type = 4711;
		put(&payload, &copy, sizeof(copy));
		put(&payload, NULL, 8);
		if (!i)
			payload.size -= 8;
		raw = begin(&payload);
		REQUIRE(rawdata_next(&raw, &item) == 1 && item.kind == RAWDATA_STREAM);
		CHECK(!item.stream.mask == (i > 1));
		if (i <= 1 && item.stream.mask)
			CHECK(!memcmp((const char *)item.stream.mask + sizeof(copy.record),
				      mask.dword_mask, sizeof(mask.dword_mask)));
		clear(&payload);
	}
}

static void unknown_records_are_skipped(void)
{
	struct bytes payload = { 0 };
	struct rawdata_item item;
	struct rawdata raw;

	put_head(&payload);
	put_unknown(&payload, 8);
	put_unknown(&payload, 4096);
	put_clock(&payload, 5);
	put_unknown(&payload, 16);
	raw = begin(&payload);
	REQUIRE(rawdata_next(&raw, &item) == 1);
	CHECK(item.kind == RAWDATA_CLOCK);
	CHECK(rawdata_next(&raw, &item) == 0);
	clear(&payload);
}

static void longer_records_of_a_newer_kernel_are_read(void)
{
	const struct gpuoa_record_lost lost = { { GPUOA_RECORD_REPORTS_LOST, sizeof(lost) + 24 },
						3 };
	struct bytes payload = { 0 };
	struct rawdata_item item;
	struct rawdata raw;

	put_head(&payload);
	put(&payload, &lost, sizeof(lost));
	put(&payload, NULL, 24);
	put_clock(&payload, 5);
	raw = begin(&payload);
	REQUIRE(rawdata_next(&raw, &item) == 1);
	CHECK(item.kind == RAWDATA_LOST && item.lost.count == 3);
	REQUIRE(rawdata_next(&raw, &item) == 1);
	CHECK(item.kind == RAWDATA_CLOCK);
	clear(&payload);
}

static void padding_of_perf_is_ignored(void)
{
	struct bytes payload = { 0 };
	struct rawdata_item item;
	struct rawdata raw;

	put_head(&payload);
	put_clock(&payload, 5);
	put(&payload, "\xff\xff\xff\xff\xff\xff\xff", 7);
	raw = begin(&payload);
	CHECK(rawdata_next(&raw, &item) == 1);
	CHECK(rawdata_next(&raw, &item) == 0);
	clear(&payload);
}

static void truncated_records_are_damage(void)
{
	struct bytes payload = { 0 };

	put_head(&payload);
	put_stream(&payload);
	for (size_t cut = 1;
	     cut <= sizeof(struct gpuoa_record_stream) - sizeof(struct gpuoa_record); cut++)
		CHECK(parse_one(&payload, cut) == -EBADMSG);
	clear(&payload);

	put_head(&payload);
	put_reports(&payload, 0, 2);
	for (size_t cut = 1; cut <= 2 * TEST_REPORT_SIZE + 16; cut++)
		CHECK(parse_one(&payload, cut) == -EBADMSG);
	clear(&payload);
}

static void impossible_sizes_are_damage(void)
{
	static const uint32_t sizes[] = { 0,  1,  7,	      9,	  12,	     15,
					  17, 24, 0x7ffffff8, 0xfffffff8, 0xffffffff };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		const struct gpuoa_record record = { 4711, sizes[i] };
		struct bytes payload = { 0 };

		put_head(&payload);
		put(&payload, &record, sizeof(record));
		put(&payload, NULL, 8);
		CHECK(parse_one(&payload, 0) == -EBADMSG);
		clear(&payload);
	}
}

/* A record has at least the size that is known of its type. */
static void short_records_are_damage(void)
{
	static const struct {
		uint32_t type;
		size_t size;
	} types[] = {
		{ GPUOA_RECORD_STREAM, sizeof(struct gpuoa_record_stream) },
		{ GPUOA_RECORD_CLOCK, sizeof(struct gpuoa_record_clock) },
		{ GPUOA_RECORD_BUFFER_OVERFLOW, sizeof(struct gpuoa_record_lost) },
		{ GPUOA_RECORD_REPORTS_LOST, sizeof(struct gpuoa_record_lost) },
		{ GPUOA_RECORD_ENABLED, sizeof(struct gpuoa_record_enabled) },
		{ GPUOA_RECORD_MARKER, sizeof(struct gpuoa_record_marker) },
		{ GPUOA_RECORD_STATUS, sizeof(struct gpuoa_record_status) },
		{ TEXT_RECORD, sizeof(struct text_record) },
		{ CONTEXT_RECORD, sizeof(struct context_record) },
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		for (size_t size = 8; size <= types[i].size; size += 8) {
			const struct gpuoa_record record = { types[i].type, (uint32_t)size };
			struct bytes payload = { 0 };

			put_head(&payload);
			put(&payload, &record, sizeof(record));
			put(&payload, NULL, size - 8);
			if (!CHECK(parse_one(&payload, 0) == (size < types[i].size ? -EBADMSG : 1)))
				printf("# type %#x, size %zu\n", types[i].type, size);
			clear(&payload);
		}
}

static void excess_report_count_is_damage(void)
{
	static const struct {
		uint32_t size, count;
	} wrong[] = { { 256, 3 },	 { 257, 2 },	    { 0, 0 },  { 0, 1 },
		      { 1, 0xffffffff }, { 0x80000000, 2 }, { 513, 1 } };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		const struct gpuoa_record_reports record = {
			.record = { GPUOA_RECORD_REPORTS, sizeof(record) + 512 },
			.report_size = wrong[i].size,
			.count = wrong[i].count,
		};
		struct bytes payload = { 0 };

		put_head(&payload);
		put(&payload, &record, sizeof(record));
		put(&payload, NULL, 512);
		CHECK(parse_one(&payload, 0) == -EBADMSG);
		clear(&payload);
	}
}

static void stream_record_describes_stream(void)
{
	struct gpuoa_record_stream record = test_stream();
	const struct rawdata_stream stream = { &record, NULL };
	struct gpuoa_reader_desc desc;
	struct gpuoa_unit_desc unit;

	record.flags = GPUOA_ATTR_CONTEXT;
	REQUIRE(!rawdata_describe(&stream, &desc, &unit));
	CHECK_STRING(desc.uuid, TEST_UUID);
	CHECK_STRING(unit.platform, "hsw");
	CHECK_STRING(unit.name, "gpuoa0");
	CHECK(desc.format == GPUOA_REPORT_A45_B8_C8 && desc.report_size == TEST_REPORT_SIZE);
	CHECK(desc.exponent == TEST_EXPONENT && desc.context_filter);
	CHECK(unit.timestamp_frequency == 12500000 && unit.eu_count == 20);
}

static void stream_record_has_each_flag(void)
{
	for (int i = 0; i < 4; i++) {
		struct gpuoa_record_stream record = test_stream();
		const struct rawdata_stream stream = { .record = &record };
		struct gpuoa_reader_desc desc;
		struct gpuoa_unit_desc unit;

		record.flags = (i & 1 ? GPUOA_ATTR_CONTEXT : 0) | (i & 2 ? GPUOA_ATTR_AUX : 0);
		REQUIRE(!rawdata_describe(&stream, &desc, &unit));
		CHECK(desc.context_filter == (i & 1));
		CHECK(desc.delivery == (i & 2 ? GPUOA_DELIVERY_AUX : GPUOA_DELIVERY_RAW));
		for (size_t k = 0; k < GPUOA_DWORD_MASK_WORDS; k++)
			CHECK(!desc.dword_mask[k]);
	}
}

static void stream_record_has_domain(void)
{
	static const struct {
		uint32_t type;
		const char *domain;
	} cases[] = {
		{ GPUOA_UNIT_OA, "OA" },
		{ GPUOA_UNIT_OAM0, "OAM0" },
		{ GPUOA_UNIT_OAM1, "OAM1" },
		{ GPUOA_UNIT_OAMG, "OAMG" },
		{ 4, "" }, /* added by a newer kernel */
		{ UINT32_MAX, "" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct gpuoa_record_stream record = test_stream();
		const struct rawdata_stream stream = { .record = &record };
		struct gpuoa_reader_desc desc;
		struct gpuoa_unit_desc unit;

		record.info.unit_type = cases[i].type;
		REQUIRE(!rawdata_describe(&stream, &desc, &unit));
		CHECK_STRING(unit.domain, cases[i].domain);
	}
}

static void unterminated_strings_are_truncated(void)
{
	struct gpuoa_record_stream record = test_stream();
	const struct rawdata_stream stream = { &record, NULL };
	struct gpuoa_reader_desc desc;
	struct gpuoa_unit_desc unit;

	memset(record.uuid, 'u', sizeof(record.uuid));
	memset(record.info.platform, 'p', sizeof(record.info.platform));
	REQUIRE(!rawdata_describe(&stream, &desc, &unit));
	CHECK(strlen(desc.uuid) == 39);
	CHECK_STRING(unit.platform, "ppppppppppppppp");
}

static void stream_record_describes_unit(void)
{
	struct gpuoa_record_stream record = test_stream();
	const struct rawdata_stream stream = { &record, NULL };
	struct gpuoa_reader_desc desc;
	struct gpuoa_unit_desc unit;

	record.info.l3_bank_mask = 0xff;
	record.info.subslice_stride = 8;
	record.info.cs_timestamp_frequency = 19200000;
	record.info.gt = 1;
	record.info.n_engines = 2;
	record.info.engines[1] = (struct gpuoa_engine_id){ GPUOA_ENGINE_CLASS_COMPUTE, 3 };
	REQUIRE(!rawdata_describe(&stream, &desc, &unit));
	CHECK(unit.eu_count == 20);
	CHECK(unit.l3_bank_mask == 0xff);
	CHECK(unit.subslice_stride == 8);
	REQUIRE(unit.engine_count == 2);
	CHECK(unit.engines[1].kind == GPUOA_ENGINE_COMPUTE && unit.engines[1].instance == 3);
	CHECK(unit.cs_timestamp_frequency == 19200000 && unit.gt == 1);

	/* a number that is too large: damage, or an extension by a newer kernel */
	record.info.n_engines = UINT32_MAX;
	REQUIRE(!rawdata_describe(&stream, &desc, &unit));
	CHECK(unit.engine_count == GPUOA_UNIT_ENGINES);
}

static void contradicting_stream_record_is_damage(void)
{
	struct gpuoa_record_stream record = test_stream();
	const struct rawdata_stream stream = { &record, NULL };
	struct gpuoa_reader_desc desc;
	struct gpuoa_unit_desc unit;

	record.report_size = 128;
	CHECK(rawdata_describe(&stream, &desc, &unit) == -EBADMSG);
	record.format = 60; /* unknown to this library */
	CHECK(rawdata_describe(&stream, &desc, &unit) == 0);
	record.report_size = 0;
	CHECK(rawdata_describe(&stream, &desc, &unit) == -EBADMSG);
	record.report_size = 65535;
	CHECK(rawdata_describe(&stream, &desc, &unit) == 0 && desc.report_size == 65535);
	record.report_size = 65536; /* larger than a sample can be */
	CHECK(rawdata_describe(&stream, &desc, &unit) == -EBADMSG);
}

static int describe_with(uint64_t frequency, uint32_t bits, uint32_t exponent)
{
	struct gpuoa_record_stream record = test_stream();
	const struct rawdata_stream stream = { &record, NULL };
	struct gpuoa_reader_desc desc;
	struct gpuoa_unit_desc unit;

	record.info.timestamp_frequency = frequency;
	record.info.timestamp_bits = bits;
	record.exponent = exponent;
	return rawdata_describe(&stream, &desc, &unit);
}

static void stream_record_with_invalid_clock_is_damage(void)
{
	CHECK(describe_with(1, 1, 0) == 0);
	CHECK(describe_with(UINT64_MAX, 64, 63) == 0);
	CHECK(describe_with(0, 32, 5) == -EBADMSG);
	CHECK(describe_with(12500000, 0, 5) == -EBADMSG);
	CHECK(describe_with(12500000, 65, 5) == -EBADMSG);
	CHECK(describe_with(12500000, UINT32_MAX, 5) == -EBADMSG);
	CHECK(describe_with(12500000, 32, 64) == -EBADMSG);
	CHECK(describe_with(12500000, 32, UINT32_MAX) == -EBADMSG);
}

int main(void)
{
	RUN(foreign_payload_returns_enomsg);
	RUN(empty_payload_has_no_items);
	RUN(every_record_type_is_read);
	RUN(status_has_each_flag);
	RUN(marker_has_all_members);
	RUN(text_is_within_its_record);
	RUN(context_has_its_owner);
	RUN(stream_has_the_mask_that_follows);
	RUN(unknown_records_are_skipped);
	RUN(longer_records_of_a_newer_kernel_are_read);
	RUN(padding_of_perf_is_ignored);
	RUN(truncated_records_are_damage);
	RUN(impossible_sizes_are_damage);
	RUN(short_records_are_damage);
	RUN(excess_report_count_is_damage);
	RUN(stream_record_describes_stream);
	RUN(stream_record_has_each_flag);
	RUN(stream_record_has_domain);
	RUN(unterminated_strings_are_truncated);
	RUN(stream_record_describes_unit);
	RUN(contradicting_stream_record_is_damage);
	RUN(stream_record_with_invalid_clock_is_damage);
	return tap_end();
}
