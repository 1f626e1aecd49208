/* SPDX-License-Identifier: MIT */
/*
 * collector.h - what one OA unit, or a recording of one, has come to
 */
#ifndef GPUOA_EXPORTER_COLLECTOR_H
#define GPUOA_EXPORTER_COLLECTOR_H

#include "evaluation.h"
#include "recorded.h"

/* Reports that were lost, by where. */
struct losses {
	uint64_t overflow;
	uint64_t hardware;
	uint64_t ring;
	uint64_t unknown; /* so many times, nobody knows how many */
};

struct collector {
	const struct tool *tool;
	const char *set_wanted; /* NULL: the first that there is for the unit */
	uint64_t period_ns;
	char name[16]; /* of the unit */
	struct gpuoa_unit_desc desc;
	struct gpuoa_set_desc set;
	const struct gpuoa_set *what;
	struct gpuoa_unit *unit; /* NULL: it can't be measured now, for: */
	char trouble[512];
	struct gpuoa_source *source;
	struct recorded recorded; /* instead of a unit */
	struct gpuoa_constants *constants;
	struct gpuoa_calc *calc;
	void **no_columns;
	struct gpuoa_interval *intervals;
	union gpuoa_value *values; /* of the last refresh */
	bool *available; /* metrics that the GPU has */
	double *sums; /* of each metric: of what was counted, or of its value times seconds */
	bool has_values;
	uint64_t covered; /* ticks since the last refresh */
	uint64_t covered_total;
	uint64_t reports;
	uint64_t gaps;
	struct losses losses;
};

/* Nothing is measured yet; collector_read() tries to. */
void collector_begin(struct collector *collector, const struct tool *tool, const char *name,
		     const char *set, uint64_t period_ns);

/* From a recording, once: @recorded becomes the collector's. Returns an exit code. */
int collector_begin_recorded(struct collector *collector, const struct tool *tool,
			     const struct recorded *recorded);

/* Begin to measure, if it does not. Why that is not possible is in @trouble. */
void collector_open(struct collector *collector);

/* Take what there is; a unit that is gone is closed. */
void collector_read(struct collector *collector);

/* What was taken since the last refresh becomes the values of now, and is added to the sums. */
void collector_refresh(struct collector *collector);

/* Ticks of the unit's clock in seconds. */
double collector_seconds(const struct collector *collector, uint64_t ticks);

void collector_end(struct collector *collector);

#endif /* GPUOA_EXPORTER_COLLECTOR_H */
