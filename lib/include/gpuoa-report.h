/* SPDX-License-Identifier: MIT */
/*
 * gpuoa-report.h - report formats and fields, ticks and sampling periods
 *
 * Conventions are those of gpuoa.h, which includes this header.
 */
#ifndef GPUOA_REPORT_H
#define GPUOA_REPORT_H

#include "gpuoa-constants.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- reports: formats and fields ------------------------------------------------------------ */

/**
 * enum gpuoa_report_format - Report formats, with the values of drm/gpuoa_drm.h. See
 * Documentation/reference/reports.rst.
 */
enum gpuoa_report_format {
	GPUOA_REPORT_A13 = 1,
	GPUOA_REPORT_A29 = 2,
	GPUOA_REPORT_A13_B8_C8 = 3,
	GPUOA_REPORT_B4_C8 = 4,
	GPUOA_REPORT_A45_B8_C8 = 5,
	GPUOA_REPORT_B4_C8_A16 = 6,
	GPUOA_REPORT_C4_B8 = 7,
	GPUOA_REPORT_A12 = 8,
	GPUOA_REPORT_A12_B8_C8 = 9,
	GPUOA_REPORT_A32U40_A4U32_B8_C8 = 10,
	GPUOA_REPORT_OAR_A32U40_A4U32_B8_C8 = 11,
	GPUOA_REPORT_A24U40_A14U32_B8_C8 = 12,
	GPUOA_REPORT_MPEC8U64_B8_C8 = 13,
	GPUOA_REPORT_MPEC8U32_B8_C8 = 14,
	GPUOA_REPORT_PEC64U64 = 16,
	GPUOA_REPORT_PEC64U64_B8_C8 = 17,
	GPUOA_REPORT_PEC64U32 = 18,
	GPUOA_REPORT_PEC32U64_G1 = 19,
	GPUOA_REPORT_PEC32U32_G1 = 20,
	GPUOA_REPORT_PEC32U64_G2 = 21,
	GPUOA_REPORT_PEC32U32_G2 = 22,
	GPUOA_REPORT_PEC36U64_G1_32_G2_4 = 23,
	GPUOA_REPORT_PEC36U64_G1_4_G2_32 = 24,
	GPUOA_REPORT_MERT_PEC8 = 25,
};

/** gpuoa_format_name() - Return the name of a format ("A45_B8_C8"), or NULL if unknown. */
GPUOA_API const char *gpuoa_format_name(uint32_t format);

/** gpuoa_format_find() - Find a format by name (case-sensitive); 0 if unknown. */
GPUOA_API uint32_t gpuoa_format_find(const char *name);

/** gpuoa_format_size() - Return the size of a report in bytes, or 0 if the format is unknown. */
GPUOA_API size_t gpuoa_format_size(uint32_t format);

/** enum gpuoa_field - Fields of a report. */
enum gpuoa_field {
	GPUOA_FIELD_REPORT_ID, /* first dword: see gpuoa_report_describe() */
	GPUOA_FIELD_TIMESTAMP, /* ticks */
	GPUOA_FIELD_CONTEXT_ID,
	GPUOA_FIELD_CLOCK, /* cycles of the GPU's clock */
	GPUOA_FIELD_COUNTER_A,
	GPUOA_FIELD_COUNTER_B,
	GPUOA_FIELD_COUNTER_C,
	GPUOA_FIELD_COUNTER_PEC,
};

/** struct gpuoa_field_desc - Position of a field in a report. Fields are little-endian. */
struct gpuoa_field_desc {
	uint32_t offset; /* bytes */
	/*
	 * Width of the field: 32 or 64; 56: part of a 64-bit word; 40: a 32-bit word, and a byte at
	 * offset @high.
	 */
	uint32_t bits;
	/* for a 40-bit field: offset of the byte that has the upper eight bits; else 0 */
	uint32_t high;
};

