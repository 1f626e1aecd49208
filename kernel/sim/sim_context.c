// SPDX-License-Identifier: GPL-2.0-only
/*
 * sim_context.c - hardware contexts of the virtual GPU: making, finding and giving them up.
 */
#include <drm/drm_file.h>
#include <linux/dma-fence.h>
#include <linux/fs.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include "sim.h"
#include "sim_context.h"
#include "uapi/gpuoa_sim.h"

/**
 * DOC: Contexts
 *
 * A context has what the OA unit's filter needs of one: a state page in the GGTT, a name in
 * hardware (on Haswell, the address of that page), and a time slot. In its slot it simply is the
 * one that runs, from its creation to the last reference: a stream that filters on it keeps it
 * alive beyond the file that made it.
 */

/* The time slot of the context of this name, or -1. */
int sim_slot_find(const struct sim_gpu *gpu, u32 hw_id)
{
	int i;

	for (i = 0; i < SIM_N_SLOTS; i++)
		if (hw_id && gpu->slots[i] == hw_id)
			return i;
	return -1;
}

/*
 * What reports call the context that runs in a slot. Slots that nobody has taken belong to three
 * contexts that are always there, as a desktop's would be.
 */
u32 sim_slot_context(const struct sim_gpu *gpu, unsigned int slot)
{
	if (slot >= SIM_N_SLOTS)
		return 0;
	return gpu->slots[slot] ?: (1 + slot % 3) << gpu->platform->context_shift;
}

/* A name that nobody else has, nor had before for long: from 16 on, as 1..3 are taken. */
static u32 context_name(struct sim_gpu *gpu, const struct sim_context *context)
{
	const unsigned int turns = 60;

	if (gpu->platform->named_by_address)
		return context->state.start;
	return (16 * (1 + gpu->n_contexts++ % turns) + context->slot)
	       << gpu->platform->context_shift;
}

static void slot_set(struct sim_gpu *gpu, unsigned int slot, u32 hw_id)
{
	unsigned long flags;
	unsigned int i;

	raw_spin_lock_irqsave(&gpu->lock, flags);
	/* What was reported until now was the one before. */
	sim_gpu_advance(gpu);
	gpu->slots[slot] = hw_id;
	for (i = 0; i < gpu->n_oa; i++)
		sim_oa_slot_changed(&gpu->oa[i], slot);
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
		context->hw_id = context_name(gpu, context);
		slot_set(gpu, slot, context->hw_id);
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
	context->timeline = dma_fence_context_alloc(1);
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

/* The file's reference goes. */
static void context_close(struct sim_context *context)
{
	WRITE_ONCE(context->closed, true);
	kref_put(&context->ref, context_release);
}

int sim_context_create_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
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

void sim_context_close_all(struct sim_file *file)
{
	struct sim_context *context;
	unsigned long handle;

	xa_for_each(&file->contexts, handle, context)
		context_close(context);
}

/* The context with this handle, with a reference, or NULL. */
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

int sim_context_get(void *host, struct file *file, u32 handle, u64 *hw_id, void **context)
{
	struct sim_file *priv = sim_file_of(host, file);
	struct sim_context *found;

	if (!priv)
		return -EXDEV;
	found = sim_context_find(priv, handle);
	if (!found)
		return -ENOENT;

	*hw_id = found->hw_id;
	*context = found;
	return 0;
}

void sim_context_put(void *host, void *context)
{
	struct sim_context *held = context;

	kref_put(&held->ref, context_release);
}
