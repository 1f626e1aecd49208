/* SPDX-License-Identifier: MIT */
/*
 * raw.h - reports byte by byte: a second statement of where they keep their
 * counters, which shares nothing with the library; and reports made by chance.
 */
#ifndef GPUOA_LIB_TESTS_RAW_H
#define GPUOA_LIB_TESTS_RAW_H

#include <stddef.h>
#include <stdint.h>

#define RAW_FIELDS_MAX 88
#define RAW_SIZE_MAX 640 /* bytes of a report */

/* Something that counts. */
struct raw_field {
	char bank; /* 'A', 'B', 'C', 'P' (PEC); 't' time, 'k' clock */
	unsigned int index;
	unsigned int bits;
	size_t low; /* byte of the lowest eight bits; the next 24 follow */
	size_t high; /* 40 bits: where the highest eight are */
};

struct raw_format {
	const char *name;
	uint32_t id; /* enum gpuoa_report_format */
	size_t size;
	size_t count;
	struct raw_field fields[RAW_FIELDS_MAX];
};

/* By the library's name; NULL if it is not known here. */
const struct raw_format *raw_format(const char *name);

/* By enum gpuoa_report_format; likewise. */
const struct raw_format *raw_format_of_id(uint32_t id);

/* Number of a field, or -1. */
int raw_find(const struct raw_format *format, char bank, unsigned int index);

uint64_t raw_get(const struct raw_field *field, const uint8_t *report);

/*
 * A report that could follow @last: each field has moved on by an order of
 * magnitude of its own, less than 2^@bits, and may wrap. What counts nothing is
 * noise.
 */
void raw_next(const struct raw_format *format, uint64_t *state, const uint8_t *last, uint8_t *next,
	      unsigned int bits);

/* How far each field has moved on. */
void raw_differences(const struct raw_format *format, const uint8_t *from, const uint8_t *to,
		     uint64_t *differences);

#endif /* GPUOA_LIB_TESTS_RAW_H */