/**
 * gpuoa_report_field() - Get the position of a field in reports of a format.
 * @index: index of the counter in its bank; 0 for fields that are not counters
 * @size: sizeof(*desc)
 *
 * Return: 0. -ENOENT: the format does not have this field, or the library does not know the format.
 */
GPUOA_API int gpuoa_report_field(uint32_t format, enum gpuoa_field field, uint32_t index,
				 struct gpuoa_field_desc *desc, size_t size);

/**
 * gpuoa_report_timestamp() - Return a report's timestamp in ticks, with the width that the format
 * has; 0 if the format is unknown.
 */
GPUOA_API uint64_t gpuoa_report_timestamp(uint32_t format, const void *report);

/**
 * gpuoa_report_counter() - Get the raw value of a counter.
 * @bank: 'A', 'B', 'C', or 'P' for PEC
 *
 * Return: 0. -ENOENT: the format does not have this counter, or is unknown.
 */
GPUOA_API int gpuoa_report_counter(uint32_t format, const void *report, char bank,
				   unsigned int index, uint64_t *value);

/**
 * gpuoa_report_interpolate() - Estimate the report of a time between two reports.
 * @before, @after: reports of the same unit; nothing wrapped twice between them
 * @timestamp: time, as gpuoa_report_timestamp()
 * @report: result: a buffer for gpuoa_format_size() bytes; neither @before nor @after
 *
 * Counters and clock are split in proportion to time, rounded down and modulo their width; all else
 * is that of @after. An interval that is split in this way has the same sums as a whole.
 *
 * Return: 0. -EINVAL: @timestamp is not between the reports. -ENOENT: the format is unknown.
 */
GPUOA_API int gpuoa_report_interpolate(uint32_t format, const void *before, const void *after,
				       uint64_t timestamp, void *report);

/**
 * gpuoa_report_add() - Add the counters of a report of another tile or unit to those of @report,
 * modulo their width.
 *
 * Differences of two such sums are the counts of all the units together. The header, with time and
 * clock, is unchanged. Constants for the sum: gpuoa_constants_add().
 *
 * Return: 0. -ENOENT: the format is unknown.
 */
GPUOA_API int gpuoa_report_add(uint32_t format, void *report, const void *added);

/** enum gpuoa_reason - Reasons for which the GPU writes a report. Bit mask. */
enum gpuoa_reason {
	GPUOA_REASON_TIMER = 1 << 0,
	GPUOA_REASON_TRIGGER_1 = 1 << 1,
	GPUOA_REASON_TRIGGER_2 = 1 << 2,
	GPUOA_REASON_CONTEXT_SWITCH = 1 << 3,
	GPUOA_REASON_IDLE = 1 << 4, /* the GPU became idle, or ended being idle */
	GPUOA_REASON_CLOCK = 1 << 5, /* the GPU's clock frequency changed */
	GPUOA_REASON_MMIO = 1 << 6, /* a write to the trigger register; gen12.5 and later */
};

/**
 * struct gpuoa_report_desc - Decoded header of a report. Fields that the report does not have are
 * 0.
 */
struct gpuoa_report_desc {
	/* timestamp in ticks, with the width that it has in the report format */
	uint64_t timestamp;
	uint64_t clock; /* number of cycles of the GPU's clock; valid if has_clock */
	uint32_t reason; /* enum gpuoa_reason; valid if has_reason */
	uint32_t context_id; /* id of the context that ran or begins to run; valid if has_context */
	uint32_t frequency_mhz; /* frequency of the GPU's clock, MHz; valid if has_frequency */
	bool has_clock;
	bool has_reason;
	bool has_context;
	bool has_frequency;
	bool has_marker;
	uint32_t marker; /* value written to the trigger register; valid if has_marker */
	bool has_trigger;
	/*
	 * What triggered the report: 0: the OA unit, 1: the CPU; for other values see the
	 * information item SourceId. Valid if has_trigger; gen12.7 and later have it.
	 */
	uint32_t trigger;
};

