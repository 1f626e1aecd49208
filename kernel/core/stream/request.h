/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * request.h - what an event asks of a unit, checked and looked up.
 */
#ifndef _GPUOA_REQUEST_H
#define _GPUOA_REQUEST_H

#include <linux/types.h>

#include "uapi/gpuoa.h"

struct gpuoa_format_desc;
struct gpuoa_metric_set;
struct gpuoa_mode;
struct gpuoa_timing;
struct gpuoa_unit;

/**
 * struct gpuoa_request - what makes the requests of two events compatible
 * @mode: how reports reach the reader
 * @set: metric configuration, with a reference
 * @format: report format
 * @exponent: timer exponent
 * @any_exponent: a counting event also takes another exponent, if no counter can wrap between two
 *	reports
 * @buffer_size: bytes of the OABUFFER; 0: any
 * @buffer_default_max: upper bound of the size that is chosen if @buffer_size is 0
 * @samples: the event samples and so wants the dwords of @keep; a counting event does not care
 * @keep: as &gpuoa_attr.keep
 * @filter: count for one context only
 * @context_id: hardware id of that context
 * @context: the host's handle of it, held; NULL: it is known by its hardware id alone
 * @batches: also a report where each of its batches begins and ends
 */
struct gpuoa_request {
	const struct gpuoa_mode *mode;
	struct gpuoa_metric_set *set;
	const struct gpuoa_format_desc *format;
	u32 exponent;
	bool any_exponent;
	u32 buffer_size;
	u32 buffer_default_max;
	bool samples;
	u64 keep[GPUOA_KEEP_WORDS];
	bool filter;
	u64 context_id;
	void *context;
	bool batches;
};

int gpuoa_request_init(struct gpuoa_request *request, struct gpuoa_unit *unit,
		       const struct gpuoa_attr *attr, const struct gpuoa_timing *timing);
int gpuoa_request_find(struct gpuoa_request *request, struct gpuoa_unit *unit,
		       const struct gpuoa_attr *attr);
void gpuoa_request_drop(struct gpuoa_request *request);
void gpuoa_request_release(struct gpuoa_request *request, struct gpuoa_unit *unit);
bool gpuoa_request_fits(const struct gpuoa_request *request, const struct gpuoa_unit *unit,
			const struct gpuoa_request *running);
bool gpuoa_request_keeps_same(const struct gpuoa_request *request,
			      const struct gpuoa_request *running);
u64 gpuoa_request_period_ns(const struct gpuoa_request *request, const struct gpuoa_unit *unit);

#endif /* _GPUOA_REQUEST_H */
