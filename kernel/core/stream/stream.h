/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stream.h - an OA unit in use: the state that the files of this room share.
 */
#ifndef _GPUOA_STREAM_H
#define _GPUOA_STREAM_H

#include <linux/hrtimer.h>
#include <linux/list.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "half_full.h"
#include "landing.h"
#include "loss.h"
#include "mode.h"
#include "oa/filter.h"
#include "oa/oa.h"
#include "oa/report.h"
#include "pace.h"
#include "recovery.h"
#include "request.h"
#include "ring.h"
#include "sink_aux.h"
#include "uapi/gpuoa.h"

struct gpuoa_sink;
struct gpuoa_unit;
struct page;
struct pid;

/**
 * struct gpuoa_raw_buffer - OABUFFER of a stream whose reports are copied
 * @pages: pages of the OABUFFER
 * @n_pages: number of them
 * @ring: the OABUFFER as the CPU sees it; protected by &gpuoa_stream.lock
 */
struct gpuoa_raw_buffer {
	struct page **pages;
	unsigned int n_pages;
	struct gpuoa_ring ring;
};

/**
 * struct gpuoa_aux - state of a stream whose reports stay where they are; protected by
 *	&gpuoa_stream.lock
 *
 * @sink: perf's side
 * @landing: the hardware's side
 * @guarding: the reader still has reports to read from before the unit was started, and the
 *	hardware was not told how far it is
 * @started_at: bytes that core had counted when the unit was started
 * @suspect: the next reports may not follow the last ones
 * @told: perf was told of the gap that is pending
 * @gap_until: time when the gap was noticed
 * @waiting: so many reports were announced, but not taken, at the last poll
 * @full: the unit was stopped because the reader is slow
 * @room: so much there was for it when the reader was last asked
 * @patience: so many polls more the unit waits for a reader that stands still
 */
struct gpuoa_aux {
	struct gpuoa_sink_aux sink;
	struct gpuoa_landing landing;
	bool guarding;
	unsigned long started_at;
	bool suspect;
	bool told;
	u64 gap_until;
	u32 waiting;
	bool full;
	u32 room;
	unsigned int patience;
};

/**
 * struct gpuoa_stream_owner - who has a stream; constant but for @shares
 * @process: the process that opened its first event, held
 * @comm: its name, at that time
 * @shares: another process has joined it; protected by &gpuoa_unit.stream_lock
 */
struct gpuoa_stream_owner {
	struct pid *process;
	char comm[TASK_COMM_LEN];
	bool shares;
};

/**
 * struct gpuoa_stream - an OA unit in use
 * @unit: the unit
 * @users: how many acquired it; protected by &gpuoa_unit.stream_lock
 * @samplers: how many of them sample; likewise
 * @released: all that is the host's was given back; likewise
 * @owner: who has it
 * @mode: how reports reach the reader
 * @request: what the first user asked for; its keep is valid while @samplers > 0. Its set changes
 *	under &gpuoa_unit.stream_lock and @lock
 * @sink: where reports go
 * @description: what the stream says of itself; its uuid is protected by @lock
 * @mapped: pages that the GPU sees: those of @raw or of an AUX area
 * @n_mapped: number of them
 * @hw: the unit as its backend sees it
 * @pace: how fast reports come
 * @filtered: @filter decides which reports are published
 * @picky: reports with an id of 0 are not published, or @filter decides
 * @timer_alone: nothing but the timer makes reports, and always does
 * @half_full: the host's interrupt
 * @lock: protects all below; taken with interrupts off
 * @ended: the unit is no more: neither it nor the host may be touched
 * @running: the unit writes; else there is no room, or it recovers
 * @polled_tail: the hardware's tail at the last poll
 * @recovery: what it needs before it can be started
 * @raw: buffer of gpuoa_mode_raw
 * @aux: buffer of gpuoa_mode_aux
 * @filter: leaves out what is not the context's
 * @counts: counters of counting events, by &gpuoa_count.node
 * @count_stride: distance, in reports, between two looks at @counts at most
 * @runners: users that have started the stream, struct gpuoa_runner
 * @poll_ns: how long reports may wait for a poll at most, as the runners say
 * @timer: polls for reports
 * @polled_at: CLOCK_MONOTONIC ns when the last poll ended
 * @asked: this poll is because somebody wants what has landed until now
 * @announce_at: when to announce next, CLOCK_MONOTONIC ns; 0: at once
 * @forwarded: reports published since the unit was acquired
 * @stop_epoch: &gpuoa_unit.epoch when it was stopped
 * @loss: which of the timer's reports come next, and what is known to be missing
 * @stop_failed: the unit did not obey when it was stopped
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
	struct gpuoa_pace pace;
	bool filtered;
	bool picky;
	bool timer_alone;
	struct gpuoa_half_full half_full;

	raw_spinlock_t lock; /* all below */
	bool ended;
	bool running;
	u32 polled_tail;
	struct gpuoa_recovery recovery;
	union {
		struct gpuoa_raw_buffer raw;
		struct gpuoa_aux aux;
	};
	struct gpuoa_filter filter;
	struct list_head counts;
	u32 count_stride;
	struct list_head runners;
	u64 poll_ns;
	struct hrtimer timer;
	u64 polled_at;
	bool asked;
	u64 announce_at;

	u64 forwarded;
	u32 stop_epoch;
	struct gpuoa_loss loss;
	bool stop_failed;
};

#endif /* _GPUOA_STREAM_H */
