/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * queue.h - exec queues of the emulated xe device.
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
 * struct sim_xe_queue - an exec queue
 * @ref: reference count: one each for the file, each batch, each stream and pending @work
 * @xe: the emulated xe device
 * @engine: engine of the batches
 * @binds: queue for VM_BIND, accepts no batches
 * @vm: address space of the batches, referenced; NULL if @binds
 * @context: hardware context of the batches; NULL if @binds
 * @banned: a batch has failed
 * @work: passes batches to the engine, in order, after their dependencies are signaled
 * @lock: protects @waiting
 * @waiting: batches not yet passed to the engine
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
 * struct sim_xe_batch - a batch with its dependencies and user fence
 * @link: entry in &sim_xe_queue.waiting
 * @queue: exec queue, referenced
 * @job: job for the simulator's engine
 * @ufence: write a user fence when the batch is complete
 * @address: GPU address of the user fence
 * @value: value of the user fence
 * @n_deps: number of @deps
 * @deps: fences to wait for, referenced
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
