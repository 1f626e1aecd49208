/* SPDX-License-Identifier: MIT */
/*
 * canvas.h - coordinates, text and colours of a plot
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

/* Find a theme, "light" or "dark"; NULL: there is none of this name. */
const struct theme *theme_find(const char *name);

/* Set the colour for drawing. @alpha: opacity, 0 to 1 */
void theme_use(cairo_t *cairo, uint32_t colour, double alpha);

/* Sizes are in pixels, or in points for SVG. */
#define PICTURE_LABELS 220 /* width of the labels left of the tracks */
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
	double left; /* x coordinate where tracks begin and end */
	double right;
	double begin; /* GPU time at .left and .right, in seconds */
	double end;
	struct picture_track *tracks; /* tracks, grouped by unit */
	size_t count;
	double track_height;
};

double canvas_x(const struct picture *picture, double seconds);

/*
 * Draw text starting at x; with @align 0.5, centred on x; with 1, ending at x. Text wider than
 * @room is truncated with an ellipsis. Returns its width.
 */
double canvas_text(const struct picture *picture, double x, double y, double size, double align,
		   double room, const char *text);

#endif /* GPUOA_TOOLS_PLOT_CANVAS_H */
