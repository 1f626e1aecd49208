// SPDX-License-Identifier: MIT
/*
 * chart.c - lay out and draw a plot: tracks of metrics below a time axis
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/default_metrics.h"
#include "plot/chart.h"

#define DISTANCE 110 /* minimum distance between two grid lines, in pixels */

/* Round @value up to 1, 2, 2.5 or 5 times a power of ten. @value must be above 0. */
static double axis_nice(double value)
{
	static const double factors[] = { 1, 2, 2.5, 5, 10 };
	const double power = pow(10, floor(log10(value)));

	for (size_t i = 0; i < sizeof(factors) / sizeof(factors[0]); i++)
		if (factors[i] * power >= value * 0.999999)
			return factors[i] * power;
	return 10 * power;
}

/* Return the number of decimals of a grid step, at most three. */
static int decimals_of(double step)
{
	int decimals = 0;

	while (decimals < 3 && fabs(step - round(step)) > 1e-6) {
		step *= 10;
		decimals++;
	}
	return decimals;
}

/* Format a time with as many decimals as the grid step has. */
static void time_text(double seconds, double step, char text[SCALING_TEXT])
{
	static const char *const units[] = { "s", "ms", "us", "ns" };
	const int power = step >= 0.05 ? 0 : step >= 5e-5 ? 1 : step >= 5e-8 ? 2 : 3;
	const double scale = pow(1000, power);

	snprintf(text, SCALING_TEXT, "%.*f %s", decimals_of(step * scale), seconds * scale,
		 units[power]);
}

/*
 * Draw grid lines from @top to @bottom under all tracks, and the times of these lines above the
 * tracks.
 */
static void axis_draw(const struct picture *picture, double top, double bottom)
{
	const double length = picture->end - picture->begin;
	const double pixels = fmax(picture->right - picture->left, DISTANCE);
	const double step = axis_nice(length * DISTANCE / pixels);
	cairo_t *cairo = picture->cairo;
	char text[SCALING_TEXT];

	cairo_set_line_width(cairo, 1);
	for (int i = 0; i * step <= length; i++) {
		const double x = canvas_x(picture, picture->begin + i * step);

		theme_use(cairo, picture->theme->grid, 1);
		cairo_move_to(cairo, round(x) + 0.5, top);
		cairo_line_to(cairo, round(x) + 0.5, bottom);
		cairo_stroke(cairo);
		time_text(i * step, step, text);
		theme_use(cairo, picture->theme->faint, 1);
		canvas_text(picture, x, top - 5, 10.5, i ? 0.5 : 0, DISTANCE, text);
	}
}

/* Draw the marks of a unit over its tracks, and the marks' values at @y. */
static void axis_marks(const struct picture *picture, const struct timeseries *unit, double y,
		       double top, double bottom)
{
	static const double dashes[] = { 4, 3 };
	cairo_t *cairo = picture->cairo;
	double free_from = 0;
	char text[SCALING_TEXT];

	cairo_save(cairo);
	theme_use(cairo, picture->theme->mark, 1);
	cairo_set_line_width(cairo, 1);
	cairo_set_dash(cairo, dashes, 2, 0);
	/* Skip the first span, because it begins before the first mark. */
	for (size_t i = 1; i < unit->marks.count; i++) {
		const double seconds = timeseries_seconds(unit, unit->marks.list[i].begin);
		const double x = round(canvas_x(picture, seconds)) + 0.5;

		if (x < picture->left || x > picture->right)
			continue;
		cairo_move_to(cairo, x, y - 10);
		cairo_line_to(cairo, x, y);
		cairo_move_to(cairo, x, top);
		cairo_line_to(cairo, x, bottom);
		cairo_stroke(cairo);
		/*
		 * Leave out the value of a mark if it would overlap the value of the previous one.
		 */
		if (x < free_from)
			continue;
		snprintf(text, sizeof(text), "%" PRIu64, unit->marks.values[i]);
		free_from = x + 10 + canvas_text(picture, x + 4, y - 1, 10.5, 0, DISTANCE, text);
	}
	cairo_restore(cairo);
}

#define PADDING 4 /* space above and below the curve of a track, in pixels */
#define GAP_LEAST 2 /* minimum width of a gap in pixels, so that the gap is visible */
#define HATCH 7 /* distance between two hatch lines, in pixels */

/*
 * Steps of a series that are drawn as one: either consecutive steps in the same pixel column, or a
 * single step that is wider than a pixel.
 */
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

/*
 * Merge a step into a column if both are in the same pixel column. Returns whether it was merged.
 */
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

/* Draw a line over the width of a step, or a point if the step is at most a pixel wide. */
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

/* Draw consecutive steps that have no gap between them. */
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

/* Draw the name of a track, and its mean and range of values. */
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

static void track_draw(const struct picture *picture, const struct picture_track *track)
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

#define HEAD 44 /* height of the title */
#define UNIT_HEAD 72 /* height of the description of a unit and its time axis */
#define UNIT_FOOT 12
#define TOP_ROOM 64 /* width of the labels right of the tracks (maximum of the scale) */

static int add_track(struct picture *picture, const struct timeseries *unit, size_t column)
{
	struct picture_track *tracks =
		reallocarray(picture->tracks, picture->count + 1, sizeof(*picture->tracks));

	if (!tracks)
		return fail("out of memory");
	picture->tracks = tracks;
	tracks[picture->count++] = (struct picture_track){
		.unit = unit,
		.column = &unit->evaluation.columns.list[column],
		.track = &unit->series.tracks[column],
	};
	return EXIT_OK;
}

