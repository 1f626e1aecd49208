/* SPDX-License-Identifier: MIT */
/*
 * evaluation.h - computation of rows and totals from reports, printed on stdout
 */
#ifndef GPUOA_TOOLS_COMMON_EVALUATION_H
#define GPUOA_TOOLS_COMMON_EVALUATION_H

#include "common/columns.h"
#include "common/marks.h"
#include "common/row_table.h"
#include "common/terminal.h"
#include "common/tool.h"
#include "gpuoa-time.h"

#define EVALUATION_BATCH 512 /* maximum number of reports, and of rows, per call */

enum totals_style {
	TOTALS_ROW, /* print totals as a row: timestamp_ns and values */
	TOTALS_INTERVAL, /* print begin and end, in ticks and ns, and totals */
};

struct evaluation;
struct row_threads;

/* Receives rows instead of stdout. */
struct evaluation_sink {
	/*
	 * Receive @count rows in time order, at most EVALUATION_BATCH: for each column (struct
	 * column.index) an array of its values, float or uint64_t. A row that does not begin where
	 * the previous one ended follows a gap.
	 */
	void (*take)(void *context, const struct evaluation *evaluation, void *const *columns,
		     const struct gpuoa_interval *intervals, size_t count);
	/* Receive the row of one window. */
	void (*take_window)(void *context, const struct evaluation *evaluation,
			    const struct gpuoa_window *window, const union gpuoa_value *row);
	void *context;
};

/* Selection of what to evaluate, and output options */
struct evaluation_request {
	const struct gpuoa_set *set;
	const struct gpuoa_constants *constants;
	const char *metrics; /* argument of -m; NULL: all metrics */
	unsigned int jobs; /* threads that compute rows; 0, 1: the caller only */
	uint32_t format;
	const uint64_t *dword_mask; /* dword mask of each stored report; NULL: all */
	/* Unit or recording that provides the constants; NULL: the user, by -c */
	const char *origin;
	bool rows; /* print a row for each interval */
	FILE *csv; /* write each interval to this file as CSV; NULL: print on stdout */
	const struct evaluation_sink *sink; /* pass the rows to it instead; NULL: none */
	uint64_t window_ns; /* length of windows to resample into; 0: none */
	const struct marks *marks; /* resample into the spans between marks; NULL: no */
	const struct gpuoa_time *time; /* print times of clock_id; NULL: GPU time */
	int clock_id;
	enum totals_style totals;
	bool repeated; /* totals are printed periodically, as rows */
	const char *unit; /* name printed in each row of totals, with the set; NULL: none */
	bool part; /* only reports from begin_tick to end_tick */
	uint64_t begin_tick;
	uint64_t end_tick;
	struct progress *progress; /* updated while reports are read; NULL: none */
};

struct evaluation {
	const struct tool *tool;
	struct evaluation_request request;
	struct gpuoa_set_desc set;
	struct columns columns;
	const struct gpuoa_metric **metrics; /* metrics of the columns */
	struct gpuoa_calc_options options;
	struct gpuoa_calc *calc;
	struct gpuoa_resampler *windows; /* NULL: no windows */
	struct row_threads *threads; /* NULL: the caller computes */
	struct output output;
	struct row_table table; /* print rows as a table on the terminal */
	uint64_t frequency; /* of timestamps, in Hz */
	size_t report_size;
	size_t stored_size; /* bytes of a report in its recording */
	size_t row_size; /* number of values in a row */

	union gpuoa_value *values;
	struct gpuoa_interval *intervals;
	struct gpuoa_window *spans; /* time ranges of rows of windows */
	struct field *fields;
	void **no_columns; /* array of NULL columns, to compute totals only */
	void **sink_columns; /* memory for a batch of each column, consecutive; NULL: no sink */

	uint64_t intervals_done;
	uint64_t lost; /* number of lost reports */
	bool lost_unknown;
	uint64_t damaged; /* damaged reports of the recording, which were skipped */
	uint64_t now; /* GPU time of the last report read, in ticks */
};

/* Functions that return int return an exit code and print any error. */

/* Parse the argument of --window into nanoseconds; 0 for NULL. */
int evaluation_window(const struct tool *tool, const char *text, bool total, uint64_t *ns);

int evaluation_open(struct evaluation *evaluation, const struct tool *tool,
		    const struct evaluation_request *request);
void evaluation_close(struct evaluation *evaluation);

/* Evaluate the reports of one read. */
void evaluation_feed(struct evaluation *evaluation, const void *reports, size_t count,
		     const struct gpuoa_read_status *status);

/* Wait until all rows are printed, or passed to the sink. */
void evaluation_settle(struct evaluation *evaluation);

/* Count the damaged reports of a read; print a message about the first ones. */
void evaluation_count_damaged(struct evaluation *evaluation,
			      const struct gpuoa_read_status *status);

/* Read a source until no data is left, and evaluate its reports. Fails if reports are damaged. */
int evaluation_drain(struct evaluation *evaluation, struct gpuoa_reader *reader);

/* Print the totals since the last call. Returns false if there was no interval. */
bool evaluation_totals(struct evaluation *evaluation);

/*
 * After the last report, print what remains: the last windows, or the totals. Returns false if
 * there was no interval.
 */
bool evaluation_finish(struct evaluation *evaluation);

/* Print on stderr how many reports were lost. */
void evaluation_losses(const struct evaluation *evaluation);

/* Upper bound of the number of fields before the values */
#define ROW_HEAD_FIELDS 8

/* Convert GPU time to ns, on the clock that the user selected. */
uint64_t row_ns(const struct evaluation *evaluation, uint64_t ticks);

#endif /* GPUOA_TOOLS_COMMON_EVALUATION_H */
