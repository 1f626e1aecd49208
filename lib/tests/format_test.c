// SPDX-License-Identifier: MIT
/* format_test.c - Test the positions of counters and other fields in report formats. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "gpuoa.h"
#include "report/format.h"
#include "tap.h"

/* A report in which each dword contains its own byte offset */
static uint32_t offsets[64];

static bool counter_is_at(uint32_t format, char bank, unsigned int index, uint64_t offset)
{
	uint64_t value = ~0ull;

	return !gpuoa_report_counter(format, offsets, bank, index, &value) && value == offset;
}

static bool lacks_counter(uint32_t format, char bank, unsigned int index)
{
	uint64_t value;

	return gpuoa_report_counter(format, offsets, bank, index, &value) == -ENOENT;
}

static void formats_have_names_and_sizes(void)
{
	static const struct {
		uint32_t format;
		const char *name;
		size_t size;
	} formats[] = {
		{ GPUOA_REPORT_A13, "A13", 64 },
		{ GPUOA_REPORT_A29, "A29", 128 },
		{ GPUOA_REPORT_A13_B8_C8, "A13_B8_C8", 128 },
		{ GPUOA_REPORT_B4_C8, "B4_C8", 64 },
		{ GPUOA_REPORT_A45_B8_C8, "A45_B8_C8", 256 },
		{ GPUOA_REPORT_B4_C8_A16, "B4_C8_A16", 128 },
		{ GPUOA_REPORT_C4_B8, "C4_B8", 64 },
		{ GPUOA_REPORT_A12, "A12", 64 },
		{ GPUOA_REPORT_A12_B8_C8, "A12_B8_C8", 128 },
	};

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		CHECK_STRING(gpuoa_format_name(formats[i].format), formats[i].name);
		CHECK(gpuoa_format_size(formats[i].format) == formats[i].size);
	}
}

static void unknown_formats_have_no_name_or_size(void)
{
	CHECK(!gpuoa_format_name(0));
	CHECK(!gpuoa_format_name(15));
	CHECK(!gpuoa_format_size(0));
	CHECK(lacks_counter(0, 'A', 0));
	CHECK(gpuoa_report_timestamp(99, offsets) == 0);
}

static void timestamp_is_second_dword(void)
{
	for (uint32_t format = GPUOA_REPORT_A13; format <= GPUOA_REPORT_C4_B8; format++)
		CHECK(gpuoa_report_timestamp(format, offsets) == 4);
}

static void A_counters_follow_the_header(void)
{
	CHECK(counter_is_at(GPUOA_REPORT_A13, 'A', 0, 12));
	CHECK(counter_is_at(GPUOA_REPORT_A13, 'A', 12, 60));
	CHECK(counter_is_at(GPUOA_REPORT_A29, 'A', 28, 124));
	CHECK(counter_is_at(GPUOA_REPORT_A13_B8_C8, 'A', 12, 60));
	CHECK(counter_is_at(GPUOA_REPORT_A45_B8_C8, 'A', 0, 12));
	CHECK(counter_is_at(GPUOA_REPORT_A45_B8_C8, 'A', 44, 188));
}

static void B_and_C_counters_end_the_report(void)
{
	CHECK(counter_is_at(GPUOA_REPORT_A13_B8_C8, 'B', 0, 64));
	CHECK(counter_is_at(GPUOA_REPORT_A13_B8_C8, 'C', 7, 124));
	CHECK(counter_is_at(GPUOA_REPORT_A45_B8_C8, 'B', 0, 192));
	CHECK(counter_is_at(GPUOA_REPORT_A45_B8_C8, 'B', 7, 220));
	CHECK(counter_is_at(GPUOA_REPORT_A45_B8_C8, 'C', 0, 224));
	CHECK(counter_is_at(GPUOA_REPORT_A45_B8_C8, 'C', 7, 252));
	CHECK(counter_is_at(GPUOA_REPORT_B4_C8, 'B', 3, 28));
	CHECK(counter_is_at(GPUOA_REPORT_B4_C8, 'C', 0, 32));
	CHECK(counter_is_at(GPUOA_REPORT_C4_B8, 'C', 3, 28));
	CHECK(counter_is_at(GPUOA_REPORT_C4_B8, 'B', 0, 32));
}

