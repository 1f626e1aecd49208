/* SPDX-License-Identifier: MIT */
/*
 * context_table.h - gpuoa report --contexts: print the metrics of each GPU context
 */
#ifndef GPUOA_TOOLS_REPORT_CONTEXT_TABLE_H
#define GPUOA_TOOLS_REPORT_CONTEXT_TABLE_H

#include "common/recording.h"
#include "common/scaling.h"
#include "gpuoa-stream.h"

/* A GPU context */
struct context {
	uint32_t id;
	struct gpuoa_context_owner owner;
	bool owned; /* the owner is known */
	/* calculator that selects the intervals in which this context runs */
	struct gpuoa_calc *calc;
	uint64_t intervals;
	uint64_t covered; /* time it ran, in ticks */
	union gpuoa_value *total; /* gpuoa_calc_total() over all intervals */
};

struct contexts {
	struct evaluation evaluation; /* holds the selected metrics */
	struct context *list; /* contexts; sorted by .covered, descending, after the last report */
	size_t count;
	/* number of reports of contexts that are not in the list, because it was full */
	size_t left_out;
	uint64_t now; /* GPU time of the last report, in ticks */
	struct gpuoa_interval *intervals; /* memory for the intervals of a batch of rows */
};

/*
 * Evaluate a recording separately for each context. @request: what to evaluate. Returns an exit
 * code.
 */
int report_contexts(const struct tool *tool, const struct recorded *recorded,
		    const struct evaluation_request *request);

#endif /* GPUOA_TOOLS_REPORT_CONTEXT_TABLE_H */
