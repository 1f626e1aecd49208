// SPDX-License-Identifier: MIT
/*
 * csv.c - rows as comma-separated values, as gpuoa report --csv prints them
 */
#define _GNU_SOURCE /* putc_unlocked */
#include "export/export.h"
#include "export/text.h"

/* Symbols have neither commas nor quotes. */
static int begin_unit(struct export *export)
{
	const struct columns *columns = &export->evaluation.columns;

	fputs("timestamp_ns", export->file);
	for (size_t i = 0; i < columns->count; i++)
		fprintf(export->file, ",%s", columns->list[i].symbol);
	fputc('\n', export->file);
	return EXIT_OK;
}

static void put_row(struct export *export, const struct export_row *row)
{
	const struct columns *columns = &export->evaluation.columns;
	FILE *file = export->file;

	text_put_number(file, row->end.ns);
	for (size_t i = 0; i < columns->count; i++) {
		putc_unlocked(',', file);
		if (!columns->list[i].absent)
			text_put_value(file, &columns->list[i], row->columns, row->number, NULL);
	}
	putc_unlocked('\n', file);
}

const struct export_format export_csv = {
	.name = "csv",
	.suffixes = ".csv",
	.one_unit = true,
	.begin_unit = begin_unit,
	.row = put_row,
};
