/* SPDX-License-Identifier: MIT */
/*
 * gpuoa-calc.h - metric values: calculators and resampling
 *
 * Conventions are those of gpuoa.h, which includes this header.
 */
#ifndef GPUOA_CALC_H
#define GPUOA_CALC_H

#include "gpuoa-reader.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- calculators ---------------------------------------------------------------------------- */

/**
 * struct gpuoa_calc - Calculator: turns consecutive reports into values.
 *
 * A row has the values of one interval between two consecutive reports: all metrics of the set, in
 * the set's order, then its information items. Metrics that are not available are 0. A calculator
 * stores the last report, which begins the next interval. A timestamp that is not later than that
 * of the last report has wrapped.
 *
 * Arithmetic. Integers have 64 bits. Negative differences saturate at 0. "/" and operations with a
 * fractional operand are IEEE double. Division by 0 yields 0. The result is converted once, to the
 * metric's type.
 */
struct gpuoa_calc;

/** struct gpuoa_calc_options - Options of a calculator. Zero-initialize, then set @size. */
struct gpuoa_calc_options {
	size_t size; /* sizeof(struct gpuoa_calc_options), mandatory */
	/* metrics to compute, in this order; NULL: all */
	const struct gpuoa_metric *const *metrics;
	size_t metric_count;
	/* Use only reports with one of these reasons (enum gpuoa_reason); 0: all. */
	uint32_t reasons;
	/* id of the context, as in gpuoa_report_desc; valid if context_filter */
	uint32_t context_id;
	/*
	 * Calculate only intervals that begin while the context @context_id runs. From gen12.5 on,
	 * only reports of context switches identify the context: after opening or a gap, it is
	 * unknown until the next switch.
	 */
	bool context_filter;
	bool no_infos; /* no outputs for information items */
	/*
	 * Instruction set to use: "avx512", "avx2", "sse2", "plain"; NULL: the fastest. The values
	 * do not depend on it.
	 */
	const char *isa;
	/*
	 * Add one output per metric, after metrics and information items: the metric's maximum in
	 * that interval, or 0 if it has none.
	 */
	bool maxima;
	/*
	 * Add one output per metric, after all others: 1, or 0 if the metric's value is not valid,
	 * because the metric is not available or its equation divided by 0.
	 */
	bool validity;
	/*
	 * Also calculate a row for the interval across a gap. Its values are correct if nothing was
	 * restarted in the gap, and if neither the timestamp nor a 32-bit counter wrapped twice.
	 */
	bool across_gaps;
};

/**
 * gpuoa_calc_open() - Open a calculator for a set, or for some of its metrics.
 * @constants: constants of the GPU; copied
 * @format: report format
 * @options: NULL: all metrics and information items
 * @calc: result; close with gpuoa_calc_close()
 *
 * Metrics that the requested ones depend on are computed internally. Constants that only other
 * metrics need may be without value.
 *
 * Return: 0, or:
 * -ENODATA: a needed constant has no value: see gpuoa_calc_missing_constant()
 * -EINVAL: the constants are of another platform, the format is unknown, a metric is not of this
 *   set, or @options->size is not set
 * -ENXIO: the format does not have a needed counter
 * -E2BIG: @options has nonzero fields that this library does not know, or more than 65,535 outputs
 * -EOPNOTSUPP: reports of this platform have no reason or context, or the processor does not
 *   support @options->isa
 * -EOVERFLOW: the equations have more than 32,767 different values and intermediate results; use
 *   several calculators for parts of the set
 * -ENOMEM: out of memory
 */
GPUOA_API int gpuoa_calc_open(const struct gpuoa_set *set, const struct gpuoa_constants *constants,
			      uint32_t format, const struct gpuoa_calc_options *options,
			      struct gpuoa_calc **calc, char *error, size_t error_size);

/**
 * gpuoa_calc_missing_constant() - Return the name of a constant without value that a calculator
 * with these arguments needs.
 * @index: index among the constants without value that are needed, from 0
 *
 * If the availability of a metric is unknown, only the constants of its condition are included.
 *
 * Return: the name; NULL if @index is out of range, or if @options or the platform of the constants
 * is wrong.
 */
GPUOA_API const char *gpuoa_calc_missing_constant(const struct gpuoa_set *set,
						  const struct gpuoa_constants *constants,
						  const struct gpuoa_calc_options *options,
						  size_t index);

/**
 * gpuoa_calc_excluded() - Return a requested metric that is not available on this GPU.
 * @index: index among the requested metrics that are not available, from 0
 * @reason: buffer of @size bytes, as in gpuoa_metric_available()
 *
 * Return: the metric (its values are 0); NULL if @index is out of range.
 */
GPUOA_API const struct gpuoa_metric *gpuoa_calc_excluded(const struct gpuoa_calc *calc,
							 size_t index, char *reason, size_t size);

