// SPDX-License-Identifier: GPL-2.0-only
/* gpuoa_report.c - reports: timer exponents, formats and their counters, context filter. */
#include <linux/errno.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <linux/time64.h>

#include "gpuoa_oa.h"
#include "gpuoa_report.h"
#include "uapi/gpuoa.h"

/* Get the largest exponent with a period of at most @ticks: 2^(e+1) <= ticks. */
static int exponent_from_ticks(u64 ticks, u32 exponent_max)
{
	if (ticks < gpuoa_exponent_ticks(0))
		return -ERANGE;

	return min_t(u32, ilog2(ticks) - 1, exponent_max);
}

/**
 * gpuoa_exponent_from_period() - Convert a period to a timer exponent.
 * @timestamp_frequency: timestamp frequency, Hz, below 1 GHz
 * @exponent_max: largest exponent of the hardware
 * @period_ns: requested period, ns
 *
 * 2^(e+1) / f <= period holds exactly if 2^(e+1) <= floor(period * f), because 2^(e+1) is an
 * integer.
 *
 * Return: exponent of the longest period that does not exceed @period_ns; -ERANGE if the shortest
 * period exceeds it.
 */
int gpuoa_exponent_from_period(u64 timestamp_frequency, u32 exponent_max, u64 period_ns)
{
	u64 ticks = mul_u64_u64_div_u64(period_ns, timestamp_frequency, NSEC_PER_SEC);

	return exponent_from_ticks(ticks, exponent_max);
}

/**
 * gpuoa_exponent_from_rate() - Convert a rate to a timer exponent.
 * @timestamp_frequency: timestamp frequency, Hz
 * @exponent_max: largest exponent of the hardware
 * @rate_hz: requested rate, reports per second, not 0
 *
 * Return: exponent of the lowest rate that is at least @rate_hz, or @exponent_max if @rate_hz is
 * below the lowest rate; -ERANGE if @rate_hz exceeds the highest rate.
 */
int gpuoa_exponent_from_rate(u64 timestamp_frequency, u32 exponent_max, u64 rate_hz)
{
	return exponent_from_ticks(div64_u64(timestamp_frequency, rate_hz), exponent_max);
}

/**
 * gpuoa_exponent_period_ns() - Convert a timer exponent to a period.
 * @timestamp_frequency: timestamp frequency, Hz
 * @exponent: timer exponent
 *
 * Return: period, ns, rounded up
 */
u64 gpuoa_exponent_period_ns(u64 timestamp_frequency, u32 exponent)
{
	return DIV64_U64_ROUND_UP(gpuoa_exponent_ticks(exponent) * NSEC_PER_SEC,
				  timestamp_frequency);
}

/**
 * gpuoa_exponent_faster_than() - Check whether a timer exceeds a rate.
 * @timestamp_frequency: timestamp frequency, Hz
 * @exponent: timer exponent
 * @rate_hz: rate limit, Hz, below 2^32
 *
 * Return: true if the timer writes more than @rate_hz reports per second
 */
bool gpuoa_exponent_faster_than(u64 timestamp_frequency, u32 exponent, u64 rate_hz)
{
	return timestamp_frequency > gpuoa_exponent_ticks(exponent) * rate_hz;
}

/* Haswell's header: the words after the timestamp are not documented. */
const struct gpuoa_header gpuoa_header_hsw = { .word = 4, .timestamp_bits = 32 };

/* The header of gen8 and later: id, timestamp, context id and GPU clock, 32 bits each. */
const struct gpuoa_header gpuoa_header_32 = { .word = 4, .timestamp_bits = 32, .context = 8 };

/*
 * The header of media units, and of all units from Xe2 on: the same four fields of 64 bits each,
 * with 56 valid bits in the timestamp.
 */
const struct gpuoa_header gpuoa_header_64 = { .word = 8, .timestamp_bits = 56, .context = 16 };

/* The header of format MPEC8u32: the upper half of the timestamp is not known to be valid. */
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

