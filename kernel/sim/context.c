// SPDX-License-Identifier: GPL-2.0-only
/*
 * context.c - creation, lookup and destruction of a virtual GPU's hardware contexts.
 */
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <linux/dma-fence.h>
#include <linux/fs.h>
#include <linux/pid.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <gpuoa_compat.h>
#include <gpuoa_provider.h>

#include "context.h"
#include "instance.h"
#include "vgpu/model/gpu.h"
#include "uapi/gpuoa_sim.h"

/**
 * DOC: Contexts
 *
 * A context has what the OA unit's filter needs: a state page in the GGTT, a hardware id (on
 * Haswell, the address of that page), and a time slot. The context counts as running during its
 * slot, from its creation until its last reference is dropped. A stream that filters on a context
 * keeps it alive after the file that created it is closed.
 */

/*
 * Return a unique hardware id, which is not reused until 60 more contexts have been created. The
 * ids 1..3 belong to the permanent contexts.
 */
static u32 context_name(struct sim_instance *instance, const struct sim_context *context)
{
	const unsigned int turns = 60;

	if (instance->gpu.platform->named_by_address)
		return context->state.start;
	return (16 * (1 + instance->n_contexts++ % turns) + context->slot)
	       << instance->gpu.platform->context_shift;
}

static int context_init(struct sim_context *context)
{
	struct sim_instance *instance = context->instance;
	unsigned int slot;
	int ret = -ENOSPC;

	mutex_lock(&instance->mutex);
	for (slot = 0; slot < SIM_N_SLOTS; slot++)
		if (!instance->gpu.slots[slot])
			break;
	if (slot < SIM_N_SLOTS)
		ret = sim_ggtt_reserve(instance, &context->state, SZ_4K);
	if (!ret) {
		context->slot = slot;
		context->hw_id = context_name(instance, context);
		sim_owner_add(&instance->owners, context->owner, context->hw_id);
		sim_slot_set(&instance->gpu, slot, context->hw_id);
	}
	mutex_unlock(&instance->mutex);
	return ret;
}

/*
 * Create a context. Returns it with one reference, which context_close() drops; or an ERR_PTR:
 * -ENOSPC if no time slot is free, -ENOMEM.
 */
static struct sim_context *context_create(struct sim_instance *instance)
{
	struct sim_context *context = kzalloc(sizeof(*context), GFP_KERNEL);
	int ret = -ENOMEM;

	if (!context)
		return ERR_PTR(-ENOMEM);
	kref_init(&context->ref);
	context->instance = instance;
	context->timeline = dma_fence_context_alloc(1);
	context->owner = sim_owner_create();
	if (!context->owner)
		goto err_context;
	ret = context_init(context);
	if (ret)
		goto err_owner;

	return context;

err_owner:
	sim_owner_destroy(context->owner);
err_context:
	kfree(context);

	return ERR_PTR(ret);
}

static void context_release(struct kref *ref)
{
	struct sim_context *context = container_of(ref, struct sim_context, ref);
	struct sim_instance *instance = context->instance;

	mutex_lock(&instance->mutex);
	sim_slot_set(&instance->gpu, context->slot, 0);
	drm_mm_remove_node(&context->state);
	sim_owner_leave(&instance->owners, context->owner);
	mutex_unlock(&instance->mutex);
	kfree(context);
}

/* Drop the creator's reference to a context and cancel its batches. */
static void context_close(struct sim_context *context)
{
	WRITE_ONCE(context->closed, true);
	kref_put(&context->ref, context_release);
}

/**
 * sim_context_create_ioctl() - Handle DRM_IOCTL_GPUOA_SIM_CONTEXT_CREATE.
 * @drm: the DRM device
 * @data: struct drm_gpuoa_sim_context
 * @file: the calling file
 *
 * Return: 0, or a negative errno documented in uapi/gpuoa_sim.h
 */
int sim_context_create_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct sim_instance *instance = container_of(drm, struct sim_instance, drm);
	struct sim_file *priv = file->driver_priv;
	struct drm_gpuoa_sim_context *args = data;
	struct sim_context *context;
	int ret;

	if (args->pad)
		return -EINVAL;
	context = context_create(instance);
	if (IS_ERR(context))
		return PTR_ERR(context);
	WRITE_ONCE(context->owner->client, GPUOA_DRM_CLIENT(file));
	/*
	 * Hold the lock, so that another thread that guesses the handle cannot destroy the context
	 * too early.
	 */
	xa_lock(&priv->contexts);
	ret = __xa_alloc(&priv->contexts, &args->handle, context, xa_limit_31b, GFP_KERNEL);
	if (!ret)
		WRITE_ONCE(context->owner->handle, args->handle);
	xa_unlock(&priv->contexts);
	if (ret)
		kref_put(&context->ref, context_release);
	return ret;
}

