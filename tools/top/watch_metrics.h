/* SPDX-License-Identifier: MIT */
/*
 * watch_metrics.h - the metrics of a set that is watched
 */
#ifndef GPUOA_TOP_WATCH_METRICS_H
#define GPUOA_TOP_WATCH_METRICS_H

#include "watch.h"

/*
 * Make the list of what the watch's set has on its GPU, which of it answers which question, and
 * what calculates it. A negative errno; what was made is the stream's, and closed with it.
 */
int watch_choose_metrics(struct watch *watch);

/* Return whether at least one metric is to be shown. */
bool watch_shows_any(const struct watch *watch);

/* Integrate the shares of rows that the calculator has put into the columns. */
void watch_add_rows(struct watch *watch, size_t count);

#endif /* GPUOA_TOP_WATCH_METRICS_H */
