// SPDX-License-Identifier: MIT
/*
 * timeseries.c - read all metrics of a recording as time series, with a limited number of steps
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/recording.h"
#include "common/timeseries.h"

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

/*
 * Select the steps that are merged with the step after them. Returns the number of steps that will
 * remain.
 */
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
	/* If gaps prevent most steps from being merged, merge steps across gaps. */
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

/* Find the step that each row belongs to. There is space for one new step per row. */
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

/* Add rows to the series, which must have space for one new step per row. */
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

/* Receive rows from the evaluation (evaluation_sink.take). @context: the series */
static void series_take(void *context, const struct evaluation *evaluation, void *const *columns,
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

/* Calculate the averages after the last row was added. */
static void series_finish(struct series *series, struct evaluation *evaluation)
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

static void series_free(struct series *series)
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

static int evaluate(struct timeseries *unit, const struct tool *tool,
		    const struct timeseries_request *asked)
{
	struct evaluation_request request = recorded_request(&unit->recorded);
	struct progress progress;
	int ret;

	unit->series.room = asked->steps;
	unit->sink = (struct evaluation_sink){ .take = series_take, .context = &unit->series };
	request.sink = &unit->sink;
	recording_options_limit(&asked->recording, &unit->recorded, &request);
	request.progress = &progress;
	ret = evaluation_open(&unit->evaluation, tool, &request);
	if (ret)
		return ret;
	unit->evaluated = true;
	progress_begin_file(&progress, tool, asked->recording.file);
	/* If the file is damaged, the part that can be read is shown. */
	ret = evaluation_drain(&unit->evaluation, unit->recorded.reader);
	evaluation_losses(&unit->evaluation);
	series_finish(&unit->series, &unit->evaluation);
	return unit->series.no_memory ? fail("out of memory") : ret;
}

static void close_unit(struct timeseries *unit)
{
	series_free(&unit->series);
	marks_free(&unit->marks);
	if (unit->evaluated)
		evaluation_close(&unit->evaluation);
	recorded_close(&unit->recorded);
}

/* Read an open stream. */
static int read_unit(struct timeseries_list *units, const struct tool *tool,
		     const struct timeseries_request *request)
{
	struct timeseries *unit = &units->list[units->count];
	int ret = marks_find(&unit->marks, request->recording.file, unit->recorded.desc.stream,
			     unit->recorded.set);

	if (!ret)
		ret = evaluate(unit, tool, request);
	if (unit->series.count) {
		units->count++;
		return ret;
	}
	if (!ret)
		recorded_note_nothing(&unit->recorded, tool);
	close_unit(unit);
	return ret;
}

static int read_stream(struct timeseries_list *units, const struct tool *tool,
		       const struct timeseries_request *request, uint32_t stream)
{
	struct timeseries *unit = &units->list[units->count];
	int ret;

	*unit = (struct timeseries){ .evaluated = false };
	ret = tool->device ? recorded_open(&unit->recorded, tool, request->recording.file,
					   request->recording.set) :
			     recorded_open_stream(&unit->recorded, tool, request->recording.file,
						  stream, request->recording.set);
	return ret ? ret : read_unit(units, tool, request);
}

int timeseries_read(struct timeseries_list *units, const struct tool *tool,
		    const struct timeseries_request *request)
{
	uint32_t streams;
	int ret, one;

	*units = (struct timeseries_list){ .count = 0 };
	ret = recording_streams(request->recording.file, &streams);
	if (ret)
		return ret;
	if (tool->device)
		streams = 1;
	units->list = calloc(streams + 1, sizeof(*units->list));
	if (!units->list)
		return fail("out of memory");
	for (uint32_t i = 0; i < streams; i++) {
		one = read_stream(units, tool, request, i);
		ret = ret ? ret : one;
	}
	return ret || units->count ? ret : EXIT_FAILED;
}

void timeseries_free(struct timeseries_list *units)
{
	for (size_t i = 0; i < units->count; i++)
		close_unit(&units->list[i]);
	free(units->list);
	*units = (struct timeseries_list){ 0 };
}

double timeseries_seconds(const struct timeseries *unit, uint64_t ticks)
{
	return (double)ticks / unit->series.frequency;
}

void timeseries_span(const struct timeseries_list *units, double *begin, double *end)
{
	*begin = INFINITY;
	*end = -INFINITY;
	for (size_t i = 0; i < units->count; i++) {
		const struct timeseries *unit = &units->list[i];
		const struct series *series = &unit->series;

		*begin = fmin(*begin, timeseries_seconds(unit, series->steps[0].begin));
		*end = fmax(*end, timeseries_seconds(unit, series->steps[series->count - 1].end));
	}
}
