// SPDX-License-Identifier: GPL-2.0-only
/*
 * exec.c - DRM_IOCTL_XE_EXEC and DRM_IOCTL_XE_WAIT_USER_FENCE of the emulated xe device.
 */
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_utils.h>
#include <linux/dma-fence.h>
#include <linux/jiffies.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "../context.h"
#include "../exec.h"
#include "../memory.h"
#include "../instance.h"
#include "exec.h"
#include "file.h"
#include "queue.h"
#include "sync.h"
#include "vm.h"
#include "xe.h"

static void batch_free(struct sim_xe_batch *batch)
{
	while (batch->n_deps--)
		dma_fence_put(batch->deps[batch->n_deps]);
	sim_xe_queue_put(batch->queue);
	kfree(batch);
}

/* A failed batch bans its queue, which then rejects new batches. */
static void batch_done(struct sim_job *job, int error)
{
	struct sim_xe_batch *batch = job->data;
	struct sim_xe *xe = batch->queue->xe;

	if (!error && batch->ufence &&
	    sim_vm_write_qword(job->vm, batch->address, batch->value))
		WRITE_ONCE(batch->queue->banned, true);
	if (error && error != -ECANCELED)
		WRITE_ONCE(batch->queue->banned, true);
	wake_up_all(&xe->ufence_wait);
	batch_free(batch);
}

static struct sim_xe_batch *batch_create(struct sim_xe_queue *queue, u64 address,
					 struct sim_xe_syncs *syncs)
{
	struct sim_xe_batch *batch;
	struct sim_job *job;
	u32 i;

	batch = kzalloc(struct_size(batch, deps, syncs->n), GFP_KERNEL_ACCOUNT);
	if (!batch)
		return ERR_PTR(-ENOMEM);
	kref_get(&queue->context->ref);
	job = sim_job_create(queue->xe->instance, queue->context, queue->vm->vm, address);
	if (IS_ERR(job)) {
		sim_context_put(queue->xe->instance, queue->context);
		kfree(batch);
		return ERR_CAST(job);
	}
	for (i = 0; i < syncs->n; i++) {
		struct dma_fence *fence = sim_xe_syncs_take(syncs, i);

		if (fence)
			batch->deps[batch->n_deps++] = fence;
	}
	batch->ufence = sim_xe_syncs_ufence(syncs, &batch->address, &batch->value);
	sim_xe_queue_hold(queue);
	batch->queue = queue;
	batch->job = job;
	job->done = batch_done;
	job->data = batch;
	return batch;
}

static void batch_submit(struct sim_xe_batch *batch, struct sim_xe_syncs *syncs)
{
	struct sim_xe_queue *queue = batch->queue;
	struct sim_exec *exec = &queue->xe->instance->exec;

	mutex_lock(&exec->lock);
	sim_xe_syncs_signal(syncs, sim_job_arm(batch->job));
	sim_xe_queue_push(batch);
	mutex_unlock(&exec->lock);
}

/* Handle a call without a batch: wait for its fences and until the queue is empty, then signal. */
static int exec_nothing(struct sim_xe_queue *queue, struct sim_xe_syncs *syncs)
{
	struct dma_fence *fence;
	int ret = sim_xe_syncs_wait(syncs);

	if (!ret)
		ret = wait_event_interruptible(queue->xe->ufence_wait,
					       !atomic_read(&queue->context->n_queued));
	if (ret)
		return ret;
	fence = dma_fence_get_stub();
	sim_xe_syncs_signal(syncs, fence);
	dma_fence_put(fence);
	return 0;
}

static int exec_batch(struct sim_xe_queue *queue, const struct drm_xe_exec *args,
		      struct sim_xe_syncs *syncs)
{
	struct sim_xe_batch *batch;
	int idx;

	/* Fail if the device was unplugged, so that no batch is queued after that. */
	if (!drm_dev_enter(&queue->xe->drm, &idx))
		return -ENODEV;
	batch = batch_create(queue, args->address, syncs);
	if (!IS_ERR(batch))
		batch_submit(batch, syncs);
	drm_dev_exit(idx);
	return PTR_ERR_OR_ZERO(batch);
}

static int exec_queue(struct sim_xe_queue *queue, const struct drm_xe_exec *args,
		      struct drm_file *file)
{
	struct sim_xe_syncs syncs;
	u32 flags = SIM_XE_SYNC_EXEC;
	int ret;

	if (queue->binds || args->num_batch_buffer > 1)
		return -EINVAL;
	if (READ_ONCE(queue->banned))
		return -ECANCELED;
	if (queue->vm->long_running)
		flags |= SIM_XE_SYNC_LONG_RUNNING;
	ret = sim_xe_syncs_read(&syncs, file, args->syncs, args->num_syncs, flags);
	if (!ret && args->num_batch_buffer)
		ret = exec_batch(queue, args, &syncs);
	else if (!ret)
		ret = exec_nothing(queue, &syncs);
	sim_xe_syncs_free(&syncs);
	return ret;
}

