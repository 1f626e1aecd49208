/* SPDX-License-Identifier: MIT */
/*
 * number.h - parse and format numbers
 */
#ifndef GPUOA_TOOLS_COMMON_NUMBER_H
#define GPUOA_TOOLS_COMMON_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NSEC_PER_USEC 1000LL
#define NSEC_PER_MSEC 1000000LL
#define NSEC_PER_SEC 1000000000LL

/* Parse a whole number, which is decimal or hexadecimal (0x...). No text may follow it. */
bool parse_number(const char *text, uint64_t *number);

/*
 * Parse a duration: a number, which may have a fraction, followed by ns, us, ms, s, min or h.
 * @unit_ns: unit of a number that has none, in ns
 */
bool parse_duration(const char *text, uint64_t unit_ns, uint64_t *ns);

/*
 * Parse a frequency, which must be above 0: a number, which may have a fraction, followed by k, M
 * or G and Hz.
 */
bool parse_frequency(const char *text, double *hz);

#define NUMBER_TEXT 24 /* maximum size of a formatted number; no '\0' is appended */

/* These functions write the same text as printf(), but are about ten times as fast. */

/* Write a number in the format "%" PRIu64. Returns the number of characters written. */
size_t number_write(char *text, uint64_t number);

/*
 * Write a number in the format "%.9g", which is different for each float. Returns the number of
 * characters written.
 */
size_t number_write_float(char *text, float real);

#endif /* GPUOA_TOOLS_COMMON_NUMBER_H */