/**
 * sim_context_destroy_ioctl() - Handle DRM_IOCTL_GPUOA_SIM_CONTEXT_DESTROY.
 * @drm: the DRM device
 * @data: struct drm_gpuoa_sim_context
 * @file: the calling file
 *
 * Return: 0, or a negative errno documented in uapi/gpuoa_sim.h
 */
int sim_context_destroy_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct sim_file *priv = file->driver_priv;
	struct drm_gpuoa_sim_context *args = data;
	struct sim_context *context;

	if (args->pad)
		return -EINVAL;
	context = xa_erase(&priv->contexts, args->handle);
	if (!context)
		return -ENOENT;
	context_close(context);
	return 0;
}

/**
 * sim_context_close_all() - Close all contexts of a file that is being closed.
 * @file: the file
 */
void sim_context_close_all(struct sim_file *file)
{
	struct sim_context *context;
	unsigned long handle;

	xa_for_each(&file->contexts, handle, context)
		context_close(context);
}

/**
 * sim_context_find() - Find a context by its handle.
 * @file: the file that owns the context
 * @handle: handle of the context
 *
 * Return: the context with a new reference, or NULL
 */
struct sim_context *sim_context_find(struct sim_file *file, u32 handle)
{
	struct sim_context *context;

	xa_lock(&file->contexts);
	context = xa_load(&file->contexts, handle);
	if (context)
		kref_get(&context->ref);
	xa_unlock(&file->contexts);
	return context;
}

/**
 * sim_file_of() - Get the driver's data of an open DRM file.
 * @instance: the GPU
 * @file: any file
 *
 * Return: the data, or NULL if @file is not an open file of this GPU
 */
struct sim_file *sim_file_of(const struct sim_instance *instance, const struct file *file)
{
	struct drm_file *drm_file = file->private_data;

	if (file->f_op != instance->drm.driver->fops || drm_file->minor->dev != &instance->drm)
		return NULL;

	return drm_file->driver_priv;
}

/**
 * sim_context_get() - Implement &gpuoa_provider_ops.context_get.
 * @provider: the instance
 * @file: a file
 * @handle: handle of a context
 * @hw_id: set to the hardware id of the context
 * @context: set to the context, held until sim_context_put()
 *
 * Return: 0, -EXDEV if @file is not a file of this GPU, -ENOENT if the file has no such context
 */
int sim_context_get(void *provider, struct file *file, u32 handle, u64 *hw_id, void **context)
{
	const struct sim_instance *instance = provider;
	struct sim_file *priv = sim_file_of(instance, file);
	struct sim_context *found;

	if (!priv)
		return -EXDEV;
	found = sim_context_find(priv, handle);
	if (!found)
		return -ENOENT;

	/* Mimic drivers that use id bits which reports do not contain (i915 encodes the engine). */
	*hw_id = found->hw_id;
	if (instance->gpu.platform->desc.context_mask)
		*hw_id |= BIT(31);
	*context = found;
	return 0;
}

/**
 * sim_context_put() - Implement &gpuoa_provider_ops.context_put.
 * @provider: the instance
 * @context: a context from sim_context_get()
 */
void sim_context_put(void *provider, void *context)
{
	struct sim_context *held = context;

	kref_put(&held->ref, context_release);
}

/**
 * sim_context_batches() - Implement &gpuoa_provider_ops.context_batches.
 * @provider: the instance
 * @context: a context from sim_context_get()
 * @report: write a report at the beginning and at the end of each of the context's batches
 *
 * Return: 0
 */
int sim_context_batches(void *provider, void *context, bool report)
{
	struct sim_instance *instance = provider;
	struct sim_context *which = context;

	mutex_lock(&instance->mutex);
	which->reports_batches = report;
	mutex_unlock(&instance->mutex);

	return 0;
}

/**
 * sim_context_owner() - Implement &gpuoa_provider_ops.context_owner.
 * @provider: the instance
 * @hw_id: a context id as in reports
 * @mask: significant bits of @hw_id
 * @owner: set to the context's owner
 *
 * Return: 0, or -ENOENT if the context never existed or was forgotten
 */
int sim_context_owner(void *provider, u32 hw_id, u32 mask, struct gpuoa_provider_owner *owner)
{
	struct sim_instance *instance = provider;
	const struct sim_owner *found;

	mutex_lock(&instance->mutex);
	found = sim_owner_find(&instance->owners, hw_id, mask, &owner->gone);
	if (found) {
		owner->process = get_pid(found->process);
		owner->handle = READ_ONCE(found->handle);
		owner->client = READ_ONCE(found->client);
		strscpy(owner->comm, found->comm, sizeof(owner->comm));
	}
	mutex_unlock(&instance->mutex);

	return found ? 0 : -ENOENT;
}
