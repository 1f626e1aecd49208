/* SPDX-License-Identifier: MIT */
/*
 * axis.h - the axis of time, its grid, and marks
 */
#ifndef GPUOA_PLOT_AXIS_H
#define GPUOA_PLOT_AXIS_H

#include "plot/canvas.h"

/* The least of 1, 2, 2.5, 5, 10, ... that is not less than @value, which is more than 0. */
double axis_nice(double value);

/* Lines of the grid from @top to @bottom, behind all tracks, and their times above. */
void axis_draw(const struct picture *picture, double top, double bottom);

/* Marks of a unit, over its tracks; their numbers stand at @y. */
void axis_marks(const struct picture *picture, const struct course *course, double y, double top,
		double bottom);

#endif /* GPUOA_PLOT_AXIS_H */
