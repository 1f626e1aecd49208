/* SPDX-License-Identifier: MIT */
/*
 * format.h - positions of fields and counters in reports
 *
 * The counters of all banks share one numbering, so that sums, equations and formats can use plain
 * arrays.
 */
#ifndef GPUOA_LIB_REPORT_FORMAT_H
#define GPUOA_LIB_REPORT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum counter_bank {
	/*
	 * aggregating counters, and the MPEC counters of media units, which equations also call A
	 */
	BANK_A,
	BANK_B,
	BANK_C,
	BANK_PEC, /* performance event counters of Xe2 and later */
	/* performance counter registers, which queries store; not part of any report */
	BANK_PERFCNT,
	BANK_COUNT,
};

#define BANK_SIZE 64
#define COUNTER_COUNT (BANK_COUNT * BANK_SIZE)

static inline uint32_t counter_number(enum counter_bank bank, uint32_t index)
{
	return bank * BANK_SIZE + index;
}

/* Position of a value in a report. */
struct report_field {
	/*
	 * width in bits; 0: absent; 40: a dword, and a byte elsewhere; other widths above 32: part
	 * of a qword
	 */
	uint8_t bits;
	uint16_t offset; /* offset in bytes */
	uint16_t high; /* offset in bytes of the upper byte of a 40-bit value */
};

/* Contiguous counters of a bank, from number .first on */
struct report_range {
	uint8_t bank; /* enum counter_bank */
	uint8_t first;
	uint8_t count; /* 0: end of the list */
	struct report_field field; /* position of the first counter */
};

#define REPORT_RANGES 12

struct report_format {
	uint32_t id; /* enum gpuoa_report_format */
	const char *name;
	uint16_t size;
	struct report_field report_id;
	struct report_field timestamp;
	struct report_field context; /* absent on Haswell */
	struct report_field clock; /* absent on Haswell */
	struct report_range ranges[REPORT_RANGES];
};

/* Get a format by number or name. Returns NULL if there is no such format. */
const struct report_format *format_get(uint32_t id);
const struct report_format *format_find(const char *name);

/* Returns the position of a counter; .bits is 0 if the format does not contain it. */
struct report_field format_counter(const struct report_format *format, uint32_t counter);

/* Returns the number of counters. */
uint32_t format_counter_count(const struct report_format *format);

/*
 * Returns the number of the counter with its lowest byte at @offset of a report, or COUNTER_COUNT
 * if there is none.
 */
uint32_t format_counter_at(const struct report_format *format, uint64_t offset);

static inline uint32_t report_dword(const void *report, size_t offset)
{
	uint32_t dword;

	memcpy(&dword, (const char *)report + offset, sizeof(dword));
	return dword;
}

static inline uint64_t field_mask(struct report_field field)
{
	return field.bits < 64 ? (1ull << field.bits) - 1 : UINT64_MAX;
}

/* Read a field of a report. Returns 0 if the report does not have the field. */
static inline uint64_t report_read(const void *report, struct report_field field)
{
	uint64_t value;

	if (!field.bits)
		return 0;
	value = report_dword(report, field.offset);
	if (field.bits == 40)
		value |= (uint64_t)((const unsigned char *)report)[field.high] << 32;
	else if (field.bits > 32)
		value |= (uint64_t)report_dword(report, field.offset + 4) << 32;
	return value & field_mask(field);
}

#endif /* GPUOA_LIB_REPORT_FORMAT_H */
