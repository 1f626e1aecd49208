/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * exec.h - execution of batches, and their fences.
 */
#ifndef _SIM_EXEC_H
#define _SIM_EXEC_H

#include <linux/dma-fence.h>
#include <linux/spinlock.h>
#include <linux/mutex.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "vgpu/model/cs.h"

struct dma_fence;
struct drm_device;
struct drm_file;
struct drm_gpuoa_sim_result;
struct sim_context;
struct sim_fence;
struct sim_instance;
struct sim_vm;

/**
 * struct sim_fence - the fence of a batch
 * @base: the DMA fence
 * @lock: the lock of @base, which also protects @fault
 * @fault: the fault that stopped the batch; valid once signalled
 */
struct sim_fence {
	struct dma_fence base;
	spinlock_t lock; /* see above */
	struct sim_cs_fault fault;
};

/**
 * struct sim_exec - the engine
 * @queue: ordered queue of batches
 * @lock: serializes the submission of batches, so that the seqnos of a context are in queue order
 * @gone: the GPU was removed; queued batches fail
 * @wait: where a working batch waits for the end of its work, or for @gone
 */
struct sim_exec {
	struct workqueue_struct *queue;
	struct mutex lock; /* see above */
	bool gone;
	wait_queue_head_t wait;
};

/**
 * struct sim_job - a queued batch
 * @work: entry in the engine's queue
 * @instance: the GPU
 * @context: context of the batch
 * @vm: address space of the batch
 * @fence: signalled when the batch ends
 * @cs: state of the command streamer for the batch
 */
struct sim_job {
	struct work_struct work;
	struct sim_instance *instance;
	struct sim_context *context;
	struct sim_vm *vm;
	struct sim_fence *fence;
	struct sim_cs cs;
};

int sim_exec_create(struct sim_instance *instance);
int sim_exec_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int sim_result_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

#endif /* _SIM_EXEC_H */
