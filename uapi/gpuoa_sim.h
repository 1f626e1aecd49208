/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * gpuoa_sim.h - ioctls of the simulated GPU's DRM render node (driver name "gpuoa_sim").
 */
#ifndef _UAPI_GPUOA_SIM_H
#define _UAPI_GPUOA_SIM_H

#ifdef __KERNEL__
#include <drm/drm.h>
#else
#include <drm.h> /* libdrm's; pkg-config knows where */
#endif

#if defined(__cplusplus)
extern "C" {
#endif

#define DRM_GPUOA_SIM_CONTEXT_CREATE 0x00
#define DRM_GPUOA_SIM_CONTEXT_DESTROY 0x01
#define DRM_GPUOA_SIM_GEM_CREATE 0x02
#define DRM_GPUOA_SIM_BIND 0x03
#define DRM_GPUOA_SIM_UNBIND 0x04
#define DRM_GPUOA_SIM_EXEC 0x05
#define DRM_GPUOA_SIM_RESULT 0x06

/**
 * struct drm_gpuoa_sim_context - DRM_IOCTL_GPUOA_SIM_CONTEXT_CREATE and _DESTROY
 *
 * Both fail with EINVAL if @pad is not 0. CREATE fails with ENOSPC if the GPU has no free time slot
 * for one more context, DESTROY with ENOENT if this file has no such context.
 *
 * Batches of a context that is destroyed do not begin any more, and the one that runs ends with its
 * current command: their fences are signalled with ECANCELED. Closing the file does the same.
 *
 * @handle: CREATE: out; DESTROY: in. Names the context within this file, from 1
 * @pad: must be 0
 */
struct drm_gpuoa_sim_context {
	__u32 handle;
	__u32 pad;
};

#define GPUOA_SIM_GEM_MAX_SIZE (256ULL << 20)

/**
 * struct drm_gpuoa_sim_gem_create - DRM_IOCTL_GPUOA_SIM_GEM_CREATE: make an object, filled with 0
 *
 * EINVAL if @size is 0 or more than GPUOA_SIM_GEM_MAX_SIZE, or @pad is not 0. DRM_IOCTL_GEM_CLOSE
 * gives the handle up; the object lasts while it is mapped or bound.
 *
 * @size: in: bytes; out: rounded up to whole pages
 * @handle: out: names the object within this file
 * @pad: must be 0
 * @offset: out: where to mmap() it on the DRM file
 */
struct drm_gpuoa_sim_gem_create {
	__u64 size;
	__u32 handle;
	__u32 pad;
	__u64 offset;
};

/**
 * struct drm_gpuoa_sim_bind - DRM_IOCTL_GPUOA_SIM_BIND and _UNBIND: place an object in the address
 * space that all contexts of this file share
 *
 * Addresses are the program's choice, as on GPUs whose drivers have a VM_BIND: commands carry them
 * as they are, and nothing is ever moved. They have 32 bits on Haswell and 48 bits later. The first
 * page cannot be bound, so that an address of 0 is always a mistake. An object may be bound several
 * times. Both take effect at once; a batch that still needs what was unbound fails.
 *
 * BIND fails with ENOENT if there is no such object, EINVAL if @address is not a multiple of 4096
 * or the object would not lie within the address space or @pad is not 0, and EEXIST if something is
 * bound there already. UNBIND fails with ENOENT if no object is bound with its begin at @address,
 * and EINVAL if @handle or @pad is not 0.
 *
 * @address: of the object's first byte
 * @handle: BIND: of the object
 * @pad: must be 0
 */
struct drm_gpuoa_sim_bind {
	__u64 address;
	__u32 handle;
	__u32 pad;
};

#define GPUOA_SIM_MAX_QUEUED 64

/**
 * struct drm_gpuoa_sim_exec - DRM_IOCTL_GPUOA_SIM_EXEC: queue a batch of commands
 *
 * The GPU has one engine. It runs batches one at a time, in the order in which they were queued,
 * whatever their contexts. The fence of the batch replaces what @syncobj had;
 * DRM_IOCTL_SYNCOBJ_WAIT waits for it.
 *
 * ENOENT if there is no such context or syncobj, EBUSY if the context has GPUOA_SIM_MAX_QUEUED
 * batches that are not finished, ENODEV if the GPU is gone. All that may be
 * wrong with the batch itself is told by DRM_IOCTL_GPUOA_SIM_RESULT.
 *
 * Commands have the encodings of the hardware that is simulated; Documentation/simulator.rst tells
 * which there are.
 *
 * @address: of the first command
 * @context: handle of the context
 * @syncobj: handle of the syncobj that gets the fence, or 0
 */
struct drm_gpuoa_sim_exec {
	__u64 address;
	__u32 context;
	__u32 syncobj;
};

/*
 * The one command that no GPU has: keep the units busy for a number of GPU clocks, as the scene
 * with this index does (GPUOA_SIM_SCENE_*). Four dwords: header, scene, clocks [31:0], [63:32]. The
 * batch goes on when they have passed.
 */
#define GPUOA_SIM_WORK 0xe0000002

/* Scenes, by index */
#define GPUOA_SIM_SCENE_IDLE 0
#define GPUOA_SIM_SCENE_STEADY 1
#define GPUOA_SIM_SCENE_FRAMES 2
#define GPUOA_SIM_SCENE_COMPUTE 3

/* Limits of one batch: dwords of commands, and clocks of all its GPUOA_SIM_WORK */
#define GPUOA_SIM_MAX_DWORDS (1U << 20)
#define GPUOA_SIM_MAX_CLOCKS 0xffffffffULL

/**
 * enum gpuoa_sim_fault - why a batch was stopped
 *
 * With each, the errno that the batch's fence carries, and what &drm_gpuoa_sim_result.value tells.
 *
 * @GPUOA_SIM_FAULT_NONE: it was not
 * @GPUOA_SIM_FAULT_UNMAPPED: EFAULT: nothing is bound at this address
 * @GPUOA_SIM_FAULT_MISALIGNED: EINVAL: this address or register is not a multiple of what it must
 *	be
 * @GPUOA_SIM_FAULT_TRUNCATED: EFAULT: the command begins in bound memory and ends outside, at this
 *	address
 * @GPUOA_SIM_FAULT_RUNAWAY: ELOOP: no MI_BATCH_BUFFER_END before the end of bound memory, at this
 *	address, or within GPUOA_SIM_MAX_DWORDS
 * @GPUOA_SIM_FAULT_OPCODE: EOPNOTSUPP: a command that there is not: its first dword
 * @GPUOA_SIM_FAULT_LENGTH: EINVAL: a command that can't have this many dwords
 * @GPUOA_SIM_FAULT_RESERVED: EINVAL: a bit that must not be set here, or that asks for what is not
 *	simulated: the dword
 * @GPUOA_SIM_FAULT_PRIVILEGED: EPERM: the command asks for the global address space: the dword
 * @GPUOA_SIM_FAULT_REGISTER: EACCES: batches must not read, or not write, this register
 * @GPUOA_SIM_FAULT_SCENE: EINVAL: there is no such scene
 * @GPUOA_SIM_FAULT_CLOCKS: ETIME: with this many clocks the batch would have more than
 *	GPUOA_SIM_MAX_CLOCKS
 */
enum gpuoa_sim_fault {
	GPUOA_SIM_FAULT_NONE,
	GPUOA_SIM_FAULT_UNMAPPED,
	GPUOA_SIM_FAULT_MISALIGNED,
	GPUOA_SIM_FAULT_TRUNCATED,
	GPUOA_SIM_FAULT_RUNAWAY,
	GPUOA_SIM_FAULT_OPCODE,
	GPUOA_SIM_FAULT_LENGTH,
	GPUOA_SIM_FAULT_RESERVED,
	GPUOA_SIM_FAULT_PRIVILEGED,
	GPUOA_SIM_FAULT_REGISTER,
	GPUOA_SIM_FAULT_SCENE,
	GPUOA_SIM_FAULT_CLOCKS,
};

/**
 * struct drm_gpuoa_sim_result - DRM_IOCTL_GPUOA_SIM_RESULT: how a batch ended
 *
 * What a batch did before it was stopped stays done, and its context can go on with the next one.
 * The status is also that of the fence: a sync_file made from the syncobj shows it.
 *
 * ENOENT if there is no such syncobj, EINVAL if it has no fence of a batch, EBUSY if the batch has
 * not ended.
 *
 * @syncobj: in: handle of the syncobj that EXEC was given
 * @status: out: 0, or a negative errno: that of @reason; -ECANCELED if the context or its file went
 *	away first, -ENODEV if the GPU did
 * @reason: out: enum gpuoa_sim_fault
 * @offset: out: of the dword that is wrong, in bytes from the batch's first one
 * @value: out: what is wrong: see enum gpuoa_sim_fault
 */
struct drm_gpuoa_sim_result {
	__u32 syncobj;
	__s32 status;
	__u32 reason;
	__u32 offset;
	__u64 value;
};

#define DRM_IOCTL_GPUOA_SIM_CONTEXT_CREATE \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_GPUOA_SIM_CONTEXT_CREATE, struct drm_gpuoa_sim_context)
#define DRM_IOCTL_GPUOA_SIM_CONTEXT_DESTROY \
	DRM_IOW(DRM_COMMAND_BASE + DRM_GPUOA_SIM_CONTEXT_DESTROY, struct drm_gpuoa_sim_context)
#define DRM_IOCTL_GPUOA_SIM_GEM_CREATE \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_GPUOA_SIM_GEM_CREATE, struct drm_gpuoa_sim_gem_create)
#define DRM_IOCTL_GPUOA_SIM_BIND \
	DRM_IOW(DRM_COMMAND_BASE + DRM_GPUOA_SIM_BIND, struct drm_gpuoa_sim_bind)
#define DRM_IOCTL_GPUOA_SIM_UNBIND \
	DRM_IOW(DRM_COMMAND_BASE + DRM_GPUOA_SIM_UNBIND, struct drm_gpuoa_sim_bind)
#define DRM_IOCTL_GPUOA_SIM_EXEC \
	DRM_IOW(DRM_COMMAND_BASE + DRM_GPUOA_SIM_EXEC, struct drm_gpuoa_sim_exec)
#define DRM_IOCTL_GPUOA_SIM_RESULT \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_GPUOA_SIM_RESULT, struct drm_gpuoa_sim_result)

#if defined(__cplusplus)
}
#endif

#endif /* _UAPI_GPUOA_SIM_H */
