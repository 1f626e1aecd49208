// SPDX-License-Identifier: GPL-2.0-only
/*
 * oa_stream.c - a stream of an OA unit: its buffer, and its file.
 */
#include <drm/drm_drv.h>
#include <linux/anon_inodes.h>
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/hrtimer.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include <gen12_regs.h>
#include <gpuoa_compat.h>

#include "../instance.h"
#include "../model/power.h"
#include "metrics.h"
#include "oa_properties.h"
#include "oa_stream.h"
#include "oa_unit.h"
#include "paranoid.h"
#include "queue.h"
#include "sync.h"
#include "xe.h"

/**
 * DOC: Streams
 *
 * As in xe: a timer looks 200 times a second whether reports have landed, which it sees by their
 * ids and timestamps, so what was read is zeroed. The last report in the buffer is not handed out
 * before the next one has landed. Reports come without headers; whatever the status register says
 * makes read() fail once, with EIO, and DRM_XE_OBSERVATION_IOCTL_STATUS tell.
 */
#define LOOK_NS (5 * NSEC_PER_MSEC)
#define NOA_DELAY_US 500

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

static struct sim_gpu *stream_gpu(const struct sim_xe_stream *stream)
{
	return &stream->xe->instance->gpu;
}

/* ---- what has landed ------------------------------------------------------------------------ */

static u32 stream_ahead(const struct sim_xe_stream *stream, u32 from, u32 by)
{
	return from + by >= stream->circle ? from + by - stream->circle : from + by;
}

static u32 stream_distance(const struct sim_xe_stream *stream, u32 from, u32 to)
{
	return to >= from ? to - from : to + stream->circle - from;
}

/* All formats of Xe2 have an id and a timestamp of 64 bits. */
static bool stream_landed(const struct sim_xe_stream *stream, u32 offset)
{
	const u64 *report = (const u64 *)(stream->memory + offset);

	return READ_ONCE(report[0]) || READ_ONCE(report[1]);
}

