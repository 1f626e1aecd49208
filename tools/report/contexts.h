/* SPDX-License-Identifier: MIT */
/*
 * contexts.h - gpuoa report --contexts: metrics of each context
 */
#ifndef GPUOA_REPORT_CONTEXTS_H
#define GPUOA_REPORT_CONTEXTS_H

#include "gpuoa-stream.h"
#include "common/scaling.h"
#include "common/recording.h"

/* A GPU context */
struct context {
	uint32_t id;
	struct gpuoa_context_owner owner;
	bool owned; /* the owner is known */
	struct gpuoa_calc *calc; /* calculates the intervals in which it runs */
	uint64_t intervals;
	uint64_t covered; /* time it ran, in ticks */
	union gpuoa_value *total; /* values of all intervals as one, as of the calculator */
};

struct contexts {
	struct evaluation evaluation; /* holds the selected metrics */
	struct context *list; /* at the end, sorted by the time they ran, longest first */
	size_t count;
	size_t left_out; /* reports of contexts not in the list, which was full */
	uint64_t now; /* GPU time of the last report, in ticks */
	struct gpuoa_interval *intervals; /* memory for a batch of intervals */
};

/* Evaluate a recording by context. @request: what to evaluate. Returns an exit code. */
int report_contexts(const struct tool *tool, const struct recorded *recorded,
		    const struct evaluation_request *request);

/* Print the result on stdout. */
void contexts_print(const struct contexts *contexts);

#endif /* GPUOA_REPORT_CONTEXTS_H */
