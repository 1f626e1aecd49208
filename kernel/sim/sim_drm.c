// SPDX-License-Identifier: GPL-2.0-only
/*
 * sim_drm.c - DRM face of a virtual GPU: a render node on which programs make hardware contexts.
 */
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_ioctl.h>
#include <linux/fs.h>
#include <linux/kref.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/xarray.h>

#include <gpuoa_compat.h>

#include "sim.h"
#include "uapi/gpuoa_sim.h"

/**
 * DOC: Contexts
 *
 * A context has what the OA unit's filter needs of one: a state page in the GGTT, whose address
 * is its name in hardware, and a time slot. Nothing runs in it; in its time slot it simply is the
 * one that runs, from its creation to the last reference: a stream that filters on it keeps it
 * alive beyond the file that made it.
 */

/**
 * struct sim_context - a hardware context
 * @ref: one for the file that has it, one for each user by sim_context_get()
 * @gpu: where it is
 * @state: addresses of its state page; no memory is there
 * @slot: its time slot
 */
struct sim_context {
	struct kref ref;
	struct sim_gpu *gpu;
	struct drm_mm_node state;
	unsigned int slot;
};

/**
 * struct sim_file - an open DRM file
 * @contexts: its contexts, by handle
 */
struct sim_file {
	struct xarray contexts;
};

/* The time slot of the context with this state page, or -1. */
int sim_slot_find(const struct sim_gpu *gpu, u32 hw_id)
{
	int i;

	for (i = 0; i < SIM_N_SLOTS; i++)
		if (hw_id && gpu->slots[i] == hw_id)
			return i;
	return -1;
}

static void slot_set(struct sim_gpu *gpu, unsigned int slot, u32 hw_id)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	gpu->slots[slot] = hw_id;
	raw_spin_unlock_irqrestore(&gpu->lock, flags);
}

static int context_init(struct sim_context *context)
{
	struct sim_gpu *gpu = context->gpu;
	unsigned int slot;
	int err = -ENOSPC;

	mutex_lock(&gpu->mutex);
	for (slot = 0; slot < SIM_N_SLOTS; slot++)
		if (!gpu->slots[slot])
			break;
	if (slot < SIM_N_SLOTS)
		err = sim_ggtt_reserve(gpu, &context->state, SZ_4K);
	if (!err) {
		context->slot = slot;
		slot_set(gpu, slot, context->state.start);
	}
	mutex_unlock(&gpu->mutex);
	return err;
}

static struct sim_context *context_create(struct sim_gpu *gpu)
{
	struct sim_context *context = kzalloc(sizeof(*context), GFP_KERNEL);
	int err;

	if (!context)
		return ERR_PTR(-ENOMEM);
	kref_init(&context->ref);
	context->gpu = gpu;
	err = context_init(context);
	if (err) {
		kfree(context);
		return ERR_PTR(err);
	}
	return context;
}

static void context_release(struct kref *ref)
{
	struct sim_context *context = container_of(ref, struct sim_context, ref);
	struct sim_gpu *gpu = context->gpu;

	mutex_lock(&gpu->mutex);
	slot_set(gpu, context->slot, 0);
	drm_mm_remove_node(&context->state);
	mutex_unlock(&gpu->mutex);
	kfree(context);
}

static int context_create_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct sim_gpu *gpu = container_of(drm, struct sim_gpu, drm);
	struct sim_file *priv = file->driver_priv;
	struct drm_gpuoa_sim_context *args = data;
	struct sim_context *context;
	int err;

	if (args->pad)
		return -EINVAL;
	context = context_create(gpu);
	if (IS_ERR(context))
		return PTR_ERR(context);
	err = xa_alloc(&priv->contexts, &args->handle, context, xa_limit_31b, GFP_KERNEL);
	if (err)
		kref_put(&context->ref, context_release);
	return err;
}

static int context_destroy_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct sim_file *priv = file->driver_priv;
	struct drm_gpuoa_sim_context *args = data;
	struct sim_context *context;

	if (args->pad)
		return -EINVAL;
	context = xa_erase(&priv->contexts, args->handle);
	if (!context)
		return -ENOENT;
	kref_put(&context->ref, context_release);
	return 0;
}

static int sim_open(struct drm_device *drm, struct drm_file *file)
{
	struct sim_file *priv = kzalloc(sizeof(*priv), GFP_KERNEL);

	if (!priv)
		return -ENOMEM;
	xa_init_flags(&priv->contexts, XA_FLAGS_ALLOC1);
	file->driver_priv = priv;
	return 0;
}

static void sim_postclose(struct drm_device *drm, struct drm_file *file)
{
	struct sim_file *priv = file->driver_priv;
	struct sim_context *context;
	unsigned long handle;

	xa_for_each(&priv->contexts, handle, context)
		kref_put(&context->ref, context_release);
	xa_destroy(&priv->contexts);
	kfree(priv);
}

static const struct drm_ioctl_desc sim_ioctls[] = {
	DRM_IOCTL_DEF_DRV(GPUOA_SIM_CONTEXT_CREATE, context_create_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(GPUOA_SIM_CONTEXT_DESTROY, context_destroy_ioctl, DRM_RENDER_ALLOW),
};

static const struct file_operations sim_fops = {
	.owner = THIS_MODULE,
	.open = drm_open,
	.release = drm_release,
	.unlocked_ioctl = drm_ioctl,
	.compat_ioctl = drm_compat_ioctl,
	.poll = drm_poll,
	.read = drm_read,
	.llseek = noop_llseek,
	GPUOA_DRM_FOP_FLAGS
};

static const struct drm_driver sim_driver = {
	.driver_features = DRIVER_RENDER,
	.open = sim_open,
	.postclose = sim_postclose,
	.ioctls = sim_ioctls,
	.num_ioctls = ARRAY_SIZE(sim_ioctls),
	.fops = &sim_fops,
	.name = SIM_NAME,
	.desc = "virtual Intel GPU with an OA unit",
	GPUOA_DRM_DATE("20250101")
	.major = 1,
	.minor = 0,
};

/*
 * The instance lives as long as its DRM device: until @parent is released and the last file is
 * closed.
 */
struct sim_gpu *sim_drm_create(struct device *parent)
{
	return devm_drm_dev_alloc(parent, &sim_driver, struct sim_gpu, drm);
}

int sim_context_get(void *host, struct file *file, u32 handle, u64 *hw_id, void **context)
{
	struct sim_gpu *gpu = host;
	struct drm_file *drm_file = file->private_data;
	struct sim_context *found;
	struct sim_file *priv;

	if (file->f_op != &sim_fops || drm_file->minor->dev != &gpu->drm)
		return -EXDEV;

	priv = drm_file->driver_priv;
	xa_lock(&priv->contexts);
	found = xa_load(&priv->contexts, handle);
	if (found)
		kref_get(&found->ref);
	xa_unlock(&priv->contexts);
	if (!found)
		return -ENOENT;

	*hw_id = found->state.start;
	*context = found;
	return 0;
}

void sim_context_put(void *host, void *context)
{
	struct sim_context *held = context;

	kref_put(&held->ref, context_release);
}
