// SPDX-License-Identifier: GPL-2.0-only
/*
 * gpuoa_stream_fd.c - unprivileged stream fd: a stream for one context (GPUOA_IOC_OPEN_STREAM).
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

#include "gpuoa_pmu.h"
#include "gpuoa_pmu_lifetime.h"
#include "gpuoa_stream_fd.h"
#include "oa/gpuoa_oa.h"
#include "stream/gpuoa_attr.h"
#include "stream/gpuoa_perf_hacks.h"
#include "stream/gpuoa_program.h"
#include "stream/gpuoa_raw.h"
#include "stream/gpuoa_stream.h"
#include "unit/gpuoa_limits.h"
#include "unit/gpuoa_unit.h"

/**
 * DOC: Stream fds
 *
 * perf rejects per-CPU events of users without CAP_PERFMON, because it cannot know that some
 * streams show only the user's own work. Such a user can open a stream fd instead. It uses a kernel
 * event (perf_event_create_kernel_counter()), which shares the unit, migrates between CPUs and is
 * hung up like all other events. Its samples are written to the queue of the file.
 *
 * The user's permission and attributes are checked before the event is created. perf requires
 * CAP_PERFMON of the task that creates a per-CPU event, so a kernel worker creates it.
 */

/* Minimum size of the queue, for several samples of maximum size */
#define STREAM_FD_QUEUE_MIN SZ_128K
/* Maximum default size of the queue; larger sizes must be requested */
#define STREAM_FD_QUEUE_DEFAULT_MAX SZ_512K

/**
 * struct gpuoa_stream_fd - stream fd
 * @event: kernel event of the stream
 * @ours: private data of @event, until the event takes it over
 * @lock: protects the reading side of @queue, @bounce, and @enabled
 * @enabled: the user has enabled the stream
 * @queue: samples with the layout of PERF_SAMPLE_RAW, written in order by the event's CPU
 * @memory: memory of the queue
 * @charge: memory charged to the user: the queue, @bounce and the OABUFFER
 * @bounce: buffer for one sample during read()
 * @dropped: number of samples dropped because the queue was full
 * @wake: wakes readers; needed because samples are written under scheduler locks
 */
struct gpuoa_stream_fd {
	struct perf_event *event;
	struct gpuoa_event *ours;
	struct mutex lock; /* readers of queue; bounce; enabled */
	bool enabled;
	struct kfifo queue;
	void *memory;
	struct gpuoa_charge charge;
	void *bounce;
	atomic64_t dropped;
	struct irq_work wake;
};

/* Start of a sample: u32 size, struct gpuoa_raw */
struct stream_fd_head {
	u32 size;
	struct gpuoa_raw raw;
};

static_assert(sizeof(struct stream_fd_head) == 16);
static_assert(GPUOA_STREAM_READ_MIN == GPUOA_RAW_SAMPLE_SIZE);
static_assert(STREAM_FD_QUEUE_MIN >= 2 * GPUOA_RAW_SAMPLE_SIZE);

/*
 * Implement &perf_event.overflow_handler. Called with &gpuoa_stream.lock held and interrupts
 * disabled.
 */
static void stream_fd_sample(struct perf_event *event, struct perf_sample_data *data,
			     struct pt_regs *regs)
{
	struct gpuoa_stream_fd *stream_fd = event->overflow_handler_context;
	const struct gpuoa_iovec *iovec = gpuoa_perf_iovec(data);
	/*
	 * Replace the first bytes of the sample, which perf overwrote with a description of the
	 * interrupted task.
	 */
	const struct stream_fd_head head = {
		.size = iovec->size,
		.raw.magic = GPUOA_RAW_MAGIC,
	};
	u32 skip = sizeof(head.raw), i;

	if (kfifo_avail(&stream_fd->queue) < sizeof(head) - skip + iovec->size) {
		atomic64_inc(&stream_fd->dropped);
		return;
	}
	kfifo_in(&stream_fd->queue, (const u8 *)&head, sizeof(head));
	for (i = 0; i < iovec->count; i++, skip = 0)
		kfifo_in(&stream_fd->queue, (const u8 *)iovec->list[i].data + skip,
			 iovec->list[i].size - skip);
	irq_work_queue(&stream_fd->wake);
}

/* The lifetime of the PMU also wakes &event->waitq when it hangs up the event. */
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

/* Get the size of the next sample if it is completely in the queue, else 0. */
static u32 stream_fd_next(struct gpuoa_stream_fd *stream_fd)
{
	u32 size;

	lockdep_assert_held(&stream_fd->lock);

	if (kfifo_out_peek(&stream_fd->queue, (u8 *)&size, sizeof(size)) < sizeof(size))
		return 0;
	size += sizeof(size);

	return kfifo_len(&stream_fd->queue) < size ? 0 : size;
}

/*
 * Copy complete samples to the user. Returns the number of copied bytes, or -EFAULT. A sample that
 * cannot be copied is lost.
 */
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
 * Release the event instead of disabling it, because CPU hotplug may enable a disabled event. No
 * sample arrives after the release, but a queued irq_work still accesses the event, so hold a
 * reference.
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
 * gpuoa_stream_fd_has() - Check whether an event belongs to a stream fd.
 * @event: event
 *
 * Return: true if it does
 */
bool gpuoa_stream_fd_has(const struct perf_event *event)
{
	return event->overflow_handler == stream_fd_sample;
}