GPUOA_API void gpuoa_calc_close(struct gpuoa_calc *calc);

/**
 * gpuoa_calc_output_count() - Return the number of outputs in a row: metrics, information items,
 * then those of @maxima and @validity.
 */
GPUOA_API size_t gpuoa_calc_output_count(const struct gpuoa_calc *calc);

/**
 * gpuoa_calc_output_type() - Return the type of output @index; GPUOA_TYPE_UINT64 if out of range.
 */
GPUOA_API enum gpuoa_value_type gpuoa_calc_output_type(const struct gpuoa_calc *calc, size_t index);

/** enum gpuoa_output_role - Roles of outputs, in their order in a row. */
enum gpuoa_output_role {
	GPUOA_OUTPUT_METRIC,
	GPUOA_OUTPUT_INFO,
	GPUOA_OUTPUT_MAX, /* gpuoa_calc_options.maxima of .metric */
	GPUOA_OUTPUT_VALID, /* gpuoa_calc_options.validity of .metric */
};

/** struct gpuoa_output_desc - Description of an output. Strings are never NULL. */
struct gpuoa_output_desc {
	const char *symbol;
	const char *name;
	const char *description;
	const char *units; /* unit of measure */
	enum gpuoa_value_type type;
	const struct gpuoa_metric *metric; /* NULL for an information item */
	/* information item of the output; NULL if it is a metric's output */
	const struct gpuoa_info *info;
	enum gpuoa_output_role role;
};

/**
 * gpuoa_calc_output_describe() - Describe output @index. @size is sizeof(*desc). -ERANGE if out of
 * range.
 */
GPUOA_API int gpuoa_calc_output_describe(const struct gpuoa_calc *calc, size_t index,
					 struct gpuoa_output_desc *desc, size_t size);

/**
 * struct gpuoa_interval - An interval of GPU time, from one report to another, in ticks extended to
 * 64 bits. Fixed: the struct never changes.
 */
struct gpuoa_interval {
	uint64_t begin;
	uint64_t end;
};

/**
 * gpuoa_calc_read() - Read reports and calculate. Handles gaps and clock pairs.
 * @reader: reader of the calculator's format
 * @values: buffer for @max_rows rows of gpuoa_calc_output_count() values each
 * @intervals: buffer for @max_rows intervals, or NULL
 * @max_rows: at least 1
 * @status: result: events up to the last of these rows; may be NULL
 *
 * The rows of one call are contiguous. No row spans a gap, unless gpuoa_calc_options.across_gaps is
 * set.
 *
 * Return: the number of rows. 0: a stream has none now (gpuoa_reader_wait()), or a recording has
 * ended (@status->end). Or an error of gpuoa_reader_read(). -EINVAL: the reader has another format.
 * -ENOBUFS: @max_rows is 0.
 */
GPUOA_API int gpuoa_calc_read(struct gpuoa_calc *calc, struct gpuoa_reader *reader,
			      union gpuoa_value *values, struct gpuoa_interval *intervals,
			      size_t max_rows, struct gpuoa_read_status *status);

/**
 * gpuoa_calc_run() - Calculate from reports that were not read with gpuoa_calc_read().
 * @reports: @count reports without padding, the oldest first
 * @values: buffer for @max_rows rows of gpuoa_calc_output_count() values each
 * @intervals: buffer for @max_rows intervals, or NULL
 * @used: result: number of reports consumed; less than @count only if @max_rows rows are full
 *
 * Pass gaps and clock pairs to gpuoa_calc_discontinuity() and gpuoa_calc_set_time_base() before the
 * reports that follow them.
 *
 * Return: the number of rows: without filters @used, minus one for the first report after opening
 * or a gap.
 */
GPUOA_API size_t gpuoa_calc_run(struct gpuoa_calc *calc, const void *reports, size_t count,
				union gpuoa_value *values, struct gpuoa_interval *intervals,
				size_t max_rows, size_t *used);

/**
 * gpuoa_calc_run_outputs() - Calculate, storing each output as an array. This is faster than
 * gpuoa_calc_run() and needs less memory.
 * @outputs: gpuoa_calc_output_count() pointers to arrays of @max_rows float or uint64_t, according
 *   to gpuoa_calc_output_type(); NULL for outputs that are not needed
 *
 * Other parameters and result are those of gpuoa_calc_run().
 */
GPUOA_API size_t gpuoa_calc_run_outputs(struct gpuoa_calc *calc, const void *reports, size_t count,
					void *const *outputs, struct gpuoa_interval *intervals,
					size_t max_rows, size_t *used);

/** struct gpuoa_summary - Summary of an output over many rows. Values are converted to double. */
struct gpuoa_summary {
	uint64_t rows;
	double sum;
	double least; /* minimum of the values; valid if rows > 0 */
	double largest; /* maximum of the values; valid if rows > 0 */
	uint64_t reserved[2];
};

