// SPDX-License-Identifier: MIT
/*
 * track.c - drawing of one metric over time: a line for the mean, a band from minimum to maximum,
 * gaps
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "plot/axis.h"
#include "plot/track.h"

#define PADDING 4 /* above and below the curve, in pixels */
#define GAP_LEAST 2 /* minimum width of a gap in pixels, to be visible */
#define HATCH 7 /* distance of hatch lines, in pixels */

/* The values in a column of pixels, or in a step that is wider */
struct column_of_pixels {
	double from;
	double to;
	double least;
	double largest;
	double mean;
	bool joined; /* no gap precedes this column */
};

static double top_of(const struct picture_track *track)
{
	const struct series_track *series = track->track;

	if (series->scaling.relative && series->highest <= 100.5)
		return 100;
	return series->highest > 0 ? axis_nice(series->highest) : 1;
}

static double y_of(const struct picture_track *track, double top, double value)
{
	const double bottom = track->y + track->height - PADDING;

	return bottom - fmax(value, 0) / top * (track->height - 2 * PADDING);
}

static struct column_of_pixels column_of(const struct picture *picture,
					 const struct picture_track *track, size_t step)
{
	const struct series *series = &track->unit->series;
	const struct series_step *steps = series->steps;

	return (struct column_of_pixels){
		.from = canvas_x(picture, timeseries_seconds(track->unit, steps[step].begin)),
		.to = canvas_x(picture, timeseries_seconds(track->unit, steps[step].end)),
		.least = track->track->least[step],
		.largest = track->track->largest[step],
		.mean = series_mean(series, track->track, step),
		.joined = step && steps[step - 1].end == steps[step].begin,
	};
}

/* Merge a step into a column if both are in the same pixel. Returns whether it was merged. */
static bool add_step(struct column_of_pixels *column, const struct column_of_pixels *step)
{
	const double old = column->to - column->from, new = step->to - step->from;

	if (!step->joined || floor(step->from) != floor(column->from) || old + new > 1)
		return false;
	column->least = fmin(column->least, step->least);
	column->largest = fmax(column->largest, step->largest);
	if (old + new > 0)
		column->mean = (column->mean * old + step->mean * new) / (old + new);
	column->to = step->to;
	return true;
}

static size_t make_columns(const struct picture *picture, const struct picture_track *track,
			   struct column_of_pixels *columns)
{
	size_t count = 0;

	for (size_t i = 0; i < track->unit->series.count; i++) {
		const struct column_of_pixels step = column_of(picture, track, i);

		if (!count || !add_step(&columns[count - 1], &step))
			columns[count++] = step;
	}
	return count;
}

/* Draw a step as a line, or as a point if it is at most a pixel wide. */
static void line_to(const struct picture *picture, const struct column_of_pixels *column, double y,
		    bool backwards)
{
	if (column->to - column->from < 1.5) {
		cairo_line_to(picture->cairo, (column->from + column->to) / 2, y);
		return;
	}
	cairo_line_to(picture->cairo, backwards ? column->to : column->from, y);
	cairo_line_to(picture->cairo, backwards ? column->from : column->to, y);
}

/* Draw steps without a gap between them. */
static void draw_run(const struct picture *picture, const struct picture_track *track,
		     const struct column_of_pixels *run, size_t count)
{
	const double top = top_of(track), bottom = y_of(track, top, 0);
	cairo_t *cairo = picture->cairo;

	for (size_t i = 0; i < count; i++)
		line_to(picture, &run[i], y_of(track, top, run[i].largest), false);
	for (size_t i = count; i-- > 0;)
		line_to(picture, &run[i], y_of(track, top, run[i].least), true);
	cairo_close_path(cairo);
	theme_use(cairo, track->colour, 0.35);
	cairo_fill(cairo);
	cairo_move_to(cairo, run[0].from, bottom);
	for (size_t i = 0; i < count; i++)
		line_to(picture, &run[i], y_of(track, top, run[i].mean), false);
	cairo_line_to(cairo, run[count - 1].to, bottom);
	theme_use(cairo, track->colour, 0.12);
	cairo_fill(cairo);
	if (count == 1)
		cairo_move_to(cairo, run[0].from, y_of(track, top, run[0].mean));
	for (size_t i = 0; i < count; i++)
		line_to(picture, &run[i], y_of(track, top, run[i].mean), false);
	if (count == 1)
		cairo_line_to(cairo, run[0].to, y_of(track, top, run[0].mean));
	theme_use(cairo, track->colour, 1);
	cairo_set_line_width(cairo, 1.4);
	cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
	cairo_stroke(cairo);
}

