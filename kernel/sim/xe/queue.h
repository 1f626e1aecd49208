/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * queue.h - queues of batches of the xe face.
 */
#ifndef _SIM_XE_QUEUE_H
#define _SIM_XE_QUEUE_H

#include <linux/kref.h>
#include <linux/list.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include "third_party/drm/xe_drm.h"

struct dma_fence;
struct drm_device;
struct drm_file;
struct sim_context;
struct sim_job;
struct sim_xe;
struct sim_xe_file;
struct sim_xe_vm;

/**
 * struct sim_xe_queue - a queue
 * @ref: one for the file, one for each batch and stream
 * @xe: the face
 * @engine: where its batches run
 * @binds: it is one for VM_BIND, and has no batches
 * @vm: their address space, held
 * @context: their hardware context, or NULL
 * @banned: one of them was bad
 * @work: hands batches to the engine, in their order, when what they wait for has happened
 * @lock: protects @waiting
 * @waiting: those that have not been handed on
 */
struct sim_xe_queue {
	struct kref ref;
	struct sim_xe *xe;
	struct drm_xe_engine_class_instance engine;
	bool binds;
	struct sim_xe_vm *vm;
	struct sim_context *context;
	bool banned;
	struct work_struct work;
	spinlock_t lock; /* see above */
	struct list_head waiting;
};

/**
 * struct sim_xe_batch - a batch: what it has beyond the simulator's
 * @link: in the queue
 * @queue: the queue, held
 * @job: the batch itself
 * @ufence: a user fence is to be written
 * @address: where
 * @value: what
 * @n_deps: number of @deps
 * @deps: what it waits for, held
 */
struct sim_xe_batch {
	struct list_head link;
	struct sim_xe_queue *queue;
	struct sim_job *job;
	bool ufence;
	u64 address;
	u64 value;
	u32 n_deps;
	struct dma_fence *deps[];
};

struct sim_xe_queue *sim_xe_queue_get(struct sim_xe_file *file, u32 id);
void sim_xe_queue_hold(struct sim_xe_queue *queue);
void sim_xe_queue_put(struct sim_xe_queue *queue);
void sim_xe_queue_close(struct sim_xe_queue *queue);
void sim_xe_queue_push(struct sim_xe_batch *batch);

int sim_xe_queue_create_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int sim_xe_queue_destroy_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int sim_xe_queue_get_property_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

#endif /* _SIM_XE_QUEUE_H */