static const struct gpuoa_counters gpuoa_counters_a32u40[] = {
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

/**
 * DOC: Context filter
 *
 * From gen8 on, the OA counters count for all contexts. The unit writes a report at each context
 * switch, and reports carry a context id. Time is therefore divided into intervals between reports,
 * and an interval belongs to the context that runs from its first report on.
 *
 * A filtered stream forwards the reports at both ends of the context's intervals and drops the
 * others. The counters in these reports would still reveal the activity of other contexts between
 * the intervals. The filter therefore rewrites them to start at 0 and to stop while other contexts
 * run, as if the hardware had filtered. Timestamps are unchanged. In a report that begins an
 * interval of another context, the context id is replaced by GPUOA_CONTEXT_NOBODY.
 *
 * A timer report may show the next context before the switch report arrives. The interval then
 * contains work of both contexts, so it is not counted: the filter undercounts rather than leak
 * data of another context. An interval with lost reports is not counted either.
 *
 * Haswell filters in hardware: its counters stop while other contexts run. They start with the
 * counts of the unit's previous user, so they are rewritten to start at 0.
 */

/**
 * gpuoa_filter_init() - Initialize a context filter.
 * @filter: filter
 * @hw: OA unit
 */
void gpuoa_filter_init(struct gpuoa_filter *filter, const struct gpuoa_hw *hw)
{
	memset(filter, 0, sizeof(*filter));
	filter->hw = hw;
}

/**
 * gpuoa_filter_gap() - Handle missing reports.
 * @filter: filter
 *
 * Assume that the filter's context does not run and that other contexts continue to run. Counters
 * continue from their last filtered values.
 */
void gpuoa_filter_gap(struct gpuoa_filter *filter)
{
	filter->inside = false;
	filter->ours = 0;
}

static void filter_begin_at_0(struct gpuoa_filter *filter, void *report)
{
	const struct gpuoa_format_desc *format = filter->hw->format;

	if (!filter->based)
		memcpy(filter->base, report, format->size);
	filter->based = true;
	gpuoa_report_subtract(format, report, report, filter->base);
}

/**
 * gpuoa_filter_report() - Filter the next report.
 * @filter: filter
 * @report: report, in stream order; rewritten if it is forwarded
 *
 * Return: true if the report is to be forwarded
 */
bool gpuoa_filter_report(struct gpuoa_filter *filter, void *report)
{
	const struct gpuoa_hw *hw = filter->hw;
	const struct gpuoa_format_desc *format = hw->format;
	bool before = filter->inside;
	u32 reason;
	bool runs;

	if (!hw->oa->context_runs) {
		filter_begin_at_0(filter, report);
		return true;
	}

	reason = gpuoa_report_id_field(report, hw->oa->id->reason);
	runs = hw->oa->context_runs(filter, report);
	filter->inside = runs;
	if (!before && !runs)
		return false;

	/* Exclude the interval from the counters unless it belonged to the context alone. */
	if (!before || !(runs || reason & GPUOA_REASON_CONTEXT_SWITCH))
		gpuoa_report_subtract(format, filter->base, report, filter->last);
	gpuoa_report_subtract(format, report, report, filter->base);
	memcpy(filter->last, report, format->size);
	if (!runs)
		*gpuoa_report_context(format, report) = GPUOA_CONTEXT_NOBODY;

	return true;
}

static bool filter_is_ours(const struct gpuoa_filter *filter, const void *report)
{
	const struct gpuoa_hw *hw = filter->hw;
	u32 id = *gpuoa_report_context(hw->format, report);

	return gpuoa_report_id_field(report, hw->oa->id->context_valid) &&
	       (id & hw->context_mask) == hw->context;
}

/**
 * gpuoa_filter_by_report() - Check whether the context runs, by the report's context id.
 * @filter: filter
 * @report: report
 *
 * For gen8 to gen12.0, where every report carries a context id. The engine is idle if the id is not
 * valid.
 *
 * Return: true if the context runs
 */
bool gpuoa_filter_by_report(struct gpuoa_filter *filter, const void *report)
{
	return filter_is_ours(filter, report);
}

/**
 * gpuoa_filter_by_switch() - Check whether the context runs alone, by switch reports.
 * @filter: filter
 * @report: report
 *
 * From gen12.5 on, several engines run contexts at the same time and the counters count for all of
 * them. A switch report is about one engine, its source, and carries the id of the context that
 * begins there, or none. Other reports are ignored, because they may hold a marker instead of the
 * context id.
 *
 * Return: true if the context runs and no other context is known to run
 */
bool gpuoa_filter_by_switch(struct gpuoa_filter *filter, const void *report)
{
	const struct gpuoa_id_layout *id = filter->hw->oa->id;
	u64 source;

	if (gpuoa_report_id_field(report, id->reason) & GPUOA_REASON_CONTEXT_SWITCH) {
		source = BIT_ULL(gpuoa_report_id_field(report, id->source));
		filter->ours &= ~source;
		filter->others &= ~source;
		if (filter_is_ours(filter, report))
			filter->ours |= source;
		else if (gpuoa_report_id_field(report, id->context_valid))
			filter->others |= source;
	}

	return filter->ours && !filter->others;
}