/**
 * gpuoa_stream_fd_claim() - Take over the private data of a stream fd's event.
 * @event: event
 *
 * Return: private data of the event, released by its destroy()
 */
struct gpuoa_event *gpuoa_stream_fd_claim(const struct perf_event *event)
{
	struct gpuoa_stream_fd *stream_fd = event->overflow_handler_context;
	struct gpuoa_event *ours = stream_fd->ours;

	stream_fd->ours = NULL;

	return ours;
}

/**
 * struct stream_fd_creation - creation of a kernel event
 * @work: creates the event
 * @pmu: PMU, with a reference
 * @stream_fd: stream fd
 * @event: event or ERR_PTR, output
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
 * A requested buffer size also sets the size of the queue. The OABUFFER is charged to each stream
 * that shares it, because the one that opened it may be closed first. It is not charged if the
 * GPU's driver owns it.
 */
static int stream_fd_init_queue(struct gpuoa_stream_fd *stream_fd, u32 requested)
{
	struct gpuoa_stream *stream = stream_fd->ours->stream;
	u32 buffer = stream->request.buffer_size;
	u32 max = requested ? GPUOA_BUFFER_COMMON_MAX : STREAM_FD_QUEUE_DEFAULT_MAX;
	u32 size = clamp_t(u32, buffer, STREAM_FD_QUEUE_MIN, max);
	u64 charged = (u64)size + GPUOA_RAW_SAMPLE_SIZE;
	int ret;

	if (!stream->unit->ops->buffer_get)
		charged += buffer;
	ret = gpuoa_charge(&stream_fd->charge, stream->unit, GPUOA_CHARGE_STREAM, PFN_UP(charged));
	if (ret)
		return ret;

	stream_fd->bounce = kvmalloc(GPUOA_RAW_SAMPLE_SIZE, GFP_KERNEL_ACCOUNT);
	stream_fd->memory = __vmalloc(size, GFP_KERNEL_ACCOUNT | __GFP_ZERO);
	if (!stream_fd->bounce || !stream_fd->memory)
		return -ENOMEM;

	return kfifo_init(&stream_fd->queue, stream_fd->memory, size);
}

/* Acquire the unit and create the event. The caller holds a reference to @pmu. */
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

	stream_fd->ours = gpuoa_event_new(pmu, attr, &timing, NULL);
	if (IS_ERR(stream_fd->ours)) {
		ret = PTR_ERR(stream_fd->ours);
		goto err_free;
	}
	ret = stream_fd_init_queue(stream_fd, attr->buffer_size);
	if (!ret)
		ret = stream_fd_init_event(stream_fd, pmu);
	if (!ret)
		return stream_fd;

	/* If perf failed after it had created the event, event_destroy() has freed the data. */
	if (stream_fd->ours)
		gpuoa_event_free(stream_fd->ours);
err_free:
	stream_fd_free(stream_fd);

	return ERR_PTR(ret);
}

/* Check the user's permission for this stream. */
static int stream_fd_check_user(const struct gpuoa_unit *unit, const struct gpuoa_attr *attr)
{
	if (gpuoa_may_observe())
		return 0;
	if (!gpuoa_may_observe_own())
		return gpuoa_reject(&unit->dev, -EACCES,
				    "dev.gpuoa.paranoid: streams need CAP_PERFMON");
	if (!(attr->flags & GPUOA_ATTR_QUERY_ONLY) && !unit->oa->isolates_contexts)
		return gpuoa_reject(&unit->dev, -EACCES,
				    "batches could read counters of other contexts");

	return 0;
}

static int stream_fd_check(const struct gpuoa_unit *unit, const struct gpuoa_attr *attr)
{
	if (!(attr->flags & GPUOA_ATTR_CONTEXT) || attr->flags & GPUOA_ATTR_CONTEXT_HW_ID)
		return gpuoa_reject(&unit->dev, -EINVAL, "a stream is for a context of a DRM file");
	if (attr->flags & GPUOA_ATTR_AUX || attr->counter)
		return gpuoa_reject(&unit->dev, -EINVAL, "a stream has samples");
	if (!unit->oa->filters_contexts)
		return gpuoa_reject(&unit->dev, -EOPNOTSUPP, "the unit does not filter contexts");

	return stream_fd_check_user(unit, attr);
}

/* Take a reference to the PMU, to be released by gpuoa_lifetime_put(). */
static int stream_fd_get_pmu(struct gpuoa_unit *unit)
{
	int ret = gpuoa_unit_enter(unit);

	if (ret)
		return ret;
	gpuoa_lifetime_get(unit->pmu);
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
 * gpuoa_stream_fd_open() - Implement GPUOA_IOC_OPEN_STREAM.
 * @unit: OA unit
 * @user: user pointer to struct gpuoa_attr
 *
 * Context: may sleep
 * Return: a file descriptor, or a negative errno as documented in uapi/gpuoa.h
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
		ret = stream_fd_get_pmu(unit);
	if (ret)
		return ret;

	stream_fd = stream_fd_new(unit->pmu, &attr);
	gpuoa_lifetime_put(unit->pmu);
	if (IS_ERR(stream_fd))
		return PTR_ERR(stream_fd);
	ret = stream_fd_install(stream_fd);
	if (ret < 0)
		stream_fd_close(stream_fd);

	return ret;
}