/* Add tracks for the metrics that the user named, if they have values. */
static int add_asked(struct picture *picture, const struct timeseries *unit)
{
	const struct columns *columns = &unit->evaluation.columns;
	int ret = EXIT_OK;

	for (size_t i = 0; i < columns->count && !ret; i++)
		if (!columns->list[i].absent)
			ret = add_track(picture, unit, i);
	return ret;
}

static int add_choice(struct picture *picture, const struct timeseries *unit, size_t most)
{
	size_t *chosen = calloc(most + 1, sizeof(*chosen)), count;
	int ret = EXIT_OK;

	if (!chosen)
		return fail("out of memory");
	count = default_metrics_select(&unit->evaluation.columns, &unit->series, chosen, most);
	for (size_t i = 0; i < count && !ret; i++)
		ret = add_track(picture, unit, chosen[i]);
	free(chosen);
	return ret;
}

int picture_choose(struct picture *picture, const struct timeseries_list *units, size_t most)
{
	int ret = EXIT_OK;

	for (size_t i = 0; i < units->count && !ret; i++) {
		const struct timeseries *unit = &units->list[i];

		ret = unit->evaluation.request.metrics ? add_asked(picture, unit) :
							 add_choice(picture, unit, most);
	}
	if (!ret && !picture->count)
		ret = fail("nothing to draw: no metric has values");
	timeseries_span(units, &picture->begin, &picture->end);
	return ret;
}

void picture_free(struct picture *picture)
{
	free(picture->tracks);
	picture->tracks = NULL;
}

static bool begins_unit(const struct picture *picture, size_t track)
{
	return !track || picture->tracks[track].unit != picture->tracks[track - 1].unit;
}

static double height_without_tracks(const struct picture *picture)
{
	double height = HEAD + PICTURE_MARGIN;

	for (size_t i = 0; i < picture->count; i++)
		if (begins_unit(picture, i))
			height += UNIT_HEAD + UNIT_FOOT;
	return height;
}

double picture_height(const struct picture *picture, double track_height)
{
	return ceil(height_without_tracks(picture) + picture->count * track_height);
}

double picture_track_height(const struct picture *picture, double height)
{
	return (height - height_without_tracks(picture)) / picture->count;
}

static void describe(const struct timeseries *unit, char *text, size_t size)
{
	const struct series *series = &unit->series;
	const uint64_t gaps = series->gap_count + series->gaps_left_out;
	const double seconds = series_covered(series);
	char all[SCALING_LONG], each[SCALING_LONG];
	int n = snprintf(text, size, "%s of GPU time, %" PRIu64 " intervals of %s",
			 scaling_text_seconds(seconds, all), series->rows,
			 scaling_text_seconds(seconds / series->rows, each));

	if (gaps && n > 0 && (size_t)n < size)
		n += snprintf(text + n, size - n, ", %" PRIu64 " gap%s (hatched)", gaps,
			      gaps == 1 ? "" : "s");
	if (unit->evaluation.lost && n > 0 && (size_t)n < size)
		snprintf(text + n, size - n, ", %" PRIu64 " reports lost", unit->evaluation.lost);
}

static void draw_unit_head(const struct picture *picture, const struct timeseries *unit, double y)
{
	const double room = picture->right - PICTURE_MARGIN;
	char text[512];

	snprintf(text, sizeof(text), "%s, %s: %s (%s)", unit->recorded.unit.name,
		 gpuoa_platform_title(unit->recorded.platform), unit->evaluation.set.name,
		 unit->evaluation.set.symbol);
	theme_use(picture->cairo, picture->theme->ink, 1);
	canvas_text(picture, PICTURE_MARGIN, y + 14, 14, 0, room, text);
	describe(unit, text, sizeof(text));
	theme_use(picture->cairo, picture->theme->faint, 1);
	canvas_text(picture, PICTURE_MARGIN, y + 31, 11.5, 0, room, text);
}

/*
 * Draw the tracks from @first to @end - 1, all of which belong to one unit. Returns the y
 * coordinate below the last one.
 */
static double draw_unit(const struct picture *picture, size_t first, size_t end, double y)
{
	const struct timeseries *unit = picture->tracks[first].unit;
	const double top = y + UNIT_HEAD, bottom = top + (end - first) * picture->track_height;

	draw_unit_head(picture, unit, y);
	axis_draw(picture, top, bottom);
	for (size_t i = first; i < end; i++) {
		struct picture_track *track = &picture->tracks[i];

		track->y = top + (i - first) * picture->track_height;
		track->height = picture->track_height;
		track->colour = picture->theme->tracks[(i - first) % THEME_TRACKS];
		track_draw(picture, track);
	}
	axis_marks(picture, unit, top - 18, top, bottom);
	return bottom + UNIT_FOOT;
}

void picture_draw(struct picture *picture)
{
	size_t first = 0;
	double y = HEAD;

	picture->left = PICTURE_LABELS;
	picture->right = picture->width - TOP_ROOM - PICTURE_MARGIN;
	theme_use(picture->cairo, picture->theme->paper, 1);
	cairo_paint(picture->cairo);
	cairo_select_font_face(picture->cairo, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
			       CAIRO_FONT_WEIGHT_NORMAL);
	theme_use(picture->cairo, picture->theme->ink, 1);
	canvas_text(picture, PICTURE_MARGIN, 30, 18, 0, picture->width - 2 * PICTURE_MARGIN,
		    picture->title);
	for (size_t i = 1; i <= picture->count; i++) {
		if (i < picture->count && !begins_unit(picture, i))
			continue;
		y = draw_unit(picture, first, i, y);
		first = i;
	}
}
