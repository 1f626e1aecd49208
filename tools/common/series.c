// SPDX-License-Identifier: MIT
/*
 * series.c - time series of all metrics, with a bounded number of steps
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/series.h"

static bool allocate_track(struct series *series, struct series_track *track)
{
	track->least = calloc(series->room, sizeof(*track->least));
	track->largest = calloc(series->room, sizeof(*track->largest));
	track->sum = calloc(series->room, sizeof(*track->sum));
	track->lowest = INFINITY;
	track->highest = -INFINITY;
	return track->least && track->largest && track->sum;
}

static bool allocate(struct series *series, const struct evaluation *evaluation)
{
	const struct columns *columns = &evaluation->columns;

	series->stride = 1;
	series->frequency = evaluation->frequency;
	series->track_count = columns->count;
	series->steps = calloc(series->room, sizeof(*series->steps));
	series->merged = calloc(series->room, sizeof(*series->merged));
	series->gaps = calloc(SERIES_GAPS + 1, sizeof(*series->gaps));
	series->tracks = calloc(columns->count + 1, sizeof(*series->tracks));
	if (!series->steps || !series->merged || !series->gaps || !series->tracks)
		return false;
	for (size_t i = 0; i < columns->count; i++) {
		series->tracks[i].scaling = scaling_of(&columns->list[i]);
		series->tracks[i].absent = columns->list[i].absent;
		if (!allocate_track(series, &series->tracks[i]))
			return false;
	}
	return true;
}

static void merge_track(const struct series *series, struct series_track *track)
{
	size_t n = 0;

	for (size_t i = 0; i < series->count; i++, n++) {
		track->least[n] = track->least[i];
		track->largest[n] = track->largest[i];
		track->sum[n] = track->sum[i];
		if (!series->merged[i])
			continue;
		i++;
		track->least[n] = fminf(track->least[n], track->least[i]);
		track->largest[n] = fmaxf(track->largest[n], track->largest[i]);
		track->sum[n] += track->sum[i];
	}
}

static size_t merge_steps(const struct series *series)
{
	size_t n = 0;

	for (size_t i = 0; i < series->count; i++, n++) {
		series->steps[n] = series->steps[i];
		if (!series->merged[i])
			continue;
		i++;
		series->steps[n].end = series->steps[i].end;
		series->steps[n].covered += series->steps[i].covered;
		series->steps[n].rows += series->steps[i].rows;
	}
	return n;
}

/* Select the steps to merge with their successor. Returns the number of steps that will remain. */
static size_t choose_pairs(struct series *series, bool across_gaps)
{
	const struct series_step *steps = series->steps;
	size_t n = 0;

	memset(series->merged, 0, series->room * sizeof(*series->merged));
	for (size_t i = 0; i < series->count; i++, n++) {
		if (i + 1 == series->count)
			continue;
		if (!across_gaps && (steps[i].end != steps[i + 1].begin ||
				     steps[i].rows + steps[i + 1].rows > series->stride))
			continue;
		series->merged[i] = true;
		i++;
	}
	return n;
}

static void make_room(struct series *series)
{
	series->stride *= 2;
	/* If gaps keep most steps from merging, merge across gaps. */
	if (choose_pairs(series, false) > series->room / 4 * 3)
		choose_pairs(series, true);
	for (size_t i = 0; i < series->track_count; i++)
		merge_track(series, &series->tracks[i]);
	series->count = merge_steps(series);
}

static void add_gap(struct series *series, uint64_t begin, uint64_t end, uint64_t lost)
{
	size_t shortest = 0;

	series->gaps[series->gap_count++] = (struct series_gap){ begin, end, lost };
	series->lost += lost;
	if (series->gap_count <= SERIES_GAPS)
		return;
	for (size_t i = 1; i < series->gap_count; i++)
		if (series->gaps[i].end - series->gaps[i].begin <
		    series->gaps[shortest].end - series->gaps[shortest].begin)
			shortest = i;
	series->gap_count--;
	series->gaps_left_out++;
	memmove(&series->gaps[shortest], &series->gaps[shortest + 1],
		(series->gap_count - shortest) * sizeof(*series->gaps));
}

