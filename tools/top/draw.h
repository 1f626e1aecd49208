/* SPDX-License-Identifier: MIT */
/*
 * draw.h - drawing of the screen
 */
#ifndef GPUOA_TOP_DRAW_H
#define GPUOA_TOP_DRAW_H

#include "top/top.h"

#define DRAW_ROWS_MIN 8
#define DRAW_COLUMNS_MIN 40

/* Draw the whole screen. */
void draw(struct top *top);

#endif /* GPUOA_TOP_DRAW_H */
