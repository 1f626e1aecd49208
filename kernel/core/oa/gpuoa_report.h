/* SPDX-License-Identifier: GPL-2.0-only */
/* gpuoa_report.h - reports: timer exponents, formats and their counters, context filter. */
#ifndef _GPUOA_REPORT_H
#define _GPUOA_REPORT_H

#include <linux/bits.h>
#include <linux/types.h>

struct gpuoa_hw;

/* Get the number of timestamp ticks between two timer reports. */
static inline u64 gpuoa_exponent_ticks(u32 exponent)
{
	return 2ULL << exponent;
}

int gpuoa_exponent_from_period(u64 timestamp_frequency, u32 exponent_max, u64 period_ns);
int gpuoa_exponent_from_rate(u64 timestamp_frequency, u32 exponent_max, u64 rate_hz);
u64 gpuoa_exponent_period_ns(u64 timestamp_frequency, u32 exponent);
bool gpuoa_exponent_faster_than(u64 timestamp_frequency, u32 exponent, u64 rate_hz);

/* Size of the largest report, bytes. */
#define GPUOA_REPORT_MAX 640

/**
 * struct gpuoa_header - report header: the id, then the timestamp, of the same size
 * @word: size of the id and of the timestamp: 4 or 8 bytes
 * @timestamp_bits: number of valid bits of the timestamp
 * @context: byte offset of the 32-bit context id; 0 if there is none
 */
struct gpuoa_header {
	u32 word;
	u32 timestamp_bits;
	u32 context;
};

/**
 * struct gpuoa_counters - array of consecutive counters in a report
 * @first: enum gpuoa_counter of the first one; the others follow in enum order
 * @bits: width: 32, 40 or 64. The lower 32 and the upper 8 bits of 40-bit counters are in separate
 *	arrays.
 * @count: number of counters
 * @offset: byte offset of the first one
 * @high: byte offset of the upper 8 bits of the first 40-bit counter
 */
struct gpuoa_counters {
	u16 first;
	u16 bits;
	u16 count;
	u16 offset;
	u16 high;
};

/**
 * struct gpuoa_counter_place - position of a counter in a report
 * @bits: width: 32, 40, 56 or 64
 * @offset: byte offset, for a 40-bit counter that of the lower 32 bits
 * @high: byte offset of the upper 8 bits of a 40-bit counter
 */
struct gpuoa_counter_place {
	u16 bits;
	u16 offset;
	u16 high;
};

/**
 * struct gpuoa_format_desc - report format of a generation
 * @id: enum gpuoa_format
 * @code: value of the format field in OACONTROL
 * @size: report size, bytes
 * @name: name in the hardware documentation
 * @header: layout of the header
 * @counters: all counters including the GPU clock; terminated by {}. The context filter rewrites
 *	exactly these.
 * @control: other OACONTROL bits that select the format
 */
struct gpuoa_format_desc {
	u32 id;
	u32 code;
	u32 size;
	const char *name;
	const struct gpuoa_header *header;
	const struct gpuoa_counters *counters;
	u32 control;
};

/* Bits of the reason for a report, from gen8 on. */
#define GPUOA_REASON_TIMER BIT(0)
#define GPUOA_REASON_CONTEXT_SWITCH BIT(3)

/**
 * struct gpuoa_id_layout - bit masks of the fields of a report id, from gen8 on
 * @reason: GPUOA_REASON_*
 * @context_valid: the context id is valid
 * @source: engine that caused the report; 0 if not available
 */
struct gpuoa_id_layout {
	u32 reason;
	u32 context_valid;
	u32 source;
};

extern const struct gpuoa_header gpuoa_header_hsw;
extern const struct gpuoa_header gpuoa_header_32;
extern const struct gpuoa_header gpuoa_header_64;
extern const struct gpuoa_header gpuoa_header_64_timestamp_32;

/* Gen8 to gen12.0 */
#define GPUOA_GEN8_FORMATS 4
extern const struct gpuoa_format_desc gpuoa_formats_gen8[GPUOA_GEN8_FORMATS];

/* Get the report id. All fields that gpuoa uses are in the lower half of a 64-bit id. */
static inline u32 gpuoa_report_id(const void *report)
{
	return *(const u32 *)report;
}

static inline u32 gpuoa_report_id_field(const void *report, u32 mask)
{
	return mask ? (gpuoa_report_id(report) & mask) >> __builtin_ctz(mask) : 0;
}

static inline u64 gpuoa_report_timestamp(const struct gpuoa_format_desc *format, const void *report)
{
	const struct gpuoa_header *header = format->header;
	const void *timestamp = report + header->word;
	u64 value = header->word == sizeof(u64) ? *(const u64 *)timestamp :
						  *(const u32 *)timestamp;

	return value & GENMASK_ULL(header->timestamp_bits - 1, 0);
}

/* Haswell's header ends with the timestamp; all others have a context id and the GPU clock. */
static inline u32 gpuoa_header_size(const struct gpuoa_header *header)
{
	return header->word * (header->context ? 4 : 2);
}

static inline u32 *gpuoa_report_context(const struct gpuoa_format_desc *format, const void *report)
{
	return (void *)report + format->header->context;
}

bool gpuoa_report_find(const struct gpuoa_format_desc *format, u32 id,
		       struct gpuoa_counter_place *place);
u64 gpuoa_report_count(const struct gpuoa_counter_place *place, const void *report);

void gpuoa_report_subtract(const struct gpuoa_format_desc *format, void *difference, const void *a,
			   const void *b);

/* Context id in filtered reports that begin an interval of another context. */
#define GPUOA_CONTEXT_NOBODY (~0U)

/**
 * struct gpuoa_filter - state of a context filter
 * @hw: OA unit, with its format and the context to filter for
 * @based: @base is set from the first report; used if the hardware filters
 * @inside: only the filter's context was running after the last report
 * @ours: bit mask of report sources (engines) that run the context; used if only switch reports
 *	carry a context id
 * @others: bit mask of report sources that run other contexts
 * @base: hardware counters minus filtered counters
 * @last: filtered counters of the last report
 */
struct gpuoa_filter {
	const struct gpuoa_hw *hw;
	bool based;
	bool inside;
	u64 ours;
	u64 others;
	u64 base[GPUOA_REPORT_MAX / sizeof(u64)];
	u64 last[GPUOA_REPORT_MAX / sizeof(u64)];
};

void gpuoa_filter_init(struct gpuoa_filter *filter, const struct gpuoa_hw *hw);
void gpuoa_filter_gap(struct gpuoa_filter *filter);
bool gpuoa_filter_report(struct gpuoa_filter *filter, void *report);

/* Implementations of &gpuoa_oa_ops.context_runs */
bool gpuoa_filter_by_report(struct gpuoa_filter *filter, const void *report);
bool gpuoa_filter_by_switch(struct gpuoa_filter *filter, const void *report);

#endif /* _GPUOA_REPORT_H */
