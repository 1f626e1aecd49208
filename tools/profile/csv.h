/* SPDX-License-Identifier: MIT */
/* csv.h - read CSV files by the names of their columns */
#ifndef GPUOA_TOOLS_PROFILE_CSV_H
#define GPUOA_TOOLS_PROFILE_CSV_H

#include <stdio.h>

#include "common/tool.h"

#define CSV_COLUMNS_MAX 64

struct csv {
	const char *name; /* of the file */
	FILE *file;
	char *header; /* the first line, divided into .columns */
	char *columns[CSV_COLUMNS_MAX];
	size_t column_count;
	char *line; /* the current line, divided into .fields */
	char *fields[CSV_COLUMNS_MAX];
	size_t line_size;
	unsigned long number; /* of the current line, from 1 */
};

/* Open a file ("-": standard input) and read its header. Returns an exit code. */
int csv_open(struct csv *csv, const char *name);
void csv_close(struct csv *csv);

/* Return the index of a column, or -1. */
int csv_column(const struct csv *csv, const char *name);

/*
 * Read the next line; empty lines and those that begin with # are skipped. *@exit_code: set to
 * EXIT_FAILED, after the error was printed, if the line is invalid. Returns false at the end and on
 * errors.
 */
bool csv_next(struct csv *csv, int *exit_code);

/*
 * Parse a field as a number, decimal or 0x.... @column: -1: the file has no such column, the value
 * is 0. Returns an exit code.
 */
int csv_number(const struct csv *csv, int column, uint64_t *number);

#endif /* GPUOA_TOOLS_PROFILE_CSV_H */
