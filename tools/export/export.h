/* SPDX-License-Identifier: MIT */
/*
 * export.h - what exporting a recording to any format has in common
 *
 * A format is told what there is, unit by unit: rows, gaps and marks in order of time. It writes as
 * it is told, and remembers next to nothing, so that recordings of any length can be exported.
 */
#ifndef GPUOA_EXPORT_EXPORT_H
#define GPUOA_EXPORT_EXPORT_H

#include <stdio.h>

#include "recorded.h"
#include "wanted.h"

/* A moment: ticks of the GPU, and ns on the clock that was asked for. */
struct export_time {
	uint64_t ticks;
	uint64_t ns;
};

/* Values of the time between two reports. */
struct export_row {
	struct export_time begin;
	struct export_time end;
	bool resumes; /* it does not begin where the last one ended, or there was none */
	void *const *columns; /* struct column.index: float or uint64_t, side by side */
	size_t number; /* in them */
};

/* No row is of this time. */
struct export_gap {
	struct export_time begin;
	struct export_time end;
	uint64_t lost; /* reports known to be */
	bool lost_unknown; /* and some that could not be counted */
};

struct export;

struct export_format {
	const char *name;
	const char *suffixes; /* of names of files, with blanks between */
	bool binary;
	bool one_unit; /* has no room for more */
	bool cpu_clock; /* times are the CPU's, if they are known, unless --clock says otherwise */
	bool fixed_clock; /* it may not */
	bool csv; /* rows as gpuoa report --csv prints them; there is no row() then */
	/* Exit codes; what is wrong has been said. Any but row may be NULL. */
	int (*begin)(struct export *export);
	int (*begin_unit)(struct export *export);
	void (*row)(struct export *export, const struct export_row *row);
	void (*pause)(struct export *export, const struct export_time *end); /* of rows */
	void (*gap)(struct export *export, const struct export_gap *gap); /* after pause */
	void (*mark)(struct export *export, const struct export_time *time, uint64_t value);
	void (*end_unit)(struct export *export);
	int (*end)(struct export *export);
	/* Instead of all that: the raw reports of one unit. */
	int (*copy)(struct export *export);
	size_t state_size; /* of struct export.state */
};

extern const struct export_format export_perfetto, export_chrome, export_lines, export_csv,
	export_i915;

/* What the user wants. */
struct export_options {
	const struct export_format *format;
	struct wanted wanted;
	const char *output; /* NULL: stdout */
	unsigned int jobs; /* 0: as many as the file is worth */
};

struct export
{
	const struct tool *tool;
	const struct export_options *options;
	FILE *file;
	void *state; /* of the format; zero at first */

	uint32_t units; /* that were exported before this one */
	struct recorded recorded; /* the unit at hand */
	struct evaluation evaluation;
	struct clock_choice clock; /* of times; no name: GPU time */
	const struct gpuoa_time *time; /* what is known of the CPU's clocks, or NULL */
	struct progress progress;

	/* of the unit, until now */
	struct marks marks;
	size_t marks_told;
	bool running; /* there is a row before: */
	uint64_t end; /*   its end, ticks */
	uint64_t rows;
	uint64_t lost; /* reports */
	bool lost_unknown;
};

/* Export all that was asked for. Returns an exit code; what is wrong has been said. */
int export_run(const struct tool *tool, const struct export_options *options, FILE *file);

struct export_time export_time(const struct export *export, uint64_t ticks);

/* "gpuoa0 (Tiger Lake GT2): RenderBasic" */
void export_unit_title(const struct export *export, char *text, size_t size);

/* "17 reports lost" */
void export_gap_title(const struct export_gap *gap, char *text, size_t size);

#endif /* GPUOA_EXPORT_EXPORT_H */
