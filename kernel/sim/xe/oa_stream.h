/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * oa_stream.h - a stream of an OA unit: what its files share.
 */
#ifndef _SIM_XE_OA_STREAM_H
#define _SIM_XE_OA_STREAM_H

#include <linux/hrtimer.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/wait.h>

#include "../instance.h"
#include "xe.h"

struct drm_file;
struct sim_xe_format;
struct sim_xe_metrics;
struct sim_xe_queue;
struct sim_xe_unit;

/**
 * struct sim_xe_stream - a stream
 * @xe: the face, whose DRM device it keeps
 * @unit: the unit
 * @file: who opened it, NULL once that is closed, under &sim_xe.oa_lock
 * @queue: whose batches' own reports are wanted, held; or NULL
 * @format: of the reports
 * @sample: they are wanted
 * @exponent: of the timer, or -1
 * @metrics: the configuration, under @lock
 * @memory: the buffer
 * @address: GPU address of the buffer
 * @circle: bytes of it that are used
 * @lock: one at a time reads or changes it
 * @enabled: the unit runs, under @lock
 * @status: what OASTATUS said last, under @lock
 * @timer: when to look
 * @wait: who waits for reports
 * @pollin: there are some
 * @pointers: protects those that follow
 * @head: offset of the first report that is not read
 * @tail: offset behind the last report that may be
 */
struct sim_xe_stream {
	struct sim_xe *xe;
	struct sim_xe_unit *unit;
	struct drm_file *file;
	struct sim_xe_queue *queue;
	const struct sim_xe_format *format;
	bool sample;
	int exponent;
	struct sim_xe_metrics *metrics;
	u8 *memory;
	u32 address;
	u32 circle;
	struct mutex lock; /* see above */
	bool enabled;
	u32 status;
	struct hrtimer timer;
	wait_queue_head_t wait;
	bool pollin;
	spinlock_t pointers; /* see above */
	u32 head;
	u32 tail;
};

static inline struct sim_gpu *sim_xe_stream_gpu(const struct sim_xe_stream *stream)
{
	return &stream->xe->instance->gpu;
}

#endif /* _SIM_XE_OA_STREAM_H */