/**
 * gpuoa_report_describe() - Decode the header of a report, as the platform of @set defines it.
 * @set: any set of the platform
 * @size: sizeof(*desc)
 *
 * On Haswell, the header has only the timestamp.
 *
 * Return: 0. -EINVAL: the library does not know the format.
 */
GPUOA_API int gpuoa_report_describe(const struct gpuoa_set *set, uint32_t format,
				    const void *report, struct gpuoa_report_desc *desc,
				    size_t size);

/**
 * gpuoa_report_reasons() - Return all reasons that reports of a set's unit can have (mask of enum
 * gpuoa_reason); 0 if reports have no reason.
 */
GPUOA_API uint32_t gpuoa_report_reasons(const struct gpuoa_set *set);

/* ---- ticks and periods ---------------------------------------------------------------------- */

/** struct gpuoa_clock_pair - The GPU time and the CPU time of one moment. */
struct gpuoa_clock_pair {
	uint64_t gpu_ticks; /* extended to 64 bits */
	uint64_t cpu_ns;
	int32_t clock_id; /* CPU clock: CLOCK_MONOTONIC, ... */
	uint32_t error_ns; /* maximum error of cpu_ns, ns */
	uint64_t reserved[2];
};

/**
 * gpuoa_ticks_to_ns() - Convert ticks to ns, rounded down.
 * @timestamp_frequency: Hz: gpuoa_unit_desc.timestamp_frequency, or constant GpuTimestampFrequency
 *
 * Return: ns. UINT64_MAX if the result exceeds 64 bits; 0 if the frequency is 0.
 */
GPUOA_API uint64_t gpuoa_ticks_to_ns(uint64_t timestamp_frequency, uint64_t ticks);

/**
 * gpuoa_report_ticks() - Return the GPU time of a report, extended to 64 bits.
 * @near: GPU time near that of the report, ticks: of another report, or gpuoa_clock_pair.gpu_ticks
 *
 * Return: the time nearest to @near among those with the report's timestamp.
 */
GPUOA_API uint64_t gpuoa_report_ticks(uint32_t format, const void *report, uint64_t near);

/** enum gpuoa_rounding - How to round a requested period to one that the hardware has. */
enum gpuoa_rounding {
	/* the longest period of the hardware that is not longer than requested */
	GPUOA_ROUNDING_DOWN,
	/* the shortest period of the hardware that is not shorter than requested */
	GPUOA_ROUNDING_UP,
	GPUOA_ROUNDING_NEAREST,
	/*
	 * Flag that can be added to one of the others: if no period matches, use the nearest one of
	 * the hardware instead of failing.
	 */
	GPUOA_ROUNDING_CLAMP = 1 << 8,
};

/**
 * gpuoa_period_to_exponent() - Convert a sampling period to a timer exponent, in exact arithmetic.
 * @timestamp_frequency: Hz
 * @exponent_max: largest exponent of the unit: gpuoa_unit_desc.exponent_max
 * @period_ns: requested period, ns
 * @rounding: enum gpuoa_rounding
 *
 * Return: the exponent, 0..@exponent_max. -ERANGE: no exponent has such a period, or
 * @timestamp_frequency is 0. -EINVAL: @rounding is invalid.
 */
GPUOA_API int gpuoa_period_to_exponent(uint64_t timestamp_frequency, uint32_t exponent_max,
				       uint64_t period_ns, uint32_t rounding);

/**
 * gpuoa_exponent_to_period() - Return the period of an exponent, 2^(exponent+1) ticks, in ns,
 * rounded to nearest.
 */
GPUOA_API uint64_t gpuoa_exponent_to_period(uint64_t timestamp_frequency, uint32_t exponent);

#ifdef __cplusplus
}
#endif

#endif /* GPUOA_REPORT_H */
