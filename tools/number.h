/* SPDX-License-Identifier: MIT */
/*
 * number.h - numbers as text, to the character what printf() writes, at a tenth of its time
 */
#ifndef GPUOA_NUMBER_H
#define GPUOA_NUMBER_H

#include <stddef.h>
#include <stdint.h>

#define NUMBER_TEXT 24 /* room for any of them; no '\0' is written */

/* As "%" PRIu64. Returns how many characters were written. */
size_t number_write(char *text, uint64_t number);

/* As "%.9g", which tells any float from its neighbours. Likewise. */
size_t number_write_float(char *text, float real);

#endif /* GPUOA_NUMBER_H */
