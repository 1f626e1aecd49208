/* SPDX-License-Identifier: MIT */
/*
 * number.h - parsing and formatting of numbers
 */
#ifndef GPUOA_TOOLS_COMMON_NUMBER_H
#define GPUOA_TOOLS_COMMON_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NSEC_PER_USEC 1000LL
#define NSEC_PER_MSEC 1000000LL
#define NSEC_PER_SEC 1000000000LL

/* Parse a whole number, decimal or 0x..., without trailing text. */
bool parse_number(const char *text, uint64_t *number);

/*
 * Parse a duration: a number, possibly with a fraction, followed by ns, us, ms, s, min or h.
 *
 * @unit_ns: unit of a number without one, in ns
 */
bool parse_duration(const char *text, uint64_t unit_ns, uint64_t *ns);

/* Parse a frequency above 0: a number, possibly with a fraction, followed by k, M or G and Hz. */
bool parse_frequency(const char *text, double *hz);

#define NUMBER_TEXT 24 /* size of the longest text; no '\0' is written */

/* Formatting is identical to printf() but about ten times as fast. */

/* Format as "%" PRIu64. Returns the number of characters written. */
size_t number_write(char *text, uint64_t number);

/* Format as "%.9g", which is unique for each float. Returns the number of characters written. */
size_t number_write_float(char *text, float real);

#endif /* GPUOA_TOOLS_COMMON_NUMBER_H */
