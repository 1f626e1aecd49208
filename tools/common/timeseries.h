/* SPDX-License-Identifier: MIT */
/*
 * timeseries.h - read all metrics of a recording as time series, with a limited number of steps
 *
 * Each row is a step until the maximum number of steps is reached. Then adjacent steps are merged
 * into steps of twice as many rows. A step contains the minimum, the maximum and the sum of its
 * rows' values. Memory is limited, and no peak is lost.
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
	/* ticks that reports cover; less than end - begin if the step has a gap */
	uint64_t covered;
	uint64_t rows;
};

/* A period without reports */
struct series_gap {
	uint64_t begin; /* GPU time, in ticks */
	uint64_t end;
	uint64_t lost; /* number of lost reports, as far as it is known */
};

/* The levels of one metric in all steps */
struct series_track {
	struct scaling scaling;
	bool absent;
	float *least;
	float *largest;
	/* for a count, the sum of its values; otherwise the integral of the level over ticks */
	double *sum;
	double lowest; /* minimum of all rows */
	double highest;
	double average; /* average over the whole series as one interval; set by series_finish() */
};

/* A time series. The caller zeroes it and sets .room. */
struct series {
	size_t room; /* maximum number of steps, which is even and at least 16 */
	size_t count;
	uint64_t stride; /* number of rows in a complete step */
	uint64_t rows;
	uint64_t frequency; /* of GPU timestamps, in Hz */
	struct series_step *steps;
	size_t track_count; /* number of tracks; each column of the evaluation has one */
	struct series_track *tracks;
	/* gaps in time order; if there are too many, only the longest ones */
	struct series_gap *gaps;
	size_t gap_count;
	uint64_t gaps_left_out;
	uint64_t lost; /* number of lost reports in all gaps */
	/* whether a step is merged with the step after it; used during a merge only */
	bool *merged;
	bool no_memory;
};

/*
 * Return the level of a metric in a step, which is the average over the time for which there are
 * reports.
 */
double series_mean(const struct series *series, const struct series_track *track, size_t step);

/* Return the time that reports cover, in seconds. */
double series_covered(const struct series *series);

/* What to read, and in which resolution */
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
	bool evaluated; /* whether the evaluation is open and must be closed */
};

struct timeseries_list {
	struct timeseries *list;
	size_t count;
};

/*
 * Read the unit that -d names, or all units. A unit without intervals is left out, and a note is
 * printed. Returns an exit code; prints any error. After an error, the list contains the units that
 * could be read, each up to the first damage.
 */
int timeseries_read(struct timeseries_list *units, const struct tool *tool,
		    const struct timeseries_request *request);

void timeseries_free(struct timeseries_list *units);

/* Convert GPU time to seconds. */
double timeseries_seconds(const struct timeseries *unit, uint64_t ticks);

/*
 * Return the earliest begin and the latest end of all units in the list. The list must not be
 * empty.
 */
void timeseries_span(const struct timeseries_list *units, double *begin, double *end);

#endif /* GPUOA_TOOLS_COMMON_TIMESERIES_H */
