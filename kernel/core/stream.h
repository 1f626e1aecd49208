/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stream.h - an OA unit in use: from the configuration to the reports.
 */
#ifndef _GPUOA_STREAM_H
#define _GPUOA_STREAM_H

#include <linux/hrtimer.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "filter.h"
#include "oa.h"
#include "report.h"
#include "ring.h"
#include "uapi/gpuoa.h"

struct gpuoa_metric_set;
struct gpuoa_sink;
struct gpuoa_timing;
struct gpuoa_unit;
struct page;

/**
 * struct gpuoa_stream_params - what makes two users' wishes equal
 * @set: metric configuration, with a reference
 * @format: report format
 * @exponent: timer exponent
 * @buffer_size: bytes of the OABUFFER; 0: any
 * @filter: count for one context only
 * @context_id: hardware id of that context
 * @context: the host's handle of it, held
 */
struct gpuoa_stream_params {
	struct gpuoa_metric_set *set;
	const struct gpuoa_format_desc *format;
	u32 exponent;
	u32 buffer_size;
	bool filter;
	u64 context_id;
	void *context;
};

/**
 * struct gpuoa_stream - an OA unit in use
 * @unit: the unit
 * @users: how many acquired it; protected by &gpuoa_unit.stream_lock
 * @params: what they asked for
 * @sink: where reports go
 * @announcement: what the stream says of itself
 * @pages: pages of the OABUFFER
 * @n_pages: number of them
 * @hw: the unit as its backend sees it
 * @ring: the OABUFFER as the CPU sees it
 * @filtered: @filter decides what is handed on
 * @lock: protects all below; taken with interrupts off
 * @filter: leaves out what is not the context's
 * @runners: how many started it
 * @timer: polls for reports
 * @poll_ns: its period
 * @announce_at: when to announce next, CLOCK_MONOTONIC ns; 0: at once
 * @forwarded: reports handed on since the unit was acquired
 * @stop_epoch: &gpuoa_unit.epoch when it was stopped
 * @last_valid: @last holds a timestamp
 * @last: timestamp of the last timer report
 * @gap_pending: type of a loss that the next report's timestamp will measure, or 0
 * @lost_latched: the hardware's report-lost bit was seen, and stays until the next start
 * @stop_failed: the unit did not obey when it was stopped
 */
struct gpuoa_stream {
	struct gpuoa_unit *unit;
	unsigned int users;
	struct gpuoa_stream_params params;
	struct gpuoa_sink *sink;
	struct gpuoa_record_stream announcement;

	struct page **pages;
	unsigned int n_pages;
	struct gpuoa_hw hw;
	struct gpuoa_ring ring;
	bool filtered;

	raw_spinlock_t lock; /* all below */
	struct gpuoa_filter filter;
	unsigned int runners;
	struct hrtimer timer;
	u64 poll_ns;
	u64 announce_at;

	u64 forwarded;
	u32 stop_epoch;
	bool last_valid;
	u64 last;
	u32 gap_pending;
	bool lost_latched;
	bool stop_failed;
};

/* stream.c: acquire and release */
struct gpuoa_stream *gpuoa_stream_get(struct gpuoa_unit *unit, const struct gpuoa_attr *attr,
				      const struct gpuoa_timing *timing, struct gpuoa_sink *sink);
void gpuoa_stream_put(struct gpuoa_stream *stream);

/* stream_poll.c: run */
void gpuoa_stream_init_timer(struct gpuoa_stream *stream);
void gpuoa_stream_name(struct gpuoa_stream *stream, const char *uuid);
void gpuoa_stream_start(struct gpuoa_stream *stream);
void gpuoa_stream_stop(struct gpuoa_stream *stream);

#endif /* _GPUOA_STREAM_H */
