/* SPDX-License-Identifier: MIT */
/*
 * text.h - formatting of values, bars and sparklines, in Unicode or ASCII
 */
#ifndef GPUOA_TOP_TEXT_H
#define GPUOA_TOP_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "gpuoa.h"
#include "top/history.h"

/* Format a value: "87.2 %", "1.15 GHz", "12.3 GB/s", "402 k/s". @rate: per second. */
void text_of_value(char *text, size_t size, double value, const struct gpuoa_measure_desc *units,
		   bool rate);

/*
 * Return whether the terminal shows Unicode blocks: the locale is UTF-8, and it is not the Linux
 * console.
 */
bool text_has_blocks(void);

/* Size of the text of a number of columns, in bytes */
#define TEXT_SIZE(columns) ((columns)*3 + 1)

/* Format the filled part of a bar of @width columns: @fraction of it, 0..1, in half columns. */
void text_of_bar(char *text, double fraction, size_t width, bool blocks);

/* Format the newest @width values, the newest at the right; @most is the top. */
void text_of_history(char *text, const struct history *history, double most, size_t width,
		     bool blocks);

#endif /* GPUOA_TOP_TEXT_H */
