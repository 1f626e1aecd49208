/* SPDX-License-Identifier: MIT */
/*
 * contexts.h - values of each GPU context, by the context IDs in reports
 */
#ifndef GPUOA_TOP_CONTEXTS_H
#define GPUOA_TOP_CONTEXTS_H

#include "common/roles.h"
#include "gpuoa-stream.h"
#include "top/cell_text.h"

#define CONTEXTS_MAX 32 /* more contexts are shown only after one of these has been idle */

/* A context that has run */
struct context {
	uint32_t id;
	struct gpuoa_context_owner owner;
	bool owned; /* the owner is known */
	struct gpuoa_calc *calc;
	unsigned int still; /* consecutive ticks without an interval of this context */
	double share; /* time it ran, in percent of the unit's; NAN: unknown */
	double values[ROLE_COUNT]; /* values while it ran; NAN: the set has no such metric */
	struct history history; /* past values of its share */
};

/* The contexts of one stream. Zero-initialize. */
struct contexts {
	struct gpuoa_reader *reader; /* the stream; it knows the owners of contexts */
	const struct gpuoa_set *set;
	const struct gpuoa_constants *constants;
	uint32_t format;
	const struct gpuoa_metric *metrics[ROLE_COUNT + 1]; /* metrics of the roles, and GPU time */
	enum role roles[ROLE_COUNT + 1]; /* of each metric; ROLE_NONE: time */
	size_t metric_count;
	bool told; /* reports of this platform have context IDs */
	bool full; /* some contexts are not in the list */
	uint64_t anchor; /* time base in ticks; 0: none */
	struct context list[CONTEXTS_MAX];
	size_t count;
};

/*
 * Initialize. @metrics: metric of each role; NULL: the set has none. All pointers must outlive the
 * contexts.
 */
void contexts_begin(struct contexts *contexts, struct gpuoa_reader *reader,
		    const struct gpuoa_set *set, const struct gpuoa_constants *constants,
		    uint32_t format, const struct gpuoa_metric *const *metrics);
void contexts_end(struct contexts *contexts);

/* Evaluate the reports of one read. */
void contexts_feed(struct contexts *contexts, const void *reports, size_t count,
		   const struct gpuoa_read_status *status);

/* Compute the values since the last call. @ns: length of that time; 0: no usable reports */
void contexts_tick(struct contexts *contexts, double ns);

#endif /* GPUOA_TOP_CONTEXTS_H */