/* Find the step of each row. There is room for one step per row. */
static void find_steps(struct series *series, const struct gpuoa_interval *intervals, size_t count,
		       uint64_t lost, size_t *step_of)
{
	for (size_t i = 0; i < count; i++) {
		struct series_step *last = &series->steps[series->count - (series->count > 0)];
		bool begins = !series->count || last->rows >= series->stride;

		if (series->count && last->end != intervals[i].begin) {
			add_gap(series, last->end, intervals[i].begin, lost - series->lost);
			begins = true;
		}
		if (begins) {
			last = &series->steps[series->count++];
			*last = (struct series_step){ .begin = intervals[i].begin };
		}
		last->end = intervals[i].end;
		last->covered += intervals[i].end - intervals[i].begin;
		last->rows++;
		step_of[i] = series->count - 1;
	}
	series->rows += count;
}

static void take_column(struct series_track *track, const struct column *column, const void *values,
			const uint64_t *ticks, const double *seconds, const size_t *step_of,
			size_t count, size_t begun)
{
	const struct scaling *scaling = &track->scaling;

	for (size_t i = 0; i < count; i++) {
		const double value = scaling_column_value(column, values, i);
		const double now = scaling_value(scaling, value, seconds[i]);
		const size_t step = step_of[i];
		const double share = scaling->rate ? value * scaling->factor : now * ticks[i];

		if (step >= begun && (!i || step_of[i - 1] != step)) {
			track->least[step] = track->largest[step] = now;
			track->sum[step] = share;
		} else {
			track->least[step] = fminf(track->least[step], now);
			track->largest[step] = fmaxf(track->largest[step], now);
			track->sum[step] += share;
		}
		track->lowest = fmin(track->lowest, now);
		track->highest = fmax(track->highest, now);
	}
}

/* Add rows; there must be room for one step per row. */
static void take_some(struct series *series, const struct evaluation *evaluation,
		      void *const *columns, size_t offset, const struct gpuoa_interval *intervals,
		      size_t count)
{
	size_t step_of[EVALUATION_BATCH], begun = series->count;
	uint64_t ticks[EVALUATION_BATCH];
	double seconds[EVALUATION_BATCH];

	find_steps(series, intervals, count, evaluation->lost, step_of);
	for (size_t i = 0; i < count; i++) {
		ticks[i] = intervals[i].end - intervals[i].begin;
		seconds[i] = (double)ticks[i] / series->frequency;
	}
	for (size_t i = 0; i < series->track_count; i++) {
		const struct column *column = &evaluation->columns.list[i];
		const size_t size = column->type == GPUOA_TYPE_FLOAT ? sizeof(float) :
								       sizeof(uint64_t);

		if (!column->absent)
			take_column(&series->tracks[i], column,
				    (const char *)columns[column->index] + offset * size, ticks,
				    seconds, step_of, count, begun);
	}
}

void series_take(void *context, const struct evaluation *evaluation, void *const *columns,
		 const struct gpuoa_interval *intervals, size_t count)
{
	struct series *series = context;
	size_t offset = 0;

	if (!series->steps && !allocate(series, evaluation))
		series->no_memory = true;
	while (!series->no_memory && offset < count) {
		size_t some = count - offset;

		if (series->count == series->room)
			make_room(series);
		if (some > series->room - series->count)
			some = series->room - series->count;
		take_some(series, evaluation, columns, offset, intervals + offset, some);
		offset += some;
	}
}

void series_finish(struct series *series, struct evaluation *evaluation)
{
	const struct column *list = evaluation->columns.list;
	const double seconds = series_covered(series);

	if (!series->count || gpuoa_calc_total(evaluation->calc, evaluation->values, NULL, false))
		return;
	for (size_t i = 0; i < series->track_count; i++) {
		struct series_track *track = &series->tracks[i];

		if (!track->absent)
			track->average = scaling_value(
				&track->scaling,
				gpuoa_value_to_double(list[i].type,
						      evaluation->values[list[i].index]),
				seconds);
	}
}

double series_mean(const struct series *series, const struct series_track *track, size_t step)
{
	const double covered = series->steps[step].covered;

	if (!covered)
		return 0;
	return track->scaling.rate ? track->sum[step] * series->frequency / covered :
				     track->sum[step] / covered;
}

double series_covered(const struct series *series)
{
	uint64_t covered = 0;

	for (size_t i = 0; i < series->count; i++)
		covered += series->steps[i].covered;
	return (double)covered / series->frequency;
}

void series_free(struct series *series)
{
	for (size_t i = 0; series->tracks && i < series->track_count; i++) {
		free(series->tracks[i].least);
		free(series->tracks[i].largest);
		free(series->tracks[i].sum);
	}
	free(series->tracks);
	free(series->steps);
	free(series->merged);
	free(series->gaps);
	*series = (struct series){ 0 };
}
