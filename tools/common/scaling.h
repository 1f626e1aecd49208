/* SPDX-License-Identifier: MIT */
/*
 * scaling.h - levels of metrics: a count becomes a rate, so that intervals of different lengths can
 * be compared
 */
#ifndef GPUOA_TOOLS_COMMON_SCALING_H
#define GPUOA_TOOLS_COMMON_SCALING_H

#include "common/columns.h"

#define SCALING_TEXT 32
#define SCALING_LONG 80

/*
 * Return units of measure as they are usually written. In definitions, "gbps" means 1e9 bytes per
 * second, and "hz" is lower case.
 */
const char *scaling_units(const char *units);

/* Conversion of a metric's value to its level. The level of a count is a rate. */
struct scaling {
	bool rate; /* the value is divided by the length of the interval */
	bool relative; /* the level is in percent */
	bool is_word; /* the unit is a word, such as "events/s", so the number has no prefix */
	double factor; /* factor that converts to .unit */
	char unit[SCALING_TEXT]; /* "%", "Hz", "B/s", "events/s"; "": the level has no unit */
};

struct scaling scaling_of(const struct column *column);

/*
 * Return whether a metric is a count, so that its values in two intervals can be added. The
 * function derives this from the equation. Ratios, frequencies and averages per thread are not
 * counts.
 */
bool metric_is_count(const struct gpuoa_metric *metric);

/* Convert a value to its level. @seconds: length of the interval */
double scaling_value(const struct scaling *scaling, double value, double seconds);

/* Return element @index of an array of a column's values, converted to double. */
double scaling_column_value(const struct column *column, const void *values, size_t index);

/*
 * Return the integral of a column over time: the sum of all values, each multiplied by the ticks of
 * its interval. Divided by the number of ticks, it is the average over time. The calculator's
 * totals, in contrast, weigh ratios by clocks, so they are larger if the GPU is busier at high
 * clocks.
 */
double scaling_integral(enum gpuoa_value_type type, const void *values,
			const struct gpuoa_interval *intervals, size_t count);

/*
 * Format a level with three digits and a prefix, such as "52.8", "1.20G" or "340u". A second
 * function adds the unit: "52.8 %", "1.20 GB/s".
 */
const char *scaling_text(double value, const struct scaling *scaling, char text[SCALING_TEXT]);
const char *scaling_text_unit(double value, const struct scaling *scaling, char text[SCALING_LONG]);

/* Format a duration: "1.02 ms". */
const char *scaling_text_seconds(double seconds, char text[SCALING_LONG]);

#endif /* GPUOA_TOOLS_COMMON_SCALING_H */
