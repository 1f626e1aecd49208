/* SPDX-License-Identifier: MIT */
/*
 * output.h - records on stdout, as a table, as CSV or as JSON
 *
 * The widths of a table's columns are computed from its first records; later records are printed at
 * once, so that a table of any length takes little memory. If the table is wider than the terminal,
 * empty and optional columns are left out, and text is wrapped between words.
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
	FIELD_WORDS, /* space-separated words: JSON array of strings */
	FIELD_NUMBER,
	FIELD_FLOAT,
	FIELD_DOUBLE, /* printed with 12 digits */
	FIELD_BOOL,
};

/* One field of a record */
struct field {
	const char *name;
	const char *heading; /* column heading in a table; NULL: not in tables */
	enum field_kind kind;
	bool grouped; /* in a table, with thousands separators: 1,234,567 */
	/* order in which narrow terminals leave it out, 1 first; 0: never */
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

/* Destination of records. All records between begin and end have the same fields. */
struct output {
	enum output_format format;
	FILE *file; /* destination of CSV and JSON; NULL: keep them in @lines */
	struct buffer lines; /* not written to the file yet */
	size_t records;
	bool headed; /* the CSV header is written */
	/* Members below are used by tables only. */
	size_t columns;
	char **cells; /* row by row, kept until the widths are known */
	size_t cell_count;
	int *widths; /* NULL: not known yet; 0: the column is left out */
	unsigned char *optional; /* .optional of the fields */
	bool *right; /* columns to align right */
};

void output_begin(struct output *output, enum output_format format);

/*
 * Begin CSV or JSON rows without a header, written to @file; NULL: kept in @output->lines, which
 * the caller empties.
 */
void output_begin_rows(struct output *output, enum output_format format, FILE *file);

/* Write the CSV header, even if no records follow. Kinds and values of the fields are ignored. */
void output_header(struct output *output, const struct field *fields, size_t count);
void output_record(struct output *output, const struct field *fields, size_t count);

/* Print the rest of a table; @output can then be used for other records. */
void output_end(struct output *output);

#endif /* GPUOA_OUTPUT_H */
