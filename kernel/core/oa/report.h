/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * report.h - report formats: where the kernel finds what it must know of a report.
 */
#ifndef _GPUOA_REPORT_H
#define _GPUOA_REPORT_H

#include <linux/bits.h>
#include <linux/types.h>

/* The longest report. */
#define GPUOA_REPORT_MAX 640

/**
 * struct gpuoa_header - the beginning of a report: its id, then its timestamp, both as wide
 * @word: bytes of each of them: 4 or 8
 * @timestamp_bits: valid bits of the timestamp
 * @context: byte offset of the context id, which has 32 bits; 0: there is none
 */
struct gpuoa_header {
	u32 word;
	u32 timestamp_bits;
	u32 context;
};

/**
 * struct gpuoa_counters - counters that stand in a row
 * @first: enum gpuoa_counter of the first; the others are those that follow
 * @bits: how wide each is: 32, 40 or 64. Of 40 bits, the lower 32 stand in one row and the upper 8
 *	in another
 * @count: how many
 * @offset: byte offset of the first
 * @high: byte offset of the upper 8 bits of the first, if it has 40
 */
struct gpuoa_counters {
	u16 first;
	u16 bits;
	u16 count;
	u16 offset;
	u16 high;
};

/**
 * struct gpuoa_counter_place - where a counter stands in a report
 * @bits: how wide it is: 32, 40, 56 or 64
 * @offset: byte offset; of the lower 32 bits, if it has 40
 * @high: byte offset of the upper 8 bits, if it has 40
 */
struct gpuoa_counter_place {
	u16 bits;
	u16 offset;
	u16 high;
};

/**
 * struct gpuoa_format_desc - a report format of a generation
 * @id: enum gpuoa_format
 * @code: what the format field of OACONTROL takes
 * @size: bytes of a report
 * @name: as in the hardware documentation
 * @header: how a report begins
 * @counters: all that counts in it, the GPU's clock too; ends with {}. Rows behind each other, so
 *	that a filter by software leaves nothing out
 * @control: other bits of OACONTROL that make the format
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

/* Why a report was written: bits of the reason, from gen8 on. */
#define GPUOA_REASON_TIMER BIT(0)
#define GPUOA_REASON_CONTEXT_SWITCH BIT(3)

/**
 * struct gpuoa_id_layout - fields of the report id, from gen8 on; masks
 * @reason: GPUOA_REASON_*
 * @context_valid: there is a context that the context id names
 * @source: engine that caused the report; 0: not told
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

/* A32u40_A4u32_B8_C8, whatever else it is called */
extern const struct gpuoa_counters gpuoa_counters_a32u40[];

/* All fields that are of interest here stand in the lower half of a 64-bit id. */
static inline u32 gpuoa_report_id(const void *report)
{
	return *(const u32 *)report;
}

/* A field of the report id. */
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

/* Haswell's ends with the timestamp; all others have a context id and the clock as well. */
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

#endif /* _GPUOA_REPORT_H */
