/* SPDX-License-Identifier: MIT */
/*
 * picture.h - tracks of metrics over one axis of time, below each other
 */
#ifndef GPUOA_PLOT_PICTURE_H
#define GPUOA_PLOT_PICTURE_H

#include "plot/canvas.h"

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

#endif /* GPUOA_PLOT_PICTURE_H */
