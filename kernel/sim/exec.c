// SPDX-License-Identifier: GPL-2.0-only
/*
 * exec.c - execution of batches, and their fences.
 */
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_managed.h>
#include <drm/drm_syncobj.h>
#include <linux/delay.h>
#include <linux/device.h>
#include <linux/dma-fence.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "context.h"
#include "drm.h"
#include "exec.h"
#include "instance.h"
#include "memory.h"
#include "uapi/gpuoa_sim.h"
#include "vgpu/model/cs.h"
#include "vgpu/model/gpu.h"

/*
 * A fence can outlive the GPU in a syncobj or sync_file, and its operations are code of this
 * module, so each fence holds a module reference. fence_free() runs in an RCU callback, which
 * module removal waits for.
 */
static void fence_free(struct rcu_head *rcu)
{
	struct sim_fence *fence = container_of(rcu, struct sim_fence, base.rcu);

	kfree(fence);
	module_put(THIS_MODULE);
}

static void fence_release(struct dma_fence *base)
{
	call_rcu(&base->rcu, fence_free);
}

static const char *fence_name(struct dma_fence *base)
{
	return SIM_NAME;
}

static const struct dma_fence_ops sim_fence_ops = {
	.get_driver_name = fence_name,
	.get_timeline_name = fence_name,
	.release = fence_release,
};

/**
 * sim_fence_alloc() - Allocate memory for a fence.
 *
 * Return: the fence, to be initialized by sim_fence_init() or freed by kfree(); or NULL
 */
static struct sim_fence *sim_fence_alloc(void)
{
	return kzalloc(sizeof(struct sim_fence), GFP_KERNEL_ACCOUNT);
}

/**
 * sim_fence_init() - Initialize a fence.
 * @fence: memory for the fence; from now on dma_fence_put() frees it
 * @timeline: fence context of the batch's context
 * @seqno: number of the batch in that context
 */
static void sim_fence_init(struct sim_fence *fence, u64 timeline, u64 seqno)
{
	__module_get(THIS_MODULE);
	spin_lock_init(&fence->lock);
	dma_fence_init(&fence->base, &sim_fence_ops, &fence->lock, timeline, seqno);
}

/**
 * sim_fence_signal() - Signal the end of a batch.
 * @fence: fence of the batch
 * @error: 0, or a negative errno
 * @fault: the fault that stopped the batch
 */
static void sim_fence_signal(struct sim_fence *fence, int error, const struct sim_cs_fault *fault)
{
	unsigned long flags;

	spin_lock_irqsave(&fence->lock, flags);
	fence->fault = *fault;
	if (error)
		dma_fence_set_error(&fence->base, error);
	dma_fence_signal_locked(&fence->base);
	spin_unlock_irqrestore(&fence->lock, flags);
}

/**
 * sim_fence_result() - Get the result of a batch.
 * @base: any fence
 * @result: set to the result
 *
 * Return: 0, -EINVAL if the fence is not a batch's, -EBUSY if the batch has not ended
 */
static int sim_fence_result(struct dma_fence *base, struct drm_gpuoa_sim_result *result)
{
	struct sim_fence *fence = container_of(base, struct sim_fence, base);
	unsigned long flags;
	int status;

	if (base->ops != &sim_fence_ops)
		return -EINVAL;
	spin_lock_irqsave(&fence->lock, flags);
	status = dma_fence_get_status_locked(base);
	result->status = min(status, 0);
	result->reason = fence->fault.reason;
	result->offset = fence->fault.offset;
	result->value = fence->fault.value;
	spin_unlock_irqrestore(&fence->lock, flags);
	return status ? 0 : -EBUSY;
}

/**
 * DOC: Execution
 *
 * A GPU has one engine with an ordered workqueue: batches run to completion one at a time, in
 * submission order. A batch holds references to its context and its address space, so that both may
 * be closed or destroyed while it is queued.
 *
 * The fence of a batch is always signalled: when the batch has completed, was stopped by a fault,
 * or was cancelled because its context or the GPU was removed. Before it is signalled, a batch
 * allocates no memory and takes no lock under which other code allocates.
 */

static struct sim_job *job_of(struct sim_cs *cs)
{
	return container_of(cs, struct sim_job, cs);
}

static struct sim_gpu *job_gpu(struct sim_cs *cs)
{
	return &job_of(cs)->instance->gpu;
}

static int job_stopped(struct sim_cs *cs)
{
	struct sim_job *job = job_of(cs);

	cond_resched();
	if (READ_ONCE(job->instance->exec.gone))
		return -ENODEV;
	return READ_ONCE(job->context->closed) ? -ECANCELED : 0;
}

static int job_read(struct sim_cs *cs, u64 address, u32 *value)
{
	return sim_vm_read(job_of(cs)->vm, address, value);
}

