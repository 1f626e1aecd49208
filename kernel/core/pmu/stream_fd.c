// SPDX-License-Identifier: GPL-2.0-only
/*
 * stream_fd.c - a stream for one context as a file of its own: GPUOA_IOC_OPEN_STREAM.
 */
#include <linux/anon_inodes.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/irq_work.h>
#include <linux/kfifo.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <linux/pfn.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>

#include <gpuoa_compat.h>

#include "event.h"
#include "life.h"
#include "oa/oa.h"
#include "pmu.h"
#include "stream/attr.h"
#include "stream/buffer.h"
#include "stream/perf_hacks.h"
#include "stream/sink_raw.h"
#include "stream/stream.h"
#include "stream_fd.h"
#include "unit/arg.h"
#include "unit/limits.h"
#include "unit/refuse.h"
#include "unit/unit.h"

/**
 * DOC: Streams as files
 *
 * Core refuses events of a CPU to users without CAP_PERFMON, for it can't know that some of ours
 * show nothing but the user's own work. Such a user gets a file. Behind it is an event of the
 * kernel (perf_event_create_kernel_counter()), which shares the unit, moves to other CPUs and is
 * hung up as all others are; only that its samples go to the file's queue.
 *
 * What the user may and what he asks for is checked on his behalf, before there is an event. Core
 * asks whoever creates an event of a CPU for CAP_PERFMON: so a worker does that.
 */

/* The shortest queue: room for some samples of the longest kind */
#define STREAM_FD_QUEUE_MIN SZ_128K
/* The longest one unless the user asks for a size */
#define STREAM_FD_QUEUE_DEFAULT_MAX SZ_512K

/**
 * struct gpuoa_stream_fd - a stream as a file
 * @event: the event behind it
 * @ours: what the event will be to us, until it is
 * @lock: protects the reading end of @queue, @bounce, and @enabled
 * @enabled: the user has enabled the stream
 * @queue: samples, each as PERF_SAMPLE_RAW lays it out; written in the event's order by its CPU
 * @memory: of the queue
 * @charge: what the user pays for: the queue, @bounce and the OABUFFER
 * @bounce: one sample on its way to the user
 * @dropped: number of samples for which there was no room
 * @wake: wakes readers: samples come below locks of the scheduler
 */
struct gpuoa_stream_fd {
	struct perf_event *event;
	struct gpuoa_event *ours;
	struct mutex lock; /* reading end of queue, bounce, enabled */
	bool enabled;
	struct kfifo queue;
	void *memory;
	struct gpuoa_charge charge;
	void *bounce;
	atomic64_t dropped;
	struct irq_work wake;
};

/* The begin of a sample: u32 size, struct gpuoa_raw */
struct stream_fd_head {
	u32 size;
	struct gpuoa_raw raw;
};

static_assert(sizeof(struct stream_fd_head) == 16);
static_assert(GPUOA_STREAM_READ_MIN == GPUOA_RAW_SAMPLE_SIZE);
static_assert(STREAM_FD_QUEUE_MIN >= 2 * GPUOA_RAW_SAMPLE_SIZE);

/* &perf_event.overflow_handler: called with &gpuoa_stream.lock held, interrupts off */
static void stream_fd_sample(struct perf_event *event, struct perf_sample_data *data,
			     struct pt_regs *regs)
{
	struct gpuoa_stream_fd *stream_fd = event->overflow_handler_context;
	const struct gpuoa_pieces *pieces = gpuoa_perf_pieces(data);
	/* Core has noted the task that was interrupted in the record's first bytes. */
	const struct stream_fd_head head = {
		.size = pieces->size,
		.raw.magic = GPUOA_RAW_MAGIC,
	};
	u32 skip = sizeof(head.raw), i;

	if (kfifo_avail(&stream_fd->queue) < sizeof(head) - skip + pieces->size) {
		atomic64_inc(&stream_fd->dropped);
		return;
	}
	kfifo_in(&stream_fd->queue, (const u8 *)&head, sizeof(head));
	for (i = 0; i < pieces->count; i++, skip = 0)
		kfifo_in(&stream_fd->queue, (const u8 *)pieces->list[i].data + skip,
			 pieces->list[i].size - skip);
	irq_work_queue(&stream_fd->wake);
}

/* &event->waitq is also what life.c wakes when it hangs the event up. */
static void stream_fd_wake(struct irq_work *wake)
{
	struct gpuoa_stream_fd *stream_fd = container_of(wake, struct gpuoa_stream_fd, wake);

	wake_up_all(&stream_fd->event->waitq);
}

static bool stream_fd_gone(const struct gpuoa_stream_fd *stream_fd)
{
	return READ_ONCE(stream_fd->event->state) == PERF_EVENT_STATE_EXIT;
}

