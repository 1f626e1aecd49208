/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * context.h - hardware contexts of a virtual GPU, and the open DRM files that own them.
 */
#ifndef _SIM_CONTEXT_H
#define _SIM_CONTEXT_H

#include <drm/drm_mm.h>
#include <linux/atomic.h>
#include <linux/kref.h>
#include <linux/xarray.h>

#include "vgpu/model/cs.h"

struct drm_device;
struct drm_file;
struct file;
struct gpuoa_provider_owner;
struct sim_instance;
struct sim_owner;
struct sim_vm;

/**
 * struct sim_context - a hardware context
 * @ref: one reference of the owning file, one per sim_context_get() and one per batch
 * @instance: the GPU
 * @state: addresses of the context's state page; no memory is mapped there
 * @slot: time slot of the context
 * @hw_id: hardware id of the context
 * @owner: the process and file that created the context
 * @reports_batches: write a report at the beginning and at the end of each batch; under
 *   &sim_instance.mutex
 * @closed: the file has closed the context; queued batches are cancelled
 * @n_queued: number of unfinished batches
 * @timeline: fence context of the context's batches
 * @seqno: fence seqno of the batch queued last, under &sim_exec.lock
 * @gpr: general purpose registers; only the running batch accesses them
 */
struct sim_context {
	struct kref ref;
	struct sim_instance *instance;
	struct drm_mm_node state;
	unsigned int slot;
	u32 hw_id;
	struct sim_owner *owner;
	bool reports_batches;
	bool closed;
	atomic_t n_queued;
	u64 timeline;
	u64 seqno;
	u32 gpr[2 * SIM_CS_N_GPRS];
};

/**
 * struct sim_file - an open DRM file
 * @contexts: contexts of the file, by handle
 * @vm: the address space of the batches of all @contexts
 */
struct sim_file {
	struct xarray contexts;
	struct sim_vm *vm;
};

struct sim_file *sim_file_of(const struct sim_instance *instance, const struct file *file);
struct sim_context *sim_context_find(struct sim_file *file, u32 handle);
void sim_context_close_all(struct sim_file *file);
int sim_context_create_ioctl(struct drm_device *drm, void *data, struct drm_file *file);
int sim_context_destroy_ioctl(struct drm_device *drm, void *data, struct drm_file *file);

int sim_context_get(void *provider, struct file *file, u32 handle, u64 *hw_id, void **context);
void sim_context_put(void *provider, void *context);
int sim_context_batches(void *provider, void *context, bool report);
int sim_context_owner(void *provider, u32 hw_id, u32 mask, struct gpuoa_provider_owner *owner);

#endif /* _SIM_CONTEXT_H */
