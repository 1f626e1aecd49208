// SPDX-License-Identifier: MIT
/* format_test.c - where report formats keep their counters. */
#include <errno.h>
#include <stdint.h>

#include "gpuoa.h"
#include "tap.h"

/* Every dword of this report holds its own byte offset. */
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

static void formats_have_their_names_and_sizes(void)
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

static void unknown_formats_have_neither_name_nor_size(void)
{
	CHECK(!gpuoa_format_name(0));
	CHECK(!gpuoa_format_name(15));
	CHECK(!gpuoa_format_size(0));
	CHECK(lacks_counter(0, 'A', 0));
	CHECK(gpuoa_report_timestamp(99, offsets) == 0);
}

static void timestamps_are_the_second_word(void)
{
	for (uint32_t format = GPUOA_REPORT_A13; format <= GPUOA_REPORT_C4_B8; format++)
		CHECK(gpuoa_report_timestamp(format, offsets) == 4);
}

static void A_counters_begin_behind_the_header(void)
{
	CHECK(counter_is_at(GPUOA_REPORT_A13, 'A', 0, 12));
	CHECK(counter_is_at(GPUOA_REPORT_A13, 'A', 12, 60));
	CHECK(counter_is_at(GPUOA_REPORT_A29, 'A', 28, 124));
	CHECK(counter_is_at(GPUOA_REPORT_A13_B8_C8, 'A', 12, 60));
	CHECK(counter_is_at(GPUOA_REPORT_A45_B8_C8, 'A', 0, 12));
	CHECK(counter_is_at(GPUOA_REPORT_A45_B8_C8, 'A', 44, 188));
}

static void B_and_C_counters_fill_the_end(void)
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

static void the_A_counters_of_B4_C8_A16_are_the_last_sixteen(void)
{
	CHECK(counter_is_at(GPUOA_REPORT_B4_C8_A16, 'A', 29, 64));
	CHECK(counter_is_at(GPUOA_REPORT_B4_C8_A16, 'A', 44, 124));
	CHECK(lacks_counter(GPUOA_REPORT_B4_C8_A16, 'A', 28));
	CHECK(lacks_counter(GPUOA_REPORT_B4_C8_A16, 'A', 45));
}

/* As many as there are between the header, whose last word is the clock, and byte 64. */
static void the_A_counters_of_A12_stand_behind_the_clock(void)
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

static void counters_that_a_format_lacks_are_ENOENT(void)
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

static void a_value_stays_as_it_was_when_there_is_no_counter(void)
{
	uint64_t value = 42;

	gpuoa_report_counter(GPUOA_REPORT_A13, offsets, 'C', 0, &value);
	CHECK(value == 42);
}

int main(void)
{
	for (uint32_t i = 0; i < 64; i++)
		offsets[i] = 4 * i;
	RUN(formats_have_their_names_and_sizes);
	RUN(unknown_formats_have_neither_name_nor_size);
	RUN(timestamps_are_the_second_word);
	RUN(A_counters_begin_behind_the_header);
	RUN(B_and_C_counters_fill_the_end);
	RUN(the_A_counters_of_B4_C8_A16_are_the_last_sixteen);
	RUN(the_A_counters_of_A12_stand_behind_the_clock);
	RUN(counters_that_a_format_lacks_are_ENOENT);
	RUN(a_value_stays_as_it_was_when_there_is_no_counter);
	return tap_end();
}
