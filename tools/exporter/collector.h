/* SPDX-License-Identifier: MIT */
/*
 * collector.h - collect values and sums of metrics from an OA unit or a recording
 */
#ifndef GPUOA_EXPORTER_COLLECTOR_H
#define GPUOA_EXPORTER_COLLECTOR_H

#include "common/evaluation.h"
#include "exporter/families.h"
#include "common/recording.h"

/* Lost reports, by cause */
struct losses {
	uint64_t overflow;
	uint64_t hardware;
	uint64_t ring;
	uint64_t unknown; /* number of losses for which the number of reports is unknown */
};

/* A sample of the unit: a metric, in one of its Prometheus metric families */
struct series {
	struct family family;
	size_t metric; /* index of the metric in its set */
	bool is_role;
};

/* Values and sums of a metric of the set */
struct tally {
	bool available; /* the GPU has it */
	enum gpuoa_value_type type;
	void *column; /* values of the metric in a batch of intervals; NULL: it is not integrated */
	double value; /* value in the last interval */
	double mean; /* average over the time of the last interval */
	double sum; /* sum of a count */
	double integral; /* integral of the value over time, in seconds */
	/* part of the integral since the last refresh, as the sum of value times ticks */
	double pending;
};

struct collector {
	const struct tool *tool;
	const char *set_wanted; /* symbol of the set; NULL: use the set with the most roles */
	const char *metrics_wanted; /* argument of -m; NULL: all */
	uint64_t period_ns;
	char name[16]; /* name of the unit */
	struct gpuoa_unit_desc desc;
	struct gpuoa_set_desc set;
	const struct gpuoa_set *what;
	/* the unit; NULL: it cannot be measured now, and .trouble has the reason */
	struct gpuoa_unit *unit;
	char trouble[512];
	struct gpuoa_reader *reader;
	struct recorded recorded; /* used instead of a unit */
	struct gpuoa_constants *constants;
	struct gpuoa_calc *calc;
	void **columns; /* pointers to the columns of all tallies, as the calculator needs them */
	struct gpuoa_interval *intervals;
	union gpuoa_value *values;
	struct tally *tallies; /* values and sums: one struct for each metric of the set */
	struct series *series;
	size_t series_count;
	const struct gpuoa_set *tallied; /* set for whose metrics the tallies were created */
	bool requests; /* if an exporter is running, request the unit from it */
	/* file descriptor that keeps the running exporter from opening the unit; -1: none */
	int yield;
	bool has_values;
	bool yielded; /* the unit was released to another program and is closed here */
	bool resting; /* the unit is closed until the next --duty interval; its values stay valid */
	uint64_t covered; /* number of ticks with reports since the last refresh */
	uint64_t covered_total;
	uint64_t reports;
	uint64_t gaps;
	struct losses losses;
};

/* Initialize a collector. The unit is opened by collector_open(). */
void collector_begin(struct collector *collector, const struct tool *tool, const char *name,
		     const char *set, const char *metrics, uint64_t period_ns);

/*
 * Initialize a collector for a recording; it becomes the owner of @recorded. Returns an exit code.
 */
int collector_begin_recorded(struct collector *collector, const struct tool *tool,
			     const struct recorded *recorded, const char *metrics);

/* Start to measure, unless the collector already does. On failure, .trouble contains the reason. */
void collector_open(struct collector *collector);

/*
 * Read the reports that are available. If reading fails, the interval ends and the unit is closed.
 */
void collector_read(struct collector *collector);

/* End an interval: calculate its values, and add them to the sums. */
void collector_refresh(struct collector *collector);

/* End an interval, and release the unit to another program. The sums are kept. */
void collector_yield(struct collector *collector);

/*
 * End an interval, and close the unit until collector_open() is called. Values and sums are kept.
 */
void collector_rest(struct collector *collector);

/* Return the value of a sample in base units, such as seconds or bytes. */
double collector_value(const struct collector *collector, const struct series *series);

/* Convert ticks of the unit's clock to seconds. */
double collector_seconds(const struct collector *collector, uint64_t ticks);

void collector_end(struct collector *collector);

#endif /* GPUOA_EXPORTER_COLLECTOR_H */
