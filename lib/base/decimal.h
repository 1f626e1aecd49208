/* SPDX-License-Identifier: MIT */
/* decimal.h - print fractional numbers in the syntax of metric definitions */
#ifndef GPUOA_LIB_BASE_DECIMAL_H
#define GPUOA_LIB_BASE_DECIMAL_H

#define DECIMAL_SIZE 40

/*
 * Print @value, which must not be negative, with the fewest digits that identify it: "1.5", "3.0".
 * The decimal point does not depend on the locale, and there is no exponent. Numbers in definitions
 * have at most 15 digits, so reading the text restores them exactly.
 */
void decimal_print(char text[DECIMAL_SIZE], double value);

/* As decimal_print(), but print a whole number as an integer: "1.5", "3". */
void decimal_print_number(char text[DECIMAL_SIZE], double value);

#endif /* GPUOA_LIB_BASE_DECIMAL_H */
