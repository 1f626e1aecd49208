// SPDX-License-Identifier: GPL-2.0-only
/*
 * sync.c - arrays of struct drm_xe_sync: fences to wait for and to signal.
 */
#include <drm/drm_file.h>
#include <drm/drm_syncobj.h>
#include <linux/dma-fence-chain.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "sync.h"
#include "third_party/drm/xe_drm.h"

/**
 * struct sim_xe_sync - a sync: a syncobj or a user fence
 * @signal: true to signal the sync, false to wait for it
 * @object: syncobj, referenced; NULL for a user fence
 * @fence: fence to wait for, referenced; or NULL
 * @chain: preallocated fence chain node for a timeline syncobj to signal, or NULL
 * @address: address of the user fence
 * @value: value of the user fence, or timeline point
 */
struct sim_xe_sync {
	bool signal;
	struct drm_syncobj *object;
	struct dma_fence *fence;
	struct dma_fence_chain *chain;
	u64 address;
	u64 value;
};

/* As in xe, the syncobj must already have a fence. */
static int sync_find_fence(struct sim_xe_sync *sync, bool timeline)
{
	sync->fence = drm_syncobj_fence_get(sync->object);
	if (!sync->fence)
		return -EINVAL;

	return timeline ? dma_fence_chain_find_seqno(&sync->fence, sync->value) : 0;
}

static int sync_read_object(struct sim_xe_sync *sync, struct drm_file *file,
			    const struct drm_xe_sync *from, u32 flags)
{
	bool timeline = from->type == DRM_XE_SYNC_TYPE_TIMELINE_SYNCOBJ;

	if (sync->signal && flags & SIM_XE_SYNC_LONG_RUNNING)
		return -EOPNOTSUPP;
	if (upper_32_bits(from->addr) || (timeline && !from->timeline_value))
		return -EINVAL;
	sync->object = drm_syncobj_find(file, from->handle);
	if (!sync->object)
		return -ENOENT;
	if (!sync->signal)
		return sync_find_fence(sync, timeline);
	if (timeline) {
		sync->chain = dma_fence_chain_alloc();
		if (!sync->chain)
			return -ENOMEM;
	}
	return 0;
}

static int sync_read_ufence(struct sim_xe_sync *sync, const struct drm_xe_sync *from, u32 flags)
{
	u64 now;

	if (!sync->signal)
		return -EOPNOTSUPP;
	if (!IS_ALIGNED(from->addr, sizeof(u64)))
		return -EINVAL;
	if (!(flags & SIM_XE_SYNC_EXEC) &&
	    copy_from_user(&now, u64_to_user_ptr(from->addr), sizeof(now)))
		return -EFAULT;
	sync->address = from->addr;
	return 0;
}

static int sync_read(struct sim_xe_sync *sync, struct drm_file *file, u64 address, u32 flags)
{
	struct drm_xe_sync from;

	if (copy_from_user(&from, u64_to_user_ptr(address), sizeof(from)))
		return -EFAULT;
	if (from.flags & ~DRM_XE_SYNC_FLAG_SIGNAL || from.reserved[0] || from.reserved[1])
		return -EINVAL;
	sync->signal = from.flags & DRM_XE_SYNC_FLAG_SIGNAL;
	sync->value = from.timeline_value;
	switch (from.type) {
	case DRM_XE_SYNC_TYPE_SYNCOBJ:
	case DRM_XE_SYNC_TYPE_TIMELINE_SYNCOBJ:
		return sync_read_object(sync, file, &from, flags);
	case DRM_XE_SYNC_TYPE_USER_FENCE:
		return sync_read_ufence(sync, &from, flags);
	default:
		return -EINVAL;
	}
}

/**
 * sim_xe_syncs_read() - Read an array of syncs from user space.
 * @syncs: set to the array; must be freed with sim_xe_syncs_free(), also after an error
 * @file: owner of the syncobjs
 * @from: user address of the array of struct drm_xe_sync
 * @n: number of elements
 * @flags: SIM_XE_SYNC_*
 *
 * Return: 0; -EINVAL, -EFAULT or -ENOMEM; -ENOENT if a syncobj does not exist; -EOPNOTSUPP to wait
 * for a user fence, or to signal a syncobj with SIM_XE_SYNC_LONG_RUNNING
 */
