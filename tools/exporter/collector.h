/* SPDX-License-Identifier: MIT */
/*
 * collector.h - current values and sums of an OA unit, or of a recording
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
	uint64_t unknown; /* number of losses of unknown size */
};

/* A metric family that the unit has a sample of */
struct series {
	struct family family;
	size_t metric; /* index of the metric in the set */
	bool is_role;
};

/* Values and sums of a metric */
struct tally {
	bool available; /* the GPU has it */
	enum gpuoa_value_type type;
	void *column; /* values of a batch of intervals; NULL: not integrated */
	double value; /* value in the last interval */
	double mean; /* average over the time of the last interval */
	double sum; /* sum of a count */
	double integral; /* integral of the value over time, in seconds */
	double pending; /* part of the integral since the last refresh, value times ticks */
};

struct collector {
	const struct tool *tool;
	const char *set_wanted; /* NULL: the set with the most roles */
	const char *metrics_wanted; /* argument of -m; NULL: all */
	uint64_t period_ns;
	char name[16]; /* name of the unit */
	struct gpuoa_unit_desc desc;
	struct gpuoa_set_desc set;
	const struct gpuoa_set *what;
	struct gpuoa_unit *unit; /* NULL: cannot be measured now; .trouble has the reason */
	char trouble[512];
	struct gpuoa_reader *reader;
	struct recorded recorded; /* used instead of a unit */
	struct gpuoa_constants *constants;
	struct gpuoa_calc *calc;
	void **columns; /* columns of the tallies, for the calculator */
	struct gpuoa_interval *intervals;
	union gpuoa_value *values;
	struct tally *tallies; /* one per metric of the set */
	struct series *series;
	size_t series_count;
	const struct gpuoa_set *tallied; /* the set that the tallies belong to */
	bool requests; /* request the unit from a running exporter */
	int yield; /* file that keeps that exporter from opening the unit; -1: none */
	bool has_values;
	bool yielded; /* another program has the unit, which is closed here */
	bool resting; /* closed until the next --duty interval; values stay valid */
	uint64_t covered; /* ticks with reports since the last refresh */
	uint64_t covered_total;
	uint64_t reports;
	uint64_t gaps;
	struct losses losses;
};

/* Initialize without a unit; collector_open() opens it. */
void collector_begin(struct collector *collector, const struct tool *tool, const char *name,
		     const char *set, const char *metrics, uint64_t period_ns);

/*
 * Initialize from a recording; the collector becomes the owner of @recorded. Returns an exit code.
 */
int collector_begin_recorded(struct collector *collector, const struct tool *tool,
			     const struct recorded *recorded, const char *metrics);

/* Start to measure, unless already running. On failure, .trouble has the reason. */
void collector_open(struct collector *collector);

/* Read the available reports. A failing unit is closed after a refresh. */
void collector_read(struct collector *collector);

/* End an interval: compute its values, and add them to the sums. */
void collector_refresh(struct collector *collector);

/* End an interval and release the unit to another program. Sums are kept. */
void collector_yield(struct collector *collector);

/* End an interval and release the unit until collector_open(). Values and sums are kept. */
void collector_rest(struct collector *collector);

/* Return the value of a sample, in base units. */
double collector_value(const struct collector *collector, const struct series *series);

/* Convert ticks of the unit's clock to seconds. */
double collector_seconds(const struct collector *collector, uint64_t ticks);

void collector_end(struct collector *collector);

#endif /* GPUOA_EXPORTER_COLLECTOR_H */
