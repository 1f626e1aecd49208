/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * address_space.h - address spaces of batches: what is bound where.
 */
#ifndef _SIM_ADDRESS_SPACE_H
#define _SIM_ADDRESS_SPACE_H

#include <drm/drm_mm.h>
#include <linux/kref.h>
#include <linux/mutex.h>

struct drm_gem_object;

/**
 * struct sim_vm - address space
 * @ref: one for the file that has it, one for each of its batches
 * @lock: protects @mm. Batches take it for each dword, and fences wait for batches: so no memory
 *	is allocated under it
 * @mm: what is bound where
 * @end: address behind the last one
 * @scratch: where nothing is bound, reads find 0 and writes are dropped
 */
struct sim_vm {
	struct kref ref;
	struct mutex lock; /* see above */
	struct drm_mm mm;
	u64 end;
	bool scratch;
};

struct sim_vm *sim_vm_create(unsigned int address_bits);
void sim_vm_get(struct sim_vm *vm);
void sim_vm_put(struct sim_vm *vm);
int sim_vm_bind(struct sim_vm *vm, struct drm_gem_object *object, u64 address);
int sim_vm_unbind(struct sim_vm *vm, u64 address);
int sim_vm_replace(struct sim_vm *vm, struct drm_gem_object *object, u64 offset, u64 address,
		   u64 size);
int sim_vm_clear(struct sim_vm *vm, u64 address, u64 size);
int sim_vm_clear_object(struct sim_vm *vm, const struct drm_gem_object *object);
int sim_vm_dword(struct sim_vm *vm, u64 address, u32 **dword);

#endif /* _SIM_ADDRESS_SPACE_H */
