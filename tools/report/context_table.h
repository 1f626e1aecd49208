/* SPDX-License-Identifier: MIT */
/*
 * context_table.h - gpuoa report --contexts: metrics of each context
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
	struct gpuoa_calc *calc; /* calculates the intervals in which it runs */
	uint64_t intervals;
	uint64_t covered; /* time it ran, in ticks */
	union gpuoa_value *total; /* gpuoa_calc_total() over all intervals */
};

struct contexts {
	struct evaluation evaluation; /* holds the selected metrics */
	struct context *list; /* after the last report, sorted by .covered in descending order */
	size_t count;
	size_t left_out; /* reports of contexts not in the list, which was full */
	uint64_t now; /* GPU time of the last report, in ticks */
	struct gpuoa_interval *intervals; /* memory for a batch of intervals */
};

/* Evaluate a recording by context. @request: what to evaluate. Returns an exit code. */
int report_contexts(const struct tool *tool, const struct recorded *recorded,
		    const struct evaluation_request *request);

#endif /* GPUOA_TOOLS_REPORT_CONTEXT_TABLE_H */
