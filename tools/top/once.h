/* SPDX-License-Identifier: MIT */
/*
 * once.h - gpuoa top --once: print the values of one interval
 */
#ifndef GPUOA_TOP_ONCE_H
#define GPUOA_TOP_ONCE_H

#include "top/watches.h"

/*
 * Measure one interval, and print all metrics of all units, or, with @contexts, those of each
 * context.
 * Returns an exit code: EXIT_FAILED if no unit could be measured.
 */
int once(struct watches *watches, unsigned int interval_ms, bool contexts);

#endif /* GPUOA_TOP_ONCE_H */
