/* SPDX-License-Identifier: MIT */
/*
 * once.h - gpuoa top --once: one interval as text
 */
#ifndef GPUOA_TOP_ONCE_H
#define GPUOA_TOP_ONCE_H

#include "watches.h"

/*
 * Measure so long, and print all metrics of all units; with @contexts, of each context instead.
 * Returns an exit code: if no unit could be measured, EXIT_FAILED.
 */
int once(struct watches *watches, unsigned int interval_ms, bool contexts);

#endif /* GPUOA_TOP_ONCE_H */
