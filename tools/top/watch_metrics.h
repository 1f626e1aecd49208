/* SPDX-License-Identifier: MIT */
/*
 * watch_metrics.h - the metrics of the set being measured
 */
#ifndef GPUOA_TOP_WATCH_METRICS_H
#define GPUOA_TOP_WATCH_METRICS_H

#include "top/watch.h"

/*
 * List the metrics of the watch's set that its GPU has, assign roles, and create the calculator.
 * Returns 0 or a negative errno; closing the stream frees everything, also after an error.
 */
int watch_choose_metrics(struct watch *watch);

/* Return whether at least one metric is shown. */
bool watch_shows_any(const struct watch *watch);

/* Integrate the ratios of the rows in the columns. */
void watch_add_rows(struct watch *watch, size_t count);

#endif /* GPUOA_TOP_WATCH_METRICS_H */
