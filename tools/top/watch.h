/* SPDX-License-Identifier: MIT */
/*
 * watch.h - measurement of all OA units, with hotplug: their streams and the values of their
 * metrics
 */
#ifndef GPUOA_TOOLS_TOP_WATCH_H
#define GPUOA_TOOLS_TOP_WATCH_H

#include "common/roles.h"
#include "common/tool.h"
#include "top/cell_text.h"
#include "top/contexts.h"

/* Metric that all sets have: length of the interval, in ns */
#define CHOOSE_TIME "GpuTime"

/*
 * Return the sort key of a metric without a role: overview metrics first, then by tier, by depth of
 * the group, and by position in the set. Lower keys come first.
 */
uint64_t choose_rank(const struct gpuoa_metric_desc *metric);

/* Return whether a metric has a scale: it is a ratio, a frequency or a rate, or has a maximum. */
bool choose_is_gauge(const struct gpuoa_metric_desc *metric);

/* Return whether a metric is a count, which is shown per second. */
bool choose_is_rate(const struct gpuoa_metric *metric);

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
	void *column; /* for ratios: the value for each report of a read */
	double integral; /* for ratios: sum of value times ticks in the current interval */
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
 * End the interval and compute its values. @dword_mask: false: discard the counts. Returns false if
 * there was no interval.
 */
bool watch_tick(struct watch *watch, bool dword_mask);

/* Return a value as shown: per second, if it is a rate. NAN: none. */
double watched_shown(const struct watch *watch, const struct watched *metric);

/* Return a value as a fraction of its maximum, 0..1; NAN: it has no maximum. */
double watched_fraction(const struct watched *metric);

#define WATCHES_MAX 64

struct watches {
	const struct tool *tool;
	const char *set; /* symbol of the set to use on units that have it; NULL: none */
	const char *metrics; /* argument of -m; NULL: all */
	struct watch *list[WATCHES_MAX]; /* in order of discovery, new ones by name */
	size_t count;
};

/* Open all units, or those named by -d. Returns an exit code; prints any error. */
int watches_open(struct watches *watches, const struct tool *tool, const char *set,
		 const char *metrics);
void watches_close(struct watches *watches);

/* Find new units, and retry those that were removed or failed. */
void watches_look(struct watches *watches);

/*
 * Wait until a stream has reports, @fd (-1: none) is readable, or the timeout expires. Returns
 * whether @fd is readable.
 */
bool watches_wait(const struct watches *watches, int fd, int timeout_ms);

void watches_drain(struct watches *watches);

#endif /* GPUOA_TOOLS_TOP_WATCH_H */