/* Are there reports to read? A GPU that is gone has its tail where no buffer is. */
static bool stream_look(struct sim_xe_stream *stream)
{
	u32 size = stream->format->size, tail, n;
	unsigned long flags;
	bool any;

	spin_lock_irqsave(&stream->pointers, flags);
	tail = sim_mmio_read(stream_gpu(stream), stream->unit->registers->tail);
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

static enum hrtimer_restart stream_timer(struct hrtimer *timer)
{
	struct sim_xe_stream *stream = container_of(timer, struct sim_xe_stream, timer);

	if (stream_look(stream)) {
		WRITE_ONCE(stream->pollin, true);
		wake_up(&stream->wait);
	}
	hrtimer_forward_now(timer, ns_to_ktime(LOOK_NS));
	return HRTIMER_RESTART;
}

/* ---- reading -------------------------------------------------------------------------------- */

/* A report of OAM may be continued at the start of the buffer. */
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
	sim_mmio_write(stream_gpu(stream), stream->unit->registers->head,
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
	status = sim_mmio_read(stream_gpu(stream), reg);
	sim_mmio_write(stream_gpu(stream), reg, status & ~SIM_XE_STATUS);
	stream->status = status;
	if (!(status & SIM_XE_STATUS))
		ret = stream_read_reports(stream, to, room, done);
	mutex_unlock(&stream->lock);

	return ret;
}

static ssize_t stream_read(struct file *file, char __user *to, size_t room, loff_t *position)
{
	struct sim_xe_stream *stream = file->private_data;
	size_t done = 0;
	int ret;

	if (!stream->sample)
		return -EINVAL;
	if (file->f_flags & O_NONBLOCK) {
		stream_look(stream);
		ret = stream_read_once(stream, to, room, &done);
	} else {
		do {
			/* Without a timer there may never be any. */
			if (stream->exponent < 0)
				return -EINVAL;
			ret = wait_event_interruptible(stream->wait, stream_look(stream));
			if (ret)
				return ret;
			ret = stream_read_once(stream, to, room, &done);
		} while (!done && !ret);
	}
	if (ret != -ENOSPC && ret != -EIO)
		WRITE_ONCE(stream->pollin, false);

	return done ?: ret ?: -EAGAIN;
}

static __poll_t stream_poll(struct file *file, poll_table *table)
{
	struct sim_xe_stream *stream = file->private_data;

	poll_wait(file, &stream->wait, table);

	return READ_ONCE(stream->pollin) ? EPOLLIN : 0;
}

/* ---- state ---------------------------------------------------------------------------------- */

static void stream_enable(struct sim_xe_stream *stream)
{
	if (stream->enabled)
		return;
	WRITE_ONCE(stream->pollin, false);
	spin_lock_irq(&stream->pointers);
	stream->head = 0;
	stream->tail = 0;
	spin_unlock_irq(&stream->pointers);
	memset(stream->memory, 0, SIM_XE_BUFFER_SIZE);
	sim_xe_unit_start(stream_gpu(stream), stream->unit->registers, stream->format,
			  stream->address);
	if (stream->sample)
		hrtimer_start(&stream->timer, ns_to_ktime(LOOK_NS), HRTIMER_MODE_REL_PINNED);
	stream->enabled = true;
}

/* What has landed can still be read. */
static void stream_disable(struct sim_xe_stream *stream)
{
	if (!stream->enabled)
		return;
	sim_xe_unit_stop(stream_gpu(stream), stream->unit->registers);
	hrtimer_cancel(&stream->timer);
	if (stream_look(stream))
		wake_up(&stream->wait);
	stream->enabled = false;
}

static void stream_program(struct sim_xe_stream *stream)
{
	sim_xe_unit_program(stream_gpu(stream), stream->metrics);
	fsleep(NOA_DELAY_US);
}

static int stream_read_syncs(const struct sim_xe_stream *stream, const struct sim_xe_open *open,
			     struct sim_xe_syncs *syncs)
{
	int ret = -ENOENT;

	*syncs = (struct sim_xe_syncs){};
	if (!open->n_syncs)
		return 0;
	mutex_lock(&stream->xe->oa_lock);
	if (stream->file)
		ret = sim_xe_open_syncs(open, stream->file, syncs);
	mutex_unlock(&stream->xe->oa_lock);

	return ret;
}

static long stream_change(struct sim_xe_stream *stream, u64 chain)
{
	struct sim_xe_open open = {};
	struct sim_xe_metrics *metrics;
	struct sim_xe_syncs syncs;
	u32 before = stream->metrics->id;
	int ret;

	ret = sim_xe_open_parse(&open, chain, true);
	if (ret)
		return ret;
	metrics = sim_xe_metrics_get(stream->xe, open.metric_set);
	if (!metrics)
		return -ENODEV;
	ret = stream_read_syncs(stream, &open, &syncs);
	if (!ret)
		ret = sim_xe_syncs_wait(&syncs);
	if (!ret) {
		swap(metrics, stream->metrics);
		stream_program(stream);
		sim_xe_syncs_done(&syncs);
	}
	sim_xe_syncs_free(&syncs);
	sim_xe_metrics_put(metrics);
	return ret ?: before;
}

static int stream_tell_status(const struct sim_xe_stream *stream, void __user *to)
{
	struct drm_xe_oa_stream_status status = {};

	if (stream->status & GEN12_OASTATUS_REPORT_LOST)
		status.oa_status |= DRM_XE_OASTATUS_REPORT_LOST;
	if (stream->status & GEN12_OASTATUS_BUFFER_OVERFLOW)
		status.oa_status |= DRM_XE_OASTATUS_BUFFER_OVERFLOW;
	if (stream->status & GEN12_OASTATUS_COUNTER_OVERFLOW)
		status.oa_status |= DRM_XE_OASTATUS_COUNTER_OVERFLOW;
	if (stream->status & GEN12_5_OASTATUS_MMIO_TRG_Q_FULL)
		status.oa_status |= DRM_XE_OASTATUS_MMIO_TRG_Q_FULL;

	return copy_to_user(to, &status, sizeof(status)) ? -EFAULT : 0;
}

static int stream_tell_info(void __user *to)
{
	const struct drm_xe_oa_stream_info info = { .oa_buf_size = SIM_XE_BUFFER_SIZE };

	return copy_to_user(to, &info, sizeof(info)) ? -EFAULT : 0;
}

static long stream_ioctl_locked(struct sim_xe_stream *stream, unsigned int command,
				unsigned long arg)
{
	switch (command) {
	case DRM_XE_OBSERVATION_IOCTL_ENABLE:
		stream_enable(stream);
		return 0;
	case DRM_XE_OBSERVATION_IOCTL_DISABLE:
		stream_disable(stream);
		return 0;
	case DRM_XE_OBSERVATION_IOCTL_CONFIG:
		return stream_change(stream, arg);
	case DRM_XE_OBSERVATION_IOCTL_STATUS:
		return stream_tell_status(stream, (void __user *)arg);
	case DRM_XE_OBSERVATION_IOCTL_INFO:
		return stream_tell_info((void __user *)arg);
	default:
		return -EINVAL;
	}
}

static long stream_ioctl(struct file *file, unsigned int command, unsigned long arg)
{
	struct sim_xe_stream *stream = file->private_data;
	long ret;

	mutex_lock(&stream->lock);
	ret = stream_ioctl_locked(stream, command, arg);
	mutex_unlock(&stream->lock);

	return ret;
}

/* All of the buffer, to look at, for who may see what all do */
static int stream_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct sim_xe_stream *stream = file->private_data;

	if (!sim_xe_may_observe())
		return -EACCES;
	if (vma->vm_end - vma->vm_start != SIM_XE_BUFFER_SIZE)
		return -EINVAL;
	if (vma->vm_flags & (VM_WRITE | VM_EXEC | VM_SHARED | VM_MAYSHARE))
		return -EINVAL;
	gpuoa_compat_vm_flags_mod(vma, VM_DONTCOPY, VM_MAYWRITE | VM_MAYEXEC);

	return remap_vmalloc_range(vma, stream->memory, 0);
}

