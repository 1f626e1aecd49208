/* SPDX-License-Identifier: MIT */
/*
 * watch.h - one OA unit that is watched: its stream, and what all metrics of its set are
 */
#ifndef GPUOA_TOP_WATCH_H
#define GPUOA_TOP_WATCH_H

#include "choose.h"
#include "contexts.h"
#include "history.h"

enum watch_state {
	WATCH_LIVE,
	WATCH_FAILED, /* it is there and cannot be measured: watch.problem says why */
	WATCH_GONE, /* it was pulled out, and may come back */
};

/* A metric that is watched. */
struct watched {
	const struct gpuoa_metric *metric;
	struct gpuoa_metric_desc desc;
	struct gpuoa_units_desc units;
	bool rate; /* to be told per second */
	bool gauge; /* has a place among the first */
	bool hidden; /* not among the metrics to show */
	bool share; /* of clocks: its value is the mean over time */
	double value; /* of the last interval, in the metric's units; NAN: none */
	double max; /* the largest possible one; 0: there is none */
	void *column; /* values of the reports of a read, if it is a share */
	double integral; /* of the interval until now: a share times ticks */
	union gpuoa_value raw; /* the value by clocks, and the maximum, to the last bit */
	union gpuoa_value raw_max;
	enum gpuoa_mark mark;
	struct history history; /* per second, if it is a rate */
};

#define WATCH_NO_METRIC SIZE_MAX

#define WATCH_BATCH 512 /* reports of a read */

struct watch {
	const struct tool *tool;
	char name[64];
	enum watch_state state;
	char problem[512];
	const char *wanted; /* metrics to show, as -m names them; NULL: all */

	struct gpuoa_unit *unit;
	int yield; /* file that keeps gpuoa exporter from opening the unit; -1: none */
	struct gpuoa_unit_desc desc;
	const struct gpuoa_platform *platform;
	struct gpuoa_constants *constants;
	const struct gpuoa_set *set;
	struct gpuoa_set_desc set_desc;
	struct gpuoa_source *source;
	struct gpuoa_source_desc source_desc;
	struct gpuoa_calc *calc;
	void *reports; /* room for those of a read */
	union gpuoa_value *values; /* and for two rows */
	void **columns; /* those of the metrics */
	struct gpuoa_interval *rows; /* of the reports of a read */
	uint64_t covered; /* ticks of the interval until now */

	struct watched *metrics; /* what there is on this GPU, in the set's order */
	size_t metric_count;
	size_t roles[ROLE_COUNT]; /* which of them; WATCH_NO_METRIC: none */
	struct contexts contexts;

	bool known; /* there was an interval */
	struct gpuoa_interval interval; /* the last one, in ticks */
	double seconds; /* of it that reports cover */
	uint64_t lost; /* reports, since the stream was opened */
	bool lost_unknown;
};

/*
 * Open a unit and start to measure.
 *
 * @set: symbol of the set; NULL: the set that another program measures there, or else the one that
 * answers most questions
 * @wanted: metrics to show, as -m names them; NULL: all
 *
 * If that fails, watch.problem says why. Returns an exit code.
 */
int watch_open(struct watch *watch, const struct tool *tool, const char *name, const char *set,
	       const char *wanted);
void watch_close(struct watch *watch);

/* Measure another set of the unit. If that fails, problem says why, and the old one goes on. */
int watch_set(struct watch *watch, const struct gpuoa_set *set);

/* Read what there is. */
void watch_drain(struct watch *watch);

/*
 * An interval is over: its values. @keep: false: what was counted is forgotten. Returns false if
 * there was none.
 */
bool watch_tick(struct watch *watch, bool keep);

/* A value as it is shown: per second, if it is a rate. NAN: none. */
double watched_shown(const struct watch *watch, const struct watched *metric);

/* The part of its maximum that a value is, 0..1; NAN: it has none. */
double watched_fraction(const struct watched *metric);

#endif /* GPUOA_TOP_WATCH_H */
