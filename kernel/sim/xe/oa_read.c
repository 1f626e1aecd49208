// SPDX-License-Identifier: GPL-2.0-only
/*
 * oa_read.c - tail check, read() and poll() of a stream.
 */
#include <linux/fs.h>
#include <linux/hrtimer.h>
#include <linux/poll.h>
#include <linux/uaccess.h>

#include <gen12_regs.h>

#include "../instance.h"
#include "oa_read.h"
#include "oa_stream.h"
#include "oa_unit.h"
#include "xe.h"

static u32 stream_ahead(const struct sim_xe_stream *stream, u32 from, u32 by)
{
	return from + by >= stream->circle ? from + by - stream->circle : from + by;
}

static u32 stream_distance(const struct sim_xe_stream *stream, u32 from, u32 to)
{
	return to >= from ? to - from : to + stream->circle - from;
}

/* In all formats of Xe2, ID and timestamp have 64 bits each. */
static bool stream_landed(const struct sim_xe_stream *stream, u32 offset)
{
	const u64 *report = (const u64 *)(stream->memory + offset);

	return READ_ONCE(report[0]) || READ_ONCE(report[1]);
}

/**
 * sim_xe_stream_look() - Advance the tail over reports that have landed.
 * @stream: the stream
 *
 * Registers of a removed GPU read as all ones. The tail is then outside of the buffer and ignored.
 *
 * Return: true if there are reports to read
 */
bool sim_xe_stream_look(struct sim_xe_stream *stream)
{
	u32 size = stream->format->size, tail, n;
	unsigned long flags;
	bool any;

	spin_lock_irqsave(&stream->pointers, flags);
	tail = sim_mmio_read(sim_xe_stream_gpu(stream), stream->unit->registers->tail);
	tail = (tail & GEN12_OAPTR_ADDRESS) - stream->address;
	if (tail < stream->circle) {
		n = stream_distance(stream, stream->tail, tail);
		n -= n % size;
		while (n && !stream_landed(stream, stream_ahead(stream, stream->tail, n)))
			n -= size;
		stream->tail = stream_ahead(stream, stream->tail, n);
	}
	any = stream->tail != stream->head;
	spin_unlock_irqrestore(&stream->pointers, flags);

	return any;
}

/**
 * sim_xe_stream_timer() - Poll for reports and wake up readers.
 * @timer: timer of the stream
 *
 * Return: HRTIMER_RESTART
 */
enum hrtimer_restart sim_xe_stream_timer(struct hrtimer *timer)
{
	struct sim_xe_stream *stream = container_of(timer, struct sim_xe_stream, timer);

	if (sim_xe_stream_look(stream)) {
		WRITE_ONCE(stream->pollin, true);
		wake_up(&stream->wait);
	}
	hrtimer_forward_now(timer, ns_to_ktime(SIM_XE_LOOK_NS));
	return HRTIMER_RESTART;
}

/* An OAM report may wrap around the end of the buffer. */
static int stream_copy(struct sim_xe_stream *stream, char __user *to, u32 head)
{
	u32 size = stream->format->size;
	u32 first = min(size, stream->circle - head);

	if (copy_to_user(to, stream->memory + head, first) ||
	    copy_to_user(to + first, stream->memory, size - first))
		return -EFAULT;
	memset(stream->memory + head, 0, first);
	memset(stream->memory, 0, size - first);
	return 0;
}

static int stream_read_reports(struct sim_xe_stream *stream, char __user *to, size_t room,
			       size_t *done)
{
	u32 size = stream->format->size, head, tail;
	int ret = 0;

	spin_lock_irq(&stream->pointers);
	head = stream->head;
	tail = stream->tail;
	spin_unlock_irq(&stream->pointers);

	for (; head != tail && !ret; head = ret ? head : stream_ahead(stream, head, size)) {
		if (room - *done < size)
			ret = -ENOSPC;
		else
			ret = stream_copy(stream, to + *done, head);
		if (!ret)
			*done += size;
	}
	if (!*done)
		return ret;

	spin_lock_irq(&stream->pointers);
	sim_mmio_write(sim_xe_stream_gpu(stream), stream->unit->registers->head,
		       (stream->address + head) & GEN12_OAPTR_ADDRESS);
	stream->head = head;
	spin_unlock_irq(&stream->pointers);
	return ret;
}

static int stream_read_once(struct sim_xe_stream *stream, char __user *to, size_t room,
			    size_t *done)
{
	u32 reg = stream->unit->registers->status, status;
	int ret = -EIO;

	mutex_lock(&stream->lock);
	status = sim_mmio_read(sim_xe_stream_gpu(stream), reg);
	sim_mmio_write(sim_xe_stream_gpu(stream), reg, status & ~SIM_XE_STATUS);
	stream->status = status;
	if (!(status & SIM_XE_STATUS))
		ret = stream_read_reports(stream, to, room, done);
	mutex_unlock(&stream->lock);

	return ret;
}

/**
 * sim_xe_stream_read() - Handle read() of a stream.
 * @file: file of the stream
 * @to: user buffer, filled with whole reports
 * @room: size of the user buffer, in bytes
 * @position: unused
 *
 * Return: number of bytes, or the same errno as xe
 */
ssize_t sim_xe_stream_read(struct file *file, char __user *to, size_t room, loff_t *position)
{
	struct sim_xe_stream *stream = file->private_data;
	size_t done = 0;
	int ret;

	if (!stream->sample)
		return -EINVAL;
	if (file->f_flags & O_NONBLOCK) {
		sim_xe_stream_look(stream);
		ret = stream_read_once(stream, to, room, &done);
	} else {
		do {
			/*
			 * Reject a blocking read of a stream without timer reports, because it
			 * could wait indefinitely.
			 */
			if (stream->exponent < 0)
				return -EINVAL;
			ret = wait_event_interruptible(stream->wait, sim_xe_stream_look(stream));
			if (ret)
				return ret;
			ret = stream_read_once(stream, to, room, &done);
		} while (!done && !ret);
	}
	if (ret != -ENOSPC && ret != -EIO)
		WRITE_ONCE(stream->pollin, false);

	return done ?: ret ?: -EAGAIN;
}

/**
 * sim_xe_stream_poll() - Handle poll() of a stream.
 * @file: file of the stream
 * @table: poll table of the caller
 *
 * Return: EPOLLIN or 0
 */
__poll_t sim_xe_stream_poll(struct file *file, poll_table *table)
{
	struct sim_xe_stream *stream = file->private_data;

	poll_wait(file, &stream->wait, table);

	return READ_ONCE(stream->pollin) ? EPOLLIN : 0;
}
