/* SPDX-License-Identifier: MIT */
/*
 * course.h - the data of plots and HTML reports: time series and marks of each recorded unit
 */
#ifndef GPUOA_COURSE_H
#define GPUOA_COURSE_H

#include "common/recording.h"
#include "common/series.h"
#include "common/recording_options.h"

/* Selection of the data to read */
struct course_request {
	struct recording_options recording;
	size_t steps; /* maximum number of steps per track */
};

/* The data of a unit */
struct course {
	struct recorded recorded;
	struct evaluation evaluation;
	struct evaluation_sink sink;
	struct series series; /* has at least one step */
	struct marks marks;
	bool evaluated; /* the evaluation is open and must be closed */
};

struct courses {
	struct course *list;
	size_t count;
};

/*
 * Read the unit named by -d, or all units. A unit without intervals is left out, with a note.
 *
 * Returns an exit code; prints any error. On errors, the list still has the units that could be
 * read, each up to the first damage.
 */
int courses_read(struct courses *courses, const struct tool *tool,
		 const struct course_request *request);

void courses_free(struct courses *courses);

/* Convert GPU time to seconds. */
double course_seconds(const struct course *course, uint64_t ticks);

/* Return the earliest begin and the latest end of all units. The list must not be empty. */
void courses_span(const struct courses *courses, double *begin, double *end);

#endif /* GPUOA_COURSE_H */
