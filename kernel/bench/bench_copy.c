// SPDX-License-Identifier: GPL-2.0-only
/*
 * bench_copy.c - read() of reports as in i915: each report is checked, copied to user space with a
 * header, and cleared.
 *
 * The poll timer, the tail check and the steps per report follow drivers/gpu/drm/i915/i915_perf.c
 * of Linux 6.12, for a stream without context filter on gen8 and later.
 */
#include <linux/bitfield.h>
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/hrtimer.h>
#include <linux/mutex.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>
#include <linux/wait.h>

#include <gpuoa_compat.h>
#include <gpuoa_regs.h>

#include "bench.h"

#define COPY_SIZE SZ_16M
#define COPY_POLL_NS (5 * NSEC_PER_MSEC)
#define COPY_INVALID_CONTEXT U32_MAX
#define COPY_CONTEXT_SWITCH BIT(3)

/* Header of each report, as struct drm_i915_perf_record_header */
struct copy_header {
	u32 type;
	u16 pad;
	u16 size;
};

#define COPY_SAMPLE 1

/**
 * struct copy_stream - an open file
 * @unit: the unit
 * @lock: serializes readers
 * @pointers: protects @head and @tail
 * @head: offset of the next report to read
 * @tail: offset of the end of the last report that has landed
 * @last_context: context of the last report
 * @single: context filter of i915, always NULL here
 * @timer: poll timer
 * @wait: wait queue for reports
 * @ticks: number of expirations of @timer
 * @tick: wait queue for the next expiration
 */
struct copy_stream {
	struct bench_unit *unit;
	struct mutex lock; /* see above */
	spinlock_t pointers; /* head, tail */
	u32 head;
	u32 tail;
	u32 last_context;
	const void *single;
	struct hrtimer timer;
	wait_queue_head_t wait;
	u32 ticks;
	wait_queue_head_t tick;
};

static u32 copy_exponent = 9;

static u32 copy_taken(u32 tail, u32 head)
{
	return (tail - head) & (COPY_SIZE - 1);
}

static u32 *copy_report(const struct copy_stream *stream, u32 offset)
{
	return (u32 *)(stream->unit->memory + offset);
}

/* Update the tail. Returns true if there are reports to read. */
static bool copy_check(struct copy_stream *stream)
{
	unsigned long flags;
	const u32 *report;
	u32 hw_tail, tail;
	bool any;

	spin_lock_irqsave(&stream->pointers, flags);
	bench_cost_looked();
	/* Pairs with the release in bench_unit_advance(). */
	hw_tail = smp_load_acquire(&stream->unit->tail);
	hw_tail -= copy_taken(hw_tail, stream->tail) % BENCH_REPORT_SIZE;
	for (tail = hw_tail; copy_taken(tail, stream->tail) >= BENCH_REPORT_SIZE;
	     tail = (tail - BENCH_REPORT_SIZE) & (COPY_SIZE - 1)) {
		report = copy_report(stream, tail);
		if (report[0] || report[1])
			break;
	}
	stream->tail = tail;
	any = copy_taken(stream->tail, stream->head) >= BENCH_REPORT_SIZE;
	spin_unlock_irqrestore(&stream->pointers, flags);

	return any;
}

static enum hrtimer_restart copy_timer(struct hrtimer *timer)
{
	struct copy_stream *stream = container_of(timer, struct copy_stream, timer);

	if (copy_check(stream))
		wake_up(&stream->wait);
	stream->ticks++;
	/* A reader that is not yet on the wait queue finds the new count before it sleeps. */
	if (waitqueue_active(&stream->tick))
		wake_up(&stream->tick);
	hrtimer_forward_now(timer, ns_to_ktime(COPY_POLL_NS));

	return HRTIMER_RESTART;
}

static int copy_sample(const struct copy_stream *stream, char __user *buffer, size_t count,
		       size_t *done, const u32 *report)
{
	const struct copy_header header = {
		.type = COPY_SAMPLE,
		.size = sizeof(header) + BENCH_REPORT_SIZE,
	};
	const u8 *end = stream->unit->memory + COPY_SIZE;

	if (count - *done < header.size)
		return -ENOSPC;
	buffer += *done;
	if (copy_to_user(buffer, &header, sizeof(header)))
		return -EFAULT;
	/* A report of this size never wraps around the end of the buffer, but i915 checks it. */
	if (end - (const u8 *)report < BENCH_REPORT_SIZE)
		return -EIO;
	if (copy_to_user(buffer + sizeof(header), report, BENCH_REPORT_SIZE))
		return -EFAULT;
	*done += header.size;

	return 0;
}

/* Check context and reason of a report as i915 does, then copy and clear it. */
static int copy_one(struct copy_stream *stream, char __user *buffer, size_t count, size_t *done,
		    u32 *report)
{
	u32 reason = FIELD_GET(REPORT_ID_REASON, report[0]);
	u32 context = report[2];
	int ret = 0;

	if (!(report[0] & REPORT_ID_CONTEXT_VALID)) {
		context = COPY_INVALID_CONTEXT;
		report[2] = context;
	}
	if (!stream->single || reason & COPY_CONTEXT_SWITCH) {
		ret = copy_sample(stream, buffer, count, done, report);
		if (ret)
			return ret;
		stream->last_context = context;
	}
	report[0] = 0;
	report[1] = 0;

	return ret;
}