/**
 * gpuoa_calc_summarize() - Calculate, and store only a summary of each output.
 * @summaries: gpuoa_calc_output_count() summaries, zero-initialized before the first call; rows are
 *   added
 *
 * Rows have equal weight, so that they should be of equal length; gpuoa_calc_total() weighs them by
 * length. Other parameters are those of gpuoa_calc_run().
 *
 * Return: the number of rows.
 */
GPUOA_API size_t gpuoa_calc_summarize(struct gpuoa_calc *calc, const void *reports, size_t count,
				      struct gpuoa_summary *summaries);

/**
 * gpuoa_calc_discontinuity() - Mark a discontinuity: the next report does not follow the last one.
 *
 * No row spans it, unless gpuoa_calc_options.across_gaps is set.
 */
GPUOA_API void gpuoa_calc_discontinuity(struct gpuoa_calc *calc);

/**
 * gpuoa_calc_set_time_base() - Set the time base: a GPU time near that of the next report, ticks.
 * Timestamps are extended to 64 bits from there.
 */
GPUOA_API void gpuoa_calc_set_time_base(struct gpuoa_calc *calc, uint64_t gpu_ticks);

/**
 * gpuoa_calc_total() - Calculate all rows since opening, or since the last call with @restart, as
 * one interval.
 * @values: buffer for gpuoa_calc_output_count() values
 * @interval: result: from the first to the last report; may be NULL
 * @restart: begin a new total
 *
 * Equations are applied to the sums of the differences, without gaps.
 *
 * Return: 0. -ENODATA: there is no row.
 */
GPUOA_API int gpuoa_calc_total(struct gpuoa_calc *calc, union gpuoa_value *values,
			       struct gpuoa_interval *interval, bool restart);

/**
 * gpuoa_calc_total_max() - Get the maxima of the metrics in the last total.
 * @values: buffer for gpuoa_calc_output_count() values; outputs without a maximum are set to 0
 *
 * Return: 0. -ENODATA: no total has been calculated.
 */
GPUOA_API int gpuoa_calc_total_max(struct gpuoa_calc *calc, union gpuoa_value *values);

/* ---- resampling into windows of time -------------------------------------------------------- */

/**
 * struct gpuoa_resampler - Resampler: turns consecutive reports into one row per window of time.
 *
 * Equations are applied to the counts of a window, as gpuoa_calc_total() does for all reports. If a
 * window edge is between two reports, their difference is split in proportion to time, rounded down
 * before the edge, so that nothing is counted twice or lost. Gaps are not interpolated: each row
 * has the part of its window that reports cover.
 *
 * Several inputs (tiles, units) can be combined. Counters are added; time and clock are the mean of
 * the inputs, rounded down. Constants must be those of all inputs together: gpuoa_constants_add().
 *
 * Memory use is bounded: partial windows are stored as sums.
 */
struct gpuoa_resampler;

/**
 * struct gpuoa_resampler_options - Options of a resampler.
 *
 * Zero-initialize, then set @size, and either @period_ticks, @period_ns, or @list. With
 * @list_grows, windows can be added to @list later, and it may be NULL.
 */
struct gpuoa_resampler_options {
	size_t size; /* sizeof(struct gpuoa_resampler_options), mandatory */
	uint64_t period_ticks; /* length of a window, ticks; UINT64_MAX: one unbounded window */
	/*
	 * Length of a window, ns; UINT64_MAX: one unbounded window. It need not be a whole number
	 * of ticks: edges are rounded down to ticks, without drift.
	 */
	uint64_t period_ns;
	uint64_t start; /* start of the first window, ticks; earlier data is ignored */
	/*
	 * List of windows, in ticks. They must be sorted and must not be empty or overlap. The list
	 * is copied.
	 */
	const struct gpuoa_interval *list;
	size_t list_count;
	/* metrics and filters; NULL: all metrics of the set */
	const struct gpuoa_calc_options *calc;
	uint32_t inputs; /* number of inputs (units or tiles), at most 1,024; 0: one */
	/* for each input: offset that is added to its times, ticks; NULL: 0 */
	const int64_t *offsets;
	bool list_grows; /* windows can be added later; @list has the first windows, or is NULL */
};

/** struct gpuoa_window - A window, and the part of it that reports cover. */
struct gpuoa_window {
	/*
	 * index of the window in the list; for a fixed length, number of the window from the start
	 */
	uint64_t number;
	uint64_t begin; /* first tick */
	uint64_t end; /* first tick after the window */
	/*
	 * Number of ticks of the window that are covered by intervals of reports; the mean if there
	 * are several inputs. 0: there is no data, and all values are 0.
	 */
	uint64_t covered;
	struct gpuoa_interval data; /* first and last tick covered by reports; 0, 0: no data */
	uint64_t reserved[2];
};

