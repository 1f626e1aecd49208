/* SPDX-License-Identifier: MIT */
/*
 * text.h - JSON and CSV, a piece at a time
 */
#ifndef GPUOA_EXPORT_TEXT_H
#define GPUOA_EXPORT_TEXT_H

#include <stdio.h>

#include "columns.h"

/* A string of JSON, in quotes. */
void text_put_string(FILE *file, const char *text);

void text_put_number(FILE *file, uint64_t number);

/* Nanoseconds as microseconds, to the last digit. */
void text_put_us(FILE *file, uint64_t ns);

/*
 * A column's value in row @number, as gpuoa report prints it. @none: what stands for a float that
 * is no number, which JSON has no word for; NULL: as C writes it.
 */
void text_put_value(FILE *file, const struct column *column, void *const *columns, size_t number,
		    const char *none);

#endif /* GPUOA_EXPORT_TEXT_H */
