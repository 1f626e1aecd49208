/* SPDX-License-Identifier: MIT */
/*
 * contexts.h - whose work it was: values of each context whose id reports show
 */
#ifndef GPUOA_TOP_CONTEXTS_H
#define GPUOA_TOP_CONTEXTS_H

#include "choose.h"
#include "gpuoa-stream.h"
#include "history.h"

#define CONTEXTS_MAX 32 /* what comes beyond is not shown, until one of these has been still */

/* A context that has run. */
struct context {
	uint32_t id;
	struct gpuoa_context_owner owner;
	bool owned; /* it is known whose it is */
	struct gpuoa_calc *calc;
	unsigned int still; /* ticks without an interval of its own */
	double share; /* of the unit's time that it ran, in percent; NAN: unknown */
	double values[ROLE_COUNT]; /* while it ran; NAN: the set has no such metric */
	struct history history; /* of its share */
};

/* Those of one stream. Zero-initialize. */
struct contexts {
	struct gpuoa_source *source; /* tells whose they are */
	const struct gpuoa_set *set;
	const struct gpuoa_constants *constants;
	uint32_t format;
	const struct gpuoa_metric *metrics[ROLE_COUNT + 1]; /* those of the roles, and that of time
							     */
	enum role roles[ROLE_COUNT + 1]; /* of each; ROLE_NONE: time */
	size_t metric_count;
	bool told; /* reports of this platform tell contexts */
	bool full; /* there are more */
	uint64_t anchor; /* 0: none */
	struct context list[CONTEXTS_MAX];
	size_t count;
};

/* @metrics: of each role, NULL where the set has none. All outlive the contexts. */
void contexts_begin(struct contexts *contexts, struct gpuoa_source *source,
		    const struct gpuoa_set *set, const struct gpuoa_constants *constants,
		    uint32_t format, const struct gpuoa_metric *const *metrics);
void contexts_end(struct contexts *contexts);

/* Take the reports of one read. */
void contexts_feed(struct contexts *contexts, const void *reports, size_t count,
		   const struct gpuoa_read_status *status);

/* The values since the last call. @ns: how much time that was; 0: reports were of no use */
void contexts_tick(struct contexts *contexts, double ns);

#endif /* GPUOA_TOP_CONTEXTS_H */
