/* SPDX-License-Identifier: MIT */
/*
 * contexts.h - values of each GPU context, selected by the context IDs in reports
 */
#ifndef GPUOA_TOP_CONTEXTS_H
#define GPUOA_TOP_CONTEXTS_H

#include "common/roles.h"
#include "gpuoa-stream.h"
#include "top/cell_text.h"

/* maximum number of contexts; a further one is added after one of these was dropped */
#define CONTEXTS_MAX 32

/* A context that has run */
struct context {
	uint32_t id;
	struct gpuoa_context_owner owner;
	bool owned; /* the owner is known */
	struct gpuoa_calc *calc;
	unsigned int still; /* number of consecutive ticks in which the context did not run */
	double share; /* time that it ran, in percent of the unit's measured time; NAN: unknown */
	/* value of each role while the context ran; NAN: the set has no metric for it */
	double values[ROLE_COUNT];
	struct history history; /* past values of its share */
};

/* The contexts of one stream. Zero-initialize. */
struct contexts {
	struct gpuoa_reader *reader; /* the stream, from which the owners of contexts are read */
	const struct gpuoa_set *set;
	const struct gpuoa_constants *constants;
	uint32_t format;
	/* the metric of each role, and the metric of GPU time */
	const struct gpuoa_metric *metrics[ROLE_COUNT + 1];
	enum role roles[ROLE_COUNT + 1]; /* of each metric; ROLE_NONE: time */
	size_t metric_count;
	bool told; /* whether reports of this platform contain context IDs */
	bool full; /* the list is full, so some contexts are missing */
	uint64_t anchor; /* time base for the timestamps of reports, in ticks; 0: none yet */
	struct context list[CONTEXTS_MAX];
	size_t count;
};

/*
 * Initialize. @metrics: the metric of each role; NULL: the set has none for this role. All pointers
 * must stay valid as long as the contexts are used.
 */
void contexts_begin(struct contexts *contexts, struct gpuoa_reader *reader,
		    const struct gpuoa_set *set, const struct gpuoa_constants *constants,
		    uint32_t format, const struct gpuoa_metric *const *metrics);
void contexts_end(struct contexts *contexts);

/* Evaluate the reports that were returned by one read. */
void contexts_feed(struct contexts *contexts, const void *reports, size_t count,
		   const struct gpuoa_read_status *status);

/*
 * Calculate the values since the last call. @ns: length of that time in ns; 0: there were no usable
 * reports
 */
void contexts_tick(struct contexts *contexts, double ns);

#endif /* GPUOA_TOP_CONTEXTS_H */