/**
 * sim_xe_exec_ioctl() - Handle DRM_IOCTL_XE_EXEC.
 * @drm: the DRM device
 * @data: struct drm_xe_exec
 * @file: the calling file
 *
 * Return: 0; -EINVAL, -EFAULT or -ENOMEM; -ENOENT if the queue does not exist; -ECANCELED if it is
 * banned; -EBUSY if it has too many batches; -ENODEV; or an error of sim_xe_syncs_read()
 */
int sim_xe_exec_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_xe_exec *args = data;
	struct sim_xe_queue *queue;
	int ret;

	if (args->extensions || args->pad[0] || args->pad[1] || args->pad[2] ||
	    args->reserved[0] || args->reserved[1] || args->num_syncs > DRM_XE_MAX_SYNCS)
		return -EINVAL;
	queue = sim_xe_queue_get(file->driver_priv, args->exec_queue_id);
	if (!queue)
		return -ENOENT;
	ret = exec_queue(queue, args, file);
	sim_xe_queue_put(queue);
	return ret;
}

/* Check the condition of a wait. Returns 1 if it holds, 0 if not, or -EFAULT. */
static int ufence_holds(const struct drm_xe_wait_user_fence *args)
{
	u64 is, value = args->value & args->mask;

	if (copy_from_user(&is, u64_to_user_ptr(args->addr), sizeof(is)))
		return -EFAULT;
	is &= args->mask;
	switch (args->op) {
	case DRM_XE_UFENCE_WAIT_OP_EQ:
		return is == value;
	case DRM_XE_UFENCE_WAIT_OP_NEQ:
		return is != value;
	case DRM_XE_UFENCE_WAIT_OP_GT:
		return is > value;
	case DRM_XE_UFENCE_WAIT_OP_GTE:
		return is >= value;
	case DRM_XE_UFENCE_WAIT_OP_LT:
		return is < value;
	default:
		return is <= value;
	}
}

static long ufence_timeout(const struct drm_xe_wait_user_fence *args)
{
	if (args->timeout < 0)
		return MAX_SCHEDULE_TIMEOUT;
	if (!args->timeout)
		return 0;
	if (args->flags & DRM_XE_UFENCE_WAIT_FLAG_ABSTIME)
		return max(1L, (long)drm_timeout_abs_to_jiffies(args->timeout));

	return clamp(nsecs_to_jiffies64(args->timeout), 1ULL, (u64)MAX_SCHEDULE_TIMEOUT - 1);
}

static int ufence_wait(struct sim_xe *xe, const struct sim_xe_queue *queue,
		       const struct drm_xe_wait_user_fence *args)
{
	DEFINE_WAIT_FUNC(wait, woken_wake_function);
	long left = ufence_timeout(args);
	int ret;

	add_wait_queue(&xe->ufence_wait, &wait);
	while (!(ret = ufence_holds(args))) {
		if (signal_pending(current))
			ret = -ERESTARTSYS;
		else if (queue && READ_ONCE(queue->banned))
			ret = -EIO;
		else if (!left)
			ret = -ETIME;
		if (ret)
			break;
		left = wait_woken(&wait, TASK_INTERRUPTIBLE, left);
	}
	remove_wait_queue(&xe->ufence_wait, &wait);

	return min(ret, 0);
}

/**
 * sim_xe_wait_user_fence_ioctl() - Handle DRM_IOCTL_XE_WAIT_USER_FENCE.
 * @drm: the DRM device
 * @data: struct drm_xe_wait_user_fence
 * @file: the calling file
 *
 * Return: 0; -EINVAL or -EFAULT; -ENOENT if the queue does not exist; -EIO if it is banned; -ETIME
 * on timeout; -ERESTARTSYS
 */
int sim_xe_wait_user_fence_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_xe_wait_user_fence *args = data;
	struct sim_xe_queue *queue = NULL;
	ktime_t begin = ktime_get();
	int ret;

	if (args->extensions || args->pad || args->pad2 || args->reserved[0] || args->reserved[1] ||
	    args->flags & ~DRM_XE_UFENCE_WAIT_FLAG_ABSTIME ||
	    args->op > DRM_XE_UFENCE_WAIT_OP_LTE || !IS_ALIGNED(args->addr, sizeof(u64)))
		return -EINVAL;
	if (args->exec_queue_id) {
		queue = sim_xe_queue_get(file->driver_priv, args->exec_queue_id);
		if (!queue)
			return -ENOENT;
	}
	ret = ufence_wait(sim_xe_of(drm), queue, args);
	if (!(args->flags & DRM_XE_UFENCE_WAIT_FLAG_ABSTIME) && args->timeout > 0)
		args->timeout = max(0LL, args->timeout -
					 ktime_to_ns(ktime_sub(ktime_get(), begin)));
	if (queue)
		sim_xe_queue_put(queue);
	return ret;
}
