/* SPDX-License-Identifier: MIT */
/* calc.h - internal interface of the calculator */
#ifndef GPUOA_LIB_CALC_CALC_H
#define GPUOA_LIB_CALC_CALC_H

#include "base/complaint.h"
#include "base/private.h"
#include "calc/columns/program.h"
#include "gpuoa.h"
#include "metadata/evaluate.h"

/* The metrics of a set that the caller requests, and those that they depend on */
struct selection {
	uint32_t *metrics; /* indexes of the requested metrics in the set, in output order */
	uint32_t metric_count;
	/* for each metric of the set: whether it is requested or a requested one depends on it */
	bool *needed;
	bool infos;
	bool maxima;
	bool validity;
};

/*
 * Build a selection from the caller's options; if @options is NULL, select all metrics and
 * information items. Returns 0, -EINVAL if a metric belongs to another set, or -ENOMEM.
 */
int selection_make(struct selection *selection, const struct gpuoa_set *set,
		   const struct gpuoa_calc_options *options);

void selection_free(struct selection *selection);

/*
 * True if the selected metrics need constants that have no value. @missing: one entry for each
 * constant of the platform; those of the missing constants are set. May be NULL.
 */
bool selection_lacks(const struct selection *selection, const struct gpuoa_set *set,
		     const struct gpuoa_constants *constants, bool *missing);

/* Selects the reports to calculate from and the intervals to keep. */
struct filter {
	const uint32_t *reason; /* code of the reason information item; NULL: no filter by reason */
	const uint32_t *context_valid;
	const uint32_t *context;
	/*
	 * code of the reason information item if only context-switch reports identify the context;
	 * NULL: all reports do
	 */
	const uint32_t *switches;
	uint32_t reasons;
	uint32_t context_id;
};

/* Returns 0, or -EOPNOTSUPP if the set's reports do not have the data that @options filters by. */
int filter_make(struct filter *filter, const struct gpuoa_set *set,
		const struct gpuoa_calc_options *options);

bool filter_takes(const struct filter *filter, const struct report_format *format,
		  const struct gpuoa_constants *constants, const void *report);

/*
 * True if the filter's context runs after this report. @before: the context ran before this report.
 */
bool filter_keeps(const struct filter *filter, const struct report_format *format,
		  const struct gpuoa_constants *constants, const void *report, bool before);

struct pair_cells;

struct gpuoa_calc {
	const struct gpuoa_set *set;
	const struct report_format *format;
	struct gpuoa_constants *constants;
	struct selection selection;
	struct filter filter;
	struct program *program;
	/* programs of the fast path for batches with small deltas, by purpose; NULL until used */
	struct program *small_delta[SMALL_DELTA_PURPOSES];

	/* the current batch: */
	struct lane *lanes;
	uint64_t *results; /* COLUMN_ROWS values for each output */
	struct column_summary *summaries;
	uint64_t times[COLUMN_ROWS]; /* times of the reports in the lanes, in ticks */
	/* times of the reports that end the rows kept by the filter, in ticks */
	uint64_t ticks[COLUMN_ROWS];
	uint64_t lengths[COLUMN_ROWS]; /* lengths of the intervals, in ticks */
	uint16_t kept[COLUMN_ROWS]; /* rows that the filter keeps */

	struct small_delta_batch small_delta_batch;
	/* sums and bounds of all batches of the fast path since the last calc_settle() */
	struct small_delta_run small_delta_run;
	uint64_t small_delta_batches; /* number of these batches */
	char *apart; /* buffer for copying the reports of a batch if they are not contiguous */
	char *last_report; /* the report preceding the batch */
	bool missed; /* the last attempt to use the fast path failed */
	uint32_t cold; /* number of batches to calculate without an attempt to use the fast path */

	struct pair_cells *pair; /* working memory of calc_run_pair(); NULL until used */

	/* sums of the inputs' deltas: */
	struct column_sums *batch_sums; /* sums of deltas over the last .batches batches */
	uint32_t batches; /* number of batches in .batch_sums */
	uint64_t *sums; /* sums of deltas since the last restart, except those in .batch_sums */
	/* inputs and results of the last calc_evaluate(): */
	uint64_t *total_sums; /* the input */
	union number *total; /* value of each metric of the set */
	union number *total_max; /* maximum of each metric; computed when it is first requested */
	bool *total_valid; /* whether each metric is valid */

