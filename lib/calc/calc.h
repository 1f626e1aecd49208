/* SPDX-License-Identifier: MIT */
/* calc.h - what the files of the calculator share. */
#ifndef GPUOA_LIB_CALC_CALC_H
#define GPUOA_LIB_CALC_CALC_H

#include "base/complaint.h"
#include "calc/columns/program.h"
#include "gpuoa.h"
#include "metadata/evaluate.h"

/* What a calculator is to compute: metrics of the set, and those that they need. */
struct selection {
	uint32_t *metrics; /* their numbers in the set, in the order of the row */
	uint32_t metric_count;
	bool *needed; /* of all metrics of the set */
	bool infos;
	bool maxima;
	bool validity;
};

/*
 * @options may be NULL: all metrics and information items. -EINVAL: a metric of another set;
 * -ENOMEM.
 */
int selection_make(struct selection *selection, const struct gpuoa_set *set,
		   const struct gpuoa_calc_options *options);

void selection_free(struct selection *selection);

/*
 * Do constants that a selection needs have no value? @missing, one for each of the platform's, is
 * set for these; may be NULL.
 */
bool selection_lacks(const struct selection *selection, const struct gpuoa_set *set,
		     const struct gpuoa_constants *constants, bool *missing);

/* The reports that a calculator takes, and the intervals that it keeps. */
struct filter {
	const uint32_t *reason; /* code of information items; NULL: not asked for */
	const uint32_t *context_valid;
	const uint32_t *context;
	const uint32_t *switches; /* reason: only reports of context switches tell the context;
				     NULL: all do */
	uint32_t reasons;
	uint32_t context_id;
};

/* -EOPNOTSUPP: the set's reports do not tell what @options asks for. */
int filter_make(struct filter *filter, const struct gpuoa_set *set,
		const struct gpuoa_calc_options *options);

bool filter_takes(const struct filter *filter, const struct report_format *format,
		  const struct gpuoa_constants *constants, const void *report);

/* Does the context run from this report on? @before: it did until then. */
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
	struct program *calm[CALM_PURPOSES]; /* the same for calm tiles; NULL until there is one */

	/* of the tile */
	struct lane *lanes;
	uint64_t *results; /* of one output after the other, COLUMN_ROWS each */
	struct column_summary *summaries;
	uint64_t times[COLUMN_ROWS]; /* of the reports in the lanes, in ticks */
	uint64_t ticks[COLUMN_ROWS]; /* of the later reports of the rows that are kept */
	uint64_t lengths[COLUMN_ROWS]; /* of the intervals, in ticks */
	uint16_t kept[COLUMN_ROWS]; /* rows that the filter keeps */

	struct calm_tile calm_tile;
	struct calm_run calm_run; /* of the calm tiles since sums were settled, */
	uint64_t calm_tiles; /*   and how many they are */
	char *apart; /* reports of a tile that do not follow each other, moved together */
	char *last_report; /* the one before the tile */
	bool missed; /* the last tile that was tried was not calm */
	uint32_t untried; /* so many tiles are not tried */

	struct pair_cells *pair; /* for one row at a time; NULL until there was one */

	/* sums of the inputs' differences */
	struct column_sums *tile_sums; /* of the last tiles */
	uint32_t tiles; /* how many that are */
	uint64_t *sums; /* since the last restart, those but for them */
	uint64_t *total_sums; /* of the last total */
	union number *total; /* metrics of the last total, */
	union number *total_max; /*   their largest possible values, */
	bool *total_valid; /*   and which are valid; of all of the set's */

	bool across_gaps; /* so that gaps are none */
	bool has_last; /* a report has been seen that the next one can be compared with */
	bool in_context; /* as of the last report that was looked at */
	bool keeps_next; /* the interval that begins there is kept */
	bool has_ticks; /* .last_ticks is that of some report */
	bool has_anchor; /* the next report's time is near .anchor */
	bool has_total;
	uint64_t last_ticks; /* of the last report */
	uint64_t anchor;

	uint64_t rows; /* since the last restart */
	uint64_t first; /* ticks at the beginning of the first of them */
	struct evaluation end; /* of the report at the end of the last of them: ticks, ids, clock */
};

/* As gpuoa_calc_open(). */
int calc_open(const struct gpuoa_set *set, const struct gpuoa_constants *constants, uint32_t format,
	      const struct gpuoa_calc_options *options, struct gpuoa_calc **calc,
	      const struct complaint *complaint);

/* The same for reports of a format that the caller has made, and keeps. */
int calc_open_format(const struct gpuoa_set *set, const struct gpuoa_constants *constants,
		     const struct report_format *format, const struct gpuoa_calc_options *options,
		     struct gpuoa_calc **calc, const struct complaint *complaint);

/* Where the results of rows go. */
struct calc_sink {
	union gpuoa_value *values; /* rows, or NULL */
	void *const *columns; /* or columns */
	struct gpuoa_summary *summaries; /* or what they have in common */
	struct gpuoa_interval *intervals; /* or NULL */
	bool stream; /* columns do not stay in the caches anyway */
};

/* As gpuoa_calc_run(). */
size_t calc_run(struct gpuoa_calc *calc, const void *reports, size_t count,
		const struct calc_sink *sink, size_t max_rows, size_t *used);

/*
 * A row for each two reports, the first and second, the third and fourth, ... Times are near @near,
 * or if that is 0, as in the reports. The calculator has no filters. Totals afterwards mean nothing
 * until calc_take_sums().
 */
void calc_run_pairs(struct gpuoa_calc *calc, const void *reports, size_t pairs, uint64_t near,
		    const struct calc_sink *sink);

/*
 * The row of one pair, computed by itself: for a few, that is faster. Returns false if there is no
 * memory.
 */
bool calc_run_pair(struct gpuoa_calc *calc, const char *begin, const char *end, uint64_t near,
		   union gpuoa_value *values);

/* Add the sums of the last tiles, calm and others, to those since the last restart. */
void calc_settle(struct gpuoa_calc *calc);

/*
 * Metrics over @sums of the inputs' differences, information items of @end. Largest possible values
 * are those of the last call.
 */
void calc_evaluate(struct gpuoa_calc *calc, const uint64_t *sums, const struct evaluation *end,
		   union gpuoa_value *values);

/* Move the sums of the inputs to @sums, and begin anew. */
void calc_take_sums(struct gpuoa_calc *calc, uint64_t *sums);

/* Header of a report, as information items ask for it. */
struct evaluation calc_header(const struct report_format *format,
			      const struct gpuoa_constants *constants, const void *report);

#endif /* GPUOA_LIB_CALC_CALC_H */
