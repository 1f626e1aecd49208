/* SPDX-License-Identifier: MIT */
/*
 * quantity.h - parsing of numbers with or without a unit
 */
#ifndef GPUOA_QUANTITY_H
#define GPUOA_QUANTITY_H

#include <stdbool.h>
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

#endif /* GPUOA_QUANTITY_H */