static bool stream_fd_ready(struct gpuoa_stream_fd *stream_fd)
{
	return !kfifo_is_empty(&stream_fd->queue) || stream_fd_gone(stream_fd);
}

/* Size of the next sample if all of it is in the queue; else 0 */
static u32 stream_fd_next(struct gpuoa_stream_fd *stream_fd)
{
	u32 size;

	lockdep_assert_held(&stream_fd->lock);

	if (kfifo_out_peek(&stream_fd->queue, (u8 *)&size, sizeof(size)) < sizeof(size))
		return 0;
	size += sizeof(size);

	return kfifo_len(&stream_fd->queue) < size ? 0 : size;
}

/* Returns what it copied, or -EFAULT: then what could not be copied is lost. */
static ssize_t stream_fd_take(struct gpuoa_stream_fd *stream_fd, char __user *to, size_t room)
{
	ssize_t taken = 0;
	u32 size;

	lockdep_assert_held(&stream_fd->lock);

	while ((size = stream_fd_next(stream_fd)) && size <= room - taken) {
		if (kfifo_out(&stream_fd->queue, stream_fd->bounce, size) != size)
			break;
		if (copy_to_user(to + taken, stream_fd->bounce, size)) {
			atomic64_inc(&stream_fd->dropped);
			return taken ?: -EFAULT;
		}
		taken += size;
	}

	return taken;
}

static ssize_t stream_fd_read(struct file *file, char __user *to, size_t room, loff_t *pos)
{
	struct gpuoa_stream_fd *stream_fd = file->private_data;
	ssize_t ret;
	bool gone;

	if (room < GPUOA_STREAM_READ_MIN)
		return -EINVAL;

	for (;;) {
		gone = stream_fd_gone(stream_fd);
		ret = mutex_lock_interruptible(&stream_fd->lock);
		if (ret)
			return ret;
		ret = stream_fd_take(stream_fd, to, room);
		mutex_unlock(&stream_fd->lock);
		if (ret || gone)
			return ret;
		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		ret = wait_event_interruptible(stream_fd->event->waitq, stream_fd_ready(stream_fd));
		if (ret)
			return ret;
	}
}

static __poll_t stream_fd_poll(struct file *file, poll_table *wait)
{
	struct gpuoa_stream_fd *stream_fd = file->private_data;
	__poll_t events = 0;

	poll_wait(file, &stream_fd->event->waitq, wait);
	if (!kfifo_is_empty(&stream_fd->queue))
		events |= EPOLLIN | EPOLLRDNORM;
	if (stream_fd_gone(stream_fd))
		events |= EPOLLHUP;

	return events;
}

static int stream_fd_enable(struct gpuoa_stream_fd *stream_fd, bool enable)
{
	int ret;

	ret = mutex_lock_interruptible(&stream_fd->lock);
	if (ret)
		return ret;
	if (enable)
		perf_event_enable(stream_fd->event);
	else
		perf_event_disable(stream_fd->event);
	stream_fd->enabled = enable;
	mutex_unlock(&stream_fd->lock);

	return stream_fd_gone(stream_fd) ? -ENODEV : 0;
}

static int stream_fd_status(struct gpuoa_stream_fd *stream_fd, void __user *arg, size_t size)
{
	struct gpuoa_stream_status status = {
		.queued = kfifo_len(&stream_fd->queue),
		.dropped = atomic64_read(&stream_fd->dropped),
	};
	u64 enabled, running;

	status.reports = perf_event_read_value(stream_fd->event, &enabled, &running);
	if (stream_fd_gone(stream_fd))
		status.flags |= GPUOA_STREAM_GONE;
	else if (READ_ONCE(stream_fd->enabled))
		status.flags |= GPUOA_STREAM_ENABLED;

	return gpuoa_arg_out(arg, size, &status, sizeof(status));
}

static long stream_fd_ioctl(struct file *file, unsigned int cmd, unsigned long data)
{
	struct gpuoa_stream_fd *stream_fd = file->private_data;

	if (cmd == GPUOA_STREAM_IOC_ENABLE)
		return stream_fd_enable(stream_fd, true);
	if (cmd == GPUOA_STREAM_IOC_DISABLE)
		return stream_fd_enable(stream_fd, false);
	if (GPUOA_IOC_FORM(cmd) != GPUOA_IOC_FORM(GPUOA_STREAM_IOC_STATUS))
		return -ENOTTY;
	if (_IOC_SIZE(cmd) < sizeof(struct gpuoa_stream_status))
		return -EINVAL;

	return stream_fd_status(stream_fd, (void __user *)data, _IOC_SIZE(cmd));
}

