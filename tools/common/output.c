// SPDX-License-Identifier: MIT
/*
 * output.c - write records to stdout, as a table, as CSV or as JSON
 */
#define _GNU_SOURCE /* fwrite_unlocked */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/output.h"
#include "common/printable.h"
#include "common/quote.h"
#include "common/terminal.h"

/* Maximum number of records from which the column widths of a table are computed */
#define TABLE_RECORDS 1000

void output_begin(struct output *output, enum output_format format)
{
	*output = (struct output){ .format = format, .file = stdout };
}

void output_begin_rows(struct output *output, enum output_format format, FILE *file)
{
	*output = (struct output){ .format = format, .file = file, .headed = true };
}

static void *must(void *memory)
{
	if (!memory) {
		fputs("gpuoa: out of memory\n", stderr);
		exit(1);
	}
	return memory;
}

static void json_words(struct buffer *line, const char *words)
{
	const char *separator = "";

	buffer_put(line, '[');
	while (*words) {
		const size_t length = strcspn(words, " ");

		buffer_text(line, separator);
		quote_json(line, words, length, "");
		separator = ",";
		words += length + strspn(words + length, " ");
	}
	buffer_put(line, ']');
}

static void json_value(struct buffer *line, const struct field *field)
{
	switch (field->kind) {
	case FIELD_NONE:
		buffer_text(line, "null");
		return;
	case FIELD_TEXT:
		quote_json(line, field->text, strlen(field->text), "");
		return;
	case FIELD_WORDS:
		json_words(line, field->text);
		return;
	case FIELD_NUMBER:
		buffer_number(line, field->number);
		return;
	case FIELD_FLOAT:
		if (isfinite(field->real))
			buffer_float(line, field->real);
		else
			buffer_text(line, "null"); /* JSON has no infinity and no NaN */
		return;
	case FIELD_DOUBLE:
		if (isfinite(field->exact))
			buffer_double(line, field->exact);
		else
			buffer_text(line, "null");
		return;
	case FIELD_BOOL:
		buffer_text(line, field->truth ? "true" : "false");
		return;
	}
}

static void json_record(struct buffer *line, const struct field *fields, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		buffer_put(line, i ? ',' : '{');
		quote_json(line, fields[i].name, strlen(fields[i].name), "");
		buffer_put(line, ':');
		json_value(line, &fields[i]);
	}
	buffer_text(line, "}\n");
}

static void csv_value(struct buffer *line, const struct field *field)
{
	switch (field->kind) {
	case FIELD_NONE:
		return;
	case FIELD_TEXT:
	case FIELD_WORDS:
		quote_csv(line, field->text);
		return;
	case FIELD_NUMBER:
		buffer_number(line, field->number);
		return;
	case FIELD_FLOAT:
		buffer_float(line, field->real);
		return;
	case FIELD_DOUBLE:
		buffer_double(line, field->exact);
		return;
	case FIELD_BOOL:
		buffer_text(line, field->truth ? "true" : "false");
		return;
	}
}

/* Write the current line to the file. If there is no file, keep the line in the buffer. */
static void end_line(struct output *output)
{
	if (!output->file)
		return;
	fwrite_unlocked(output->lines.text, 1, output->lines.size, output->file);
	output->lines.size = 0;
}

void output_header(struct output *output, const struct field *fields, size_t count)
{
	if (output->format != OUTPUT_CSV || output->headed)
		return;
	for (size_t i = 0; i < count; i++) {
		quote_csv(&output->lines, fields[i].name);
		buffer_put(&output->lines, i + 1 < count ? ',' : '\n');
	}
	end_line(output);
	output->headed = true;
}

static void csv_record(struct output *output, const struct field *fields, size_t count)
{
	output_header(output, fields, count);
	for (size_t i = 0; i < count; i++) {
		csv_value(&output->lines, &fields[i]);
		buffer_put(&output->lines, i + 1 < count ? ',' : '\n');
	}
}

/*
 * Insert commas between groups of three digits, up to the decimal point. @text must have space for
 * them.
 */
static void group_digits(char *text)
{
	const size_t length = strlen(text), sign = *text == '-';
	size_t digits = strspn(text + sign, "0123456789") + sign, end = length;

	for (; digits > sign + 3; digits -= 3) {
		memmove(text + digits - 2, text + digits - 3, end - (digits - 3) + 1);
		text[digits - 3] = ',';
		end++;
	}
}

