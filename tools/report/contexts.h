/* SPDX-License-Identifier: MIT */
/*
 * contexts.h - gpuoa report --contexts: what was counted while each context ran
 */
#ifndef GPUOA_REPORT_CONTEXTS_H
#define GPUOA_REPORT_CONTEXTS_H

#include "gpuoa-stream.h"
#include "level.h"
#include "recorded.h"

/* A context of the GPU. */
struct context {
	uint32_t id;
	struct gpuoa_context_owner owner;
	bool owned; /* it is known whose it is */
	struct gpuoa_calc *calc; /* of the intervals that begin when it runs */
	uint64_t intervals;
	uint64_t covered; /* ticks */
	union gpuoa_value *total; /* values of all of them as one, as of the calculator */
};

struct contexts {
	struct evaluation evaluation; /* says which metrics */
	struct context *list; /* at the end, who ran longest comes first */
	size_t count;
	size_t left_out; /* reports of contexts that there was no room for */
	uint64_t now; /* GPU time of the last report, ticks */
	struct gpuoa_interval *intervals; /* room for a batch */
};

/* Exit code. @request: what to evaluate */
int report_contexts(const struct tool *tool, const struct recorded *recorded,
		    const struct evaluation_request *request);

/* On stdout. */
void contexts_print(const struct contexts *contexts);

#endif /* GPUOA_REPORT_CONTEXTS_H */
