/* SPDX-License-Identifier: MIT */
/*
 * history.h - ring buffer of a metric's past values
 */
#ifndef GPUOA_TOP_HISTORY_H
#define GPUOA_TOP_HISTORY_H

#include <stddef.h>

#define HISTORY_LENGTH 256

/* NAN: no value. Zero-initialize. */
struct history {
	float values[HISTORY_LENGTH];
	size_t count; /* number of values ever added */
};

void history_add(struct history *history, double value);

/* Return the value of an age; 0: the newest. NAN: older than the oldest. */
double history_at(const struct history *history, size_t age);

/* Return the largest of the newest @count values; 0 if there are none. */
double history_peak(const struct history *history, size_t count);

#endif /* GPUOA_TOP_HISTORY_H */
