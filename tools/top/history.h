/* SPDX-License-Identifier: MIT */
/*
 * history.h - the last values of a metric
 */
#ifndef GPUOA_TOP_HISTORY_H
#define GPUOA_TOP_HISTORY_H

#include <stddef.h>

#define HISTORY_LENGTH 256

/* NAN where there was no value. Zero-initialize. */
struct history {
	float values[HISTORY_LENGTH];
	size_t count; /* that were ever added */
};

void history_add(struct history *history, double value);

/* @age: 0 is the newest. NAN beyond the oldest. */
double history_at(const struct history *history, size_t age);

/* The largest of the newest @count; 0 if there is none. */
double history_peak(const struct history *history, size_t count);

#endif /* GPUOA_TOP_HISTORY_H */
