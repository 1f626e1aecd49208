/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * exec.h - the engine of a virtual GPU: batches wait in its queue and run one at a time.
 */
#ifndef _SIM_EXEC_H
#define _SIM_EXEC_H

#include <linux/mutex.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

struct drm_device;
struct drm_file;
struct sim_instance;

/**
 * struct sim_exec - the engine
 * @queue: of batches, ordered
 * @lock: a context's batches get their numbers in the order in which they are queued
 * @gone: the GPU was removed: what is queued fails
 * @wait: where a batch that works waits for the end of it, or for @gone
 */
struct sim_exec {
	struct workqueue_struct *queue;
	struct mutex lock; /* see above */
	bool gone;
	wait_queue_head_t wait;
};

int sim_exec_create(struct sim_instance *instance);
int sim_exec_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int sim_result_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

#endif /* _SIM_EXEC_H */
