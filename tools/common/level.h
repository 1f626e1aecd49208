/* SPDX-License-Identifier: MIT */
/*
 * level.h - levels of metrics: counts become rates, so that intervals of different lengths compare
 */
#ifndef GPUOA_LEVEL_H
#define GPUOA_LEVEL_H

#include "common/columns.h"

#define LEVEL_TEXT 32
#define LEVEL_LONG 80

/*
 * Return units of measure as usually written; definitions have "gbps" for 1e9 bytes per second, and
 * "hz".
 */
const char *level_units(const char *units);

/* Conversion of a metric's value to its level, which is a rate for counts */
struct level {
	bool rate; /* divide by the length of the interval */
	bool relative; /* the level is in percent */
	bool is_word; /* the unit is a word ("events/s") and takes no prefix */
	double factor; /* factor that converts to .unit */
	char unit[LEVEL_TEXT]; /* "%", "Hz", "B/s", "events/s"; "" for plain numbers */
};

struct level level_of(const struct column *column);

/*
 * Return whether a metric is a count, so that its values in two intervals can be added. This is
 * derived from the equation; ratios, frequencies and averages per thread are not counts.
 */
bool level_is_counted(const struct gpuoa_metric *metric);

/* Convert a value; @seconds: length of the interval */
double level_value(const struct level *level, double value, double seconds);

/* Return element @index of a column's array of values. */
double level_column_value(const struct column *column, const void *values, size_t index);

/*
 * Return the integral of a column over time: the sum of each value times the ticks of its interval.
 * Divided by all ticks, it is the average over time. Totals of the calculator weigh ratios by
 * clocks instead, so they are larger if the GPU is busier at high clocks.
 */
double level_integral(enum gpuoa_value_type type, const void *values,
		      const struct gpuoa_interval *intervals, size_t count);

/*
 * Format a level with three digits and a prefix: "52.8", "1.20G", "340u". With its unit: "52.8 %",
 * "1.20 GB/s".
 */
const char *level_text(double value, const struct level *level, char text[LEVEL_TEXT]);
const char *level_text_unit(double value, const struct level *level, char text[LEVEL_LONG]);

/* Format a duration: "1.02 ms". */
const char *level_text_seconds(double seconds, char text[LEVEL_LONG]);

#endif /* GPUOA_LEVEL_H */
