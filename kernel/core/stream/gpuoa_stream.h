/* SPDX-License-Identifier: GPL-2.0-only */
/* gpuoa_stream.h - OA unit in use: acquiring, sharing, reconfiguring and releasing it. */
#ifndef _GPUOA_STREAM_H
#define _GPUOA_STREAM_H

#include <linux/hrtimer.h>
#include <linux/list.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "gpuoa_aux.h"
#include "gpuoa_half_full.h"
#include "gpuoa_mode.h"
#include "gpuoa_poll_interval.h"
#include "gpuoa_recovery.h"
#include "gpuoa_request.h"
#include "gpuoa_ring.h"
#include "gpuoa_tail_check.h"
#include "oa/gpuoa_oa.h"
#include "oa/gpuoa_report.h"
#include "uapi/gpuoa.h"

struct gpuoa_attr;
struct gpuoa_marker;
struct gpuoa_metric_set;
struct gpuoa_registered_attr;
struct gpuoa_sink;
struct gpuoa_timing;
struct gpuoa_unit;
struct gpuoa_user;
struct page;
struct pid;

/**
 * struct gpuoa_raw_buffer - OABUFFER of a stream with copied reports
 * @pages: pages of the OABUFFER
 * @n_pages: number of @pages
 * @ring: CPU view of the OABUFFER; protected by &gpuoa_stream.lock
 * @overflows: number of overflows since reports were last consumed
 */
struct gpuoa_raw_buffer {
	struct page **pages;
	unsigned int n_pages;
	struct gpuoa_ring ring;
	u32 overflows;
};

/**
 * struct gpuoa_aux - state of a stream with an AUX area; protected by &gpuoa_stream.lock
 *
 * All members except @sink are for zero-copy delivery.
 *
 * @sink: output to perf's AUX ring
 * @check: state of the OABUFFER
 * @guarding: the hardware's head pointer is held back, because the reader still has to read reports
 *	from before the unit was started
 * @started_at: value of the AUX head when the unit was started, bytes
 * @suspect: the next reports may not follow the last ones
 * @gap_reported: perf was informed of the pending gap
 * @gap_until: time at which the gap was detected, OA timestamp ticks
 * @waiting: number of reports that were announced but not consumed at the last poll
 * @full: the unit was stopped because the reader is slow
 * @room: free space when the reader's position was last read, in reports
 * @patience: number of polls to wait for a reader that makes no progress
 */
struct gpuoa_aux {
	struct gpuoa_sink_aux sink;
	struct gpuoa_tail_check check;
	bool guarding;
	unsigned long started_at;
	bool suspect;
	bool gap_reported;
	u64 gap_until;
	u32 waiting;
	bool full;
	u32 room;
	unsigned int patience;
};

/**
 * struct gpuoa_stream_owner - owner of a stream; constant except for @shares
 * @process: process that opened the first event, with a reference
 * @comm: name of the process at that time
 * @shares: another process has joined the stream; protected by &gpuoa_unit.stream_lock
 */
struct gpuoa_stream_owner {
	struct pid *process;
	char comm[TASK_COMM_LEN];
	bool shares;
};