/**
 * gpuoa_resampler_open() - Open a resampler for a set.
 * @format: report format of all inputs
 * @options: mandatory
 * @resampler: result; close with gpuoa_resampler_close()
 *
 * Return: 0, an error of gpuoa_calc_open(), or:
 * -EINVAL: @options has no windows, or several kinds of them, or an invalid list
 * -ERANGE: windows would be shorter than one tick
 * -ENODATA: @period_ns is set, and GpuTimestampFrequency has no value
 * -E2BIG: more than 1,024 inputs
 */
GPUOA_API int gpuoa_resampler_open(const struct gpuoa_set *set,
				   const struct gpuoa_constants *constants, uint32_t format,
				   const struct gpuoa_resampler_options *options,
				   struct gpuoa_resampler **resampler, char *error,
				   size_t error_size);

GPUOA_API void gpuoa_resampler_close(struct gpuoa_resampler *resampler);

/**
 * gpuoa_resampler_add() - Add windows to the list, if gpuoa_resampler_options.list_grows.
 * @list: @count windows in ticks: sorted, not empty, not overlapping, and after all previous ones;
 *   copied
 *
 * The average time per window is constant. While no window is known, only the last consumed report
 * is stored, so a window that begins before it has no earlier data (@covered). A caller that learns
 * of windows late should hold back reports accordingly. gpuoa_time_to_gpu() of gpuoa-time.h
 * converts CPU time to ticks.
 *
 * Return: 0, or:
 * -EINVAL: the list is invalid; @error has the window and the reason
 * -EOPNOTSUPP: the resampler was opened without list_grows
 * -ENOMEM: out of memory
 */
GPUOA_API int gpuoa_resampler_add(struct gpuoa_resampler *resampler,
				  const struct gpuoa_interval *list, size_t count, char *error,
				  size_t error_size);

/**
 * gpuoa_resampler_output_count() - Return the number of outputs in a row; their types and
 * descriptions are those of a calculator.
 */
GPUOA_API size_t gpuoa_resampler_output_count(const struct gpuoa_resampler *resampler);
GPUOA_API enum gpuoa_value_type gpuoa_resampler_output_type(const struct gpuoa_resampler *resampler,
							    size_t index);
GPUOA_API int gpuoa_resampler_output_describe(const struct gpuoa_resampler *resampler, size_t index,
					      struct gpuoa_output_desc *desc, size_t size);

/**
 * gpuoa_resampler_run() - Consume reports, and produce a row for each finished window.
 * @input: index of the input, from 0; if out of range, no report is consumed
 * @reports: @count reports without padding, the oldest first
 * @values: buffer for @max_rows rows of gpuoa_resampler_output_count() values each
 * @rows: buffer for @max_rows windows
 * @used: result: number of reports consumed
 *
 * A window is finished when every input has a report at or after its end. Windows of a list always
 * produce a row; windows of one length only if they have data. Information items are those of the
 * report that ended the last interval in the window; times among them are gpuoa_window.data.end.
 *
 * Return: the number of rows. If it is @max_rows, there may be more: call again with the remaining
 * reports, or with none. If it is less and @used is less than @count, this input is ahead of
 * another one: feed that one first.
 */
GPUOA_API size_t gpuoa_resampler_run(struct gpuoa_resampler *resampler, uint32_t input,
				     const void *reports, size_t count, union gpuoa_value *values,
				     struct gpuoa_window *rows, size_t max_rows, size_t *used);

/**
 * gpuoa_resampler_flush() - Produce rows for unfinished windows from the available data; for a
 * list, for all remaining windows.
 *
 * Later data of the same window produces another row; data before it, or of a list, is ignored.
 *
 * Return: the number of rows. If it is @max_rows, call again.
 */
GPUOA_API size_t gpuoa_resampler_flush(struct gpuoa_resampler *resampler, union gpuoa_value *values,
				       struct gpuoa_window *rows, size_t max_rows);

/** gpuoa_resampler_end() - Mark an input as ended: windows no longer wait for it. */
GPUOA_API void gpuoa_resampler_end(struct gpuoa_resampler *resampler, uint32_t input);

/**
 * gpuoa_resampler_discontinuity() - Mark a discontinuity of an input, or set its time base, in
 * ticks without its offset: see gpuoa_calc_discontinuity() and gpuoa_calc_set_time_base().
 */
GPUOA_API void gpuoa_resampler_discontinuity(struct gpuoa_resampler *resampler, uint32_t input);
GPUOA_API void gpuoa_resampler_set_time_base(struct gpuoa_resampler *resampler, uint32_t input,
					     uint64_t gpu_ticks);

#ifdef __cplusplus
}
#endif

#endif /* GPUOA_CALC_H */