static void B4_C8_A16_has_last_16_A_counters(void)
{
	CHECK(counter_is_at(GPUOA_REPORT_B4_C8_A16, 'A', 29, 64));
	CHECK(counter_is_at(GPUOA_REPORT_B4_C8_A16, 'A', 44, 124));
	CHECK(lacks_counter(GPUOA_REPORT_B4_C8_A16, 'A', 28));
	CHECK(lacks_counter(GPUOA_REPORT_B4_C8_A16, 'A', 45));
}

/*
 * In these formats, A counters fill the space between the clock, which is the end of the header,
 * and byte 64.
 */
static void A12_counters_follow_the_clock(void)
{
	static const uint32_t formats[] = { GPUOA_REPORT_A12, GPUOA_REPORT_A12_B8_C8 };

	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		CHECK(lacks_counter(formats[i], 'A', 6));
		CHECK(counter_is_at(formats[i], 'A', 7, 16));
		CHECK(counter_is_at(formats[i], 'A', 18, 60));
		CHECK(lacks_counter(formats[i], 'A', 19));
	}
	CHECK(counter_is_at(GPUOA_REPORT_A12_B8_C8, 'B', 0, 64));
	CHECK(counter_is_at(GPUOA_REPORT_A12_B8_C8, 'C', 7, 124));
	CHECK(lacks_counter(GPUOA_REPORT_A12, 'B', 0));
}

static void counter_count_is_number_of_positions(void)
{
	size_t formats = 0;

	for (uint32_t id = 0; id < 64; id++) {
		const struct report_format *format = format_get(id);
		uint32_t count = 0;

		for (uint32_t i = 0; format && i < COUNTER_COUNT; i++)
			count += format_counter(format, i).bits != 0;
		CHECK(!format || (count && format_counter_count(format) == count));
		formats += format != NULL;
	}
	CHECK(formats > 20);
}

static void missing_counters_return_enoent(void)
{
	CHECK(lacks_counter(GPUOA_REPORT_A13, 'A', 13));
	CHECK(lacks_counter(GPUOA_REPORT_A13, 'B', 0));
	CHECK(lacks_counter(GPUOA_REPORT_A45_B8_C8, 'A', 45));
	CHECK(lacks_counter(GPUOA_REPORT_A45_B8_C8, 'B', 8));
	CHECK(lacks_counter(GPUOA_REPORT_A45_B8_C8, 'C', 8));
	CHECK(lacks_counter(GPUOA_REPORT_B4_C8, 'B', 4));
	CHECK(lacks_counter(GPUOA_REPORT_A45_B8_C8, 'D', 0));
	CHECK(lacks_counter(GPUOA_REPORT_A45_B8_C8, '@', 0));
	CHECK(lacks_counter(GPUOA_REPORT_A45_B8_C8, 'A', 64));
	CHECK(lacks_counter(GPUOA_REPORT_A45_B8_C8, 'A', ~0u));
}

static void missing_counter_leaves_value_unchanged(void)
{
	uint64_t value = 42;

	gpuoa_report_counter(GPUOA_REPORT_A13, offsets, 'C', 0, &value);
	CHECK(value == 42);
}

static void format_find_returns_format_by_name(void)
{
	CHECK(gpuoa_format_find("A45_B8_C8") == GPUOA_REPORT_A45_B8_C8);
	CHECK(gpuoa_format_find("PEC64u64") == GPUOA_REPORT_PEC64U64);
	CHECK(!gpuoa_format_find("a45_b8_c8"));
	CHECK(!gpuoa_format_find(""));
}

static bool field_is(uint32_t format, enum gpuoa_field field, uint32_t index, uint32_t offset,
		     uint32_t bits, uint32_t high)
{
	struct gpuoa_field_desc desc;

	return !gpuoa_report_field(format, field, index, &desc, sizeof(desc)) &&
	       desc.offset == offset && desc.bits == bits && desc.high == high;
}

