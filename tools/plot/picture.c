// SPDX-License-Identifier: MIT
/*
 * picture.c - layout of a picture: tracks of metrics below a time axis
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/default_metrics.h"
#include "plot/axis.h"
#include "plot/picture.h"
#include "plot/track.h"

#define HEAD 44 /* height of the title */
#define UNIT_HEAD 72 /* height of a unit's description and its axis */
#define UNIT_FOOT 12
#define TOP_ROOM 64 /* width of the scale's maximum, right of the tracks */

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

/* Add the metrics that the user named, if they have values. */
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

/* Draw tracks @first to @end - 1, all of one unit. Returns the y coordinate below them. */
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
