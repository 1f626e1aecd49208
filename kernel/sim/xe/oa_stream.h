/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * oa_stream.h - state of a stream of an OA unit.
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
 * @xe: the emulated xe device; holds a reference to its DRM device
 * @unit: the OA unit
 * @file: DRM file that opened the stream, NULL after it was closed; under &sim_xe.oa_lock
 * @queue: exec queue that may write reports in its batches, referenced; or NULL
 * @format: report format
 * @sample: OA buffer reports are requested
 * @exponent: timer exponent, or -1 for no timer reports
 * @metrics: the OA configuration, under @lock
 * @memory: the OA buffer
 * @address: GPU address of the buffer
 * @circle: size of the used part of the buffer, in bytes
 * @lock: serializes reads and changes of the stream
 * @enabled: the unit runs, under @lock
 * @status: last value of OASTATUS, under @lock
 * @timer: poll timer
 * @wait: wait queue of readers
 * @pollin: poll() reports EPOLLIN
 * @pointers: protects @head and @tail
 * @head: offset of the first unread report
 * @tail: offset of the end of the last readable report
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
