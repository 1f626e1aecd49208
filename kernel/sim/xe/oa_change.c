// SPDX-License-Identifier: GPL-2.0-only
/*
 * oa_change.c - ioctls of a stream: enable, disable, replace its configuration, query its status.
 */
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/hrtimer.h>
#include <linux/uaccess.h>

#include <gen12_regs.h>

#include "../instance.h"
#include "metrics.h"
#include "oa_change.h"
#include "oa_properties.h"
#include "oa_read.h"
#include "oa_stream.h"
#include "oa_unit.h"
#include "sync.h"
#include "xe.h"

#define NOA_DELAY_US 500

/**
 * sim_xe_stream_enable() - Clear the buffer and start the unit, unless the unit runs.
 * @stream: the stream
 */
void sim_xe_stream_enable(struct sim_xe_stream *stream)
{
	if (stream->enabled)
		return;
	WRITE_ONCE(stream->pollin, false);
	spin_lock_irq(&stream->pointers);
	stream->head = 0;
	stream->tail = 0;
	spin_unlock_irq(&stream->pointers);
	memset(stream->memory, 0, SIM_XE_BUFFER_SIZE);
	sim_xe_unit_start(sim_xe_stream_gpu(stream), stream->unit->registers, stream->format,
			  stream->address);
	if (stream->sample)
		hrtimer_start(&stream->timer, ns_to_ktime(SIM_XE_LOOK_NS), HRTIMER_MODE_REL_PINNED);
	stream->enabled = true;
}

/**
 * sim_xe_stream_disable() - Stop the unit; reports that have landed can still be read.
 * @stream: the stream
 */
void sim_xe_stream_disable(struct sim_xe_stream *stream)
{
	if (!stream->enabled)
		return;
	sim_xe_unit_stop(sim_xe_stream_gpu(stream), stream->unit->registers);
	hrtimer_cancel(&stream->timer);
	if (sim_xe_stream_look(stream))
		wake_up(&stream->wait);
	stream->enabled = false;
}

/**
 * sim_xe_stream_program() - Program the configuration and wait until it takes effect.
 * @stream: the stream
 */
void sim_xe_stream_program(struct sim_xe_stream *stream)
{
	sim_xe_unit_program(sim_xe_stream_gpu(stream), stream->metrics);
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
		sim_xe_stream_program(stream);
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
		sim_xe_stream_enable(stream);
		return 0;
	case DRM_XE_OBSERVATION_IOCTL_DISABLE:
		sim_xe_stream_disable(stream);
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

/**
 * sim_xe_stream_ioctl() - Handle DRM_XE_OBSERVATION_IOCTL_*.
 * @file: file of the stream
 * @command: ioctl number
 * @arg: argument of the ioctl
 *
 * Return: the same results as xe
 */
long sim_xe_stream_ioctl(struct file *file, unsigned int command, unsigned long arg)
{
	struct sim_xe_stream *stream = file->private_data;
	long ret;

	mutex_lock(&stream->lock);
	ret = stream_ioctl_locked(stream, command, arg);
	mutex_unlock(&stream->lock);

	return ret;
}