/* ---- beginning and end ---------------------------------------------------------------------- */

static int stream_map(struct sim_xe_stream *stream)
{
	const unsigned int n = SIM_XE_BUFFER_SIZE >> PAGE_SHIFT;
	struct page **pages;
	unsigned int i;
	s64 address;

	stream->memory = vmalloc_user(SIM_XE_BUFFER_SIZE);
	pages = kvmalloc_array(n, sizeof(*pages), GFP_KERNEL);
	if (!stream->memory || !pages) {
		address = -ENOMEM;
	} else {
		for (i = 0; i < n; i++)
			pages[i] = vmalloc_to_page(stream->memory + ((size_t)i << PAGE_SHIFT));
		address = sim_ggtt_map(stream->xe->instance, pages, n);
	}
	kvfree(pages);
	if (address < 0) {
		vfree(stream->memory);
		return address;
	}
	stream->address = address;
	return 0;
}

/* Media engines have no counters of contexts. */
static void stream_context(const struct sim_xe_stream *stream, bool enable)
{
	if (stream->queue && stream->unit->type == DRM_XE_OA_UNIT_TYPE_OAG)
		sim_xe_unit_context(stream_gpu(stream), stream->format, enable);
}

static void stream_free(struct sim_xe_stream *stream)
{
	struct sim_gpu *gpu = stream_gpu(stream);

	stream_disable(stream);
	if (stream->queue) {
		stream_context(stream, false);
		sim_xe_queue_put(stream->queue);
	}
	sim_xe_unit_forget(gpu, stream->unit->registers);
	sim_gpu_put(gpu);
	sim_ggtt_unmap(stream->xe->instance, stream->address);
	vfree(stream->memory);
	sim_xe_metrics_put(stream->metrics);
	mutex_destroy(&stream->lock);
	kfree(stream);
}