static char *cell_text(const struct field *field)
{
	char text[64] = "";

	switch (field->kind) {
	case FIELD_NONE:
		break;
	case FIELD_TEXT:
	case FIELD_WORDS:
		return must(printable(field->text));
	case FIELD_NUMBER:
		snprintf(text, sizeof(text), "%" PRIu64, field->number);
		break;
	case FIELD_FLOAT:
		snprintf(text, sizeof(text), "%.2f", (double)field->real);
		break;
	case FIELD_DOUBLE:
		snprintf(text, sizeof(text), "%.2f", field->exact);
		break;
	case FIELD_BOOL:
		snprintf(text, sizeof(text), "%s", field->truth ? "yes" : "no");
		break;
	}
	if (field->grouped)
		group_digits(text);
	return must(strdup(text));
}

static void add_cell(struct output *output, char *text)
{
	output->cells = must(reallocarray(output->cells, output->cell_count + 1, sizeof(char *)));
	output->cells[output->cell_count++] = text;
}

static void table_headings(struct output *output, const struct field *fields, size_t count)
{
	output->columns = 0;
	output->right = must(calloc(count + 1, sizeof(bool)));
	output->optional = must(calloc(count + 1, sizeof(*output->optional)));
	for (size_t i = 0; i < count; i++) {
		if (!fields[i].heading)
			continue;
		output->optional[output->columns] = fields[i].optional;
		add_cell(output, must(strdup(fields[i].heading)));
		output->columns++;
	}
}

/* Return the number of characters in UTF-8 text. */
static int display_width(const char *text)
{
	int width = 0;

	for (; *text; text++)
		width += (*text & 0xc0) != 0x80;
	return width;
}

static int column_width(const struct output *output, size_t column)
{
	int widest = 0;

	for (size_t i = column; i < output->cell_count; i += output->columns) {
		const int width = display_width(output->cells[i]);

		if (width > widest)
			widest = width;
	}
	return widest;
}

/* Return whether a column is empty in all rows that are stored. */
static bool is_empty(const struct output *output, size_t column)
{
	for (size_t i = column + output->columns; i < output->cell_count; i += output->columns)
		if (*output->cells[i])
			return false;
	return true;
}

/*
 * Return the length in bytes of those leading words of @text that fit into @width. The first word
 * is always included.
 */
static size_t line_length(const char *text, int width)
{
	size_t length = strcspn(text, " "), next = length;
	int used = 0;

	for (size_t i = 0; i < length; i++)
		used += (text[i] & 0xc0) != 0x80;
	while (text[next]) {
		const size_t blanks = strspn(text + next, " ");
		const size_t word = strcspn(text + next + blanks, " ");

		used += (int)blanks;
		for (size_t i = 0; i < word; i++)
			used += (text[next + blanks + i] & 0xc0) != 0x80;
		if (used > width)
			break;
		next += blanks + word;
		length = next;
	}
	return length;
}

/*
 * Return the width of the longest word in a column. The column cannot be narrower, because words
 * are not broken.
 */
static int least_width(const struct output *output, size_t column)
{
	int least = 0;

	for (size_t i = column; i < output->cell_count; i += output->columns) {
		const char *text = output->cells[i];

		while (*text) {
			const size_t word = line_length(text, 0);
			int width = 0;

			for (size_t k = 0; k < word; k++)
				width += (text[k] & 0xc0) != 0x80;
			least = width > least ? width : least;
			text += word + strspn(text + word, " ");
		}
	}
	return least;
}

/* Return the width of all shown columns, with the gaps between them. */
static int table_width(const struct output *output)
{
	int width = -2;

	for (size_t i = 0; i < output->columns; i++)
		width += output->widths[i] ? output->widths[i] + 2 : 0;
	return width;
}

/* Leave out empty columns. Then leave out optional columns, until the others fit. */
static void drop_columns(struct output *output, int limit)
{
	for (size_t i = 0; i < output->columns; i++)
		if (is_empty(output, i) && table_width(output) > limit)
			output->widths[i] = 0;
	for (int level = 1; level <= UINT8_MAX && table_width(output) > limit; level++)
		for (size_t i = 0; i < output->columns; i++)
			if (output->optional[i] == level)
				output->widths[i] = 0;
}

/*
 * If the table is too wide, narrow the widest column so that its text is wrapped. Repeat until the
 * table fits, or until a word would be broken.
 */
