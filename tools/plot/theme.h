/* SPDX-License-Identifier: MIT */
/*
 * theme.h - colours of a picture: light or dark
 */
#ifndef GPUOA_PLOT_THEME_H
#define GPUOA_PLOT_THEME_H

#include <cairo.h>
#include <stddef.h>
#include <stdint.h>

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

#endif /* GPUOA_PLOT_THEME_H */
