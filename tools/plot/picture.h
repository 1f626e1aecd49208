/* SPDX-License-Identifier: MIT */
/*
 * picture.h - tracks of metrics over one axis of time, below each other
 */
#ifndef GPUOA_PLOT_PICTURE_H
#define GPUOA_PLOT_PICTURE_H

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

/*
 * Which tracks there will be: of each unit those that were asked for, or else at most @most of a
 * good choice. Exit code.
 */
int picture_choose(struct picture *picture, const struct courses *courses, size_t most);

/* How high it has to be with tracks of that height, or how high those are in a picture. */
double picture_height(const struct picture *picture, double track_height);
double picture_track_height(const struct picture *picture, double height);

/* Draw all. Sizes, title and theme are set. */
void picture_draw(struct picture *picture);

void picture_free(struct picture *picture);

/* for the drawing of its parts */

double picture_x(const struct picture *picture, double seconds);

/* Text from x on, or with @align 0.5 around it, with 1 up to it; what is longer than @room ends
 * with an ellipsis. Returns its width. */
double picture_text(const struct picture *picture, double x, double y, double size, double align,
		    double room, const char *text);

#endif /* GPUOA_PLOT_PICTURE_H */