/**
 * struct gpuoa_stream - OA unit in use
 * @unit: OA unit
 * @users: number of users; protected by &gpuoa_unit.stream_lock
 * @samplers: number of users that sample; protected by &gpuoa_unit.stream_lock
 * @released: the provider's resources were released; protected by &gpuoa_unit.stream_lock
 * @owner: owner of the stream
 * @mode: delivery of reports to the reader
 * @request: request of the first user; @request.dword_mask is valid while @samplers > 0.
 *	@request.set changes under both &gpuoa_unit.stream_lock and @lock.
 * @sink: destination of the reports
 * @description: payload of GPUOA_RECORD_STREAM; its uuid is protected by @lock
 * @mapped: pages mapped for the GPU: those of @raw or of an AUX area
 * @n_mapped: number of @mapped
 * @hw: OA unit as used by its backend
 * @interval: expected rate of reports
 * @filtered: @filter decides which reports are published
 * @picky: reports must be checked one by one: @filtered, or reports with an id of 0 are dropped
 * @timer_alone: reports come only from the timer and are not filtered
 * @half_full: interrupt of the provider
 * @lock: protects the members after it; taken with interrupts disabled
 * @ended: the unit was removed: neither the unit nor the provider may be accessed
 * @running: the unit is enabled; false if the buffer is full or during recovery
 * @polled_tail: hardware tail at the last poll
 * @recovery: work to do before the unit can be started
 * @raw: buffer of gpuoa_mode_raw and gpuoa_mode_copy
 * @aux: AUX area of gpuoa_mode_aux and gpuoa_mode_copy
 * @filter: context filter
 * @counts: counters of counting events, by &gpuoa_count.node
 * @count_stride: maximum distance between two reports from which @counts are updated
 * @runners: users that have started the stream, struct gpuoa_runner
 * @poll_ns: maximum time between polls requested by the runners, ns
 * @timer: poll timer
 * @polled_at: end of the last poll, CLOCK_MONOTONIC, ns
 * @poll_requested: a caller requested the current poll
 * @announce_at: time of the next announcement, CLOCK_MONOTONIC, ns; 0 for the next poll
 * @forwarded: number of reports published since the unit was acquired
 * @stop_epoch: &gpuoa_unit.epoch when the unit was stopped
 * @loss: expected timer reports and detected losses
 * @stop_failed: the unit did not stop in time
 */
struct gpuoa_stream {
	struct gpuoa_unit *unit;
	unsigned int users;
	unsigned int samplers;
	bool released;
	struct gpuoa_stream_owner owner;
	const struct gpuoa_mode *mode;
	struct gpuoa_request request;
	struct gpuoa_sink *sink;
	struct gpuoa_record_stream description;

	struct page **mapped;
	unsigned int n_mapped;
	struct gpuoa_hw hw;
	struct gpuoa_poll_interval interval;
	bool filtered;
	bool picky;
	bool timer_alone;
	struct gpuoa_half_full half_full;

	raw_spinlock_t lock; /* protects the members below */
	bool ended;
	bool running;
	u32 polled_tail;
	struct gpuoa_recovery recovery;
	struct gpuoa_raw_buffer raw;
	struct gpuoa_aux aux;
	struct gpuoa_filter filter;
	struct list_head counts;
	u32 count_stride;
	struct list_head runners;
	u64 poll_ns;
	struct hrtimer timer;
	u64 polled_at;
	bool poll_requested;
	u64 announce_at;

	u64 forwarded;
	u32 stop_epoch;
	struct gpuoa_loss loss;
	bool stop_failed;
};

struct gpuoa_stream *gpuoa_stream_get(struct gpuoa_unit *unit, const struct gpuoa_attr *attr,
				      const struct gpuoa_timing *timing,
				      const struct gpuoa_registered_attr *registered,
				      struct gpuoa_sink *sink);
void gpuoa_stream_put(struct gpuoa_stream *stream, bool samples);
void gpuoa_stream_end_on(struct gpuoa_unit *unit, unsigned int cpu);
int gpuoa_stream_add_marker(struct gpuoa_unit *unit, unsigned int cpu, struct gpuoa_marker *mark);
void gpuoa_stream_reset(struct gpuoa_unit *unit);
void gpuoa_stream_suspend(struct gpuoa_unit *unit);
int gpuoa_stream_resume(struct gpuoa_unit *unit);
void gpuoa_stream_detach(struct gpuoa_unit *unit);

void gpuoa_stream_get_user(struct gpuoa_unit *unit, struct gpuoa_user *user);
int gpuoa_stream_reconfigure(struct gpuoa_unit *unit, struct gpuoa_metric_set *set,
			     unsigned int cpu);

#endif /* _GPUOA_STREAM_H */
