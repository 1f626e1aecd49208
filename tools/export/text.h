/* SPDX-License-Identifier: MIT */
/*
 * text.h - output of JSON and CSV values
 */
#ifndef GPUOA_EXPORT_TEXT_H
#define GPUOA_EXPORT_TEXT_H

#include <stdio.h>

#include "common/columns.h"

void text_put_number(FILE *file, uint64_t number);

/* Write nanoseconds as microseconds, with all digits. */
void text_put_us(FILE *file, uint64_t ns);

/*
 * Write a column's value in row @number as gpuoa report prints it. @none: text for infinity and
 * NAN, which JSON does not have; NULL: as printf() writes them.
 */
void text_put_value(FILE *file, const struct column *column, void *const *columns, size_t number,
		    const char *none);

#endif /* GPUOA_EXPORT_TEXT_H */
