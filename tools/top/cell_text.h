/* SPDX-License-Identifier: MIT */
/*
 * cell_text.h - text of values, bars and sparklines in Unicode or ASCII, and the ring buffer of
 * past values
 */
#ifndef GPUOA_TOOLS_TOP_CELL_TEXT_H
#define GPUOA_TOOLS_TOP_CELL_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "gpuoa.h"

#define HISTORY_LENGTH 256

/* NAN: no value. Zero-initialize. */
struct history {
	float values[HISTORY_LENGTH];
	size_t count; /* number of values ever added */
};

void history_add(struct history *history, double value);

/* Return a past value. @age: 0 for the newest value. Returns NAN if there is no value that old. */
double history_at(const struct history *history, size_t age);

/* Return the largest of the newest @count values; 0: there are none. */
double history_peak(const struct history *history, size_t count);

/*
 * Format a value, such as "87.2 %", "1.15 GHz", "12.3 GB/s" or "402 k/s". @rate: the value is per
 * second
 */
void text_of_value(char *text, size_t size, double value, const struct gpuoa_measure_desc *units,
		   bool rate);

/*
 * Return whether the terminal shows Unicode blocks. The locale must be UTF-8, and the terminal must
 * not be the Linux console.
 */
bool text_has_blocks(void);

/* Maximum size in bytes of a text that has this number of columns */
#define TEXT_SIZE(columns) ((columns)*3 + 1)

/*
 * Format the filled part of a bar, with a resolution of half a column. @fraction: filled part, from
 * 0 to 1. @width: width of the whole bar in columns
 */
void text_of_bar(char *text, double fraction, size_t width, bool blocks);

/*
 * Format the newest @width values as a sparkline, with the newest at the right. @most: value at the
 * top
 */
void text_of_history(char *text, const struct history *history, double most, size_t width,
		     bool blocks);

#endif /* GPUOA_TOOLS_TOP_CELL_TEXT_H */
