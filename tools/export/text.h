/* SPDX-License-Identifier: MIT */
/*
 * text.h - write values in JSON and CSV
 */
#ifndef GPUOA_EXPORT_TEXT_H
#define GPUOA_EXPORT_TEXT_H

#include <stdio.h>

#include "common/columns.h"

void text_put_number(FILE *file, uint64_t number);

/* Write a time as microseconds, without losing digits. @ns: the time in nanoseconds */
void text_put_us(FILE *file, uint64_t ns);

/*
 * Write the value of a column in row @number in the same format as gpuoa report.
 *
 * @none: text for infinity and NAN, which JSON does not have; NULL: write them as printf() does
 */
void text_put_value(FILE *file, const struct column *column, void *const *columns, size_t number,
		    const char *none);

#endif /* GPUOA_EXPORT_TEXT_H */
