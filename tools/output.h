/* SPDX-License-Identifier: MIT */
/*
 * output.h - records on stdout, as a table, as CSV or as JSON
 *
 * The columns of a table are as wide as its first records need; what comes later is printed at
 * once, so that a table of any length takes little memory. If that is wider than the terminal,
 * columns that are empty or optional are left out, and text is wrapped between words.
 */
#ifndef GPUOA_OUTPUT_H
#define GPUOA_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "buffer.h"

enum output_format {
	OUTPUT_TABLE,
	OUTPUT_CSV,
	OUTPUT_JSON,
};

enum field_kind {
	FIELD_NONE, /* no value: JSON null */
	FIELD_TEXT,
	FIELD_WORDS, /* words with a space between: JSON array of strings */
	FIELD_NUMBER,
	FIELD_FLOAT,
	FIELD_DOUBLE, /* with 12 digits */
	FIELD_BOOL,
};

/* One field of a record. */
struct field {
	const char *name;
	const char *heading; /* of its column in a table; NULL: not in tables */
	enum field_kind kind;
	bool grouped; /* in a table, digits by threes: 1,234,567 */
	unsigned char optional; /* columns that a narrow terminal goes without, 1 first; 0: none */
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

/* Where records go. All records between begin and end have the same fields. */
struct output {
	enum output_format format;
	FILE *file; /* of CSV and JSON; NULL: they stay in @lines */
	struct buffer lines; /* that are not in the file yet */
	size_t records;
	bool headed; /* CSV */
	/* of a table */
	size_t columns;
	char **cells; /* that wait until the widths are known, row by row */
	size_t cell_count;
	int *widths; /* NULL: not known yet; 0: the column is left out */
	unsigned char *optional; /* struct field */
	bool *right; /* columns to be aligned right */
};

void output_begin(struct output *output, enum output_format format);

/*
 * The same for rows without a heading, of CSV or JSON, in another file. NULL: in @output->lines,
 * which the caller empties.
 */
void output_begin_rows(struct output *output, enum output_format format, FILE *file);

/*
 * The heading of a CSV file, even if no records follow. Kinds and values of the fields do not
 * matter.
 */
void output_header(struct output *output, const struct field *fields, size_t count);
void output_record(struct output *output, const struct field *fields, size_t count);

/* Prints what is left of a table; then @output is ready for other records. */
void output_end(struct output *output);

#endif /* GPUOA_OUTPUT_H */