static int copy_all(struct copy_stream *stream, char __user *buffer, size_t count, size_t *done)
{
	unsigned long flags;
	u32 head, tail;
	int ret = 0;

	if (READ_ONCE(stream->unit->full))
		return -EIO;

	spin_lock_irqsave(&stream->pointers, flags);
	head = stream->head;
	tail = stream->tail;
	spin_unlock_irqrestore(&stream->pointers, flags);

	while (!ret && copy_taken(tail, head)) {
		ret = copy_one(stream, buffer, count, done, copy_report(stream, head));
		if (!ret)
			head = (head + BENCH_REPORT_SIZE) & (COPY_SIZE - 1);
	}

	spin_lock_irqsave(&stream->pointers, flags);
	stream->head = head;
	/* Pairs with the acquire in bench_unit_advance(). */
	smp_store_release(&stream->unit->head, head);
	spin_unlock_irqrestore(&stream->pointers, flags);

	return ret;
}

/* read() of 0 bytes waits for the next timer expiration, to measure the cost of a wakeup alone. */
static ssize_t copy_nothing(struct copy_stream *stream)
{
	u32 before = READ_ONCE(stream->ticks);

	return wait_event_interruptible(stream->tick, READ_ONCE(stream->ticks) != before);
}

static ssize_t copy_read(struct file *file, char __user *buffer, size_t count, loff_t *position)
{
	struct copy_stream *stream = file->private_data;
	size_t done = 0;
	int ret;

	if (!count)
		return copy_nothing(stream);
	do {
		ret = wait_event_interruptible(stream->wait, copy_check(stream));
		if (ret)
			break;
		mutex_lock(&stream->lock);
		ret = copy_all(stream, buffer, count, &done);
		mutex_unlock(&stream->lock);
	} while (!ret && !done);

	return done ?: ret;
}

/* Called on the unit's CPU with interrupts off. */
static void copy_start(void *data)
{
	struct copy_stream *stream = data;

	bench_unit_start();
	hrtimer_start(&stream->timer, ns_to_ktime(COPY_POLL_NS), HRTIMER_MODE_REL_PINNED);
}

static void copy_stop(void *data)
{
	bench_unit_stop();
}

static int copy_alloc(struct copy_stream *stream)
{
	struct bench_unit *unit = stream->unit;

	unit->memory = vzalloc(COPY_SIZE);
	if (!unit->memory)
		return -ENOMEM;
	unit->size = COPY_SIZE;
	unit->exponent = copy_exponent;
	unit->head = 0;
	unit->tail = 0;

	return 0;
}

static struct copy_stream *copy_new(void)
{
	struct copy_stream *stream = kzalloc(sizeof(*stream), GFP_KERNEL);

	if (!stream)
		return NULL;
	stream->unit = &bench_unit;
	mutex_init(&stream->lock);
	spin_lock_init(&stream->pointers);
	init_waitqueue_head(&stream->wait);
	init_waitqueue_head(&stream->tick);
	hrtimer_setup(&stream->timer, copy_timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED);

	return stream;
}

/* The unit runs on the last CPU, which gpuoa.ko also chooses by default. */
static int copy_open(struct inode *inode, struct file *file)
{
	struct copy_stream *stream = copy_new();
	int ret;

	if (!stream)
		return -ENOMEM;
	ret = bench_unit_take();
	if (ret)
		goto err_free;
	ret = copy_alloc(stream);
	if (ret)
		goto err_release;
	ret = smp_call_function_single(cpumask_last(cpu_online_mask), copy_start, stream, true);
	if (ret)
		goto err_memory;
	file->private_data = stream;

	return 0;

err_memory:
	vfree(stream->unit->memory);
err_release:
	bench_unit_release();
err_free:
	kfree(stream);

	return ret;
}

static int copy_release(struct inode *inode, struct file *file)
{
	struct copy_stream *stream = file->private_data;

	hrtimer_cancel(&stream->timer);
	smp_call_function_single(stream->unit->cpu, copy_stop, NULL, true);
	vfree(stream->unit->memory);
	bench_unit_release();
	kfree(stream);

	return 0;
}

static const struct file_operations copy_fops = {
	.owner = THIS_MODULE,
	.open = copy_open,
	.read = copy_read,
	.release = copy_release,
};

/*
 * debugfs_create_file_unsafe() avoids debugfs's overhead per read(), which i915 does not have. Open
 * files pin the module, so removal is safe.
 */
void bench_copy_init(struct dentry *dir)
{
	debugfs_create_u32("exponent", 0644, dir, &copy_exponent);
	debugfs_create_file_unsafe("copy", 0400, dir, NULL, &copy_fops);
}
