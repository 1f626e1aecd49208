/* SPDX-License-Identifier: MIT */
/*
 * calc_batch.h - the steps of processing a batch: load (calc_load.c, calc_small_delta.c), compute
 * and write results (calc_results.c), for each batch (calc_run.c)
 */
#ifndef GPUOA_LIB_CALC_CALC_BATCH_H
#define GPUOA_LIB_CALC_CALC_BATCH_H

#include "calc/calc.h"

/* Build a program of the small-delta fast path. Returns false if out of memory. */
bool calc_make_small_delta(struct gpuoa_calc *calc, enum small_delta_purpose purpose);

/* A batch: its reports, and space for copies of the last one, which pad the last group. */
struct batch {
	const char *reports[COLUMN_ROWS];
	bool keeps[COLUMN_ROWS]; /* the context runs after the report */
	size_t rows;
};

/*
 * Load the lanes of a batch with small deltas. Returns the fast-path program, or NULL if the deltas
 * are large. Advances the prefetch position in @loaded.
 */
struct program *calc_load_small_delta(struct gpuoa_calc *calc, const struct batch *batch,
				      enum small_delta_purpose purpose,
				      struct program_batch *loaded);

/* Update sums and times from the deltas of a fast-path batch. */
void calc_note_small_delta(struct gpuoa_calc *calc, enum small_delta_purpose purpose,
			   bool each_time);

/*
 * Pad the last group with copies of the last report; returns the number of rows. The interval
 * between identical reports is empty, so that its values are 0.
 */
size_t calc_fill_up(struct batch *batch);

/* Load the lanes of a batch and apply the context filter. */
void calc_load_any(struct gpuoa_calc *calc, struct batch *batch, struct program_batch *loaded);

/* Start with this report. It ends no row, because there is no previous report. */
void calc_load_first(struct gpuoa_calc *calc, struct batch *batch);

/* Load pairs of reports, each with independent times, near @near if that is not 0. */
void calc_load_pairs(struct gpuoa_calc *calc, struct batch *batch, struct program_batch *loaded,
		     uint64_t near);

/* Destination of a batch's results. */
struct results {
	struct gpuoa_calc *calc;
	const struct calc_sink *sink;
	size_t done; /* number of previous rows */
	size_t rows;
};

enum small_delta_purpose calc_purpose(const struct calc_sink *sink);

/* Compute a loaded batch, using the fast-path program @small_delta unless it is NULL. */
void calc_put_results(struct results *results, struct program_batch *batch,
		      struct program *small_delta);

#endif /* GPUOA_LIB_CALC_CALC_BATCH_H */
