// SPDX-License-Identifier: GPL-2.0-only
/*
 * queue.c - exec queues of the emulated xe device.
 */
#include <drm/drm_file.h>
#include <linux/capability.h>
#include <linux/dma-fence.h>
#include <linux/jiffies.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "../context.h"
#include "../exec.h"
#include "../instance.h"
#include "file.h"
#include "gpus.h"
#include "queue.h"
#include "vm.h"
#include "xe.h"

/* xe's limits */
#define MAX_ENGINES 9
#define MAX_PROPERTIES 16

/* Interval at which to check whether the context was closed or the GPU was removed, in jiffies */
#define DEP_POLL (HZ / 20 + 1)

/* xe's priorities; 0 is low */
#define PRIORITY_NORMAL 1
#define PRIORITY_HIGH 2

static void queue_release(struct kref *ref)
{
	struct sim_xe_queue *queue = container_of(ref, struct sim_xe_queue, ref);

	if (queue->context)
		sim_context_put(queue->xe->instance, queue->context);
	if (queue->vm)
		sim_xe_vm_put(queue->vm);
	kfree(queue);
}

/**
 * sim_xe_queue_put() - Drop a reference to an exec queue.
 * @queue: the exec queue
 */
void sim_xe_queue_put(struct sim_xe_queue *queue)
{
	kref_put(&queue->ref, queue_release);
}

/**
 * sim_xe_queue_hold() - Take another reference to an exec queue.
 * @queue: the exec queue; the caller holds a reference
 */
void sim_xe_queue_hold(struct sim_xe_queue *queue)
{
	kref_get(&queue->ref);
}

/**
 * sim_xe_queue_get() - Find an exec queue by its ID.
 * @file: open file that owns the queue
 * @id: ID of the queue
 *
 * Return: the queue with a reference for the caller, or NULL
 */
struct sim_xe_queue *sim_xe_queue_get(struct sim_xe_file *file, u32 id)
{
	struct sim_xe_queue *queue;

	xa_lock(&file->queues);
	queue = xa_load(&file->queues, id);
	if (queue)
		kref_get(&queue->ref);
	xa_unlock(&file->queues);

	return queue;
}

/**
 * sim_xe_queue_close() - Cancel the batches of an exec queue and drop the file's reference.
 * @queue: the exec queue
 */
void sim_xe_queue_close(struct sim_xe_queue *queue)
{
	if (queue->context) {
		kref_get(&queue->context->ref);
		sim_context_close(queue->context);
	}
	sim_xe_queue_put(queue);
}

static void batch_wait(const struct sim_xe_batch *batch)
{
	const struct sim_xe_queue *queue = batch->queue;
	u32 i;

	for (i = 0; i < batch->n_deps; i++)
		while (!READ_ONCE(queue->context->closed) &&
		       !READ_ONCE(queue->xe->instance->exec.gone) &&
		       !dma_fence_wait_timeout(batch->deps[i], false, DEP_POLL))
			;
}

static struct sim_xe_batch *queue_first(struct sim_xe_queue *queue)
{
	struct sim_xe_batch *batch;

	spin_lock(&queue->lock);
	batch = list_first_entry_or_null(&queue->waiting, struct sim_xe_batch, link);
	if (batch)
		list_del(&batch->link);
	spin_unlock(&queue->lock);

	return batch;
}

static void queue_work_fn(struct work_struct *work)
{
	struct sim_xe_queue *queue = container_of(work, struct sim_xe_queue, work);
	struct sim_xe_batch *batch;

	/*
	 * The work's reference keeps the queue allocated while the last batch of the queue
	 * completes.
	 */
	while ((batch = queue_first(queue))) {
		batch_wait(batch);
		sim_job_push(batch->job);
	}
	sim_xe_queue_put(queue);
}

/**
 * sim_xe_queue_push() - Append a batch to its exec queue.
 * @batch: the batch
 *
 * The queue passes the batch to the engine after all earlier batches, when its dependencies are
 * signaled.
 */
void sim_xe_queue_push(struct sim_xe_batch *batch)
{
	struct sim_xe_queue *queue = batch->queue;

	spin_lock(&queue->lock);
	list_add_tail(&batch->link, &queue->waiting);
	spin_unlock(&queue->lock);
	/* Take a reference for the work, which drops it at its end. */
	sim_xe_queue_hold(queue);
	if (!queue_work(queue->xe->workqueue, &queue->work))
		sim_xe_queue_put(queue);
}

/*
 * Validate the value of a property. It has no effect, because the engine runs every batch to its
 * end, without scheduling.
 */
static int queue_set(u32 property, u64 value)
{
	switch (property) {
	case DRM_XE_EXEC_QUEUE_SET_PROPERTY_PRIORITY:
		if (value > PRIORITY_HIGH)
			return -EINVAL;
		return value > PRIORITY_NORMAL && !capable(CAP_SYS_NICE) ? -EPERM : 0;
	case DRM_XE_EXEC_QUEUE_SET_PROPERTY_TIMESLICE:
		return 0;
	default:
		return -EINVAL;
	}
}

static int queue_read_properties(u64 chain)
{
	struct drm_xe_ext_set_property extension;
	unsigned int n;
	int ret;

	for (n = 0; chain; n++, chain = extension.base.next_extension) {
		if (n == MAX_PROPERTIES)
			return -E2BIG;
		if (copy_from_user(&extension, u64_to_user_ptr(chain), sizeof(extension)))
			return -EFAULT;
		if (extension.base.pad || extension.pad ||
		    extension.base.name != DRM_XE_EXEC_QUEUE_EXTENSION_SET_PROPERTY)
			return -EINVAL;
		ret = queue_set(extension.property, extension.value);
		if (ret)
			return ret;
	}
	return 0;
}