static int job_write(struct sim_cs *cs, u64 address, u32 value)
{
	return sim_vm_write(job_of(cs)->vm, address, value);
}

static u32 job_register_read(struct sim_cs *cs, u32 reg)
{
	return sim_mmio_read(job_gpu(cs), reg);
}

static void job_register_write(struct sim_cs *cs, u32 reg, u32 value)
{
	sim_mmio_write(job_gpu(cs), reg, value);
}

static u64 job_timestamp(struct sim_cs *cs)
{
	struct sim_gpu *gpu = job_gpu(cs);

	return sim_gpu_timestamp(gpu) >> gpu->platform->cs_timestamp_shift;
}

static u32 job_report(struct sim_cs *cs, u32 id, u32 *report)
{
	return sim_gpu_snapshot(job_gpu(cs), job_of(cs)->context->slot, id, report);
}

/* Maximum duration of a busy-wait, in ns; longer waits sleep. */
#define JOB_SPIN_NS 10000

/* Sleep until @tick. Return 0, or -ENODEV if the GPU is removed first. */
static int job_sleep(struct sim_instance *instance, u64 tick)
{
	struct sim_exec *exec = &instance->exec;
	u64 ns;

	while ((ns = sim_gpu_wait(&instance->gpu, tick))) {
		if (READ_ONCE(exec->gone))
			return -ENODEV;
		if (ns <= JOB_SPIN_NS)
			ndelay(ns);
		else
			wait_event_hrtimeout(exec->wait, READ_ONCE(exec->gone), ns_to_ktime(ns));
	}

	return 0;
}

/* If the GPU is removed, the rest of the work is cancelled. */
static int job_work(struct sim_cs *cs, unsigned int workload, u64 clocks)
{
	struct sim_instance *instance = job_of(cs)->instance;
	u64 end;
	int ret;

	mutex_lock(&instance->mutex);
	ret = sim_work(&instance->gpu, job_of(cs)->context->slot, workload, clocks, &end);
	mutex_unlock(&instance->mutex);
	if (ret)
		return ret;

	ret = job_sleep(instance, end);
	if (ret) {
		mutex_lock(&instance->mutex);
		sim_work_cut(&instance->gpu);
		mutex_unlock(&instance->mutex);
	}

	return ret;
}

static const struct sim_cs_ops job_ops = {
	.stopped = job_stopped,
	.read = job_read,
	.write = job_write,
	.register_read = job_register_read,
	.register_write = job_register_write,
	.timestamp = job_timestamp,
	.report = job_report,
	.work = job_work,
};

static void job_free(struct sim_job *job)
{
	sim_vm_put(job->vm);
	sim_context_put(job->instance, job->context);
	dma_fence_put(&job->fence->base);
	kfree(job);
}

/*
 * Begin a batch. Let a tick pass before its first report, so that the context switch precedes the
 * report.
 */
static int job_begin(struct sim_job *job)
{
	struct sim_instance *instance = job->instance;
	bool report;
	u64 start;
	int ret;

	mutex_lock(&instance->mutex);
	report = job->context->reports_batches;
	start = sim_batch_begin(&instance->gpu, job->context->slot);
	mutex_unlock(&instance->mutex);

	ret = job_sleep(instance, start + 1);
	if (!ret && report)
		sim_batch_report(&instance->gpu, true);

	return ret;
}

static void job_end(struct sim_job *job)
{
	struct sim_instance *instance = job->instance;

	mutex_lock(&instance->mutex);
	sim_batch_end(&instance->gpu, job->context->reports_batches);
	mutex_unlock(&instance->mutex);
}

static int job_execute(struct sim_job *job)
{
	struct sim_gpu *gpu = &job->instance->gpu;
	int ret;

	sim_gpu_get(gpu);
	ret = job_begin(job);
	if (!ret)
		ret = sim_cs_run(&job->cs);
	job_end(job);
	sim_gpu_put(gpu);

	return ret;
}

/*
 * If the context or the GPU is removed while a batch is queued, the batch is not executed at all.
 */
static void job_run(struct work_struct *work)
{
	struct sim_job *job = container_of(work, struct sim_job, work);
	bool cookie = dma_fence_begin_signalling();
	int ret;

	ret = job_stopped(&job->cs);
	if (!ret)
		ret = job_execute(job);

	atomic_dec(&job->context->n_queued);
	sim_fence_signal(job->fence, ret, &job->cs.fault);
	dma_fence_end_signalling(cookie);
	job_free(job);
}

static struct sim_job *job_create(struct sim_instance *instance, struct sim_context *context,
				  struct sim_vm *vm, u64 address)
{
	struct sim_job *job = kzalloc(sizeof(*job), GFP_KERNEL_ACCOUNT);

