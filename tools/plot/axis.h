/* SPDX-License-Identifier: MIT */
/*
 * axis.h - time axis with grid and marks
 */
#ifndef GPUOA_PLOT_AXIS_H
#define GPUOA_PLOT_AXIS_H

#include "plot/canvas.h"

/* Round @value, which must be above 0, up to 1, 2, 2.5 or 5 times a power of ten. */
double axis_nice(double value);

/* Draw grid lines from @top to @bottom, under all tracks, and their times above. */
void axis_draw(const struct picture *picture, double top, double bottom);

/* Draw the marks of a unit over its tracks, with their values at @y. */
void axis_marks(const struct picture *picture, const struct timeseries *unit, double y, double top,
		double bottom);

#endif /* GPUOA_PLOT_AXIS_H */
