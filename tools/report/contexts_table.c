// SPDX-License-Identifier: MIT
/*
 * contexts_table.c - output of contexts: as columns of a table, or as CSV or JSON records
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/printable.h"
#include "report/contexts.h"
#include "common/terminal.h"

#define COLUMN 10 /* width of a context's column */
#define UNIT 12

static void print_record(const struct contexts *contexts, const struct context *context,
			 struct output *output, struct field *fields)
{
	const struct evaluation *evaluation = &contexts->evaluation;
	const struct columns *columns = &evaluation->columns;
	size_t n = 0;

	fields[n++] = (struct field)FIELD_OF_NUMBER("context_id", NULL, context->id);
	fields[n] = (struct field)FIELD_OF_TEXT("program", NULL, context->owner.program);
	fields[n + 1] = (struct field)FIELD_OF_NUMBER("process", NULL, context->owner.process);
	if (!context->owned)
		fields[n].kind = FIELD_NONE;
	if (!context->owner.process)
		fields[n + 1].kind = FIELD_NONE;
	n += 2;
	fields[n++] = (struct field)FIELD_OF_NUMBER("intervals", NULL, context->intervals);
	fields[n++] = (struct field)FIELD_OF_NUMBER("covered_ticks", NULL, context->covered);
	for (size_t i = 0; i < columns->count; i++)
		fields[n++] = column_field(&columns->list[i], context->total);
	output_record(output, fields, n);
}

static void print_records(const struct contexts *contexts)
{
	struct field *fields = calloc(contexts->evaluation.columns.count + 6, sizeof(*fields));
	struct output output;

	output_begin(&output, contexts->evaluation.tool->format);
	for (size_t i = 0; fields && i < contexts->count; i++)
		print_record(contexts, &contexts->list[i], &output, fields);
	output_end(&output);
	free(fields);
}

static int symbol_width(const struct columns *columns)
{
	size_t widest = strlen("GPU time");

	for (size_t i = 0; i < columns->count; i++)
		if (strlen(columns->list[i].symbol) > widest)
			widest = strlen(columns->list[i].symbol);
	return widest;
}

/* Print the owners, if any is known. */
static void print_owners(const struct contexts *contexts, size_t shown, int width)
{
	bool any = false;

	for (size_t i = 0; i < shown; i++)
		any |= contexts->list[i].owned;
	if (!any)
		return;
	printf("\n%-*s", width, "program");
	for (size_t i = 0; i < shown; i++) {
		char *name = printable(contexts->list[i].owner.program);

		printf(" %*.*s", COLUMN, COLUMN, name ? name : "");
		free(name);
	}
	printf("\n%-*s", width, "process");
	for (size_t i = 0; i < shown; i++)
		if (contexts->list[i].owner.process)
			printf(" %*" PRIu32, COLUMN, contexts->list[i].owner.process);
		else
			printf(" %*s", COLUMN, "");
}

static void print_heads(const struct contexts *contexts, size_t shown, int width)
{
	const double frequency = contexts->evaluation.frequency;
	char text[SCALING_LONG];

	printf("%-*s", width, "CONTEXT");
	for (size_t i = 0; i < shown; i++) {
		snprintf(text, sizeof(text), "0x%" PRIx32, contexts->list[i].id);
		printf(" %*s", COLUMN, text);
	}
	print_owners(contexts, shown, width);
	printf("\n%-*s", width, "GPU time");
	for (size_t i = 0; i < shown; i++)
		printf(" %*s", COLUMN,
		       scaling_text_seconds(contexts->list[i].covered / frequency, text));
	puts("");
}

static double value_in(const struct contexts *contexts, const struct context *context,
		       const struct column *column, const struct scaling *scaling)
{
	return scaling_value(scaling,
			     gpuoa_value_to_double(column->type, context->total[column->index]),
			     (double)context->covered / contexts->evaluation.frequency);
}

static void print_metric(const struct contexts *contexts, const struct column *column, size_t shown,
			 int width)
{
	const struct scaling scaling = scaling_of(column);
	char text[SCALING_TEXT];

	printf("%-*s", width, column->symbol);
	for (size_t i = 0; i < shown; i++)
		printf(" %*s", COLUMN,
		       scaling_text(value_in(contexts, &contexts->list[i], column, &scaling),
				    &scaling, text));
	printf(" %s\n", scaling.unit);
}

/* Return whether to print a metric: all that the user named, otherwise those that are not 0. */
static bool is_seen(const struct contexts *contexts, const struct column *column, size_t shown)
{
	const struct scaling scaling = scaling_of(column);

	if (column->absent)
		return false;
	if (contexts->evaluation.request.metrics)
		return true;
	for (size_t i = 0; i < shown; i++)
		if (value_in(contexts, &contexts->list[i], column, &scaling))
			return true;
	return false;
}

static void print_table(const struct contexts *contexts)
{
	const struct columns *columns = &contexts->evaluation.columns;
	const int width = symbol_width(columns);
	int room = (terminal_width(stdout) - width - UNIT) / (COLUMN + 1);
	size_t shown;

	room = room < 1 ? 1 : room;
	shown = contexts->count < (size_t)room ? contexts->count : (size_t)room;
	if (!shown)
		return;
	print_heads(contexts, shown, width);
	for (size_t i = 0; i < columns->count; i++)
		if (is_seen(contexts, &columns->list[i], shown))
			print_metric(contexts, &columns->list[i], shown, width);
	if (shown < contexts->count)
		printf("\n%zu contexts that ran for less time are omitted; see --csv.\n",
		       contexts->count - shown);
}

void contexts_print(const struct contexts *contexts)
{
	if (contexts->evaluation.tool->format == OUTPUT_TABLE)
		print_table(contexts);
	else
		print_records(contexts);
}
