/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sync.h - arrays of struct drm_xe_sync: fences to wait for and to signal.
 */
#ifndef _SIM_XE_SYNC_H
#define _SIM_XE_SYNC_H

#include <linux/types.h>

struct dma_fence;
struct drm_file;
struct sim_xe_sync;

/* Flags of sim_xe_syncs_read() */
#define SIM_XE_SYNC_EXEC BIT(0) /* user fences have GPU addresses */
#define SIM_XE_SYNC_LONG_RUNNING BIT(1) /* only user fences can be signaled */

/**
 * struct sim_xe_syncs - an array of syncs
 * @n: number of @syncs
 * @syncs: the syncs
 * @ufence: the only user fence in the array, or NULL
 */
struct sim_xe_syncs {
	u32 n;
	struct sim_xe_sync *syncs;
	struct sim_xe_sync *ufence;
};

int sim_xe_syncs_read(struct sim_xe_syncs *syncs, struct drm_file *file, u64 from, u32 n,
		      u32 flags);
void sim_xe_syncs_free(struct sim_xe_syncs *syncs);
bool sim_xe_syncs_ufence(const struct sim_xe_syncs *syncs, u64 *address, u64 *value);
struct dma_fence *sim_xe_syncs_take(struct sim_xe_syncs *syncs, u32 i);
void sim_xe_syncs_signal(struct sim_xe_syncs *syncs, struct dma_fence *fence);
int sim_xe_syncs_wait(const struct sim_xe_syncs *syncs);
void sim_xe_syncs_done(struct sim_xe_syncs *syncs);

#endif /* _SIM_XE_SYNC_H */
