/* SPDX-License-Identifier: MIT */
/*
 * watch.h - measure all OA units, including ones that are added or removed: their streams and the
 * values of their metrics
 */
#ifndef GPUOA_TOOLS_TOP_WATCH_H
#define GPUOA_TOOLS_TOP_WATCH_H

#include "common/roles.h"
#include "common/tool.h"
#include "top/cell_text.h"
#include "top/contexts.h"

/* Symbol of a metric that all sets have: the length of the interval, in ns */
#define CHOOSE_TIME "GpuTime"

/*
 * Return the sort key of a metric that has no role; lower keys come first. The order is: overview
 * metrics first, then by tier, by depth of the group, and by position in the set.
 */
uint64_t choose_rank(const struct gpuoa_metric_desc *metric);

/*
 * Return whether a metric has a scale. Ratios, frequencies and rates have one, and metrics with a
 * maximum.
 */
bool choose_is_gauge(const struct gpuoa_metric_desc *metric);

/* Return whether a metric is a count, which is shown per second. */
bool choose_is_rate(const struct gpuoa_metric *metric);

enum watch_state {
	WATCH_LIVE,
	WATCH_FAILED, /* the unit exists but cannot be measured; watch.problem has the reason */
	WATCH_GONE, /* removed; may come back */
};

/* A metric being measured */
struct watched {
	const struct gpuoa_metric *metric;
	struct gpuoa_metric_desc desc;
	struct gpuoa_measure_desc units;
	bool rate; /* shown per second */
	bool gauge; /* the metric has a scale, because it is a ratio or a rate or has a maximum */
	bool hidden; /* excluded by -m */
	bool share; /* the metric is a ratio of clocks, so its value is the average over time */
	double value; /* value in the last interval, in the metric's units; NAN: there is none */
	double max; /* largest possible value; 0: none */
	void *column; /* for ratios only: the value in each interval between reports of a read */
	/* for ratios only: sum of each value times its ticks, in the current interval */
	double integral;
	/* exact value, in which clocks weigh ratios; .raw_max is its maximum */
	union gpuoa_value raw;
	union gpuoa_value raw_max;
	enum gpuoa_watermark_level mark;
	struct history history; /* past values; those of a rate are per second */
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
	int yield; /* file descriptor that keeps gpuoa exporter from opening the unit; -1: none */
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
	struct gpuoa_interval *rows; /* intervals between the reports of a read */
	uint64_t covered; /* number of ticks with reports in the current interval */

	struct watched *metrics; /* metrics that this GPU has, in the order of the set */
	size_t metric_count;
	/* for each role, the index of its metric; WATCH_NO_METRIC: there is none */
	size_t roles[ROLE_COUNT];
	struct contexts contexts;

	bool known; /* an interval has been measured */
	struct gpuoa_interval interval; /* last interval, in ticks */
	double seconds; /* time in the last interval for which there are reports, in seconds */
	uint64_t lost; /* number of lost reports since the stream was opened */
	bool lost_unknown;
};

/*
 * Open a unit and start to measure.
 *
 * @set: symbol of the set; NULL: the set that another program measures on this unit, otherwise the
 * one with the most roles
 * @wanted: argument of -m; NULL: all metrics
 *
 * Returns an exit code. On failure, watch.problem has the reason.
 */
int watch_open(struct watch *watch, const struct tool *tool, const char *name, const char *set,
	       const char *wanted);
void watch_close(struct watch *watch);

/* Switch to another set. On failure, .problem has the reason, and the old set is still measured. */
int watch_set(struct watch *watch, const struct gpuoa_set *set);

/* Read all available reports. */
void watch_drain(struct watch *watch);

/*
 * End the interval and calculate its values.
 *
 * @dword_mask: whether to keep the counts; if false, they are discarded
 *
 * Returns false if there was no interval.
 */
bool watch_tick(struct watch *watch, bool dword_mask);

/* Return a value as it is shown: a rate is per second. NAN: there is no value. */
double watched_shown(const struct watch *watch, const struct watched *metric);

/* Return a value as a fraction of its maximum, from 0 to 1; NAN: the metric has no maximum. */
double watched_fraction(const struct watched *metric);

#define WATCHES_MAX 64

struct watches {
	const struct tool *tool;
	/* symbol of the set to use on units that have it; NULL: the user named none */
	const char *set;
	const char *metrics; /* argument of -m; NULL: all */
	/*
	 * units in the order in which they were found; units found together are in the order of
	 * names
	 */
	struct watch *list[WATCHES_MAX];
	size_t count;
};

/* Open all units; with -d, only the units that it names. Returns an exit code; prints any error. */
int watches_open(struct watches *watches, const struct tool *tool, const char *set,
		 const char *metrics);
void watches_close(struct watches *watches);

/* Look for new units, and open those again that were removed or failed. */
void watches_look(struct watches *watches);

/*
 * Wait until a stream has reports, @fd is readable, or the timeout expires. @fd: file descriptor;
 * -1: none. Returns whether @fd is readable.
 */
bool watches_wait(const struct watches *watches, int fd, int timeout_ms);

void watches_drain(struct watches *watches);

#endif /* GPUOA_TOOLS_TOP_WATCH_H */
