/* SPDX-License-Identifier: MIT */
/*
 * draw.h - draw the screen, from the title to the key hints
 */
#ifndef GPUOA_TOOLS_TOP_DRAW_H
#define GPUOA_TOOLS_TOP_DRAW_H

#include "top/screen.h"
#include "top/top.h"

#define DRAW_ROWS_MIN 8
#define DRAW_COLUMNS_MIN 40

/* Draw the whole screen. */
void draw(struct top *top);

#endif /* GPUOA_TOOLS_TOP_DRAW_H */
