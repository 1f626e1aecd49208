/* SPDX-License-Identifier: MIT */
/*
 * canvas.h - set up coordinates, text and colours of a plot
 */
#ifndef GPUOA_TOOLS_PLOT_CANVAS_H
#define GPUOA_TOOLS_PLOT_CANVAS_H

#include <cairo.h>
#include <stddef.h>
#include <stdint.h>

#include "common/timeseries.h"

#define THEME_TRACKS 6

/* Colours are 0xRRGGBB. */
struct theme {
	const char *name;
	uint32_t paper;
	uint32_t ink;
	uint32_t faint;
	uint32_t line;
	uint32_t grid;
	uint32_t gap;
	uint32_t mark;
	uint32_t tracks[THEME_TRACKS];
};

/* Find a theme by name, "light" or "dark"; NULL: there is no such theme. */
const struct theme *theme_find(const char *name);

/* Set the colour in which the next shapes are drawn. @alpha: opacity, from 0 to 1 */
void theme_use(cairo_t *cairo, uint32_t colour, double alpha);

/* The sizes below are in pixels, or in points if the picture is SVG. */
#define PICTURE_LABELS 220 /* width of the labels that are left of the tracks */
#define PICTURE_MARGIN 20
#define PICTURE_TRACK 76 /* default height of a track */
#define PICTURE_TRACK_LEAST 24

/* The track of a metric */
struct picture_track {
	const struct timeseries *unit;
	const struct column *column;
	const struct series_track *track;
	double y;
	double height;
	uint32_t colour;
};

struct picture {
	cairo_t *cairo;
	const struct theme *theme;
	const char *title;
	double width;
	double height;
	double left; /* x coordinates where tracks begin (.left) and end (.right) */
	double right;
	double begin; /* GPU time at .left (.begin) and at .right (.end), in seconds */
	double end;
	struct picture_track *tracks; /* tracks, grouped by unit */
	size_t count;
	double track_height;
};

double canvas_x(const struct picture *picture, double seconds);

/*
 * Draw a text at x. @align: 0: the text starts at x; 0.5: it is centred on x; 1: it ends at x.
 * @room: maximum width; a wider text is truncated with an ellipsis. Returns the width of the text.
 */
double canvas_text(const struct picture *picture, double x, double y, double size, double align,
		   double room, const char *text);

#endif /* GPUOA_TOOLS_PLOT_CANVAS_H */