static bool lacks_field(uint32_t format, enum gpuoa_field field, uint32_t index)
{
	struct gpuoa_field_desc desc;

	return gpuoa_report_field(format, field, index, &desc, sizeof(desc)) == -ENOENT;
}

static void fields_have_documented_offsets(void)
{
	const uint32_t hsw = GPUOA_REPORT_A45_B8_C8, gen8 = GPUOA_REPORT_A32U40_A4U32_B8_C8;

	CHECK(field_is(hsw, GPUOA_FIELD_REPORT_ID, 0, 0, 32, 0));
	CHECK(field_is(hsw, GPUOA_FIELD_TIMESTAMP, 0, 4, 32, 0));
	CHECK(lacks_field(hsw, GPUOA_FIELD_CONTEXT_ID, 0));
	CHECK(lacks_field(hsw, GPUOA_FIELD_CLOCK, 0));
	CHECK(field_is(gen8, GPUOA_FIELD_CONTEXT_ID, 0, 8, 32, 0));
	CHECK(field_is(gen8, GPUOA_FIELD_CLOCK, 0, 12, 32, 0));
	CHECK(field_is(gen8, GPUOA_FIELD_COUNTER_A, 5, 36, 40, 165));
	CHECK(field_is(gen8, GPUOA_FIELD_COUNTER_A, 33, 148, 32, 0));
	CHECK(field_is(gen8, GPUOA_FIELD_COUNTER_B, 7, 220, 32, 0));
	CHECK(field_is(gen8, GPUOA_FIELD_COUNTER_C, 0, 224, 32, 0));
	CHECK(field_is(GPUOA_REPORT_PEC64U64, GPUOA_FIELD_TIMESTAMP, 0, 8, 56, 0));
	CHECK(field_is(GPUOA_REPORT_PEC64U64, GPUOA_FIELD_COUNTER_PEC, 63, 536, 64, 0));
}

static void missing_fields_return_enoent(void)
{
	CHECK(lacks_field(GPUOA_REPORT_A13, GPUOA_FIELD_COUNTER_A, 13));
	CHECK(lacks_field(GPUOA_REPORT_A13, GPUOA_FIELD_COUNTER_A, ~0u));
	CHECK(lacks_field(GPUOA_REPORT_A13, GPUOA_FIELD_TIMESTAMP, 1));
	CHECK(lacks_field(GPUOA_REPORT_A13, (enum gpuoa_field)99, 0));
	CHECK(lacks_field(99, GPUOA_FIELD_TIMESTAMP, 0));
}

static struct gpuoa_report_desc describe(const char *platform, uint32_t format, const void *report)
{
	const struct gpuoa_set *set = gpuoa_platform_get_set(gpuoa_platform_find(platform), 0);
	struct gpuoa_report_desc desc;

	CHECK(!gpuoa_report_describe(set, format, report, &desc, sizeof(desc)));
	return desc;
}

static void haswell_headers_have_timestamp_only(void)
{
	const uint32_t report[64] = { 0xffffffff, 77, 0xffffffff };
	const struct gpuoa_report_desc desc = describe("hsw", GPUOA_REPORT_A45_B8_C8, report);

	CHECK(desc.timestamp == 77);
	CHECK(!desc.has_clock && !desc.has_reason && !desc.has_context && !desc.has_frequency);
	CHECK(!desc.clock && !desc.reason && !desc.context_id && !desc.frequency_mhz);
}

static void gen8_headers_have_reason_and_context(void)
{
	/*
	 * The reasons are timer and context switch, the context is valid, and the frequency field
	 * is 60, in steps of 16.666 MHz.
	 */
	const uint32_t report[64] = { (1 | 8) << 19 | 1 << 16 | 60, 78, 0x1234, 5678 };
	const struct gpuoa_report_desc desc =
		describe("tglgt2", GPUOA_REPORT_A32U40_A4U32_B8_C8, report);

	CHECK(desc.timestamp == 78 && desc.has_clock && desc.clock == 5678);
	CHECK(desc.has_reason && desc.reason == (GPUOA_REASON_TIMER | GPUOA_REASON_CONTEXT_SWITCH));
	CHECK(desc.has_context && desc.context_id == 0x1234);
	CHECK(desc.has_frequency && desc.frequency_mhz == 999);
}

