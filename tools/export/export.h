/* SPDX-License-Identifier: MIT */
/*
 * export.h - gpuoa export: convert recordings for other programs
 */
#ifndef GPUOA_TOOLS_EXPORT_EXPORT_H
#define GPUOA_TOOLS_EXPORT_EXPORT_H

#include <stdio.h>

#include "common/recording.h"
#include "common/recording_options.h"
#include "profile/profile.h"

/* A time, both in GPU ticks and in ns of the selected clock */
struct export_time {
	uint64_t ticks;
	uint64_t ns;
};

/* Values of an interval between two reports */
struct export_row {
	struct export_time begin;
	struct export_time end;
	bool resumes; /* the row does not begin where the previous one ended, or is the first row */
	/* array indexed by struct column.index; each element is an array of float or uint64_t */
	void *const *columns;
	size_t number; /* index of this row in the arrays of .columns */
};

/* A period without rows */
struct export_gap {
	struct export_time begin;
	struct export_time end;
	uint64_t lost; /* reports known to be lost */
	bool lost_unknown; /* in addition, an unknown number of reports was lost */
};

/* EU stalls of a window of time, CLOCK_MONOTONIC */
struct export_window {
	uint64_t begin_ns;
	uint64_t end_ns;
	uint32_t losses; /* number of times that records were lost */
	uint64_t counts[GPUOA_STALL_REASONS];
};

struct export;

struct export_format {
	const char *name;
	const char *suffixes; /* space-separated suffixes of file names */
	bool binary;
	bool one_unit; /* supports only one unit */
	bool cpu_clock; /* if --clock is not given, use a CPU clock if the recording has one */
	bool fixed_clock; /* --clock is not allowed */
	bool csv; /* write the rows of gpuoa report --csv, and do not call row() */
	/*
	 * Each callback that returns int returns an exit code and prints any error. All callbacks
	 * except row() may be NULL.
	 */
	int (*begin)(struct export *export);
	int (*begin_unit)(struct export *export);
	void (*row)(struct export *export, const struct export_row *row);
	/* called where rows end: at a gap, or at the end of the unit */
	void (*pause)(struct export *export, const struct export_time *end);
	void (*gap)(struct export *export, const struct export_gap *gap); /* called after pause() */
	void (*mark)(struct export *export, const struct export_time *time, uint64_t value);
	void (*end_unit)(struct export *export);
	int (*end)(struct export *export);
	/* copy the raw reports of a unit; if this is set, no other callback is used */
	int (*copy)(struct export *export);
	/* write EU stall samples, from another kind of file; no other callback is used */
	void (*stalls)(const struct export *export, const struct profile *profile);
	bool only_windows; /* write only EU stalls over time */
	/*
	 * write EU stalls over time, after the units; NULL: the format has none. Traces have
	 * rates(), which are valid until the next ones, and lost_records(); other formats window().
	 * @window of rates(): NULL: no samples from @ns on
	 */
	void (*begin_windows)(struct export *export, const struct gpuoa_stall_desc *desc);
	void (*rates)(struct export *export, uint64_t ns, const struct export_window *window);
	void (*lost_records)(struct export *export, const struct export_window *window);
	void (*window)(struct export *export, const struct export_window *window);
	size_t state_size; /* size of struct export.state, in bytes */
};

extern const struct export_format export_perfetto, export_chrome, export_lines, export_csv,
	export_i915, export_folded, export_pprof, export_speedscope, export_stalls_csv;

/* Options of the user */
struct export_options {
	const struct export_format *format;
	struct recording_options recording;
	const char *output; /* output file; NULL: stdout */
	struct profile_input stalls; /* kernels of formats with EU stall samples */
	unsigned int jobs; /* number of threads; 0: depends on the size of the file */
};

struct export
{
	const struct tool *tool;
	const struct export_options *options;
	FILE *file;
	void *state; /* private data of the format; zeroed before begin() */

	uint32_t units; /* number of units exported before */
	bool in_windows; /* EU stalls are being exported */
	struct recorded recorded; /* the unit being exported */
	struct evaluation evaluation;
	struct clock_choice clock; /* clock of the times; GPU time if the clock has no name */
	/* time base of the CPU clocks; NULL: the recording has none */
	const struct gpuoa_time *time;
	struct progress progress;

	/* State of the unit that is being exported: */
	struct marks marks;
	size_t marks_told;
	bool running; /* there is a previous row */
	uint64_t end; /* end of the previous row, in ticks */
	uint64_t rows;
	uint64_t lost; /* number of lost reports */
	bool lost_unknown;
};

/* Return whether the recording has EU stalls, and the format has a place for them. */
bool export_has_windows(const struct export_options *options);

/* Return false if the recording has no streams of OA units. */
bool export_has_streams(const struct export_options *options);

/* Samples with this reason per ms, since windows differ in length. @window: NULL: none */
double export_window_rate(const struct export_window *window, unsigned int reason);

/* Format the title of the EU stalls of a GPU. */
void export_stalls_title(const struct gpuoa_stall_desc *desc, char *text, size_t size);

/* Write the EU stalls of the recording over time. Returns an exit code; prints any error. */
int export_windows(struct export *export);

struct export_time export_time(const struct export *export, uint64_t ticks);

/* Format the title of a unit, such as "gpuoa0 (Tiger Lake GT2): RenderBasic". */
void export_unit_title(const struct export *export, char *text, size_t size);

/* Format "17 reports lost". */
void export_gap_title(const struct export_gap *gap, char *text, size_t size);

#endif /* GPUOA_TOOLS_EXPORT_EXPORT_H */
