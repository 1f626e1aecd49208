// SPDX-License-Identifier: MIT
/*
 * lines.c - export to JSON lines and to CSV. In JSON lines, each unit, row, gap and mark is an
 * object.
 */
#define _GNU_SOURCE /* fputs_unlocked */
#include <string.h>

#include "common/quote.h"
#include "common/scaling.h"
#include "export/export.h"
#include "export/text.h"

const struct export_format export_csv = {
	.name = "csv",
	.suffixes = ".csv",
	.one_unit = true,
	.csv = true,
};

/* Write the members with which each line starts. */
static void begin_line(const struct export *export, const char *type)
{
	fputs_unlocked("{\"type\":\"", export->file);
	fputs_unlocked(type, export->file);
	fputs_unlocked("\",\"unit\":", export->file);
	put_json_string(export->file, export->recorded.unit.name, "");
}

static void put_key(FILE *file, const char *before, const char *key)
{
	fputs_unlocked(before, file);
	put_json_string(file, key, "");
	putc_unlocked(':', file);
}

static void put_text(FILE *file, const char *key, const char *text)
{
	put_key(file, ",", key);
	put_json_string(file, text, "");
}

static void put_number(FILE *file, const char *key, uint64_t number)
{
	put_key(file, ",", key);
	text_put_number(file, number);
}

static void put_truth(FILE *file, const char *key, bool truth)
{
	put_key(file, ",", key);
	fputs(truth ? "true" : "false", file);
}

static void put_span(FILE *file, const struct export_time *begin, const struct export_time *end)
{
	put_number(file, "begin_ticks", begin->ticks);
	put_number(file, "end_ticks", end->ticks);
	put_number(file, "begin_ns", begin->ns);
	put_number(file, "end_ns", end->ns);
}

static void put_metric(FILE *file, const struct column *column)
{
	fputs("{\"symbol\":", file);
	put_json_string(file, column->symbol, "");
	put_text(file, "name", column->name);
	put_text(file, "units", scaling_units(column->units));
	put_text(file, "type", gpuoa_type_name(column->type));
	put_truth(file, "available", !column->absent);
	fputc('}', file);
}

static int begin_unit(struct export *export)
{
	const struct columns *columns = &export->evaluation.columns;
	const struct recorded *recorded = &export->recorded;
	FILE *file = export->file;

	begin_line(export, "unit");
	put_text(file, "gpu", recorded->unit.parent);
	put_text(file, "platform", recorded->unit.platform);
	put_text(file, "title", gpuoa_platform_title(recorded->platform));
	put_text(file, "set", export->evaluation.set.symbol);
	put_text(file, "uuid", recorded->desc.uuid);
	put_text(file, "clock", export->clock.name ? export->clock.name : "gpu");
	put_number(file, "timestamp_frequency", export->evaluation.frequency);
	fputs(",\"metrics\":[", file);
	for (size_t i = 0; i < columns->count; i++) {
		if (i)
			fputc(',', file);
		put_metric(file, &columns->list[i]);
	}
	fputs("]}\n", file);
	return EXIT_OK;
}

static void put_row(struct export *export, const struct export_row *row)
{
	const struct columns *columns = &export->evaluation.columns;
	const char *separator = "";
	FILE *file = export->file;

	begin_line(export, "interval");
	put_span(file, &row->begin, &row->end);
	fputs_unlocked(",\"values\":{", file);
	for (size_t i = 0; i < columns->count; i++) {
		const struct column *column = &columns->list[i];

		put_key(file, separator, column->symbol);
		separator = ",";
		if (column->absent)
			fputs_unlocked("null", file);
		else
			text_put_value(file, column, row->columns, row->number, "null");
	}
	fputs_unlocked("}}\n", file);
}

static void put_gap(struct export *export, const struct export_gap *gap)
{
	begin_line(export, "gap");
	put_span(export->file, &gap->begin, &gap->end);
	put_number(export->file, "lost", gap->lost);
	put_truth(export->file, "lost_unknown", gap->lost_unknown);
	fputs("}\n", export->file);
}

static void put_mark(struct export *export, const struct export_time *time, uint64_t value)
{
	begin_line(export, "mark");
	put_number(export->file, "ticks", time->ticks);
	put_number(export->file, "ns", time->ns);
	put_number(export->file, "value", value);
	fputs("}\n", export->file);
}

static void end_unit(struct export *export)
{
	begin_line(export, "end");
	put_number(export->file, "intervals", export->rows);
	put_number(export->file, "lost", export->lost);
	put_truth(export->file, "lost_unknown", export->lost_unknown);
	fputs("}\n", export->file);
}

const struct export_format export_lines = {
	.name = "jsonl",
	.suffixes = ".jsonl .ndjson",
	.begin_unit = begin_unit,
	.row = put_row,
	.gap = put_gap,
	.mark = put_mark,
	.end_unit = end_unit,
};