static void invalid_context_is_not_returned(void)
{
	const uint32_t gen9[64] = { 1 << 19, 1, 0x1234, 1 };
	const uint32_t gen8[64] = { 1u << 25, 1, 0x1234, 1 };

	CHECK(!describe("tglgt2", GPUOA_REPORT_A32U40_A4U32_B8_C8, gen9).has_context);
	CHECK(describe("bdw", GPUOA_REPORT_A32U40_A4U32_B8_C8, gen8).has_context);
}

static void trigger_register_value_is_returned(void)
{
	/*
	 * The render engine wrote 4711 to the trigger register, then the GPU switched to context
	 * 4711.
	 */
	const uint32_t mark[64] = { 8u << 26 | 64 << 19, 1, 4711, 1 };
	const uint32_t context[64] = { 8 << 19 | 1 << 16, 1, 4711, 1 };
	struct gpuoa_report_desc desc = describe("mtlgt2", GPUOA_REPORT_A24U40_A14U32_B8_C8, mark);

	CHECK(desc.has_marker && desc.marker == 4711 && desc.reason == GPUOA_REASON_MMIO);
	CHECK(desc.has_trigger && desc.trigger == 8 && !desc.has_context);
	desc = describe("mtlgt2", GPUOA_REPORT_A24U40_A14U32_B8_C8, context);
	CHECK(!desc.has_marker && !desc.marker && desc.has_context && desc.trigger == 0);
	/*
	 * If a context switch and a register write coincide, the field holds the context id. Bit 16
	 * of the first dword has no meaning.
	 */
	for (uint32_t reason = 0; reason < 0x80; reason++) {
		const uint32_t both[64] = { reason << 19 | 1 << 16, 1, 4711, 1 };

		desc = describe("mtlgt2", GPUOA_REPORT_A24U40_A14U32_B8_C8, both);
		CHECK(desc.has_context == !!(reason & 8));
		CHECK(desc.context_id == (reason & 8 ? 4711 : 0));
		CHECK(desc.has_marker == ((reason & 0x48) == 0x40));
	}
	/*
	 * GPUs before gen12.5 do not have the trigger register; the reason bit has another meaning.
	 */
	desc = describe("tglgt2", GPUOA_REPORT_A32U40_A4U32_B8_C8, mark);
	CHECK(!desc.has_marker && !desc.has_trigger && !desc.reason);
}

static uint32_t reasons_of(const char *platform)
{
	return gpuoa_report_reasons(gpuoa_platform_get_set(gpuoa_platform_find(platform), 0));
}

static void platforms_have_supported_reasons(void)
{
	CHECK(reasons_of("hsw") == 0);
	CHECK(reasons_of("bdw") == 0x3f);
	CHECK(reasons_of("tglgt2") == 0x3f);
	CHECK(reasons_of("mtlgt2") == 0x7f);
	CHECK(reasons_of("lnl") == 0x7f);
	for (uint32_t bit = 1; bit < 0x80; bit <<= 1)
		CHECK(gpuoa_reason_name((enum gpuoa_reason)bit));
}

static void describe_of_unknown_format_returns_einval(void)
{
	const struct gpuoa_set *set = gpuoa_platform_get_set(gpuoa_platform_find("hsw"), 0);
	struct gpuoa_report_desc desc;

	CHECK(gpuoa_report_describe(set, 99, offsets, &desc, sizeof(desc)) == -EINVAL);
}

/*
 * A row of the table in the documentation: format, number, bytes, field, offset, bits, upper byte
 */
struct row {
	char format[32], field[16], upper[8];
	unsigned int number, bytes, offset, bits;
};

/*
 * Returns the field that a row describes, and the first and last index of its counters: "A0-31"
 * means A0 to A31, "time" is one field.
 */
