/* SPDX-License-Identifier: MIT */
/*
 * number.h - number formatting, identical to printf() but about ten times as fast
 */
#ifndef GPUOA_NUMBER_H
#define GPUOA_NUMBER_H

#include <stddef.h>
#include <stdint.h>

#define NUMBER_TEXT 24 /* size of the longest text; no '\0' is written */

/* Format as "%" PRIu64. Returns the number of characters written. */
size_t number_write(char *text, uint64_t number);

/* Format as "%.9g", which is unique for each float. Returns the number of characters written. */
size_t number_write_float(char *text, float real);

#endif /* GPUOA_NUMBER_H */