/* All engines must be of the same class and GT. The first becomes the queue's engine. */
static int queue_read_engines(const struct sim_xe *xe,
			      const struct drm_xe_exec_queue_create *args,
			      struct drm_xe_engine_class_instance *engine)
{
	struct drm_xe_engine_class_instance engines[MAX_ENGINES];
	unsigned int n = args->width * args->num_placements, i;

	if (!n || n > MAX_ENGINES)
		return -EINVAL;
	if (copy_from_user(engines, u64_to_user_ptr(args->instances), n * sizeof(*engines)))
		return -EFAULT;
	*engine = engines[0];
	if (args->width > 1)
		return -EINVAL;
	if (engine->engine_class == DRM_XE_ENGINE_CLASS_VM_BIND)
		return args->num_placements > 1 || engine->engine_instance ||
		       engine->gt_id >= SIM_XE_N_GTS ? -EINVAL : 0;
	for (i = 0; i < args->num_placements; i++)
		if (!sim_xe_engine_find(xe->gpu, &engines[i]) ||
		    engines[i].engine_class != engine->engine_class ||
		    engines[i].gt_id != engine->gt_id)
			return -EINVAL;
	return 0;
}

static int queue_give_context(struct sim_xe_queue *queue)
{
	struct sim_context *context = sim_context_create(queue->xe->instance);

	if (IS_ERR(context))
		return PTR_ERR(context);
	queue->context = context;
	return 0;
}

static struct sim_xe_queue *queue_create(struct sim_xe *xe, struct sim_xe_vm *vm,
					 const struct drm_xe_engine_class_instance *engine)
{
	struct sim_xe_queue *queue = kzalloc(sizeof(*queue), GFP_KERNEL_ACCOUNT);
	int ret = 0;

	if (!queue)
		return ERR_PTR(-ENOMEM);
	kref_init(&queue->ref);
	queue->xe = xe;
	queue->engine = *engine;
	queue->binds = !vm;
	INIT_WORK(&queue->work, queue_work_fn);
	INIT_LIST_HEAD(&queue->waiting);
	spin_lock_init(&queue->lock);
	if (vm) {
		kref_get(&vm->ref);
		queue->vm = vm;
		ret = queue_give_context(queue);
	}
	if (ret) {
		sim_xe_queue_put(queue);
		return ERR_PTR(ret);
	}
	return queue;
}

/**
 * sim_xe_queue_create_ioctl() - Handle DRM_IOCTL_XE_EXEC_QUEUE_CREATE.
 * @drm: the DRM device
 * @data: struct drm_xe_exec_queue_create
 * @file: the calling file
 *
 * Return: 0; -EINVAL, -EFAULT, -ENOMEM or -E2BIG; -ENOENT if the address space does not exist;
 * -EPERM for high priority without CAP_SYS_NICE; -ENOSPC if the GPU has no free time slot
 */
int sim_xe_queue_create_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_xe_engine_class_instance engine;
	struct drm_xe_exec_queue_create *args = data;
	struct sim_xe_file *priv = file->driver_priv;
	struct sim_xe *xe = sim_xe_of(drm);
	struct sim_xe_queue *queue;
	struct sim_xe_vm *vm = NULL;
	int ret;

	if (args->flags || args->reserved[0] || args->reserved[1])
		return -EINVAL;
	ret = queue_read_engines(xe, args, &engine);
	if (!ret)
		ret = queue_read_properties(args->extensions);
	if (ret)
		return ret;
	if (engine.engine_class != DRM_XE_ENGINE_CLASS_VM_BIND) {
		vm = sim_xe_vm_get(priv, args->vm_id);
		if (!vm)
			return -ENOENT;
	}
	queue = queue_create(xe, vm, &engine);
	if (vm)
		sim_xe_vm_put(vm);
	if (IS_ERR(queue))
		return PTR_ERR(queue);
	ret = xa_alloc(&priv->queues, &args->exec_queue_id, queue, xa_limit_32b, GFP_KERNEL);
	if (ret)
		sim_xe_queue_put(queue);
	return ret;
}

/**
 * sim_xe_queue_destroy_ioctl() - Handle DRM_IOCTL_XE_EXEC_QUEUE_DESTROY.
 * @drm: the DRM device
 * @data: struct drm_xe_exec_queue_destroy
 * @file: the calling file
 *
 * Return: 0, -EINVAL, or -ENOENT if the queue does not exist
 */
int sim_xe_queue_destroy_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_xe_exec_queue_destroy *args = data;
	struct sim_xe_file *priv = file->driver_priv;
	struct sim_xe_queue *queue;

	if (args->pad || args->reserved[0] || args->reserved[1])
		return -EINVAL;
	queue = xa_erase(&priv->queues, args->exec_queue_id);
	if (!queue)
		return -ENOENT;
	sim_xe_queue_close(queue);
	return 0;
}

/**
 * sim_xe_queue_get_property_ioctl() - Handle DRM_IOCTL_XE_EXEC_QUEUE_GET_PROPERTY.
 * @drm: the DRM device
 * @data: struct drm_xe_exec_queue_get_property
 * @file: the calling file
 *
 * Return: 0, -EINVAL, or -ENOENT if the queue does not exist
 */
int sim_xe_queue_get_property_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_xe_exec_queue_get_property *args = data;
	struct sim_xe_queue *queue;

	if (args->reserved[0] || args->reserved[1])
		return -EINVAL;
	queue = sim_xe_queue_get(file->driver_priv, args->exec_queue_id);
	if (!queue)
		return -ENOENT;
	args->value = READ_ONCE(queue->banned);
	sim_xe_queue_put(queue);
	return args->property == DRM_XE_EXEC_QUEUE_GET_PROPERTY_BAN ? 0 : -EINVAL;
}
