// SPDX-License-Identifier: MIT
/*
 * output.c - records on stdout, as a table, as CSV or as JSON
 */
#define _GNU_SOURCE /* fwrite_unlocked, fputs_unlocked */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "output.h"
#include "printable.h"

/* So many records tell how wide the columns of a table are. */
#define TABLE_RECORDS 1000

void output_begin(struct output *output, enum output_format format)
{
	*output = (struct output){ .format = format };
}

static void *must(void *memory)
{
	if (!memory) {
		fputs("gpuoa: out of memory\n", stderr);
		exit(1);
	}
	return memory;
}

static void put_number(uint64_t number)
{
	char text[NUMBER_TEXT];

	fwrite_unlocked(text, 1, number_write(text, number), stdout);
}

static void put_float(float real)
{
	char text[NUMBER_TEXT];

	fwrite_unlocked(text, 1, number_write_float(text, real), stdout);
}

static void put_double(double real)
{
	printf("%.12g", real);
}

/* JSON */

static void json_string(const char *text, size_t length)
{
	putchar_unlocked('"');
	for (size_t i = 0; i < length; i++) {
		const unsigned char c = text[i];

		if (c == '"' || c == '\\')
			printf("\\%c", c);
		else if (c < ' ')
			printf("\\u%04x", c);
		else
			putchar_unlocked(c);
	}
	putchar_unlocked('"');
}

static void json_words(const char *words)
{
	const char *separator = "";

	putchar_unlocked('[');
	while (*words) {
		const size_t length = strcspn(words, " ");

		fputs_unlocked(separator, stdout);
		json_string(words, length);
		separator = ",";
		words += length + strspn(words + length, " ");
	}
	putchar_unlocked(']');
}

static void json_value(const struct field *field)
{
	switch (field->kind) {
	case FIELD_NONE:
		fputs_unlocked("null", stdout);
		return;
	case FIELD_TEXT:
		json_string(field->text, strlen(field->text));
		return;
	case FIELD_WORDS:
		json_words(field->text);
		return;
	case FIELD_NUMBER:
		put_number(field->number);
		return;
	case FIELD_FLOAT:
		if (isfinite(field->real))
			put_float(field->real);
		else
			fputs_unlocked("null", stdout); /* JSON has no other word for it */
		return;
	case FIELD_DOUBLE:
		if (isfinite(field->exact))
			put_double(field->exact);
		else
			fputs_unlocked("null", stdout);
		return;
	case FIELD_BOOL:
		fputs_unlocked(field->truth ? "true" : "false", stdout);
		return;
	}
}

static void json_record(const struct field *fields, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		putchar_unlocked(i ? ',' : '{');
		json_string(fields[i].name, strlen(fields[i].name));
		putchar_unlocked(':');
		json_value(&fields[i]);
	}
	fputs_unlocked("}\n", stdout);
}

/* CSV */

/* RFC 4180 */
static void csv_text(const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs_unlocked(text, stdout);
		return;
	}
	putchar_unlocked('"');
	for (; *text; text++) {
		if (*text == '"')
			putchar_unlocked('"');
		putchar_unlocked(*text);
	}
	putchar_unlocked('"');
}

static void csv_value(const struct field *field)
{
	switch (field->kind) {
	case FIELD_NONE:
		return;
	case FIELD_TEXT:
	case FIELD_WORDS:
		csv_text(field->text);
		return;
	case FIELD_NUMBER:
		put_number(field->number);
		return;
	case FIELD_FLOAT:
		put_float(field->real);
		return;
	case FIELD_DOUBLE:
		put_double(field->exact);
		return;
	case FIELD_BOOL:
		fputs_unlocked(field->truth ? "true" : "false", stdout);
		return;
	}
}

void output_header(struct output *output, const struct field *fields, size_t count)
{
	if (output->format != OUTPUT_CSV || output->headed)
		return;
	for (size_t i = 0; i < count; i++) {
		csv_text(fields[i].name);
		putchar_unlocked(i + 1 < count ? ',' : '\n');
	}
	output->headed = true;
}

static void csv_record(struct output *output, const struct field *fields, size_t count)
{
	output_header(output, fields, count);
	for (size_t i = 0; i < count; i++) {
		csv_value(&fields[i]);
		putchar_unlocked(i + 1 < count ? ',' : '\n');
	}
}

/* table */

static char *cell_text(const struct field *field)
{
	char text[32] = "";

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
	for (size_t i = 0; i < count; i++) {
		if (!fields[i].heading)
			continue;
		add_cell(output, must(strdup(fields[i].heading)));
		output->columns++;
	}
}

/* Characters, not bytes: text is UTF-8. */
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

static void print_cell(const struct output *output, const char *text, size_t column)
{
	const int blanks = output->widths[column] - display_width(text);
	const int padding = blanks > 0 ? blanks : 0;

	if (output->right[column])
		printf("%*s%s", padding, "", text);
	else if (column + 1 == output->columns)
		fputs(text, stdout);
	else
		printf("%s%*s", text, padding, "");
	fputs(column + 1 == output->columns ? "\n" : "  ", stdout);
}

/* Print the cells that wait. */
static void print_cells(struct output *output)
{
	size_t column = 0;

	for (size_t i = 0; i < output->cell_count; i++) {
		print_cell(output, output->cells[i], column++);
		if (column == output->columns)
			column = 0;
		free(output->cells[i]);
	}
	output->cell_count = 0;
}

static void choose_widths(struct output *output)
{
	output->widths = must(calloc(output->columns + 1, sizeof(int)));
	for (size_t i = 0; i < output->columns; i++)
		output->widths[i] = column_width(output, i);
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
}

/*
 * -------------------------------------------------------------------------------------------------
 */

void output_record(struct output *output, const struct field *fields, size_t count)
{
	switch (output->format) {
	case OUTPUT_JSON:
		json_record(fields, count);
		break;
	case OUTPUT_CSV:
		csv_record(output, fields, count);
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
	output_begin(output, output->format);
	fflush(stdout);
}
