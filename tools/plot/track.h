/* SPDX-License-Identifier: MIT */
/*
 * track.h - drawing of one metric over time
 */
#ifndef GPUOA_PLOT_TRACK_H
#define GPUOA_PLOT_TRACK_H

#include "plot/canvas.h"

void track_draw(const struct picture *picture, const struct picture_track *track);

#endif /* GPUOA_PLOT_TRACK_H */