	if (!job)
		return ERR_PTR(-ENOMEM);
	job->fence = sim_fence_alloc();
	if (!job->fence) {
		kfree(job);
		return ERR_PTR(-ENOMEM);
	}
	INIT_WORK(&job->work, job_run);
	job->instance = instance;
	job->context = context;
	sim_vm_get(vm);
	job->vm = vm;
	job->cs.model = instance->gpu.platform->cs;
	job->cs.ops = &job_ops;
	job->cs.gpr = context->gpr;
	job->cs.batch = address;
	return job;
}

/*
 * Create a batch and queue it. On success, the batch takes over the caller's reference to @context.
 */
static int exec_queue(struct sim_instance *instance, struct sim_context *context,
		      struct sim_vm *vm, u64 address, struct drm_syncobj *syncobj)
{
	struct sim_exec *exec = &instance->exec;
	struct sim_job *job = ERR_PTR(-EBUSY);

	if (atomic_inc_return(&context->n_queued) <= GPUOA_SIM_MAX_QUEUED)
		job = job_create(instance, context, vm, address);
	if (IS_ERR(job)) {
		atomic_dec(&context->n_queued);
		return PTR_ERR(job);
	}

	mutex_lock(&exec->lock);
	sim_fence_init(job->fence, context->timeline, ++context->seqno);
	if (syncobj)
		drm_syncobj_replace_fence(syncobj, &job->fence->base);
	queue_work(exec->queue, &job->work);
	mutex_unlock(&exec->lock);
	return 0;
}

static int exec_file(struct sim_instance *instance, struct drm_file *file,
		     const struct drm_gpuoa_sim_exec *args)
{
	struct sim_file *priv = file->driver_priv;
	struct drm_syncobj *syncobj = NULL;
	struct sim_context *context;
	int ret = -ENOENT;

	if (args->syncobj) {
		syncobj = drm_syncobj_find(file, args->syncobj);
		if (!syncobj)
			return -ENOENT;
	}
	context = sim_context_find(priv, args->context);
	if (context) {
		ret = exec_queue(instance, context, priv->vm, args->address, syncobj);
		if (ret)
			sim_context_put(instance, context);
	}
	if (syncobj)
		drm_syncobj_put(syncobj);
	return ret;
}

/**
 * sim_exec_ioctl() - Handle DRM_IOCTL_GPUOA_SIM_EXEC.
 * @drm: the DRM device
 * @data: struct drm_gpuoa_sim_exec
 * @file: the calling file
 *
 * No batch is queued after drm_dev_unplug() has returned.
 *
 * Return: 0, or a negative errno documented in uapi/gpuoa_sim.h
 */
int sim_exec_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct sim_instance *instance = container_of(drm, struct sim_instance, drm);
	int ret, idx;

	if (!drm_dev_enter(drm, &idx))
		return -ENODEV;
	ret = exec_file(instance, file, data);
	drm_dev_exit(idx);
	return ret;
}

/**
 * sim_result_ioctl() - Handle DRM_IOCTL_GPUOA_SIM_RESULT.
 * @drm: the DRM device
 * @data: struct drm_gpuoa_sim_result
 * @file: the calling file
 *
 * Return: 0, or a negative errno documented in uapi/gpuoa_sim.h
 */
int sim_result_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_gpuoa_sim_result *args = data;
	struct dma_fence *fence;
	int ret;

	ret = drm_syncobj_find_fence(file, args->syncobj, 0, 0, &fence);
	if (ret)
		return ret;
	ret = sim_fence_result(fence, args);
	dma_fence_put(fence);
	return ret;
}

/* Cancel all queued batches, after the DRM device was unplugged. */
static void exec_stop(void *data)
{
	struct sim_exec *exec = data;

	WRITE_ONCE(exec->gone, true);
	wake_up_all(&exec->wait);
	flush_workqueue(exec->queue);
}

/* Open files may use @exec until the DRM device is released. */
static void exec_destroy(struct drm_device *drm, void *data)
{
	struct sim_exec *exec = data;

	destroy_workqueue(exec->queue);
	mutex_destroy(&exec->lock);
}

/**
 * sim_exec_create() - Create the engine of a GPU; it is released with the DRM device.
 * @instance: the GPU
 *
 * Return: 0 or -ENOMEM
 */
int sim_exec_create(struct sim_instance *instance)
{
	struct sim_exec *exec = &instance->exec;
	int ret;

	mutex_init(&exec->lock);
	init_waitqueue_head(&exec->wait);
	exec->queue = alloc_ordered_workqueue("%s", WQ_MEM_RECLAIM, dev_name(instance->drm.dev));
	if (!exec->queue)
		return -ENOMEM;
	ret = drmm_add_action_or_reset(&instance->drm, exec_destroy, exec);
	return ret ?: devm_add_action_or_reset(instance->drm.dev, exec_stop, exec);
}