static void stream_fd_free(struct gpuoa_stream_fd *stream_fd)
{
	kvfree(stream_fd->bounce);
	vfree(stream_fd->memory);
	if (stream_fd->charge.user)
		gpuoa_uncharge(&stream_fd->charge);
	kfree(stream_fd);
}

/*
 * CPU hotplug may enable an event that is merely disabled. Once it is released no sample comes any
 * more, but the irq_work that is queued needs it: hence the reference.
 */
static void stream_fd_close(struct gpuoa_stream_fd *stream_fd)
{
	struct perf_event *event = stream_fd->event;

	gpuoa_perf_event_get(event);
	perf_event_release_kernel(event);
	irq_work_sync(&stream_fd->wake);
	gpuoa_perf_event_put(event);
	stream_fd_free(stream_fd);
}

static int stream_fd_release(struct inode *inode, struct file *file)
{
	stream_fd_close(file->private_data);

	return 0;
}

static const struct file_operations stream_fd_fops = {
	.owner = THIS_MODULE,
	.release = stream_fd_release,
	.read = stream_fd_read,
	.poll = stream_fd_poll,
	.unlocked_ioctl = stream_fd_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

/**
 * gpuoa_stream_fd_has - is an event that of a stream's file?
 * @event: the event
 *
 * Return: true if it is
 */
bool gpuoa_stream_fd_has(const struct perf_event *event)
{
	return event->overflow_handler == stream_fd_sample;
}

/**
 * gpuoa_stream_fd_claim - take over what a stream's file has acquired for its event
 * @event: the event
 *
 * Return: what the event is to us; its destroy() lets go of it
 */
struct gpuoa_event *gpuoa_stream_fd_claim(const struct perf_event *event)
{
	struct gpuoa_stream_fd *stream_fd = event->overflow_handler_context;
	struct gpuoa_event *ours = stream_fd->ours;

	stream_fd->ours = NULL;

	return ours;
}

/**
 * struct stream_fd_creation - an event is created
 * @work: does that
 * @pmu: its PMU, kept
 * @stream_fd: what it is for
 * @event: out: the event, or an ERR_PTR
 */
struct stream_fd_creation {
	struct work_struct work;
	struct gpuoa_pmu *pmu;
	struct gpuoa_stream_fd *stream_fd;
	struct perf_event *event;
};

static void stream_fd_create_event(struct work_struct *work)
{
	struct stream_fd_creation *creation = container_of(work, struct stream_fd_creation, work);
	struct gpuoa_pmu *pmu = creation->pmu;
	struct perf_event_attr attr = {
		.type = pmu->pmu.type,
		.size = sizeof(attr),
		.sample_period = 1,
		.sample_type = PERF_SAMPLE_RAW,
		.disabled = 1,
		.pinned = 1,
	};

	creation->event = perf_event_create_kernel_counter(&attr, READ_ONCE(pmu->cpu), NULL,
							   stream_fd_sample, creation->stream_fd);
}

static int stream_fd_init_event(struct gpuoa_stream_fd *stream_fd, struct gpuoa_pmu *pmu)
{
	struct stream_fd_creation creation = { .pmu = pmu, .stream_fd = stream_fd };

	INIT_WORK_ONSTACK(&creation.work, stream_fd_create_event);
	queue_work(GPUOA_UNBOUND_WQ, &creation.work);
	flush_work(&creation.work);
	destroy_work_on_stack(&creation.work);
	stream_fd->event = creation.event;

	return PTR_ERR_OR_ZERO(creation.event);
}

/*
 * The size that the user asks for is also that of the queue. The OABUFFER is charged to each stream
 * that shares it, because the one that opened it may be closed first; not if it is the memory of
 * the GPU's own driver.
 */
static int stream_fd_init_queue(struct gpuoa_stream_fd *stream_fd, u32 asked)
{
	struct gpuoa_stream *stream = stream_fd->ours->stream;
	u32 buffer = stream->request.buffer_size;
	u32 max = asked ? GPUOA_BUFFER_COMMON_MAX : STREAM_FD_QUEUE_DEFAULT_MAX;
	u32 size = clamp_t(u32, buffer, STREAM_FD_QUEUE_MIN, max);
	u64 charged = (u64)size + GPUOA_RAW_SAMPLE_SIZE;
	int ret;

	if (!stream->unit->ops->buffer_get)
		charged += buffer;
	ret = gpuoa_charge(&stream_fd->charge, stream->unit, PFN_UP(charged));
	if (ret)
		return ret;

	stream_fd->bounce = kvmalloc(GPUOA_RAW_SAMPLE_SIZE, GFP_KERNEL_ACCOUNT);
	stream_fd->memory = __vmalloc(size, GFP_KERNEL_ACCOUNT | __GFP_ZERO);
	if (!stream_fd->bounce || !stream_fd->memory)
		return -ENOMEM;

	return kfifo_init(&stream_fd->queue, stream_fd->memory, size);
}

/* Acquires the unit, then makes the event. @pmu is kept. */
static struct gpuoa_stream_fd *stream_fd_new(struct gpuoa_pmu *pmu, const struct gpuoa_attr *attr)
{
	const struct gpuoa_timing timing = {};
	struct gpuoa_stream_fd *stream_fd;
	int ret;

	stream_fd = kzalloc(sizeof(*stream_fd), GFP_KERNEL_ACCOUNT);
	if (!stream_fd)
		return ERR_PTR(-ENOMEM);
	mutex_init(&stream_fd->lock);
	init_irq_work(&stream_fd->wake, stream_fd_wake);

	stream_fd->ours = gpuoa_event_new(pmu, attr, &timing);
	if (IS_ERR(stream_fd->ours)) {
		ret = PTR_ERR(stream_fd->ours);
		goto err_free;
	}
	ret = stream_fd_init_queue(stream_fd, attr->buffer_size);
	if (!ret)
		ret = stream_fd_init_event(stream_fd, pmu);
	if (!ret)
		return stream_fd;

	/* If core failed after it had made the event, that was destroyed with all that it had. */
	if (stream_fd->ours)
		gpuoa_event_free(stream_fd->ours);
err_free:
	stream_fd_free(stream_fd);

	return ERR_PTR(ret);
}

/* May this user see what this stream shows? */
static int stream_fd_check_user(const struct gpuoa_unit *unit, const struct gpuoa_attr *attr)
{
	if (gpuoa_may_observe())
		return 0;
	if (!gpuoa_may_observe_own())
		return gpuoa_refuse(&unit->dev, -EACCES,
				    "dev.gpuoa.paranoid: streams need CAP_PERFMON");
	if (!(attr->flags & GPUOA_ATTR_NO_REPORTS) && !unit->oa->isolates_contexts)
		return gpuoa_refuse(&unit->dev, -EACCES,
				    "batches could read what the unit counts for others");

	return 0;
}

static int stream_fd_check(const struct gpuoa_unit *unit, const struct gpuoa_attr *attr)
{
	if (!(attr->flags & GPUOA_ATTR_CONTEXT) || attr->flags & GPUOA_ATTR_CONTEXT_HW_ID)
		return gpuoa_refuse(&unit->dev, -EINVAL, "a stream is for a context of a DRM file");
	if (attr->flags & GPUOA_ATTR_AUX || attr->counter)
		return gpuoa_refuse(&unit->dev, -EINVAL, "a stream has samples");
	if (!unit->oa->filters_contexts)
		return gpuoa_refuse(&unit->dev, -EOPNOTSUPP, "the unit does not filter contexts");

	return stream_fd_check_user(unit, attr);
}

/* Core does not let go of the PMU until gpuoa_life_put(). */
static int stream_fd_keep_pmu(struct gpuoa_unit *unit)
{
	int ret = gpuoa_unit_enter(unit);

	if (ret)
		return ret;
	gpuoa_life_get(unit->pmu);
	gpuoa_unit_leave(unit);

	return 0;
}

static int stream_fd_install(struct gpuoa_stream_fd *stream_fd)
{
	struct file *file;
	int fd;

	fd = get_unused_fd_flags(O_CLOEXEC);
	if (fd < 0)
		return fd;
	file = anon_inode_getfile("[gpuoa-stream]", &stream_fd_fops, stream_fd, O_RDONLY);
	if (IS_ERR(file)) {
		put_unused_fd(fd);
		return PTR_ERR(file);
	}
	fd_install(fd, file);

	return fd;
}

/**
 * gpuoa_stream_fd_open - GPUOA_IOC_OPEN_STREAM
 * @unit: the unit
 * @user: user pointer to struct gpuoa_attr
 *
 * Context: may sleep
 * Return: a file descriptor, or a negative errno as uapi/gpuoa.h documents
 */
int gpuoa_stream_fd_open(struct gpuoa_unit *unit, u64 user)
{
	struct gpuoa_stream_fd *stream_fd;
	struct gpuoa_attr attr;
	int ret;

	ret = gpuoa_attr_from_user(&unit->dev, user, &attr);
	if (!ret)
		ret = stream_fd_check(unit, &attr);
	if (!ret)
		ret = stream_fd_keep_pmu(unit);
	if (ret)
		return ret;

	stream_fd = stream_fd_new(unit->pmu, &attr);
	gpuoa_life_put(unit->pmu);
	if (IS_ERR(stream_fd))
		return PTR_ERR(stream_fd);
	ret = stream_fd_install(stream_fd);
	if (ret < 0)
		stream_fd_close(stream_fd);

	return ret;
}
