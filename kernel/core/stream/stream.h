/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stream.h - an OA unit in use: from the configuration to the reports.
 */
#ifndef _GPUOA_STREAM_H
#define _GPUOA_STREAM_H

#include <linux/hrtimer.h>
#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "half_full.h"
#include "landing.h"
#include "oa/filter.h"
#include "oa/oa.h"
#include "oa/report.h"
#include "pace.h"
#include "ring.h"
#include "sink_aux.h"
#include "uapi/gpuoa.h"

struct gpuoa_count;
struct gpuoa_metric_set;
struct gpuoa_sink;
struct gpuoa_timing;
struct gpuoa_unit;
struct page;
struct perf_event;

/**
 * struct gpuoa_stream_params - what makes two users' wishes equal
 * @set: metric configuration, with a reference
 * @format: report format
 * @exponent: timer exponent
 * @any_exponent: what counts takes another one as well, if no counter can wrap between two reports
 * @buffer_size: bytes of the OABUFFER; 0: any
 * @samples: who samples wants the same dwords, @keep; who counts does not care
 * @keep: as &gpuoa_attr.keep
 * @aux: the OABUFFER is the event's AUX area
 * @filter: count for one context only
 * @context_id: hardware id of that context
 * @context: the host's handle of it, held; NULL: it is known by its hardware id alone
 * @batches: also a report where each of its batches begins and ends
 */
struct gpuoa_stream_params {
	struct gpuoa_metric_set *set;
	const struct gpuoa_format_desc *format;
	u32 exponent;
	bool any_exponent;
	u32 buffer_size;
	bool samples;
	u64 keep[GPUOA_KEEP_WORDS];
	bool aux;
	bool filter;
	u64 context_id;
	void *context;
	bool batches;
};

/**
 * struct gpuoa_aux - what a stream has instead of a ring, whose reports stay where they are
 *
 * @sink: perf's side
 * @landing: the hardware's side
 * @running: the unit writes; else there is no room, or no area
 * @suspect: the next reports may not follow the last ones
 * @told: the gap that is pending was told to perf
 * @gap_until: time when it was noticed
 */
struct gpuoa_aux {
	struct gpuoa_sink_aux sink;
	struct gpuoa_landing landing;
	bool running;
	bool suspect;
	bool told;
	u64 gap_until;
};

/**
 * struct gpuoa_stream - an OA unit in use
 * @unit: the unit
 * @users: how many acquired it; protected by &gpuoa_unit.stream_lock
 * @samplers: how many of them sample; likewise
 * @params: what they asked for; what of it is for those who sample, if there are any
 * @sink: where reports go
 * @announcement: what the stream says of itself
 * @pages: pages of the OABUFFER
 * @n_pages: number of them
 * @n_mapped: pages that the GPU sees, these or an AUX area's
 * @hw: the unit as its backend sees it
 * @pace: how fast reports come
 * @ring: the OABUFFER as the CPU sees it
 * @filtered: @filter decides what is handed on
 * @timer_alone: nothing but the timer makes reports, and always does
 * @half_full: the host's interrupt
 * @lock: protects all below; taken with interrupts off
 * @ended: the unit is no more: neither it nor the host may be touched
 * @aux: what there is instead of @pages and @ring, if @params say so
 * @filter: leaves out what is not the context's
 * @counts: counters that are counted, by &gpuoa_count.node
 * @count_stride: so many reports after the last look at them they are looked at again, at least
 * @runners: how many started it
 * @timer: polls for reports
 * @looked_at: CLOCK_MONOTONIC ns when the last look ended
 * @announce_at: when to announce next, CLOCK_MONOTONIC ns; 0: at once
 * @forwarded: reports handed on since the unit was acquired
 * @stop_epoch: &gpuoa_unit.epoch when it was stopped
 * @last_valid: @last holds a timestamp
 * @last: timestamp of the last timer report; with @params.aux, extended to 64 bits
 * @gap_pending: type of a loss that the next report's timestamp will measure, or 0
 * @lost_latched: the hardware's report-lost bit was seen, and stays until the next start
 * @stop_failed: the unit did not obey when it was stopped
 */
struct gpuoa_stream {
	struct gpuoa_unit *unit;
	unsigned int users;
	unsigned int samplers;
	struct gpuoa_stream_params params;
	struct gpuoa_sink *sink;
	struct gpuoa_record_stream announcement;

	struct page **pages;
	unsigned int n_pages;
	unsigned int n_mapped;
	struct gpuoa_hw hw;
	struct gpuoa_pace pace;
	struct gpuoa_ring ring;
	bool filtered;
	bool timer_alone;
	struct gpuoa_half_full half_full;

	raw_spinlock_t lock; /* all below */
	bool ended;
	struct gpuoa_aux aux;
	struct gpuoa_filter filter;
	struct list_head counts;
	u32 count_stride;
	unsigned int runners;
	struct hrtimer timer;
	u64 looked_at;
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
void gpuoa_stream_put(struct gpuoa_stream *stream, bool samples);
void gpuoa_stream_unplug(struct gpuoa_unit *unit);
int gpuoa_stream_map(struct gpuoa_stream *stream, struct page **pages, unsigned int n_pages);
void gpuoa_stream_unmap(struct gpuoa_stream *stream);

/* stream_poll.c: run */
void gpuoa_stream_init_timer(struct gpuoa_stream *stream);
void gpuoa_stream_name(struct gpuoa_stream *stream, const char *uuid);
void gpuoa_stream_thin(struct gpuoa_stream *stream, const u64 *keep);
int gpuoa_stream_start(struct gpuoa_stream *stream);
void gpuoa_stream_stop(struct gpuoa_stream *stream);
void gpuoa_stream_end(struct gpuoa_stream *stream);
void gpuoa_stream_look(struct gpuoa_stream *stream);
bool gpuoa_stream_hurry(struct gpuoa_stream *stream);
void gpuoa_stream_count(struct gpuoa_stream *stream, struct gpuoa_count *count);
void gpuoa_stream_uncount(struct gpuoa_stream *stream, struct gpuoa_count *count);

/* stream_poll.c: what all modes have in common */
void gpuoa_stream_lost(struct gpuoa_stream *stream, u32 type, u64 count);
void gpuoa_stream_hw_start(struct gpuoa_stream *stream);
void gpuoa_stream_hw_stop(struct gpuoa_stream *stream);
void gpuoa_stream_note_loss(struct gpuoa_stream *stream, u32 type);
bool gpuoa_stream_has_lost(struct gpuoa_stream *stream, const struct gpuoa_hw_status *status);

/* stream_aux.c: how reports get out that stay where they are */
void gpuoa_stream_aux_run(struct gpuoa_stream *stream);
u64 gpuoa_stream_aux_poll(struct gpuoa_stream *stream);
void gpuoa_stream_aux_halt(struct gpuoa_stream *stream);
bool gpuoa_stream_aux_quiet(const struct gpuoa_stream *stream);

/* aux_area.c */
void *gpuoa_aux_setup(struct perf_event *event, void **pages, int n_pages, bool overwrite);
void gpuoa_aux_free(void *aux);

#endif /* _GPUOA_STREAM_H */
