/* SPDX-License-Identifier: MIT */
/*
 * format.h - where a report keeps its counters.
 *
 * A counter of any bank has one number, so that sums, equations and formats can use plain arrays.
 */
#ifndef GPUOA_FORMAT_H
#define GPUOA_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum counter_bank {
	BANK_A,
	BANK_B,
	BANK_C,
	BANK_PERFCNT, /* performance counters of queries: in no report */
	BANK_COUNT,
};

#define BANK_SIZE 64
#define COUNTER_COUNT (BANK_COUNT * BANK_SIZE)

static inline uint32_t counter_number(enum counter_bank bank, uint32_t index)
{
	return bank * BANK_SIZE + index;
}

/* Counters first..first + count - 1 of a bank, 32 bits each, from byte offset on. */
struct report_bank {
	uint8_t first;
	uint8_t count;
	uint16_t offset;
};

#define REPORT_BANKS 3

struct report_format {
	uint32_t id; /* enum gpuoa_report_format */
	const char *name;
	uint16_t size;
	uint16_t report_id; /* byte offset, 32 bits */
	uint16_t timestamp; /* byte offset, 32 bits */
	struct report_bank banks[REPORT_BANKS];
};

/* NULL if there is no such format. */
const struct report_format *format_get(uint32_t id);
const struct report_format *format_find(const char *name);

/* Byte offset of a counter, or -1 if the format lacks it. */
int format_counter_offset(const struct report_format *format, uint32_t counter);

static inline uint32_t report_dword(const void *report, size_t offset)
{
	uint32_t dword;

	memcpy(&dword, (const char *)report + offset, sizeof(dword));
	return dword;
}

#endif /* GPUOA_FORMAT_H */