static void draw_runs(const struct picture *picture, const struct picture_track *track,
		      const struct column_of_pixels *columns, size_t count)
{
	size_t begin = 0;

	for (size_t i = 1; i <= count; i++) {
		if (i < count && columns[i].joined)
			continue;
		draw_run(picture, track, columns + begin, i - begin);
		begin = i;
	}
}

static void hatch(const struct picture *picture, const struct picture_track *track, double from,
		  double to)
{
	const double bottom = track->y + track->height;
	cairo_t *cairo = picture->cairo;

	cairo_save(cairo);
	cairo_rectangle(cairo, from, track->y, to - from, track->height);
	cairo_clip(cairo);
	theme_use(cairo, picture->theme->paper, 1);
	cairo_paint(cairo);
	theme_use(cairo, picture->theme->gap, 1);
	cairo_set_line_width(cairo, to - from < HATCH ? HATCH : 1.5);
	for (double x = from - track->height; x < to; x += HATCH) {
		cairo_move_to(cairo, x, bottom);
		cairo_line_to(cairo, x + track->height, track->y);
	}
	cairo_stroke(cairo);
	cairo_restore(cairo);
}

static void draw_gaps(const struct picture *picture, const struct picture_track *track)
{
	const struct series *series = &track->unit->series;

	for (size_t i = 0; i < series->gap_count; i++) {
		const struct series_gap *gap = &series->gaps[i];
		const double from = canvas_x(picture, timeseries_seconds(track->unit, gap->begin));
		const double to = canvas_x(picture, timeseries_seconds(track->unit, gap->end));

		hatch(picture, track, from, fmax(to, from + GAP_LEAST));
	}
}

/* Draw the name, the mean and the range. */
static void draw_label(const struct picture *picture, const struct picture_track *track)
{
	const struct series_track *series = track->track;
	const double room = picture->left - PICTURE_MARGIN - 12;
	char low[SCALING_LONG], high[SCALING_LONG], range[2 * SCALING_LONG + 8];
	const double y = track->y + fmin(16, track->height * 0.6);

	theme_use(picture->cairo, picture->theme->ink, 1);
	canvas_text(picture, PICTURE_MARGIN, y, 12.5, 0, room, track->column->name);
	if (track->height < 40)
		return;
	canvas_text(picture, PICTURE_MARGIN, y + 19, 15, 0, room,
		    scaling_text_unit(series->average, &series->scaling, low));
	if (track->height < 60)
		return;
	snprintf(range, sizeof(range), "%s to %s",
		 scaling_text_unit(series->lowest, &series->scaling, low),
		 scaling_text_unit(series->highest, &series->scaling, high));
	theme_use(picture->cairo, picture->theme->faint, 1);
	canvas_text(picture, PICTURE_MARGIN, y + 36, 10.5, 0, room, range);
}

static void draw_scale(const struct picture *picture, const struct picture_track *track)
{
	const double top = top_of(track);
	cairo_t *cairo = picture->cairo;

	theme_use(cairo, picture->theme->grid, 1);
	cairo_set_line_width(cairo, 1);
	for (int i = 0; i <= 2; i++) {
		const double y = round(y_of(track, top, top * i / 2)) + 0.5;

		cairo_move_to(cairo, picture->left, y);
		cairo_line_to(cairo, picture->right, y);
	}
	cairo_stroke(cairo);
}

static void draw_top(const struct picture *picture, const struct picture_track *track)
{
	const double top = top_of(track);
	char text[SCALING_LONG];

	theme_use(picture->cairo, picture->theme->faint, 1);
	canvas_text(picture, picture->right + 6, y_of(track, top, top) + 4, 10, 0, PICTURE_LABELS,
		    scaling_text_unit(top, &track->track->scaling, text));
}

void track_draw(const struct picture *picture, const struct picture_track *track)
{
	struct column_of_pixels *columns = calloc(track->unit->series.count + 1, sizeof(*columns));
	cairo_t *cairo = picture->cairo;

	if (!columns)
		return;
	draw_scale(picture, track);
	draw_runs(picture, track, columns, make_columns(picture, track, columns));
	draw_gaps(picture, track);
	draw_label(picture, track);
	draw_top(picture, track);
	theme_use(cairo, picture->theme->line, 1);
	cairo_set_line_width(cairo, 1);
	cairo_move_to(cairo, PICTURE_MARGIN, track->y + track->height + 0.5);
	cairo_line_to(cairo, picture->right, track->y + track->height + 0.5);
	cairo_stroke(cairo);
	free(columns);
}
