/* SPDX-License-Identifier: MIT */
/*
 * raw.h - Reference layout of report formats, which shares no code with the library; and random
 * reports
 */
#ifndef GPUOA_LIB_TESTS_RAW_H
#define GPUOA_LIB_TESTS_RAW_H

#include <stddef.h>
#include <stdint.h>

#define RAW_FIELDS_MAX 88
#define RAW_SIZE_MAX 640 /* bytes per report */

/* A counter, timestamp or clock */
struct raw_field {
	/* 'A', 'B', 'C', or 'P' for PEC: a counter; 't': the timestamp; 'k': the clock counter */
	char bank;
	unsigned int index;
	unsigned int bits;
	size_t low; /* byte offset of bits 0 to 7; bits 8 to 31 follow */
	size_t high; /* byte offset of bits 32 to 39, for counters of 40 bits */
};

struct raw_format {
	const char *name;
	uint32_t id; /* enum gpuoa_report_format */
	size_t size;
	size_t count;
	struct raw_field fields[RAW_FIELDS_MAX];
};

/* Find a format by the name that the library uses; NULL: not listed here. */
const struct raw_format *raw_format(const char *name);

/* Find a format by its number (enum gpuoa_report_format); NULL: not listed here. */
const struct raw_format *raw_format_of_id(uint32_t id);

/* Return the index of a field in @fields, or -1. */
int raw_find(const struct raw_format *format, char bank, unsigned int index);

uint64_t raw_get(const struct raw_field *field, const uint8_t *report);

/*
 * Make a report that could follow @last: each field advances by a random order of magnitude below
 * 2^@bits, and may wrap. All other bits are random.
 */
void raw_next(const struct raw_format *format, uint64_t *state, const uint8_t *last, uint8_t *next,
	      unsigned int bits);

/* Compute the difference of each field between two reports. */
void raw_differences(const struct raw_format *format, const uint8_t *from, const uint8_t *to,
		     uint64_t *differences);

#endif /* GPUOA_LIB_TESTS_RAW_H */
