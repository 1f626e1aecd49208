/* SPDX-License-Identifier: MIT */
/*
 * output.h - write records to stdout, as a table, as CSV or as JSON
 *
 * The column widths of a table are computed from its first records. Later records are printed
 * immediately, so that a table of any length takes little memory. If the table is wider than the
 * terminal, empty and optional columns are left out, and text is wrapped between words.
 */
#ifndef GPUOA_OUTPUT_H
#define GPUOA_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/buffer.h"

enum output_format {
	OUTPUT_TABLE,
	OUTPUT_CSV,
	OUTPUT_JSON,
};

enum field_kind {
	FIELD_NONE, /* no value: JSON null */
	FIELD_TEXT,
	FIELD_WORDS, /* text of space-separated words; in JSON, an array of strings */
	FIELD_NUMBER,
	FIELD_FLOAT,
	FIELD_DOUBLE, /* printed with 12 digits */
	FIELD_BOOL,
};

/* One field of a record */
struct field {
	const char *name;
	const char *heading; /* column heading in a table; NULL: tables do not have this column */
	enum field_kind kind;
	bool grouped; /* in a table, print the number with thousands separators: 1,234,567 */
	/* order in which columns are left out on narrow terminals: 1 first; 0: never left out */
	unsigned char optional;
	union {
		const char *text;
		uint64_t number;
		float real;
		double exact;
		bool truth;
	};
};

#define FIELD_TEXT_MEMBERS(key, column, value) \
	.name = key, .heading = column, .kind = FIELD_TEXT, .text = value
#define FIELD_OF_TEXT(key, column, value)              \
	{                                              \
		FIELD_TEXT_MEMBERS(key, column, value) \
	}
#define FIELD_OF_WORDS(key, column, value)                                         \
	{                                                                          \
		.name = key, .heading = column, .kind = FIELD_WORDS, .text = value \
	}
#define FIELD_OF_NUMBER(key, column, value)                                           \
	{                                                                             \
		.name = key, .heading = column, .kind = FIELD_NUMBER, .number = value \
	}
#define FIELD_COUNT(fields) (sizeof(fields) / sizeof((fields)[0]))

/* Destination of records. All records from output_begin() to output_end() have the same fields. */
struct output {
	enum output_format format;
	FILE *file; /* file for CSV and JSON; NULL: store the text in @lines */
	struct buffer lines; /* text that is not yet written to the file */
	size_t records;
	bool headed; /* the CSV header is written */
	/* The members below are used by tables only. */
	size_t columns;
	char **cells; /* text of the cells, row by row, until the column widths are known */
	size_t cell_count;
	/* column widths; NULL: not yet known; an element is 0 if its column is left out */
	int *widths;
	unsigned char *optional; /* .optional of the fields */
	bool *right; /* columns to align right */
};

void output_begin(struct output *output, enum output_format format);

/*
 * Begin CSV or JSON rows without a header. @file: where to write them; NULL: store them in
 * @output->lines, which the caller empties
 */
void output_begin_rows(struct output *output, enum output_format format, FILE *file);

/* Write the CSV header, even if no records follow. Of the fields, only the names are used. */
void output_header(struct output *output, const struct field *fields, size_t count);
void output_record(struct output *output, const struct field *fields, size_t count);

/* Print the rest of a table. Afterwards, @output can be used for other records. */
void output_end(struct output *output);

#endif /* GPUOA_OUTPUT_H */