static int stream_release(struct inode *inode, struct file *file)
{
	struct sim_xe_stream *stream = file->private_data;
	struct sim_xe *xe = stream->xe;

	mutex_lock(&xe->oa_lock);
	stream->unit->stream = NULL;
	stream_free(stream);
	mutex_unlock(&xe->oa_lock);
	drm_dev_put(&xe->drm);
	return 0;
}

static const struct file_operations stream_fops = {
	.owner = THIS_MODULE,
	.release = stream_release,
	.read = stream_read,
	.poll = stream_poll,
	.unlocked_ioctl = stream_ioctl,
	.mmap = stream_mmap,
};

static struct sim_xe_stream *stream_create(struct sim_xe *xe, const struct sim_xe_open *open,
					   struct drm_file *file)
{
	struct sim_xe_stream *stream = kzalloc(sizeof(*stream), GFP_KERNEL_ACCOUNT);
	int ret;

	if (!stream)
		return ERR_PTR(-ENOMEM);
	stream->xe = xe;
	stream->unit = open->unit;
	stream->format = open->format;
	stream->sample = open->sample;
	stream->exponent = open->exponent;
	stream->file = file;
	mutex_init(&stream->lock);
	spin_lock_init(&stream->pointers);
	init_waitqueue_head(&stream->wait);
	hrtimer_setup(&stream->timer, stream_timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED);
	ret = stream_map(stream);
	if (ret) {
		kfree(stream);
		return ERR_PTR(ret);
	}

	/* OAG of Xe2 splits no reports. */
	stream->circle = SIM_XE_BUFFER_SIZE;
	if (stream->unit->type == DRM_XE_OA_UNIT_TYPE_OAG && stream->sample)
		stream->circle -= SIM_XE_BUFFER_SIZE % stream->format->size;
	if (open->queue) {
		sim_xe_queue_hold(open->queue);
		stream->queue = open->queue;
	}
	kref_get(&open->metrics->ref);
	stream->metrics = open->metrics;
	sim_gpu_get(stream_gpu(stream));
	return stream;
}

static int stream_begin(struct sim_xe *xe, struct sim_xe_open *open, struct drm_file *file)
{
	struct sim_xe_stream *stream;
	int fd;

	lockdep_assert_held(&xe->oa_lock);
	if (open->unit->stream)
		return -EBUSY;
	stream = stream_create(xe, open, file);
	if (IS_ERR(stream))
		return PTR_ERR(stream);
	sim_xe_unit_prepare(stream_gpu(stream), stream->unit->registers, stream->exponent,
			    stream->sample);
	stream_context(stream, true);
	stream_program(stream);
	if (!open->disabled)
		stream_enable(stream);
	fd = anon_inode_getfd("[xe_oa]", &stream_fops, stream, 0);
	if (fd < 0) {
		stream_free(stream);
		return fd;
	}
	/* Its file may be closed by now, but not released while the lock is held. */
	drm_dev_get(&xe->drm);
	open->unit->stream = stream;
	return fd;
}

/**
 * sim_xe_streams_orphan - a file is closed, and its streams go on without its syncobjs
 * @xe: the face
 * @file: the file
 */
void sim_xe_streams_orphan(struct sim_xe *xe, const struct drm_file *file)
{
	unsigned int i;

	mutex_lock(&xe->oa_lock);
	for (i = 0; i < SIM_XE_MAX_UNITS; i++)
		if (xe->units[i].stream && xe->units[i].stream->file == file)
			xe->units[i].stream->file = NULL;
	mutex_unlock(&xe->oa_lock);
}

/**
 * sim_xe_stream_create - make a stream and its file
 * @xe: the face
 * @open: its properties, which were checked
 * @file: who asks
 *
 * Return: a file descriptor, -EBUSY, -ENOMEM or what makes no file
 */
int sim_xe_stream_create(struct sim_xe *xe, struct sim_xe_open *open, struct drm_file *file)
{
	int ret;

	mutex_lock(&xe->oa_lock);
	ret = stream_begin(xe, open, file);
	mutex_unlock(&xe->oa_lock);

	return ret;
}
