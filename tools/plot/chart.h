/* SPDX-License-Identifier: MIT */
/*
 * chart.h - lay out and draw a plot: tracks of metrics below a time axis
 */
#ifndef GPUOA_TOOLS_PLOT_CHART_H
#define GPUOA_TOOLS_PLOT_CHART_H

#include "plot/canvas.h"

/*
 * Select the tracks of each unit: the metrics that the user named, otherwise at most @most default
 * metrics. Returns an exit code.
 */
int picture_choose(struct picture *picture, const struct timeseries_list *units, size_t most);

/* Convert between the height of a track and that of the whole picture. */
double picture_height(const struct picture *picture, double track_height);
double picture_track_height(const struct picture *picture, double height);

/* Draw the whole picture. The caller must have set sizes, title and theme. */
void picture_draw(struct picture *picture);

void picture_free(struct picture *picture);

#endif /* GPUOA_TOOLS_PLOT_CHART_H */