static enum gpuoa_field field_of_row(const struct row *row, unsigned int *first, unsigned int *last)
{
	static const struct {
		const char *name;
		enum gpuoa_field field;
	} names[] = {
		{ "id", GPUOA_FIELD_REPORT_ID },       { "time", GPUOA_FIELD_TIMESTAMP },
		{ "context", GPUOA_FIELD_CONTEXT_ID }, { "clock", GPUOA_FIELD_CLOCK },
		{ "A", GPUOA_FIELD_COUNTER_A },	       { "B", GPUOA_FIELD_COUNTER_B },
		{ "C", GPUOA_FIELD_COUNTER_C },	       { "PEC", GPUOA_FIELD_COUNTER_PEC },
	};
	const size_t length = strcspn(row->field, "0123456789");

	*first = *last = 0;
	switch (sscanf(row->field + length, "%u-%u", first, last)) {
	case 1:
		*last = *first;
		break;
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i].name) == length && !memcmp(names[i].name, row->field, length))
			return names[i].field;
	return (enum gpuoa_field) - 1;
}

/* Parse a row. Returns the number of columns in it. */
static unsigned int check_row(const struct row *row)
{
	const unsigned int step = row->bits == 64 ? 8 : 4;
	unsigned int first, last;
	const enum gpuoa_field field = field_of_row(row, &first, &last);

	CHECK_STRING(gpuoa_format_name(row->number), row->format);
	CHECK(gpuoa_format_size(row->number) == row->bytes);
	for (unsigned int i = first; i <= last; i++)
		CHECK(field_is(row->number, field, i, row->offset + (i - first) * step, row->bits,
			       row->bits == 40 ? (unsigned int)atoi(row->upper) + i - first : 0));
	return last - first + 1;
}

static unsigned int count_fields(uint32_t format)
{
	unsigned int count = 0;

	for (int field = 0; field <= GPUOA_FIELD_COUNTER_PEC; field++)
		for (uint32_t i = 0; i < 64; i++)
			count += !lacks_field(format, (enum gpuoa_field)field, i);
	return count;
}

static void documentation_lists_all_field_offsets(void)
{
	FILE *file = fopen("Documentation/reference/reports.rst", "re");
	unsigned int documented = 0, known = 0;
	char line[256];

	REQUIRE(file);
	while (fgets(line, sizeof(line), file)) {
		struct row row;

		if (sscanf(line, "%31s %u %u %15s %u %u %7s", row.format, &row.number, &row.bytes,
			   row.field, &row.offset, &row.bits, row.upper) == 7)
			documented += check_row(&row);
	}
	fclose(file);
	for (uint32_t format = 0; format < 64; format++)
		known += count_fields(format);
	CHECK(documented == known && known > 500);
}

/*
 * Test reports of random bytes that are 1,000 ticks apart. A timestamp of 32 bits wraps between
 * them.
 */
static void make_pair(uint32_t format, uint8_t *before, uint8_t *after)
{
	const uint64_t times[] = { 0xfffffe00, 0xfffffe00ull + 1000 };
	uint64_t random = 88172645463325252;
	struct gpuoa_field_desc time;

	for (size_t i = 0; i < 2 * gpuoa_format_size(format); i++) {
		random ^= random << 13;
		random ^= random >> 7;
		random ^= random << 17;
		(i % 2 ? before : after)[i / 2] = (uint8_t)random;
	}
	if (gpuoa_report_field(format, GPUOA_FIELD_TIMESTAMP, 0, &time, sizeof(time)))
		return;
	memcpy(before + time.offset, &times[0], time.bits == 32 ? 4 : 7);
	memcpy(after + time.offset, &times[1], time.bits == 32 ? 4 : 7);
}

static uint64_t width_mask(uint32_t format, char bank, uint32_t index)
{
	static const enum gpuoa_field fields[128] = {
		['A'] = GPUOA_FIELD_COUNTER_A,
		['B'] = GPUOA_FIELD_COUNTER_B,
		['C'] = GPUOA_FIELD_COUNTER_C,
		['P'] = GPUOA_FIELD_COUNTER_PEC,
	};
	struct gpuoa_field_desc desc;

	if (gpuoa_report_field(format, fields[(int)bank], index, &desc, sizeof(desc)))
		return 0;
	return desc.bits < 64 ? (1ull << desc.bits) - 1 : UINT64_MAX;
}

