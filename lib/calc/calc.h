/* SPDX-License-Identifier: MIT */
/* calc.h - internal interface of the calculator */
#ifndef GPUOA_LIB_CALC_CALC_H
#define GPUOA_LIB_CALC_CALC_H

#include "base/complaint.h"
#include "base/private.h"
#include "calc/columns/program.h"
#include "gpuoa.h"
#include "metadata/evaluate.h"

/* The metrics of the set to calculate, and those that they depend on. */
struct selection {
	uint32_t *metrics; /* indexes in the set, in output order */
	uint32_t metric_count;
	bool *needed; /* true for each metric of the set to calculate */
	bool infos;
	bool maxima;
	bool validity;
};

/*
 * Build a selection; if @options is NULL, it has all metrics and information items. Returns 0,
 * -EINVAL for a metric of another set, or -ENOMEM.
 */
int selection_make(struct selection *selection, const struct gpuoa_set *set,
		   const struct gpuoa_calc_options *options);

void selection_free(struct selection *selection);

/*
 * True if constants needed by a selection have no value. Their entries in @missing, one for each of
 * the platform's constants, are set; @missing may be NULL.
 */
bool selection_lacks(const struct selection *selection, const struct gpuoa_set *set,
		     const struct gpuoa_constants *constants, bool *missing);

/* Selects the reports to calculate from and the intervals to keep. */
struct filter {
	const uint32_t *reason; /* code of the reason information item; NULL: no filter by reason */
	const uint32_t *context_valid;
	const uint32_t *context;
	/* reason item if only context-switch reports identify the context; NULL: all reports do */
	const uint32_t *switches;
	uint32_t reasons;
	uint32_t context_id;
};

/* Returns 0, or -EOPNOTSUPP if the set's reports do not have the data that @options filters by. */
int filter_make(struct filter *filter, const struct gpuoa_set *set,
		const struct gpuoa_calc_options *options);

bool filter_takes(const struct filter *filter, const struct report_format *format,
		  const struct gpuoa_constants *constants, const void *report);

/* True if the context runs after this report. @before: it ran before this report. */
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
	/* fast path for batches with small deltas, by purpose; NULL until used */
	struct program *small_delta[SMALL_DELTA_PURPOSES];

	/* the current batch: */
	struct lane *lanes;
	uint64_t *results; /* COLUMN_ROWS values for each output */
	struct column_summary *summaries;
	uint64_t times[COLUMN_ROWS]; /* times of the reports in the lanes, in ticks */
	uint64_t ticks[COLUMN_ROWS]; /* times of the later reports of the kept rows, in ticks */
	uint64_t lengths[COLUMN_ROWS]; /* lengths of the intervals, in ticks */
	uint16_t kept[COLUMN_ROWS]; /* rows that the filter keeps */

	struct small_delta_batch small_delta_batch;
	struct small_delta_run small_delta_run; /* sums and bounds of fast-path batches since
						   calc_settle() */
	uint64_t small_delta_batches; /* number of these batches */
	char *apart; /* buffer for copying the reports of a batch if they are not contiguous */
	char *last_report; /* the report preceding the batch */
	bool missed; /* the last attempt to use the fast path failed */
	uint32_t cold; /* number of batches to skip before the next attempt */

	struct pair_cells *pair; /* state for single rows; NULL until used */

	/* sums of the inputs' deltas: */
	struct column_sums *batch_sums; /* sums over the last .batches batches */
	uint32_t batches; /* number of batches in .batch_sums */
	uint64_t *sums; /* sums since the last restart, without .batch_sums */
	/* inputs and results of the last calc_evaluate(): */
	uint64_t *total_sums; /* the input */
	union number *total; /* value of each metric of the set */
	union number *total_max; /* maximum of each metric; set on demand */
	bool *total_valid; /* whether each metric is valid */

	bool across_gaps; /* discontinuities are ignored */
	bool has_last; /* .last_report is valid */
	bool in_context; /* the context runs after the last report that was examined */
	bool keeps_next; /* the interval that begins at the last report is kept */
	bool has_ticks; /* .last_ticks is valid */
	bool has_anchor; /* the next report's time is near .anchor */
	bool has_total;
	uint64_t last_ticks; /* time of the last report */
	uint64_t anchor;

	uint64_t rows; /* since the last restart */
	uint64_t first; /* start of the first of these rows, in ticks */
	/* header of the report at the end of the last row: ticks, ids, clock */
	struct evaluation end;
};

/* Parameters are those of gpuoa_calc_open(). */
int calc_open(const struct gpuoa_set *set, const struct gpuoa_constants *constants, uint32_t format,
	      const struct gpuoa_calc_options *options, struct gpuoa_calc **calc,
	      const struct complaint *complaint);

/* As calc_open(), for a format created by the caller, which must outlive the calculator. */
int calc_open_format(const struct gpuoa_set *set, const struct gpuoa_constants *constants,
		     const struct report_format *format, const struct gpuoa_calc_options *options,
		     struct gpuoa_calc **calc, const struct complaint *complaint)
	GPUOA_PRIVATE(calc_open_format);

/* Destination of the results; at most one of the first three is set. */
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
 * Calculate a row from each pair of reports: the first and second, the third and fourth, ... Times
 * are extended to be near @near, or not extended if that is 0. The calculator must not have
 * filters. Totals are undefined until calc_take_sums() has been called.
 */
void calc_run_pairs(struct gpuoa_calc *calc, const void *reports, size_t pairs, uint64_t near,
		    const struct calc_sink *sink) GPUOA_PRIVATE(calc_run_pairs);

/*
 * Calculate the row of a single pair, which is faster for a few pairs. Returns false if out of
 * memory.
 */
bool calc_run_pair(struct gpuoa_calc *calc, const char *begin, const char *end, uint64_t near,
		   union gpuoa_value *values) GPUOA_PRIVATE(calc_run_pair);

/* Add the sums of the last batches, including the fast path's, to those since the last restart. */
void calc_settle(struct gpuoa_calc *calc);

/*
 * Evaluate metrics over @sums of the inputs' deltas, and information items of @end.
 * gpuoa_calc_total_max() then returns the maxima for these sums.
 */
void calc_evaluate(struct gpuoa_calc *calc, const uint64_t *sums, const struct evaluation *end,
		   union gpuoa_value *values);

/* Move the sums of the inputs to @sums, and restart. */
void calc_take_sums(struct gpuoa_calc *calc, uint64_t *sums) GPUOA_PRIVATE(calc_take_sums);

/* Read the header fields that information items use. */
struct evaluation calc_header(const struct report_format *format,
			      const struct gpuoa_constants *constants, const void *report);

/* Build a program of the small-delta fast path. Returns false if out of memory. */
bool calc_make_small_delta(struct gpuoa_calc *calc, enum small_delta_purpose purpose);

#endif /* GPUOA_LIB_CALC_CALC_H */
