/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fence.h - fence of a batch: tells when it ended, and how.
 */
#ifndef _SIM_FENCE_H
#define _SIM_FENCE_H

#include <linux/dma-fence.h>
#include <linux/spinlock.h>

#include "vgpu/model/cs.h"

struct drm_gpuoa_sim_result;

/**
 * struct sim_fence - the fence of a batch
 * @base: what the world sees
 * @lock: that of @base; it protects @fault, too
 * @fault: once signalled: why the batch was stopped
 */
struct sim_fence {
	struct dma_fence base;
	spinlock_t lock; /* see above */
	struct sim_cs_fault fault;
};

struct sim_fence *sim_fence_alloc(void);
void sim_fence_init(struct sim_fence *fence, u64 timeline, u64 seqno);
void sim_fence_signal(struct sim_fence *fence, int error, const struct sim_cs_fault *fault);
int sim_fence_result(struct dma_fence *base, struct drm_gpuoa_sim_result *result);

#endif /* _SIM_FENCE_H */
