// SPDX-License-Identifier: MIT
/* format.c - the table of report formats */
#include "report/format.h"

#include "gpuoa.h"

/*
 * Fields in the header of Haswell's reports: report id, timestamp. An undocumented dword follows.
 */
#define HEADER_HSW \
	.report_id = { .bits = 32, .offset = 0 }, .timestamp = { .bits = 32, .offset = 4 }

/* Fields in the header of reports since Broadwell: report id, timestamp, context, clock */
#define HEADER_32                                                                           \
	.report_id = { .bits = 32, .offset = 0 }, .timestamp = { .bits = 32, .offset = 4 }, \
	.context = { .bits = 32, .offset = 8 }, .clock = { .bits = 32, .offset = 12 }

/* Fields in a header of 64-bit words: report id, timestamp of 56 bits, context, clock */
#define HEADER_64                                                                           \
	.report_id = { .bits = 64, .offset = 0 }, .timestamp = { .bits = 56, .offset = 8 }, \
	.context = { .bits = 32, .offset = 16 }, .clock = { .bits = 64, .offset = 24 }

/*
 * Fields in the header of format MPEC8u32. Only the low half of the timestamp is read, as in other
 * software.
 */
#define HEADER_64_TIMESTAMP_32                                                              \
	.report_id = { .bits = 64, .offset = 0 }, .timestamp = { .bits = 32, .offset = 8 }, \
	.context = { .bits = 32, .offset = 16 }, .clock = { .bits = 64, .offset = 24 }

/* Counters @low to @low + @n - 1 of a bank. The first one is at byte @at of a report. */
#define RANGE(letter, low, n, ...)                                                        \
	{                                                                                 \
		.bank = BANK_##letter, .first = low, .count = n, .field = { __VA_ARGS__ } \
	}
#define U32(letter, low, n, at) RANGE(letter, low, n, .bits = 32, .offset = at)
#define U64(letter, low, n, at) RANGE(letter, low, n, .bits = 64, .offset = at)
/* Counters of 40 bits: the upper byte of the first one is at byte @high_at. */
#define U40(letter, low, n, at, high_at) \
	RANGE(letter, low, n, .bits = 40, .offset = at, .high = high_at)

