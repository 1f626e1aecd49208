/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gpuoa_request.h - request of an event: registered attributes, validation, lookup, comparison.
 */
#ifndef _GPUOA_REQUEST_H
#define _GPUOA_REQUEST_H

#include <linux/kref.h>
#include <linux/types.h>

#include "uapi/gpuoa.h"
#include "unit/gpuoa_limits.h"

struct file;
struct gpuoa_attr_table;
struct gpuoa_format_desc;
struct gpuoa_metric_set;
struct gpuoa_mode;
struct gpuoa_timing;
struct gpuoa_unit;

/**
 * struct gpuoa_registered_attr - registered attributes; constant once created
 * @refcount: one reference of the table, and one of each perf_event_open() that uses the entry
 * @attr: the attributes; pointers and file descriptor in it are not used
 * @set: the configuration, registered or inline, with a reference
 * @drm_file: file that drm_fd was, with a reference; NULL: no context, or one by hardware id
 * @owner: open file of /dev/gpuoa<N> that the id belongs to
 * @charge: memory of the entry
 * @id: id of the attributes
 */
struct gpuoa_registered_attr {
	struct kref refcount;
	struct gpuoa_attr attr;
	struct gpuoa_metric_set *set;
	struct file *drm_file;
	const struct file *owner;
	struct gpuoa_charge charge;
	u32 id;
};

void gpuoa_attr_table_init(struct gpuoa_attr_table *table);
int gpuoa_attr_table_add(struct gpuoa_unit *unit, const struct file *owner, u64 user, u32 *id);
int gpuoa_attr_table_remove(struct gpuoa_unit *unit, const struct file *owner, u32 id);
void gpuoa_attr_table_clear(struct gpuoa_unit *unit, const struct file *owner);
struct gpuoa_registered_attr *gpuoa_attr_table_get(struct gpuoa_unit *unit, u64 id);
void gpuoa_registered_attr_put(struct gpuoa_registered_attr *registered);

/**
 * struct gpuoa_request - validated request of an event, compared to decide whether events can share
 * @mode: delivery of reports to the reader
 * @set: metric configuration, with a reference
 * @format: report format
 * @exponent: timer exponent
 * @any_exponent: a counting event accepts another exponent if no counter can wrap twice between two
 *	reports
 * @buffer_size: size of the OABUFFER, bytes; 0: any
 * @buffer_default_max: upper bound of the size chosen if @buffer_size is 0
 * @samples: the event samples and needs the dwords in @dword_mask; a counting event needs none
 * @dword_mask: dword mask as in &gpuoa_attr.dword_mask
 * @filter: count for one context only
 * @context_id: hardware id of that context
 * @context: the provider's handle of the context, with a reference; NULL if only the hardware id is
 *	known
 * @batches: write reports at the boundaries of the context's batches
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
	u64 dword_mask[GPUOA_ATTR_MASK_WORDS];
	bool filter;
	u64 context_id;
	void *context;
	bool batches;
};

int gpuoa_request_init(struct gpuoa_request *request, struct gpuoa_unit *unit,
		       const struct gpuoa_attr *attr, const struct gpuoa_timing *timing,
		       const struct gpuoa_registered_attr *registered);
int gpuoa_request_find(struct gpuoa_request *request, struct gpuoa_unit *unit,
		       const struct gpuoa_attr *attr,
		       const struct gpuoa_registered_attr *registered);
void gpuoa_request_drop(struct gpuoa_request *request);
void gpuoa_request_release(struct gpuoa_request *request, struct gpuoa_unit *unit);
bool gpuoa_request_fits(const struct gpuoa_request *request, const struct gpuoa_unit *unit,
			const struct gpuoa_request *running);
bool gpuoa_request_same_dwords(const struct gpuoa_request *request,
			       const struct gpuoa_request *running);
u64 gpuoa_request_period_ns(const struct gpuoa_request *request, const struct gpuoa_unit *unit);

#endif /* _GPUOA_REQUEST_H */
