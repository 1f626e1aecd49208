/* SPDX-License-Identifier: MIT */
/* decimal.h - fractional numbers as text that the language of definitions reads. */
#ifndef GPUOA_LIB_BASE_DECIMAL_H
#define GPUOA_LIB_BASE_DECIMAL_H

#define DECIMAL_SIZE 40

/*
 * Print @value, which is positive or 0, with a point whatever the locale, without an exponent, and
 * with as few digits behind the point as tell it from its neighbours: "1.5", "3.0". Numbers of
 * definitions have 15 digits at most, so that all of them come back when the text is read.
 */
void decimal_print(char text[DECIMAL_SIZE], double value);

#endif /* GPUOA_LIB_BASE_DECIMAL_H */
