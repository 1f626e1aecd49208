// SPDX-License-Identifier: GPL-2.0-only
/*
 * fence.c - fence of a batch: tells when it ended, and how.
 */
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "drm.h"
#include "fence.h"
#include "uapi/gpuoa_sim.h"

/*
 * A fence outlives the GPU in every syncobj and sync_file that has it, and its operations are
 * code of this module: so it holds the module. fence_free() runs in an RCU
 * callback, for which the removal of a module waits.
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
 * sim_fence_alloc - get memory for a fence
 *
 * Return: the fence, to be initialized by sim_fence_init() or freed by kfree(); or NULL
 */
struct sim_fence *sim_fence_alloc(void)
{
	return kzalloc(sizeof(struct sim_fence), GFP_KERNEL_ACCOUNT);
}

/**
 * sim_fence_init - make a fence
 * @fence: memory for it, which dma_fence_put() frees from now on
 * @timeline: of the batch's context
 * @seqno: number of the batch there
 */
void sim_fence_init(struct sim_fence *fence, u64 timeline, u64 seqno)
{
	__module_get(THIS_MODULE);
	spin_lock_init(&fence->lock);
	dma_fence_init(&fence->base, &sim_fence_ops, &fence->lock, timeline, seqno);
}

/**
 * sim_fence_signal - the batch has ended
 * @fence: its fence
 * @error: 0, or a negative errno
 * @fault: why it was stopped
 */
void sim_fence_signal(struct sim_fence *fence, int error, const struct sim_cs_fault *fault)
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
 * sim_fence_result - how has a batch ended?
 * @base: any fence
 * @result: gets the answer
 *
 * Return: 0; -EINVAL: the fence is not a batch's; -EBUSY: the batch has not ended
 */
int sim_fence_result(struct dma_fence *base, struct drm_gpuoa_sim_result *result)
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
