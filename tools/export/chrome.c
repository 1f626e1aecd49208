// SPDX-License-Identifier: MIT
/*
 * chrome.c - export to the JSON trace format of chrome://tracing, which many viewers can read
 *
 * In the trace, each unit is a process, and each metric is a counter of that process. A counter
 * keeps its value until its next event. Therefore, the value of a row is written at the begin of
 * the row, and 0 is written where rows end.
 */
#define _GNU_SOURCE /* fputs_unlocked */
#include <string.h>

#include "export/export.h"
#include "export/text.h"
#include "common/quote.h"
#include "common/scaling.h"

struct chrome {
	bool has_event;
};

/* Threads of a unit's process */
enum {
	THREAD_MARKS = 1,
	THREAD_LOSSES = 2,
};

static void begin_event(struct export *export, const char *phase, const char *name)
{
	struct chrome *chrome = export->state;

	fputs_unlocked(chrome->has_event ? ",\n{\"ph\":\"" : "\n{\"ph\":\"", export->file);
	chrome->has_event = true;
	fprintf(export->file, "%s\",\"pid\":%u,\"name\":", phase, export->units + 1);
	put_json_string(export->file, name, "");
}

static void put_us(struct export *export, const char *key, uint64_t ns)
{
	fprintf(export->file, ",\"%s\":", key);
	text_put_us(export->file, ns);
}

/* Write the name of a process or a thread. */
static void put_name(struct export *export, int thread, const char *kind, const char *name)
{
	begin_event(export, "M", kind);
	fprintf(export->file, ",\"tid\":%d,\"args\":{\"name\":", thread);
	put_json_string(export->file, name, "");
	fputs("}}", export->file);
}

static int begin(struct export *export)
{
	fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", export->file);
	return EXIT_OK;
}

static int begin_unit(struct export *export)
{
	char title[256];

	export_unit_title(export, title, sizeof(title));
	put_name(export, 0, "process_name", title);
	begin_event(export, "M", "process_labels");
	fprintf(export->file, ",\"args\":{\"labels\":\"%s clock\"}}",
		export->clock.name ? export->clock.name : "gpu");
	put_name(export, THREAD_MARKS, "thread_name", "marks");
	put_name(export, THREAD_LOSSES, "thread_name", "lost reports");
	return EXIT_OK;
}

/* Begin a counter event. The unit of measure is the key of the value. */
static void begin_counter(struct export *export, const struct column *column, uint64_t ns)
{
	begin_event(export, "C", column->symbol);
	put_us(export, "ts", ns);
	fputs_unlocked(",\"args\":{", export->file);
	put_json_string(export->file, *column->units ? scaling_units(column->units) : "value", "");
	putc_unlocked(':', export->file);
}

static void put_row(struct export *export, const struct export_row *row)
{
	const struct columns *columns = &export->evaluation.columns;

	for (size_t i = 0; i < columns->count; i++) {
		const struct column *column = &columns->list[i];

		if (column->absent)
			continue;
		begin_counter(export, column, row->begin.ns);
		text_put_value(export->file, column, row->columns, row->number, "0");
		fputs_unlocked("}}", export->file);
	}
}

static void pause_counters(struct export *export, const struct export_time *end)
{
	const struct columns *columns = &export->evaluation.columns;

	for (size_t i = 0; i < columns->count; i++) {
		if (columns->list[i].absent)
			continue;
		begin_counter(export, &columns->list[i], end->ns);
		fputs("0}}", export->file);
	}
}

static void put_gap(struct export *export, const struct export_gap *gap)
{
	char title[64];

	export_gap_title(gap, title, sizeof(title));
	begin_event(export, "X", title);
	put_us(export, "ts", gap->begin.ns);
	put_us(export, "dur", gap->end.ns - gap->begin.ns);
	fprintf(export->file, ",\"cat\":\"loss\",\"tid\":%d,\"args\":{\"lost\":", THREAD_LOSSES);
	text_put_number(export->file, gap->lost);
	fprintf(export->file, ",\"unknown\":%s}}", gap->lost_unknown ? "true" : "false");
}

static void put_mark(struct export *export, const struct export_time *time, uint64_t value)
{
	char name[32];

	snprintf(name, sizeof(name), "mark %llu", (unsigned long long)value);
	begin_event(export, "i", name);
	put_us(export, "ts", time->ns);
	fprintf(export->file,
		",\"cat\":\"mark\",\"s\":\"p\",\"tid\":%d,\"args\":{\"value\":", THREAD_MARKS);
	text_put_number(export->file, value);
	fputs("}}", export->file);
}

/* ---- EU stalls: another process, with a counter that has a value for each reason ---- */

static void begin_windows(struct export *export, const struct gpuoa_stall_desc *desc)
{
	char title[192];

	export_stalls_title(desc, title, sizeof(title));
	put_name(export, 0, "process_name", title);
	put_name(export, THREAD_LOSSES, "thread_name", "lost records");
}

static void put_rates(struct export *export, uint64_t ns, const struct export_window *window)
{
	begin_event(export, "C", "samples per ms");
	put_us(export, "ts", ns);
	fputs(",\"args\":{", export->file);
	for (unsigned int k = 0; k < GPUOA_STALL_REASON_COUNT; k++)
		fprintf(export->file, "%s\"%s\":%.6g", k ? "," : "", profile_reason(k),
			export_window_rate(window, k));
	fputs("}}", export->file);
}

static void put_lost_records(struct export *export, const struct export_window *window)
{
	begin_event(export, "X", "records lost");
	put_us(export, "ts", window->begin_ns);
	put_us(export, "dur", window->end_ns - window->begin_ns);
	fprintf(export->file, ",\"cat\":\"loss\",\"tid\":%d,\"args\":{\"times\":%u}}",
		THREAD_LOSSES, window->losses);
}

static int end(struct export *export)
{
	fputs("\n]}\n", export->file);
	return EXIT_OK;
}

const struct export_format export_chrome = {
	.name = "chrome",
	.suffixes = ".json",
	.cpu_clock = true,
	.begin = begin,
	.begin_unit = begin_unit,
	.row = put_row,
	.pause = pause_counters,
	.gap = put_gap,
	.mark = put_mark,
	.begin_windows = begin_windows,
	.rates = put_rates,
	.lost_records = put_lost_records,
	.end = end,
	.state_size = sizeof(struct chrome),
};