/* Call @check for every counter of every format, and check that there are some. */
static void for_each_counter(void (*check)(uint32_t format, char bank, uint32_t index))
{
	size_t counters = 0;

	for (uint32_t format = 1; format <= GPUOA_REPORT_MERT_PEC8; format++)
		for (const char *bank = "ABCP"; *bank; bank++)
			for (uint32_t i = 0; i < 64; i++) {
				if (!width_mask(format, *bank, i))
					continue;
				check(format, *bank, i);
				counters++;
			}
	CHECK(counters > 500);
}

static void counter_is_interpolated(uint32_t format, char bank, uint32_t index)
{
	static const uint32_t parts[] = { 0, 1, 333, 999, 1000 };
	uint8_t before[1024], after[1024], report[1024];
	const uint64_t mask = width_mask(format, bank, index);
	uint64_t begin, first, last, value;

	make_pair(format, before, after);
	begin = gpuoa_report_timestamp(format, before);
	gpuoa_report_counter(format, before, bank, index, &first);
	gpuoa_report_counter(format, after, bank, index, &last);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		const uint64_t time_mask =
			gpuoa_report_timestamp(format, after) < begin ? UINT32_MAX : UINT64_MAX;
		const uint64_t time = (begin + parts[i]) & time_mask;
		const unsigned __int128 count =
			(unsigned __int128)((last - first) & mask) * parts[i];

		if (!CHECK(!gpuoa_report_interpolate(format, before, after, time, report)))
			return;
		CHECK(gpuoa_report_timestamp(format, report) == time);
		gpuoa_report_counter(format, report, bank, index, &value);
		value = (value - first) & mask;
		if (!CHECK(value == (uint64_t)(count / 1000))) /* rounded down */
			printf("# %s %c%u: %llu\n", gpuoa_format_name(format), bank, index,
			       (unsigned long long)value);
	}
}

static void reports_are_interpolated(void)
{
	for_each_counter(counter_is_interpolated);
}

/* The clock is interpolated like a counter; other bits of the header are those of the later report.
 */
static void headers_are_interpolated(void)
{
	for (uint32_t format = 1; format <= GPUOA_REPORT_MERT_PEC8; format++) {
		uint8_t before[1024], after[1024], report[1024], expected[1024];
		struct gpuoa_field_desc clock, time;
		uint64_t first = 0, last = 0, middle;
		size_t clock_size, time_size;

		if (gpuoa_report_field(format, GPUOA_FIELD_CLOCK, 0, &clock, sizeof(clock)) ||
		    gpuoa_report_field(format, GPUOA_FIELD_TIMESTAMP, 0, &time, sizeof(time)))
			continue;
		make_pair(format, before, after);
		CHECK(!gpuoa_report_interpolate(format, before, after,
						(gpuoa_report_timestamp(format, before) + 250) &
							(time.bits == 32 ? UINT32_MAX : UINT64_MAX),
						report));
		clock_size = clock.bits / 8;
		time_size = time.bits / 8;
		memcpy(&first, before + clock.offset, clock_size);
		memcpy(&last, after + clock.offset, clock_size);
		last -= first;
		if (clock.bits == 32)
			last &= UINT32_MAX;
		middle = first + (uint64_t)((unsigned __int128)last * 250 / 1000);
		memcpy(expected, after, sizeof(expected));
		memcpy(expected + clock.offset, &middle, clock_size);
		memcpy(expected + time.offset, report + time.offset, time_size);
		if (!CHECK(!memcmp(report, expected, clock.offset + clock_size)))
			printf("# %s\n", gpuoa_format_name(format));
	}
}

static void interpolation_needs_a_time_between_the_reports(void)
{
	const uint32_t format = GPUOA_REPORT_PEC64U64;
	uint8_t before[1024], after[1024], report[1024];
	uint64_t begin;

	make_pair(format, before, after);
	begin = gpuoa_report_timestamp(format, before);
	CHECK(!gpuoa_report_interpolate(format, before, after, begin + 1000, report));
	CHECK(!memcmp(report, after, gpuoa_format_size(format)));
	CHECK(!gpuoa_report_interpolate(format, before, after, begin + 1, report));
	CHECK(!memcmp(report, after, 7)); /* the report id */
	CHECK(gpuoa_report_interpolate(format, before, after, begin + 1001, report) == -EINVAL);
	CHECK(gpuoa_report_interpolate(format, before, after, begin - 1, report) == -EINVAL);
	CHECK(gpuoa_report_interpolate(format, before, after, 1ull << 56, report) == -EINVAL);
	CHECK(gpuoa_report_interpolate(0, before, after, begin, report) == -ENOENT);
	/* reports of the same time */
	CHECK(!gpuoa_report_interpolate(format, before, before, begin, report));
	CHECK(!memcmp(report, before, gpuoa_format_size(format)));
}

