// SPDX-License-Identifier: GPL-2.0-only
/*
 * oa_life.c - creates, maps and releases streams of OA units.
 */
#include <drm/drm_drv.h>
#include <linux/anon_inodes.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include <gpuoa_compat.h>

#include "../instance.h"
#include "vgpu/model/gpu.h"
#include "metrics.h"
#include "oa_change.h"
#include "oa_life.h"
#include "oa_properties.h"
#include "oa_read.h"
#include "oa_stream.h"
#include "oa_unit.h"
#include "paranoid.h"
#include "queue.h"
#include "xe.h"

/**
 * DOC: Streams
 *
 * Streams behave as in xe. A timer polls for reports 200 times per second. A report has landed if
 * its ID or timestamp is not 0, so reports are zeroed after they are read. The last report in the
 * buffer is returned only after the next one has landed. Reports have no headers. If an error bit
 * is set in the status register, one read() fails with EIO, and DRM_XE_OBSERVATION_IOCTL_STATUS
 * returns the bits.
 */

/* Map the whole buffer, private and read-only. Requires the right to observe all processes. */
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

/* Media engines have no per-context counters. */
static void stream_context(const struct sim_xe_stream *stream, bool enable)
{
	if (stream->queue && stream->unit->type == DRM_XE_OA_UNIT_TYPE_OAG)
		sim_xe_unit_context(sim_xe_stream_gpu(stream), stream->format, enable);
}

static void stream_free(struct sim_xe_stream *stream)
{
	struct sim_gpu *gpu = sim_xe_stream_gpu(stream);

	sim_xe_stream_disable(stream);
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
	.read = sim_xe_stream_read,
	.poll = sim_xe_stream_poll,
	.unlocked_ioctl = sim_xe_stream_ioctl,
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
	hrtimer_setup(&stream->timer, sim_xe_stream_timer, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_PINNED);
	ret = stream_map(stream);
	if (ret) {
		kfree(stream);
		return ERR_PTR(ret);
	}

	/* OAG of Xe2 does not wrap a report around the end of the buffer. */
	stream->circle = SIM_XE_BUFFER_SIZE;
	if (stream->unit->type == DRM_XE_OA_UNIT_TYPE_OAG && stream->sample)
		stream->circle -= SIM_XE_BUFFER_SIZE % stream->format->size;
	if (open->queue) {
		sim_xe_queue_hold(open->queue);
		stream->queue = open->queue;
	}
	kref_get(&open->metrics->ref);
	stream->metrics = open->metrics;
	sim_gpu_get(sim_xe_stream_gpu(stream));
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
	sim_xe_unit_prepare(sim_xe_stream_gpu(stream), stream->unit->registers, stream->exponent,
			    stream->sample);
	stream_context(stream, true);
	sim_xe_stream_program(stream);
	if (!open->disabled)
		sim_xe_stream_enable(stream);
	fd = anon_inode_getfd("[xe_oa]", &stream_fops, stream, 0);
	if (fd < 0) {
		stream_free(stream);
		return fd;
	}
	/* The new descriptor may already be closed, but stream_release() waits for the lock. */
	drm_dev_get(&xe->drm);
	open->unit->stream = stream;
	return fd;
}

/**
 * sim_xe_streams_orphan() - Detach streams from a closed DRM file.
 * @xe: the emulated xe device
 * @file: the closed file
 *
 * The streams stay open, but later changes of their configuration cannot use syncobjs.
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
 * sim_xe_stream_create() - Create a stream and its file descriptor.
 * @xe: the emulated xe device
 * @open: validated properties
 * @file: the calling file
 *
 * Return: a file descriptor; -EBUSY if the unit has a stream; -ENOMEM; or an error of
 * anon_inode_getfd()
 */
int sim_xe_stream_create(struct sim_xe *xe, struct sim_xe_open *open, struct drm_file *file)
{
	int ret;

	mutex_lock(&xe->oa_lock);
	ret = stream_begin(xe, open, file);
	mutex_unlock(&xe->oa_lock);

	return ret;
}
