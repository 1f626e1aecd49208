/* SPDX-License-Identifier: MIT */
/*
 * watch.h - measurement of one OA unit: its stream and the values of its metrics
 */
#ifndef GPUOA_TOP_WATCH_H
#define GPUOA_TOP_WATCH_H

#include "top/choose.h"
#include "top/contexts.h"
#include "top/history.h"

enum watch_state {
	WATCH_LIVE,
	WATCH_FAILED, /* present, but cannot be measured: watch.problem has the reason */
	WATCH_GONE, /* removed; may come back */
};

/* A metric being measured */
struct watched {
	const struct gpuoa_metric *metric;
	struct gpuoa_metric_desc desc;
	struct gpuoa_measure_desc units;
	bool rate; /* shown per second */
	bool gauge; /* has a scale: a ratio, a rate, or a maximum */
	bool hidden; /* excluded by -m */
	bool share; /* ratio of clocks: its value is the average over time */
	double value; /* value in the last interval, in the metric's units; NAN: none */
	double max; /* largest possible value; 0: none */
	void *column; /* of a ratio: its values for each report of a read */
	double integral; /* of the current interval: ratio times ticks */
	union gpuoa_value raw; /* exact value, weighted by clocks, and its maximum */
	union gpuoa_value raw_max;
	enum gpuoa_watermark_level mark;
	struct history history; /* past values, per second if it is a rate */
};

#define WATCH_NO_METRIC SIZE_MAX

#define WATCH_BATCH 512 /* reports per read */

struct watch {
	const struct tool *tool;
	char name[64];
	enum watch_state state;
	char problem[512];
	const char *wanted; /* argument of -m; NULL: all */

	struct gpuoa_unit *unit;
	int yield; /* file that keeps gpuoa exporter from opening the unit; -1: none */
	struct gpuoa_unit_desc desc;
	const struct gpuoa_platform *platform;
	struct gpuoa_constants *constants;
	const struct gpuoa_set *set;
	struct gpuoa_set_desc set_desc;
	struct gpuoa_reader *reader;
	struct gpuoa_reader_desc source_desc;
	struct gpuoa_calc *calc;
	void *reports; /* memory for the reports of a read */
	union gpuoa_value *values; /* memory for the values of two rows */
	void **columns; /* columns of the metrics */
	struct gpuoa_interval *rows; /* intervals of the reports of a read */
	uint64_t covered; /* ticks with reports in the current interval */

	struct watched *metrics; /* metrics available on this GPU, in the set's order */
	size_t metric_count;
	size_t roles[ROLE_COUNT]; /* index of the metric of each role; WATCH_NO_METRIC: none */
	struct contexts contexts;

	bool known; /* an interval has been measured */
	struct gpuoa_interval interval; /* last interval, in ticks */
	double seconds; /* time in the interval covered by reports */
	uint64_t lost; /* number of lost reports since the stream was opened */
	bool lost_unknown;
};

/*
 * Open a unit and start to measure.
 *
 * @set: symbol of the set; NULL: the set that another program measures there, else the one with the
 * most roles
 * @wanted: argument of -m; NULL: all metrics
 *
 * Returns an exit code; on failure, watch.problem has the reason.
 */
int watch_open(struct watch *watch, const struct tool *tool, const char *name, const char *set,
	       const char *wanted);
void watch_close(struct watch *watch);

/* Switch to another set. On failure, .problem has the reason, and the old set continues. */
int watch_set(struct watch *watch, const struct gpuoa_set *set);

/* Read all available reports. */
void watch_drain(struct watch *watch);

/*
 * End the interval and compute its values. @dword_mask: false: discard the counts. Returns false if there
 * was no interval.
 */
bool watch_tick(struct watch *watch, bool dword_mask);

/* Return a value as shown: per second, if it is a rate. NAN: none. */
double watched_shown(const struct watch *watch, const struct watched *metric);

/* Return a value as a fraction of its maximum, 0..1; NAN: it has no maximum. */
double watched_fraction(const struct watched *metric);

#endif /* GPUOA_TOP_WATCH_H */
