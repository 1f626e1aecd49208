// SPDX-License-Identifier: GPL-2.0-only
/*
 * report.c - report formats: what generations have in common, and arithmetic on whole reports.
 */
#include "report.h"
#include "uapi/gpuoa.h"

/* Haswell: what stands behind the timestamp is not documented. */
const struct gpuoa_header gpuoa_header_hsw = { .word = 4, .timestamp_bits = 32 };

/* Gen8 and later: id, timestamp, context id, GPU clock, of 32 bits each. */
const struct gpuoa_header gpuoa_header_32 = { .word = 4, .timestamp_bits = 32, .context = 8 };

/* Media units, and all from Xe2 on: the same of 64 bits each; the timestamp counts in 56. */
const struct gpuoa_header gpuoa_header_64 = { .word = 8, .timestamp_bits = 56, .context = 16 };

/* MPEC8u32: of the timestamp, nobody has ever relied on more than the lower half. */
const struct gpuoa_header gpuoa_header_64_timestamp_32 = {
	.word = 8,
	.timestamp_bits = 32,
	.context = 16,
};

/* All dwords from the GPU's clock on. */
static const struct gpuoa_counters counters_of_64_bytes[] = { { 32, 13, 12 }, {} };
static const struct gpuoa_counters counters_of_128_bytes[] = { { 32, 29, 12 }, {} };

const struct gpuoa_counters gpuoa_counters_a32u40[] = {
	{ 32, 1, 12 },	    /* GPU clock */
	{ 40, 32, 16, 160 }, /* A0..A31 */
	{ 32, 4, 144 },	    /* A32..A35 */
	{ 32, 16, 192 },    /* B0..B7, C0..C7 */
	{},
};

const struct gpuoa_format_desc gpuoa_formats_gen8[GPUOA_GEN8_FORMATS] = {
	{ GPUOA_FORMAT_A12, 0, 64, "A12", &gpuoa_header_32, counters_of_64_bytes },
	{ GPUOA_FORMAT_A12_B8_C8, 2, 128, "A12_B8_C8", &gpuoa_header_32, counters_of_128_bytes },
	{ GPUOA_FORMAT_A32U40_A4U32_B8_C8, 5, 256, "A32u40_A4u32_B8_C8", &gpuoa_header_32,
	  gpuoa_counters_a32u40 },
	{ GPUOA_FORMAT_C4_B8, 7, 64, "C4_B8", &gpuoa_header_32, counters_of_64_bytes },
};

static void subtract_32(const struct gpuoa_counters *range, void *to, const void *a, const void *b)
{
	const u32 *minuend = a + range->offset, *subtrahend = b + range->offset;
	u32 *difference = to + range->offset;
	u32 i;

	for (i = 0; i < range->count; i++)
		difference[i] = minuend[i] - subtrahend[i];
}

/* Modulo 2^40: what is borrowed from the lower half is taken from the upper. */
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
 * gpuoa_report_subtract - subtract counter by counter, each modulo its width
 * @format: format of all three
 * @difference: out: counters of @a - @b; nothing else of it is written. May be @a or @b
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