static const struct report_format formats[] = {
	{ GPUOA_REPORT_A13, "A13", 64, HEADER_HSW, .ranges = { U32(A, 0, 13, 12) } },
	{ GPUOA_REPORT_A29, "A29", 128, HEADER_HSW, .ranges = { U32(A, 0, 29, 12) } },
	{ GPUOA_REPORT_A13_B8_C8, "A13_B8_C8", 128, HEADER_HSW,
	  .ranges = { U32(A, 0, 13, 12), U32(B, 0, 8, 64), U32(C, 0, 8, 96) } },
	{ GPUOA_REPORT_B4_C8, "B4_C8", 64, HEADER_HSW,
	  .ranges = { U32(B, 0, 4, 16), U32(C, 0, 8, 32) } },
	{ GPUOA_REPORT_A45_B8_C8, "A45_B8_C8", 256, HEADER_HSW,
	  .ranges = { U32(A, 0, 45, 12), U32(B, 0, 8, 192), U32(C, 0, 8, 224) } },
	{ GPUOA_REPORT_B4_C8_A16, "B4_C8_A16", 128, HEADER_HSW,
	  .ranges = { U32(A, 29, 16, 64), U32(B, 0, 4, 16), U32(C, 0, 8, 32) } },
	/*
	 * GPUs after Haswell also have this format, with additional header fields that are not
	 * read.
	 */
	{ GPUOA_REPORT_C4_B8, "C4_B8", 64, HEADER_HSW,
	  .ranges = { U32(B, 0, 8, 32), U32(C, 0, 4, 16) } },
	/*
	 * The counters are in bytes 16 to 63, after the clock: see Documentation/user/accuracy.rst.
	 */
	{ GPUOA_REPORT_A12, "A12", 64, HEADER_32, .ranges = { U32(A, 7, 12, 16) } },
	{ GPUOA_REPORT_A12_B8_C8, "A12_B8_C8", 128, HEADER_32,
	  .ranges = { U32(A, 7, 12, 16), U32(B, 0, 8, 64), U32(C, 0, 8, 96) } },
	{ GPUOA_REPORT_A32U40_A4U32_B8_C8, "A32u40_A4u32_B8_C8", 256, HEADER_32,
	  .ranges = { U40(A, 0, 32, 16, 160), U32(A, 32, 4, 144), U32(B, 0, 8, 192),
		      U32(C, 0, 8, 224) } },
	{ GPUOA_REPORT_OAR_A32U40_A4U32_B8_C8, "OAR_A32u40_A4u32_B8_C8", 256, HEADER_32,
	  .ranges = { U40(A, 0, 32, 16, 160), U32(A, 32, 4, 144), U32(B, 0, 8, 192),
		      U32(C, 0, 8, 224) } },
	/*
	 * A36 and A37 are in the place of the upper bytes of A0..A3 and A24..A27, which therefore
	 * have only 32 bits in this format.
	 */
	{ GPUOA_REPORT_A24U40_A14U32_B8_C8, "A24u40_A14u32_B8_C8", 256, HEADER_32,
	  .ranges = { U32(A, 0, 4, 16), U40(A, 4, 20, 32, 164), U32(A, 24, 4, 112),
		      U40(A, 28, 4, 128, 188), U32(A, 32, 4, 144), U32(A, 36, 1, 160),
		      U32(A, 37, 1, 184), U32(B, 0, 8, 192), U32(C, 0, 8, 224) } },
	{ GPUOA_REPORT_MPEC8U64_B8_C8, "MPEC8u64_B8_C8", 192, HEADER_64,
	  .ranges = { U64(A, 0, 8, 32), U32(B, 0, 8, 96), U32(C, 0, 8, 128) } },
	{ GPUOA_REPORT_MPEC8U32_B8_C8, "MPEC8u32_B8_C8", 128, HEADER_64_TIMESTAMP_32,
	  .ranges = { U32(A, 0, 8, 32), U32(B, 0, 8, 64), U32(C, 0, 8, 96) } },
	{ GPUOA_REPORT_PEC64U64, "PEC64u64", 576, HEADER_64, .ranges = { U64(PEC, 0, 64, 32) } },
	{ GPUOA_REPORT_PEC64U64_B8_C8, "PEC64u64_B8_C8", 640, HEADER_64,
	  .ranges = { U64(PEC, 0, 64, 32), U32(B, 0, 8, 544), U32(C, 0, 8, 576) } },
	{ GPUOA_REPORT_PEC64U32, "PEC64u32", 320, HEADER_64, .ranges = { U32(PEC, 0, 64, 32) } },
	{ GPUOA_REPORT_PEC32U64_G1, "PEC32u64_G1", 320, HEADER_64,
	  .ranges = { U64(PEC, 0, 32, 32) } },
	{ GPUOA_REPORT_PEC32U32_G1, "PEC32u32_G1", 192, HEADER_64,
	  .ranges = { U32(PEC, 0, 32, 32) } },
	{ GPUOA_REPORT_PEC32U64_G2, "PEC32u64_G2", 320, HEADER_64,
	  .ranges = { U64(PEC, 32, 32, 32) } },
	{ GPUOA_REPORT_PEC32U32_G2, "PEC32u32_G2", 192, HEADER_64,
	  .ranges = { U32(PEC, 32, 32, 32) } },
	{ GPUOA_REPORT_PEC36U64_G1_32_G2_4, "PEC36u64_G1_32_G2_4", 320, HEADER_64,
	  .ranges = { U64(PEC, 0, 36, 32) } },
	{ GPUOA_REPORT_PEC36U64_G1_4_G2_32, "PEC36u64_G1_4_G2_32", 320, HEADER_64,
	  .ranges = { U64(PEC, 0, 4, 32), U64(PEC, 32, 32, 64) } },
	{ GPUOA_REPORT_MERT_PEC8, "MERT_PEC8", 128, HEADER_64, .ranges = { U32(A, 0, 8, 32) } },
};

#define FORMAT_COUNT (sizeof(formats) / sizeof(formats[0]))

const struct report_format *format_get(uint32_t id)
{
	for (size_t i = 0; i < FORMAT_COUNT; i++)
		if (formats[i].id == id)
			return &formats[i];
	return NULL;
}

const struct report_format *format_find(const char *name)
{
	for (size_t i = 0; i < FORMAT_COUNT; i++)
		if (!strcmp(formats[i].name, name))
			return &formats[i];
	return NULL;
}

struct report_field format_counter(const struct report_format *format, uint32_t counter)
{
	uint32_t bank = counter / BANK_SIZE, index = counter % BANK_SIZE;

	for (size_t i = 0; i < REPORT_RANGES && format->ranges[i].count; i++) {
		const struct report_range *range = &format->ranges[i];
		uint32_t n = index - range->first;

		if (range->bank != bank || index < range->first || n >= range->count)
			continue;
		return (struct report_field){
			.bits = range->field.bits,
			.offset = range->field.offset + n * (range->field.bits == 64 ? 8 : 4),
			.high = range->field.bits == 40 ? range->field.high + n : 0,
		};
	}
	return (struct report_field){ 0 };
}

uint32_t format_counter_count(const struct report_format *format)
{
	uint32_t count = 0;

	for (size_t i = 0; i < REPORT_RANGES && format->ranges[i].count; i++)
		count += format->ranges[i].count;
	return count;
}

uint32_t format_counter_at(const struct report_format *format, uint64_t offset)
{
	for (uint32_t counter = 0; counter < COUNTER_COUNT; counter++) {
		const struct report_field field = format_counter(format, counter);

		if (field.bits && field.offset == offset)
			return counter;
	}
	return COUNTER_COUNT;
}
