/* SPDX-License-Identifier: MIT */
/*
 * canvas.h - a picture and its tracks; places and text on it
 */
#ifndef GPUOA_PLOT_CANVAS_H
#define GPUOA_PLOT_CANVAS_H

#include "course.h"
#include "plot/theme.h"

/* Sizes in pixels, or points of SVG. */
#define PICTURE_LABELS 220 /* what is left of the tracks */
#define PICTURE_MARGIN 20
#define PICTURE_TRACK 76 /* height of a track, if nothing else is asked for */
#define PICTURE_TRACK_LEAST 24

/* A metric of a unit. */
struct picture_track {
	const struct course *course;
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
	double left; /* of the tracks */
	double right;
	double begin; /* seconds of GPU time at these */
	double end;
	struct picture_track *tracks; /* those of one unit stand together */
	size_t count;
	double track_height;
};

double canvas_x(const struct picture *picture, double seconds);

/* Text from x on, or with @align 0.5 around it, with 1 up to it; what is longer than @room ends
 * with an ellipsis. Returns its width. */
double canvas_text(const struct picture *picture, double x, double y, double size, double align,
		   double room, const char *text);

#endif /* GPUOA_PLOT_CANVAS_H */
