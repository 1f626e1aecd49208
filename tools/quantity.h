/* SPDX-License-Identifier: MIT */
/*
 * quantity.h - numbers that the user gives, with or without a unit
 */
#ifndef GPUOA_QUANTITY_H
#define GPUOA_QUANTITY_H

#include <stdbool.h>
#include <stdint.h>

#define NSEC_PER_USEC 1000LL
#define NSEC_PER_MSEC 1000000LL
#define NSEC_PER_SEC 1000000000LL

/* A whole number that fills the text, decimal or 0x... */
bool parse_number(const char *text, uint64_t *number);

/*
 * A duration: a number that may have a fraction, with one of ns, us, ms, s, min, h behind it.
 *
 * @unit_ns: what a number without a unit counts
 */
bool parse_duration(const char *text, uint64_t unit_ns, uint64_t *ns);

/* A frequency above 0: a number that may have a fraction, with k, M or G, and Hz, behind it. */
bool parse_frequency(const char *text, double *hz);

#endif /* GPUOA_QUANTITY_H */