	bool across_gaps; /* discontinuities are ignored */
	bool has_last; /* .last_report is valid */
	bool in_context; /* the filter's context runs after the last examined report */
	bool keeps_next; /* the filter keeps the interval that begins at the last report */
	bool has_ticks; /* .last_ticks is valid */
	bool has_anchor; /* .anchor is a time near that of the next report */
	bool has_total;
	uint64_t last_ticks; /* time of the last report */
	uint64_t anchor;

	uint64_t rows; /* since the last restart */
	uint64_t first; /* start of the first row since the last restart, in ticks */
	/* fields of the last row's later report: time in ticks, ids and clock */
	struct evaluation end;
};

/* Parameters are those of gpuoa_calc_open(). */
int calc_open(const struct gpuoa_set *set, const struct gpuoa_constants *constants, uint32_t format,
	      const struct gpuoa_calc_options *options, struct gpuoa_calc **calc,
	      const struct complaint *complaint);

/*
 * Open a calculator as calc_open() does, but for a format that the caller has created, which must
 * outlive the calculator.
 */
int calc_open_format(const struct gpuoa_set *set, const struct gpuoa_constants *constants,
		     const struct report_format *format, const struct gpuoa_calc_options *options,
		     struct gpuoa_calc **calc, const struct complaint *complaint)
	GPUOA_PRIVATE(calc_open_format);

/* Destination of the results; at most one of .values, .columns and .summaries is set. */
struct calc_sink {
	union gpuoa_value *values; /* destination of rows, or NULL */
	void *const *columns; /* destinations of columns, or NULL */
	struct gpuoa_summary *summaries; /* destination of summaries, or NULL */
	struct gpuoa_interval *intervals; /* destination of intervals, or NULL */
	bool stream; /* write columns with non-temporal stores */
};

/* Parameters are those of gpuoa_calc_run(). */
size_t calc_run(struct gpuoa_calc *calc, const void *reports, size_t count,
		const struct calc_sink *sink, size_t max_rows, size_t *used);

/*
 * Calculate a row for each pair of reports: the first and second report, the third and fourth, and
 * so on, and write the rows to @values. Times are extended to 64 bits, to the time nearest to
 * @near; if @near is 0, they are not extended. The calculator must not have filters. Totals are
 * undefined until calc_take_sums() has been called.
 */
void calc_run_pairs(struct gpuoa_calc *calc, const void *reports, size_t pairs, uint64_t near,
		    union gpuoa_value *values) GPUOA_PRIVATE(calc_run_pairs);

/*
 * Calculate the row of one pair of reports. This is faster than calc_run_pairs() for a few pairs.
 * Returns false if out of memory.
 */
bool calc_run_pair(struct gpuoa_calc *calc, const char *begin, const char *end, uint64_t near,
		   union gpuoa_value *values) GPUOA_PRIVATE(calc_run_pair);

/*
 * Add the sums of deltas of the last batches, including those of the fast path, to the sums since
 * the last restart.
 */
void calc_settle(struct gpuoa_calc *calc);

/*
 * Evaluate the equations of metrics over sums of deltas @sums, and information items of report
 * @end. After that, gpuoa_calc_total_max() returns the maxima for these sums.
 */
void calc_evaluate(struct gpuoa_calc *calc, const uint64_t *sums, const struct evaluation *end,
		   union gpuoa_value *values);

/* Move the sums of deltas since the last restart to @sums, and restart. */
void calc_take_sums(struct gpuoa_calc *calc, uint64_t *sums) GPUOA_PRIVATE(calc_take_sums);

/* Read the fields of a report's header that information items use. */
struct evaluation calc_header(const struct report_format *format,
			      const struct gpuoa_constants *constants, const void *report);

/* Build the small-delta fast-path program for a purpose. Returns false if out of memory. */
bool calc_make_small_delta(struct gpuoa_calc *calc, enum small_delta_purpose purpose);

#endif /* GPUOA_LIB_CALC_CALC_H */
