/* SPDX-License-Identifier: MIT */
/*
 * evaluation.h - compute rows and totals from reports, and print them on stdout
 */
#ifndef GPUOA_TOOLS_COMMON_EVALUATION_H
#define GPUOA_TOOLS_COMMON_EVALUATION_H

#include "common/columns.h"
#include "common/marks.h"
#include "common/row_table.h"
#include "common/terminal.h"
#include "common/tool.h"
#include "gpuoa-time.h"

#define EVALUATION_BATCH 512 /* maximum number of reports per call; also of rows */

enum totals_style {
	TOTALS_ROW, /* print totals as a row of timestamp_ns and the values */
	/* print the begin and end of the interval, in ticks and in ns, and the totals */
	TOTALS_INTERVAL,
};

struct evaluation;
struct row_threads;

/* Receives rows instead of stdout. */
struct evaluation_sink {
	/*
	 * Receive @count rows in time order, at most EVALUATION_BATCH. @columns: array indexed by
	 * struct column.index; each element is an array of the column's values, of type float or
	 * uint64_t. If a row does not begin where the previous one ended, there is a gap between
	 * them.
	 */
	void (*take)(void *context, const struct evaluation *evaluation, void *const *columns,
		     const struct gpuoa_interval *intervals, size_t count);
	/* Receive the row of one window. */
	void (*take_window)(void *context, const struct evaluation *evaluation,
			    const struct gpuoa_window *window, const union gpuoa_value *row);
	void *context;
};

/* What to evaluate, and how to print the result */
struct evaluation_request {
	const struct gpuoa_set *set;
	const struct gpuoa_constants *constants;
	const char *metrics; /* argument of -m; NULL: all metrics */
	/* number of threads that compute rows; 0 or 1: only the caller computes */
	unsigned int jobs;
	uint32_t format;
	/* mask of the dwords that each stored report has; NULL: all dwords */
	const uint64_t *dword_mask;
	/*
	 * name of the unit or recording that the constants are from; NULL: they are the user's (-c)
	 */
	const char *origin;
	bool rows; /* print a row for each interval between two reports */
	/* write a CSV row for each interval to this file; NULL: print the rows on stdout */
	FILE *csv;
	/* receives the rows, which are then not printed; NULL: none */
	const struct evaluation_sink *sink;
	uint64_t window_ns; /* length of the windows to resample into, in ns; 0: do not resample */
	const struct marks *marks; /* resample into the spans between these marks; NULL: do not */
	/* conversion to the clock .clock_id, whose times are printed; NULL: print GPU time */
	const struct gpuoa_time *time;
	int clock_id;
	enum totals_style totals;
	bool repeated; /* totals are printed periodically, each time as a row */
	/* name of the unit, which each row of totals contains in addition to the set; NULL: none */
	const char *unit;
	bool part; /* evaluate only reports from begin_tick to end_tick */
	uint64_t begin_tick;
	uint64_t end_tick;
	/* progress display to update while reports are read; NULL: none */
	struct progress *progress;
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
	struct row_table table; /* table of rows on the terminal */
	uint64_t frequency; /* of timestamps, in Hz */
	size_t report_size;
	size_t stored_size; /* size of a report in its recording, in bytes */
	size_t row_size; /* number of values in a row */

	union gpuoa_value *values;
	struct gpuoa_interval *intervals;
	struct gpuoa_window *spans; /* time ranges of the rows of windows */
	struct field *fields;
	void **no_columns; /* array of NULL pointers for all columns, to calculate totals only */
	/* for each column, a part of one block of memory that holds a batch; NULL: no sink */
	void **sink_columns;

	uint64_t intervals_done;
	uint64_t lost; /* number of lost reports */
	bool lost_unknown;
	uint64_t damaged; /* number of damaged reports in the recording, which were skipped */
	uint64_t now; /* GPU time of the last report read, in ticks */
};

/* The functions below that return int return an exit code and print any error. */

/* Parse the argument of --window. @ns: receives nanoseconds; 0 if @text is NULL */
int evaluation_window(const struct tool *tool, const char *text, bool total, uint64_t *ns);

int evaluation_open(struct evaluation *evaluation, const struct tool *tool,
		    const struct evaluation_request *request);
void evaluation_close(struct evaluation *evaluation);

/* Evaluate the reports of one read. */
void evaluation_feed(struct evaluation *evaluation, const void *reports, size_t count,
		     const struct gpuoa_read_status *status);

/* Wait until all rows are printed, or have been passed to the sink. */
void evaluation_settle(struct evaluation *evaluation);

/* Count the damaged reports of a read; print a message the first time. */
void evaluation_count_damaged(struct evaluation *evaluation,
			      const struct gpuoa_read_status *status);

/*
 * Read from a reader until no data is left, and evaluate its reports. Fails if reports are damaged.
 */
int evaluation_drain(struct evaluation *evaluation, struct gpuoa_reader *reader);

/* Print the totals since the last call. Returns false if there was no complete interval. */
bool evaluation_totals(struct evaluation *evaluation);

/*
 * After the last report, print the rest: the last windows, or the totals. Returns false if there
 * was no complete interval.
 */
bool evaluation_finish(struct evaluation *evaluation);

/* Print on stderr the number of reports that were lost. */
void evaluation_losses(const struct evaluation *evaluation);

/* Maximum number of fields in a row that precede the values */
#define ROW_HEAD_FIELDS 8

/* Convert GPU time to ns, on the clock that the user selected. */
uint64_t row_ns(const struct evaluation *evaluation, uint64_t ticks);

#endif /* GPUOA_TOOLS_COMMON_EVALUATION_H */
