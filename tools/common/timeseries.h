/* SPDX-License-Identifier: MIT */
/*
 * timeseries.h - time series of all metrics of a recording, with a bounded number of steps
 *
 * Each row is a step until the maximum number of steps is reached. Then neighbours are merged into
 * steps of twice as many rows, which keep the minimum, the maximum and the sum of their values.
 * Memory is bounded, and no peak is lost.
 */
#ifndef GPUOA_TOOLS_COMMON_TIMESERIES_H
#define GPUOA_TOOLS_COMMON_TIMESERIES_H

#include "common/evaluation.h"
#include "common/recording.h"
#include "common/recording_options.h"
#include "common/scaling.h"

#define SERIES_GAPS 2048

/* A step: consecutive rows */
struct series_step {
	uint64_t begin; /* GPU time, in ticks */
	uint64_t end;
	uint64_t covered; /* covered time, in ticks; less than end - begin if the step has a gap */
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
	double *sum; /* of a count: its sum; else: the level's integral over ticks */
	double lowest; /* minimum of all rows */
	double highest;
	double average; /* average of the whole series as one interval; set by series_finish() */
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

/* Return a metric's level in a step: the average over the time that is covered. */
double series_mean(const struct series *series, const struct series_track *track, size_t step);

/* Return the time covered by reports, in seconds. */
double series_covered(const struct series *series);

/* Selection of the data to read */
struct timeseries_request {
	struct recording_options recording;
	size_t steps; /* maximum number of steps per track */
};

/* The data of a unit */
struct timeseries {
	struct recorded recorded;
	struct evaluation evaluation;
	struct evaluation_sink sink;
	struct series series; /* has at least one step */
	struct marks marks;
	bool evaluated; /* the evaluation is open and must be closed */
};

struct timeseries_list {
	struct timeseries *list;
	size_t count;
};

/*
 * Read the unit named by -d, or all units. A unit without intervals is left out, with a note.
 *
 * Returns an exit code; prints any error. On errors, the list still has the units that could be
 * read, each up to the first damage.
 */
int timeseries_read(struct timeseries_list *units, const struct tool *tool,
		    const struct timeseries_request *request);

void timeseries_free(struct timeseries_list *units);

/* Convert GPU time to seconds. */
double timeseries_seconds(const struct timeseries *unit, uint64_t ticks);

/* Return the earliest begin and the latest end of all units. The list must not be empty. */
void timeseries_span(const struct timeseries_list *units, double *begin, double *end);

#endif /* GPUOA_TOOLS_COMMON_TIMESERIES_H */
