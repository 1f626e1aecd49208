// SPDX-License-Identifier: GPL-2.0-only
/* report.c - report formats shared by several generations, and arithmetic on whole reports. */
#include "report.h"
#include "uapi/gpuoa.h"

/* Haswell: the words after the timestamp are not documented. */
const struct gpuoa_header gpuoa_header_hsw = { .word = 4, .timestamp_bits = 32 };

/* Gen8 and later: id, timestamp, context id and GPU clock, 32 bits each. */
const struct gpuoa_header gpuoa_header_32 = { .word = 4, .timestamp_bits = 32, .context = 8 };

/* Media units, and all units from Xe2 on: 64 bits each, with 56 valid bits in the timestamp. */
const struct gpuoa_header gpuoa_header_64 = { .word = 8, .timestamp_bits = 56, .context = 16 };

/* MPEC8u32: the upper half of the timestamp is not known to be valid. */
const struct gpuoa_header gpuoa_header_64_timestamp_32 = {
	.word = 8,
	.timestamp_bits = 32,
	.context = 16,
};

static const struct gpuoa_counters counters_a12[] = {
	{ GPUOA_COUNTER_CLOCK, 32, 1, 12 },
	{ GPUOA_COUNTER_A(7), 32, 12, 16 },
	{},
};

static const struct gpuoa_counters counters_a12_b8_c8[] = {
	{ GPUOA_COUNTER_CLOCK, 32, 1, 12 },
	{ GPUOA_COUNTER_A(7), 32, 12, 16 },
	{ GPUOA_COUNTER_B(0), 32, 8, 64 },
	{ GPUOA_COUNTER_C(0), 32, 8, 96 },
	{},
};

static const struct gpuoa_counters counters_c4_b8[] = {
	{ GPUOA_COUNTER_CLOCK, 32, 1, 12 },
	{ GPUOA_COUNTER_C(0), 32, 4, 16 },
	{ GPUOA_COUNTER_B(0), 32, 8, 32 },
	{},
};

const struct gpuoa_counters gpuoa_counters_a32u40[] = {
	{ GPUOA_COUNTER_CLOCK, 32, 1, 12 },
	{ GPUOA_COUNTER_A(0), 40, 32, 16, 160 },
	{ GPUOA_COUNTER_A(32), 32, 4, 144 },
	{ GPUOA_COUNTER_B(0), 32, 8, 192 },
	{ GPUOA_COUNTER_C(0), 32, 8, 224 },
	{},
};

const struct gpuoa_format_desc gpuoa_formats_gen8[GPUOA_GEN8_FORMATS] = {
	{ GPUOA_FORMAT_A12, 0, 64, "A12", &gpuoa_header_32, counters_a12 },
	{ GPUOA_FORMAT_A12_B8_C8, 2, 128, "A12_B8_C8", &gpuoa_header_32, counters_a12_b8_c8 },
	{ GPUOA_FORMAT_A32U40_A4U32_B8_C8, 5, 256, "A32u40_A4u32_B8_C8", &gpuoa_header_32,
	  gpuoa_counters_a32u40 },
	{ GPUOA_FORMAT_C4_B8, 7, 64, "C4_B8", &gpuoa_header_32, counters_c4_b8 },
};

/* The timestamp is not in the counter tables, because the context filter must not change it. */
static void find_timestamp(const struct gpuoa_format_desc *format,
			   struct gpuoa_counter_place *place)
{
	const struct gpuoa_header *header = format->header;

	*place = (struct gpuoa_counter_place){
		.bits = header->timestamp_bits,
		.offset = header->word,
	};
}

/**
 * gpuoa_report_find() - Find a counter in a report format.
 * @format: report format
 * @id: enum gpuoa_counter
 * @place: position of the counter, output
 *
 * Return: false if the format does not contain the counter
 */
bool gpuoa_report_find(const struct gpuoa_format_desc *format, u32 id,
		       struct gpuoa_counter_place *place)
{
	const struct gpuoa_counters *range;
	u32 n;

	if (id == GPUOA_COUNTER_TIMESTAMP) {
		find_timestamp(format, place);
		return true;
	}

	for (range = format->counters; range->count; range++) {
		n = id - range->first;
		if (n >= range->count)
			continue;

		*place = (struct gpuoa_counter_place){
			.bits = range->bits,
			.offset = range->offset + n * (range->bits == 64 ? 8 : 4),
			.high = range->high + n,
		};
		return true;
	}

	return false;
}

/**
 * gpuoa_report_count() - Read a counter from a report.
 * @place: position of the counter
 * @report: report
 *
 * Return: value of the counter, with the width of the counter
 */
u64 gpuoa_report_count(const struct gpuoa_counter_place *place, const void *report)
{
	const void *value = report + place->offset;

	switch (place->bits) {
	case 32:
		return *(const u32 *)value;
	case 40:
		return *(const u32 *)value | (u64)*(const u8 *)(report + place->high) << 32;
	default:
		return *(const u64 *)value & GENMASK_ULL(place->bits - 1, 0);
	}
}

static void subtract_32(const struct gpuoa_counters *range, void *to, const void *a, const void *b)
{
	const u32 *minuend = a + range->offset, *subtrahend = b + range->offset;
	u32 *difference = to + range->offset;
	u32 i;

	for (i = 0; i < range->count; i++)
		difference[i] = minuend[i] - subtrahend[i];
}

/* Subtract modulo 2^40, with the borrow of the lower half taken from the upper half. */
static void subtract_40(const struct gpuoa_counters *range, void *to, const void *a, const void *b)
{
	const u32 *minuend = a + range->offset, *subtrahend = b + range->offset;
	const u8 *minuend_high = a + range->high, *subtrahend_high = b + range->high;
	u32 *difference = to + range->offset;
	u8 *difference_high = to + range->high;
	bool borrow;
	u32 i;

	for (i = 0; i < range->count; i++) {
		borrow = minuend[i] < subtrahend[i];
		difference[i] = minuend[i] - subtrahend[i];
		difference_high[i] = minuend_high[i] - subtrahend_high[i] - borrow;
	}
}

static void subtract_64(const struct gpuoa_counters *range, void *to, const void *a, const void *b)
{
	const u64 *minuend = a + range->offset, *subtrahend = b + range->offset;
	u64 *difference = to + range->offset;
	u32 i;

	for (i = 0; i < range->count; i++)
		difference[i] = minuend[i] - subtrahend[i];
}

/**
 * gpuoa_report_subtract() - Subtract all counters of two reports, each modulo its width.
 * @format: format of all three reports
 * @difference: counters of @a - @b, output; other fields are not written. May be @a or @b.
 * @a: minuend
 * @b: subtrahend
 */
void gpuoa_report_subtract(const struct gpuoa_format_desc *format, void *difference, const void *a,
			   const void *b)
{
	const struct gpuoa_counters *range;

	for (range = format->counters; range->count; range++) {
		if (range->bits == 32)
			subtract_32(range, difference, a, b);
		else if (range->bits == 40)
			subtract_40(range, difference, a, b);
		else
			subtract_64(range, difference, a, b);
	}
}