static void counter_is_added(uint32_t format, char bank, uint32_t index)
{
	uint8_t before[1024], after[1024], sum[1024];
	uint64_t first, last, value;

	make_pair(format, before, after);
	memcpy(sum, before, sizeof(sum));
	CHECK(!gpuoa_report_add(format, sum, after));
	CHECK(gpuoa_report_timestamp(format, sum) == gpuoa_report_timestamp(format, before));
	gpuoa_report_counter(format, before, bank, index, &first);
	gpuoa_report_counter(format, after, bank, index, &last);
	gpuoa_report_counter(format, sum, bank, index, &value);
	CHECK(value == ((first + last) & width_mask(format, bank, index)));
}

static void counters_of_reports_are_added(void)
{
	uint8_t report[1024] = { 0 };

	for_each_counter(counter_is_added);
	CHECK(gpuoa_report_add(0, report, report) == -ENOENT);
}

/* Each format is found by number and name, and each counter by its place. */
static void formats_and_counters_are_found(void)
{
	size_t found = 0;

	for (uint32_t id = 0; id < 1000; id++) {
		const struct report_format *format = format_get(id);
		uint32_t count = 0;

		if (!format)
			continue;
		found++;
		CHECK(format->id == id && format_find(format->name) == format);
		for (uint32_t counter = 0; counter < COUNTER_COUNT; counter++) {
			const struct report_field field = format_counter(format, counter);

			count += field.bits > 0;
			CHECK(!field.bits || format_counter_at(format, field.offset) == counter);
			CHECK(!field.bits || field.offset < format->size);
		}
		CHECK(count && format_counter_count(format) == count);
		/* There are no counters in the header and after the report. */
		CHECK(format_counter_at(format, 0) == COUNTER_COUNT);
		CHECK(format_counter_at(format, format->timestamp.offset) == COUNTER_COUNT);
		CHECK(format_counter_at(format, format->size) == COUNTER_COUNT);
		CHECK(format_counter_at(format, UINT64_MAX) == COUNTER_COUNT);
	}
	CHECK(found == 24);
	CHECK(!format_find("") && !format_find("A") && !format_find("A130"));
}

int main(void)
{
	for (uint32_t i = 0; i < 64; i++)
		offsets[i] = 4 * i;
	RUN(formats_have_names_and_sizes);
	RUN(unknown_formats_have_no_name_or_size);
	RUN(timestamp_is_second_dword);
	RUN(A_counters_follow_the_header);
	RUN(B_and_C_counters_end_the_report);
	RUN(B4_C8_A16_has_last_16_A_counters);
	RUN(A12_counters_follow_the_clock);
	RUN(counter_count_is_number_of_positions);
	RUN(missing_counters_return_enoent);
	RUN(missing_counter_leaves_value_unchanged);
	RUN(format_find_returns_format_by_name);
	RUN(fields_have_documented_offsets);
	RUN(missing_fields_return_enoent);
	RUN(haswell_headers_have_timestamp_only);
	RUN(gen8_headers_have_reason_and_context);
	RUN(invalid_context_is_not_returned);
	RUN(trigger_register_value_is_returned);
	RUN(platforms_have_supported_reasons);
	RUN(describe_of_unknown_format_returns_einval);
	RUN(documentation_lists_all_field_offsets);
	RUN(reports_are_interpolated);
	RUN(headers_are_interpolated);
	RUN(interpolation_needs_a_time_between_the_reports);
	RUN(counters_of_reports_are_added);
	RUN(formats_and_counters_are_found);
	return tap_end();
}
