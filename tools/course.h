/* SPDX-License-Identifier: MIT */
/*
 * course.h - what pictures of a recording show: of each unit in it, the course of its metrics, and
 * marks
 */
#ifndef GPUOA_COURSE_H
#define GPUOA_COURSE_H

#include "recorded.h"
#include "series.h"
#include "wanted.h"

/* What to show. */
struct course_request {
	struct wanted wanted;
	size_t steps; /* of each track, at most */
};

/* A unit. */
struct course {
	struct recorded recorded;
	struct evaluation evaluation;
	struct evaluation_sink sink;
	struct series series; /* has a step at least */
	struct marks marks;
	bool evaluated; /* there is an evaluation */
};

struct courses {
	struct course *list;
	size_t count;
};

/*
 * Read the unit that -d means, or all of them. Units without an interval are left out, with a note.
 *
 * Returns an exit code; what is wrong has been said. If it is not EXIT_OK, the units that could be
 * read are there all the same, up to what was damaged.
 */
int courses_read(struct courses *courses, const struct tool *tool,
		 const struct course_request *request);

void courses_free(struct courses *courses);

/* Seconds of GPU time. */
double course_seconds(const struct course *course, uint64_t ticks);

/* When all units together begin and end. There has to be one. */
void courses_span(const struct courses *courses, double *begin, double *end);

#endif /* GPUOA_COURSE_H */
