// SPDX-License-Identifier: MIT
/*
 * history.c - ring buffer of a metric's past values
 */
#include <math.h>

#include "top/history.h"

void history_add(struct history *history, double value)
{
	history->values[history->count++ % HISTORY_LENGTH] = (float)value;
}

double history_at(const struct history *history, size_t age)
{
	if (age >= history->count || age >= HISTORY_LENGTH)
		return NAN;
	return (double)history->values[(history->count - 1 - age) % HISTORY_LENGTH];
}

double history_peak(const struct history *history, size_t count)
{
	double peak = 0;

	for (size_t age = 0; age < count; age++)
		peak = fmax(peak, history_at(history, age)); /* fmax() ignores NAN */
	return peak;
}