static void shrink_columns(struct output *output, int limit)
{
	int *least = must(calloc(output->columns + 1, sizeof(*least)));
	size_t widest = 0;

	for (size_t i = 0; i < output->columns; i++)
		least[i] = output->right[i] ? output->widths[i] : least_width(output, i);
	for (int width = table_width(output); width > limit && widest < output->columns; width--) {
		widest = output->columns;
		for (size_t i = 0; i < output->columns; i++)
			if (output->widths[i] > least[i] &&
			    (widest == output->columns ||
			     output->widths[i] > output->widths[widest]))
				widest = i;
		if (widest < output->columns)
			output->widths[widest]--;
	}
	free(least);
}

static void choose_widths(struct output *output)
{
	const int limit = terminal_limit(stdout);

	output->widths = must(calloc(output->columns + 1, sizeof(int)));
	for (size_t i = 0; i < output->columns; i++)
		output->widths[i] = column_width(output, i);
	if (table_width(output) <= limit)
		return;
	drop_columns(output, limit);
	shrink_columns(output, limit);
}

/* Return whether all columns after this one are empty in a row. */
static bool is_last(const struct output *output, char *const *left, size_t column)
{
	for (size_t i = column + 1; i < output->columns; i++)
		if (output->widths[i] && (*left[i] || output->right[i]))
			return false;
	return true;
}

/* Print the part of a cell that fits in this line, and advance the cell to the rest of its text. */
static void print_cell(const struct output *output, char **left, size_t column, bool last)
{
	const size_t length = line_length(left[column], output->widths[column]);
	char *rest = left[column] + length + strspn(left[column] + length, " ");
	const char kept = left[column][length];
	int padding;

	left[column][length] = '\0';
	padding = output->widths[column] - display_width(left[column]);
	padding = padding > 0 ? padding : 0;
	if (output->right[column])
		printf("%*s%s", padding, "", left[column]);
	else
		printf("%s%*s", left[column], last ? 0 : padding, "");
	fputs(last ? "\n" : "  ", stdout);
	left[column][length] = kept;
	left[column] = rest;
}

static bool any_left(const struct output *output, char *const *left)
{
	for (size_t i = 0; i < output->columns; i++)
		if (output->widths[i] && *left[i])
			return true;
	return false;
}

/* Print a row. It takes as many lines as its longest cell needs. */
static void print_row(const struct output *output, char *const *cells, char **left)
{
	memcpy(left, cells, output->columns * sizeof(*left));
	do {
		for (size_t i = 0; i < output->columns; i++) {
			const bool last = is_last(output, left, i);

			if (output->widths[i])
				print_cell(output, left, i, last);
			if (last)
				break;
		}
	} while (any_left(output, left));
}

/* Print the cells that were stored until the widths were known. */
static void print_cells(struct output *output)
{
	char **left = must(calloc(output->columns + 1, sizeof(*left)));

	for (size_t i = 0; output->columns && i < output->cell_count; i += output->columns)
		print_row(output, output->cells + i, left);
	for (size_t i = 0; i < output->cell_count; i++)
		free(output->cells[i]);
	output->cell_count = 0;
	free(left);
}

static void table_record(struct output *output, const struct field *fields, size_t count)
{
	size_t column = 0;

	if (!output->records)
		table_headings(output, fields, count);
	for (size_t i = 0; i < count; i++) {
		if (!fields[i].heading)
			continue;
		if (fields[i].kind == FIELD_NUMBER || fields[i].kind == FIELD_FLOAT ||
		    fields[i].kind == FIELD_DOUBLE)
			output->right[column] = true;
		add_cell(output, cell_text(&fields[i]));
		column++;
	}
	if (!output->widths && output->records + 1 == TABLE_RECORDS)
		choose_widths(output);
	if (output->widths)
		print_cells(output);
}

static void table_end(struct output *output)
{
	if (output->columns && !output->widths)
		choose_widths(output);
	print_cells(output);
	free(output->cells);
	free(output->widths);
	free(output->right);
	free(output->optional);
}

void output_record(struct output *output, const struct field *fields, size_t count)
{
	switch (output->format) {
	case OUTPUT_JSON:
		json_record(&output->lines, fields, count);
		end_line(output);
		break;
	case OUTPUT_CSV:
		csv_record(output, fields, count);
		end_line(output);
		break;
	case OUTPUT_TABLE:
		table_record(output, fields, count);
		break;
	}
	output->records++;
}

void output_end(struct output *output)
{
	table_end(output);
	buffer_free(&output->lines);
	output_begin(output, output->format);
	fflush(stdout);
}
