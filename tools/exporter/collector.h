/* SPDX-License-Identifier: MIT */
/*
 * collector.h - what one OA unit, or a recording of one, has come to
 */
#ifndef GPUOA_EXPORTER_COLLECTOR_H
#define GPUOA_EXPORTER_COLLECTOR_H

#include "evaluation.h"
#include "exporter/names.h"
#include "recorded.h"

/* Reports that were lost, by where. */
struct losses {
	uint64_t overflow;
	uint64_t hardware;
	uint64_t ring;
	uint64_t unknown; /* so many times, nobody knows how many */
};

/* A family that the unit has a sample of. */
struct series {
	struct family family;
	size_t metric; /* of the set */
	bool is_role;
};

/* Values and sums of a metric. */
struct tally {
	bool available; /* the GPU has it */
	enum gpuoa_value_type type;
	void *column; /* values of some intervals; NULL: it is not integrated */
	double value; /* in the last interval */
	double mean; /* over the time of the last interval */
	double sum; /* of what was counted */
	double integral; /* over time, times seconds */
	double pending; /* of the integral: since the last refresh, times ticks */
};

struct collector {
	const struct tool *tool;
	const char *set_wanted; /* NULL: the one that answers most questions */
	const char *metrics_wanted; /* as -m names them; NULL: all */
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
	void **columns; /* of tallies, as the calculator takes them */
	struct gpuoa_interval *intervals;
	union gpuoa_value *values;
	struct tally *tallies; /* of the metrics of the set */
	struct series *series;
	size_t series_count;
	size_t metric_count; /* metrics that are exported under their own names */
	const struct gpuoa_set *tallied; /* the set that all these are of */
	bool has_values;
	bool yielded; /* to another program: the unit is not opened */
	bool resting; /* closed until the next interval of --duty; values stay */
	uint64_t covered; /* ticks since the last refresh */
	uint64_t covered_total;
	uint64_t reports;
	uint64_t gaps;
	struct losses losses;
};

/* Begin without a unit: collector_open() opens it. */
void collector_begin(struct collector *collector, const struct tool *tool, const char *name,
		     const char *set, const char *metrics, uint64_t period_ns);

/* From a recording, once: @recorded becomes the collector's. Returns an exit code. */
int collector_begin_recorded(struct collector *collector, const struct tool *tool,
			     const struct recorded *recorded, const char *metrics);

/* Begin to measure, if it does not. Why that is not possible is in @trouble. */
void collector_open(struct collector *collector);

/* Read the reports that are available. A unit that fails is closed, after a refresh. */
void collector_read(struct collector *collector);

/* End an interval: compute its values, and add them to the sums. */
void collector_refresh(struct collector *collector);

/* End an interval and release the unit to another program. Sums stay. */
void collector_yield(struct collector *collector);

/* End an interval and release the unit until collector_open(). Values and sums stay. */
void collector_rest(struct collector *collector);

/* Return the value of a sample, in base units. */
double collector_value(const struct collector *collector, const struct series *series);

/* Ticks of the unit's clock in seconds. */
double collector_seconds(const struct collector *collector, uint64_t ticks);

void collector_end(struct collector *collector);

#endif /* GPUOA_EXPORTER_COLLECTOR_H */