int sim_xe_syncs_read(struct sim_xe_syncs *syncs, struct drm_file *file, u64 from, u32 n,
		      u32 flags)
{
	int ret = 0;

	*syncs = (struct sim_xe_syncs){};
	if (!n)
		return 0;
	syncs->syncs = kcalloc(n, sizeof(*syncs->syncs), GFP_KERNEL_ACCOUNT);
	if (!syncs->syncs)
		return -ENOMEM;
	for (; syncs->n < n && !ret; syncs->n++) {
		struct sim_xe_sync *sync = &syncs->syncs[syncs->n];

		ret = sync_read(sync, file, from + syncs->n * sizeof(struct drm_xe_sync), flags);
		if (ret || sync->object)
			continue;
		if (syncs->ufence)
			ret = -EINVAL;
		syncs->ufence = sync;
	}
	return ret;
}

/**
 * sim_xe_syncs_free() - Free the memory and references of an array.
 * @syncs: the array
 */
void sim_xe_syncs_free(struct sim_xe_syncs *syncs)
{
	u32 i;

	for (i = 0; i < syncs->n; i++) {
		struct sim_xe_sync *sync = &syncs->syncs[i];

		if (sync->object)
			drm_syncobj_put(sync->object);
		dma_fence_put(sync->fence);
		dma_fence_chain_free(sync->chain);
	}
	kfree(syncs->syncs);
	*syncs = (struct sim_xe_syncs){};
}

/**
 * sim_xe_syncs_ufence() - Get the user fence of an array.
 * @syncs: the array
 * @address: set to the address of the user fence
 * @value: set to the value to write
 *
 * Return: true if the array has a user fence
 */
bool sim_xe_syncs_ufence(const struct sim_xe_syncs *syncs, u64 *address, u64 *value)
{
	if (!syncs->ufence)
		return false;
	*address = syncs->ufence->address;
	*value = syncs->ufence->value;
	return true;
}

/**
 * sim_xe_syncs_take() - Move a fence to wait for out of the array.
 * @syncs: the array
 * @i: index of the sync
 *
 * Return: the fence with the array's reference, or NULL
 */
struct dma_fence *sim_xe_syncs_take(struct sim_xe_syncs *syncs, u32 i)
{
	struct dma_fence *fence = syncs->syncs[i].fence;

	syncs->syncs[i].fence = NULL;
	return fence;
}

/**
 * sim_xe_syncs_signal() - Attach a fence to all syncobjs to signal.
 * @syncs: the array
 * @fence: the fence
 */
void sim_xe_syncs_signal(struct sim_xe_syncs *syncs, struct dma_fence *fence)
{
	u32 i;

	for (i = 0; i < syncs->n; i++) {
		struct sim_xe_sync *sync = &syncs->syncs[i];

		if (!sync->signal || !sync->object)
			continue;
		if (sync->chain)
			drm_syncobj_add_point(sync->object, sync->chain, fence, sync->value);
		else
			drm_syncobj_replace_fence(sync->object, fence);
		sync->chain = NULL;
	}
}

/**
 * sim_xe_syncs_wait() - Wait for all fences of the array, interruptibly.
 * @syncs: the array
 *
 * Return: 0, or -ERESTARTSYS
 */
int sim_xe_syncs_wait(const struct sim_xe_syncs *syncs)
{
	long ret;
	u32 i;

	for (i = 0; i < syncs->n; i++) {
		if (!syncs->syncs[i].fence)
			continue;
		ret = dma_fence_wait(syncs->syncs[i].fence, true);
		if (ret)
			return ret;
	}
	return 0;
}

/**
 * sim_xe_syncs_done() - Signal all syncobjs and the user fence at once.
 * @syncs: the array; its user fence is an address in the caller's memory
 */
void sim_xe_syncs_done(struct sim_xe_syncs *syncs)
{
	struct dma_fence *fence = dma_fence_get_stub();
	u64 address, value;

	sim_xe_syncs_signal(syncs, fence);
	dma_fence_put(fence);
	/*
	 * Ignore an error: sync_read_ufence() has checked the address, so the program can only have
	 * unmapped it since.
	 */
	if (sim_xe_syncs_ufence(syncs, &address, &value) &&
	    copy_to_user(u64_to_user_ptr(address), &value, sizeof(value)))
		pr_debug("user fence at %#llx is gone\n", address);
}
