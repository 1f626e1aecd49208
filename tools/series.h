/* SPDX-License-Identifier: MIT */
/*
 * series.h - the course of all metrics over time, in as many steps as there is room for
 *
 * As long as there are no more rows than steps, each row is a step. Then neighbours become one step
 * of twice as many rows, with the least and the largest level among them, and what they have
 * together. So memory is bounded, and nothing that sticks out is lost.
 */
#ifndef GPUOA_SERIES_H
#define GPUOA_SERIES_H

#include "evaluation.h"
#include "level.h"

#define SERIES_GAPS 2048

/* Some rows, one behind the other. */
struct series_step {
	uint64_t begin; /* ticks */
	uint64_t end;
	uint64_t covered; /* ticks; less than from begin to end if there is a gap in it */
	uint64_t rows;
};

/* Where there are no reports. */
struct series_gap {
	uint64_t begin; /* ticks */
	uint64_t end;
	uint64_t lost; /* reports known to be */
};

/* A metric. Levels of each step. */
struct series_track {
	struct level level;
	bool absent;
	float *least;
	float *largest;
	double *sum; /* of what was counted; of other levels: multiplied by their ticks */
	double lowest; /* of all rows */
	double highest;
	double average; /* of everything taken as one interval; of series_finish() */
};

/* Zero at first, but for the room. */
struct series {
	size_t room; /* steps, even, at least 16 */
	size_t count;
	uint64_t stride; /* rows of a full step */
	uint64_t rows;
	uint64_t frequency; /* Hz */
	struct series_step *steps;
	size_t track_count; /* as columns of the evaluation */
	struct series_track *tracks;
	struct series_gap *gaps; /* in order of time; the longest ones if there are too many */
	size_t gap_count;
	uint64_t gaps_left_out;
	uint64_t lost; /* reports, of all gaps */
	bool *merged; /* while neighbours become one: steps that go with the next one */
	bool no_memory;
};

/* An evaluation_sink's take(); @context is the series. */
void series_take(void *context, const struct evaluation *evaluation, void *const *columns,
		 const struct gpuoa_interval *intervals, size_t count);

/* When all has been taken: what can be told only then. */
void series_finish(struct series *series, struct evaluation *evaluation);

/* What a metric was in a step: the mean over the time that is covered. */
double series_mean(const struct series *series, const struct series_track *track, size_t step);

/* Seconds that reports cover. */
double series_covered(const struct series *series);

void series_free(struct series *series);

#endif /* GPUOA_SERIES_H */
