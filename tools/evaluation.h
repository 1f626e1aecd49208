/* SPDX-License-Identifier: MIT */
/*
 * evaluation.h - from reports to rows and totals on stdout
 */
#ifndef GPUOA_EVALUATION_H
#define GPUOA_EVALUATION_H

#include "columns.h"
#include "gpuoa-time.h"
#include "marks.h"
#include "progress.h"
#include "row_table.h"
#include "tool.h"

#define EVALUATION_BATCH 512 /* reports, and rows, at a time */

enum totals_style {
	TOTALS_ROW, /* as a row: timestamp_ns and the values */
	TOTALS_INTERVAL, /* with begin and end, in ticks and ns */
};

struct evaluation;
struct evaluation_crew;

/* Who takes rows instead of stdout. */
struct evaluation_sink {
	/*
	 * @count rows, in order of time, at most EVALUATION_BATCH: of each column (struct
	 * column.index), its values side by side, float or uint64_t. Where a row does not begin
	 * where the last one ended was a gap.
	 */
	void (*take)(void *context, const struct evaluation *evaluation, void *const *columns,
		     const struct gpuoa_interval *intervals, size_t count);
	/* Of windows, one: the values of its row. */
	void (*take_window)(void *context, const struct evaluation *evaluation,
			    const struct gpuoa_window *window, const union gpuoa_value *row);
	void *context;
};

/* What to evaluate, and which part of it. */
struct evaluation_request {
	const struct gpuoa_set *set;
	const struct gpuoa_constants *constants;
	const char *metrics; /* -m, or NULL */
	unsigned int jobs; /* threads that compute rows; 0, 1: the caller does */
	uint32_t format;
	const uint64_t *keep; /* dwords of each report that are there; NULL: all */
	const char *origin; /* unit or recording that the constants are of; NULL: the user's, of -c
			     */
	bool rows; /* print each interval */
	FILE *csv; /* into this file, as CSV; NULL: on stdout, as the user says */
	const struct evaluation_sink *sink; /* or give it to this one; NULL: nobody */
	uint64_t window_ns; /* or each window of time; 0: no windows */
	const struct marks *marks; /* or each stretch between two marks; NULL: none */
	const struct gpuoa_time *time; /* print times of clock_id; NULL: GPU time */
	int clock_id;
	enum totals_style totals;
	bool repeated; /* totals come again and again: a row each */
	const char *unit; /* named in each row of totals, with the set; NULL: not */
	bool part; /* only reports from begin_tick to end_tick */
	uint64_t begin_tick;
	uint64_t end_tick;
	struct progress *progress; /* to be told what was read; NULL: none */
};

struct evaluation {
	const struct tool *tool;
	struct evaluation_request request;
	struct gpuoa_set_desc set;
	struct columns columns;
	const struct gpuoa_metric **metrics; /* those of the columns */
	struct gpuoa_calc_options options;
	struct gpuoa_calc *calc;
	struct gpuoa_windows *windows; /* NULL: no windows */
	struct evaluation_crew *crew; /* NULL: the caller computes */
	struct output output;
	struct row_table table; /* of rows, for people */
	uint64_t frequency; /* of timestamps, Hz */
	size_t report_size;
	size_t stored_size; /* bytes of a report in its recording */
	size_t row_size; /* values */

	union gpuoa_value *values;
	struct gpuoa_interval *intervals;
	struct gpuoa_window *spans; /* of rows of windows */
	struct field *fields;
	void **no_columns; /* for totals alone */
	void **sink_columns; /* room for a batch of each, one behind the other; NULL: no sink */

	uint64_t intervals_done;
	uint64_t lost; /* reports */
	bool lost_unknown;
	uint64_t damaged; /* reports of the recording, which were left out */
	uint64_t now; /* GPU time of the last report that was looked at, ticks */
};

/* All return exit codes; what is wrong has been said. */

/* --window: nanoseconds, 0 without it (NULL). */
int evaluation_window(const struct tool *tool, const char *text, bool total, uint64_t *ns);

int evaluation_open(struct evaluation *evaluation, const struct tool *tool,
		    const struct evaluation_request *request);
void evaluation_close(struct evaluation *evaluation);

/* Take the reports of one read. */
void evaluation_feed(struct evaluation *evaluation, const void *reports, size_t count,
		     const struct gpuoa_read_status *status);

/* Wait until all that was fed is printed, or was given to the sink. */
void evaluation_settle(struct evaluation *evaluation);

/* Count damaged reports of a read; the first ones are reported at once. */
void evaluation_count_damaged(struct evaluation *evaluation,
			      const struct gpuoa_read_status *status);

/* Read a source until it has nothing (more), and feed what it gave. Fails for damaged reports. */
int evaluation_drain(struct evaluation *evaluation, struct gpuoa_source *source);

/* Print the totals since the last call. Returns false if there was no interval. */
bool evaluation_totals(struct evaluation *evaluation);

/*
 * Print what is left when all has been fed: the last window, or totals. Returns false if there was
 * no interval.
 */
bool evaluation_finish(struct evaluation *evaluation);

/* What was lost, in words, on stderr. */
void evaluation_losses(const struct evaluation *evaluation);

#endif /* GPUOA_EVALUATION_H */
