/* SPDX-License-Identifier: MIT */
/*
 * text.h - values, bars and sparklines as text, in lines and blocks of Unicode or in ASCII
 */
#ifndef GPUOA_TOP_TEXT_H
#define GPUOA_TOP_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "gpuoa.h"
#include "history.h"

/* A value as people read it: "87.2 %", "1.15 GHz", "12.3 GB/s", "402 k/s". @rate: per second. */
void text_of_value(char *text, size_t size, double value, const struct gpuoa_units_desc *units,
		   bool rate);

/* Does the terminal show these? Its locale has to be in UTF-8, and the console has none. */
bool text_has_blocks(void);

/* Room for so many columns. */
#define TEXT_SIZE(columns) ((columns)*3 + 1)

/*
 * The full part of a bar that could have @width columns: @fraction of it, 0..1, in half columns.
 */
void text_of_bar(char *text, double fraction, size_t width, bool blocks);

/* The newest @width values, the newest one at the right; @most is at the top. */
void text_of_history(char *text, const struct history *history, double most, size_t width,
		     bool blocks);

#endif /* GPUOA_TOP_TEXT_H */
