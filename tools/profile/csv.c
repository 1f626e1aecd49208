// SPDX-License-Identifier: MIT
/* csv.c - read CSV files by the names of their columns */
#include "profile/csv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Remove the quotes of a field (RFC 4180). Returns the end of the field, or NULL: no end. */
static char *unquote(char *text)
{
	char *to = text;

	for (char *from = text + 1; *from; from++) {
		if (*from != '"') {
			*to++ = *from;
		} else if (from[1] == '"') {
			*to++ = *from++;
		} else {
			*to = '\0';
			return from + 1;
		}
	}
	return NULL;
}

/* Divide a line into fields, in place. Returns their number; 0: it is invalid. */
static size_t divide(char *line, char **fields)
{
	size_t count = 0;

	line[strcspn(line, "\r\n")] = '\0';
	while (count < CSV_COLUMNS_MAX) {
		char *end;

		fields[count++] = line;
		end = *line == '"' ? unquote(line) : line + strcspn(line, ",");
		if (!end || (*end && *end != ','))
			return 0;
		if (!*end)
			return count;
		*end = '\0';
		line = end + 1;
	}
	return 0;
}

/* Read a line that is neither empty nor a comment. */
static bool read_line(struct csv *csv, char **line)
{
	while (getline(line, &csv->line_size, csv->file) >= 0) {
		csv->number++;
		if ((*line)[strcspn(*line, "\r\n")] != **line && **line != '#')
			return true;
	}
	return false;
}

int csv_open(struct csv *csv, const char *name)
{
	const bool is_stdin = !strcmp(name, "-");

	*csv = (struct csv){ .name = is_stdin ? "standard input" : name };
	csv->file = is_stdin ? stdin : fopen(name, "re");
	if (!csv->file)
		return fail("%s: %s", name, strerror(errno));
	errno = 0;
	if (!read_line(csv, &csv->header)) {
		const int err = ferror(csv->file) ? errno : 0;

		csv_close(csv);
		return fail("%s: cannot read it: %s", name,
			    err ? strerror(err) : "the file is empty");
	}
	csv->line_size = 0;
	csv->column_count = divide(csv->header, csv->columns);
	if (csv->column_count)
		return EXIT_OK;
	csv_close(csv);
	return fail("%s: cannot read it: its first line is no CSV header", name);
}

void csv_close(struct csv *csv)
{
	if (csv->file && csv->file != stdin)
		fclose(csv->file);
	free(csv->header);
	free(csv->line);
	*csv = (struct csv){ .name = NULL };
}

int csv_column(const struct csv *csv, const char *name)
{
	for (size_t i = 0; i < csv->column_count; i++)
		if (!strcmp(csv->columns[i], name))
			return (int)i;
	return -1;
}

bool csv_next(struct csv *csv, int *exit_code)
{
	errno = 0;
	if (!read_line(csv, &csv->line)) {
		if (ferror(csv->file))
			*exit_code = fail("%s: cannot read it: %s", csv->name, strerror(errno));
		return false;
	}
	if (divide(csv->line, csv->fields) == csv->column_count)
		return true;
	*exit_code = fail("%s:%lu: the line does not have the %zu fields of the header", csv->name,
			  csv->number, csv->column_count);
	return false;
}

int csv_number(const struct csv *csv, int column, uint64_t *number)
{
	*number = 0;
	if (column < 0 || parse_number(csv->fields[column], number))
		return EXIT_OK;
	return fail("%s:%lu: %s: '%s' is not a number", csv->name, csv->number,
		    csv->columns[column], csv->fields[column]);
}
