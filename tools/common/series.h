/* SPDX-License-Identifier: MIT */
/*
 * series.h - time series of all metrics, with a bounded number of steps
 *
 * Each row is a step until the maximum number of steps is reached. Then neighbours are merged into
 * steps of twice as many rows, which keep the minimum, the maximum and the sum of their levels.
 * Memory is bounded, and no peak is lost.
 */
#ifndef GPUOA_SERIES_H
#define GPUOA_SERIES_H

#include "common/evaluation.h"
#include "common/scaling.h"

#define SERIES_GAPS 2048

/* A step: consecutive rows */
struct series_step {
	uint64_t begin; /* GPU time, in ticks */
	uint64_t end;
	uint64_t covered; /* in ticks; less than end - begin if the step has a gap */
	uint64_t rows;
};

/* A period without reports */
struct series_gap {
	uint64_t begin; /* GPU time, in ticks */
	uint64_t end;
	uint64_t lost; /* number of reports known to be lost */
};

/* The levels of a metric in each step */
struct series_track {
	struct scaling scaling;
	bool absent;
	float *least;
	float *largest;
	double *sum; /* sum of a count; of other levels, integral over ticks */
	double lowest; /* minimum of all rows */
	double highest;
	double average; /* of the whole series as one interval; set by series_finish() */
};

/* The caller zeroes it and sets .room. */
struct series {
	size_t room; /* maximum number of steps, even, at least 16 */
	size_t count;
	uint64_t stride; /* number of rows in a full step */
	uint64_t rows;
	uint64_t frequency; /* of GPU timestamps, in Hz */
	struct series_step *steps;
	size_t track_count; /* same as the columns of the evaluation */
	struct series_track *tracks;
	struct series_gap *gaps; /* in time order; the longest ones if there are too many */
	size_t gap_count;
	uint64_t gaps_left_out;
	uint64_t lost; /* number of lost reports in all gaps */
	bool *merged; /* temporary: steps that are merged with the next one */
	bool no_memory;
};

/* Implement evaluation_sink.take(); @context is the series. */
void series_take(void *context, const struct evaluation *evaluation, void *const *columns,
		 const struct gpuoa_interval *intervals, size_t count);

/* Compute the averages after the last row. */
void series_finish(struct series *series, struct evaluation *evaluation);

/* Return a metric's level in a step: the average over the time that is covered. */
double series_mean(const struct series *series, const struct series_track *track, size_t step);

/* Return the time covered by reports, in seconds. */
double series_covered(const struct series *series);

void series_free(struct series *series);

#endif /* GPUOA_SERIES_H */
