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
 * Queued batches of a destroyed context are dropped, and a running one stops after its current
 * command: their fences are signalled with ECANCELED. Closing the file does the same.
 *
 * @handle: CREATE: out; DESTROY: in. Handle of the context in this file, from 1
 * @pad: must be 0
 */
struct drm_gpuoa_sim_context {
	__u32 handle;
	__u32 pad;
};

#define GPUOA_SIM_GEM_MAX_SIZE (256ULL << 20)

/**
 * struct drm_gpuoa_sim_gem_create - DRM_IOCTL_GPUOA_SIM_GEM_CREATE: Create an object, zero-filled.
 *
 * EINVAL if @size is 0 or exceeds GPUOA_SIM_GEM_MAX_SIZE, or @pad is not 0. DRM_IOCTL_GEM_CLOSE
 * closes the handle; the object exists as long as it is mapped or bound.
 *
 * @size: in: size, bytes; out: size rounded up to whole pages
 * @handle: out: handle of the object in this file
 * @pad: must be 0
 * @offset: out: offset for mmap() of the DRM file
 */
struct drm_gpuoa_sim_gem_create {
	__u64 size;
	__u32 handle;
	__u32 pad;
	__u64 offset;
};

/**
 * struct drm_gpuoa_sim_bind - DRM_IOCTL_GPUOA_SIM_BIND and _UNBIND: Bind and unbind an object.
 *
 * All contexts of a file share an address space. The program chooses addresses, as with VM_BIND of
 * other drivers: commands contain them without relocation. They have 32 bits on Haswell and 48 bits
 * on later GPUs. The first page cannot be bound, so address 0 is always invalid. An object may be
 * bound several times. Both calls take effect at once; a batch that accesses an unbound object
 * fails.
 *
 * BIND fails with ENOENT if the object does not exist, EINVAL if @address is not a multiple of
 * 4096, the object would exceed the address space or @pad is not 0, and EEXIST if the range is
 * partly bound. UNBIND fails with ENOENT if no bound object starts at @address, and EINVAL if
 * @handle or @pad is not 0.
 *
 * @address: GPU address of the object's first byte
 * @handle: BIND: handle of the object
 * @pad: must be 0
 */
struct drm_gpuoa_sim_bind {
	__u64 address;
	__u32 handle;
	__u32 pad;
};

#define GPUOA_SIM_MAX_QUEUED 64

/**
 * struct drm_gpuoa_sim_exec - DRM_IOCTL_GPUOA_SIM_EXEC: Queue a batch.
 *
 * The GPU has one engine. It runs batches of all contexts one at a time, in the order in which they
 * were queued. The fence of the batch replaces the fence of @syncobj; DRM_IOCTL_SYNCOBJ_WAIT waits
 * for it.
 *
 * ENOENT if the context or syncobj does not exist, EBUSY if the context has GPUOA_SIM_MAX_QUEUED
 * unfinished batches, ENODEV if the GPU was removed. DRM_IOCTL_GPUOA_SIM_RESULT returns errors of
 * the batch itself.
 *
 * Commands have the encodings of the simulated hardware; Documentation/dev/simulator.rst lists the
 * supported ones.
 *
 * @address: GPU address of the first command
 * @context: handle of the context
 * @syncobj: handle of the syncobj that receives the fence, or 0
 */
struct drm_gpuoa_sim_exec {
	__u64 address;
	__u32 context;
	__u32 syncobj;
};

/*
 * A command that no real GPU has: keep the GPU busy for a number of GPU clocks with the workload of
 * this index (GPUOA_SIM_WORKLOAD_*). Four dwords: header, workload, clocks [31:0], clocks [63:32].
 * The batch continues afterwards.
 */
#define GPUOA_SIM_WORK 0xe0000002

/* Indices of workloads */
#define GPUOA_SIM_WORKLOAD_IDLE 0
#define GPUOA_SIM_WORKLOAD_STEADY 1
#define GPUOA_SIM_WORKLOAD_FRAMES 2
#define GPUOA_SIM_WORKLOAD_COMPUTE 3

/* Limits of a batch: dwords of commands, and total clocks of GPUOA_SIM_WORK */
#define GPUOA_SIM_MAX_DWORDS (1U << 20)
#define GPUOA_SIM_MAX_CLOCKS 0xffffffffULL

/**
 * enum gpuoa_sim_fault - reasons why a batch was stopped
 *
 * Each is listed with the errno of the batch's fence and the meaning of
 * &drm_gpuoa_sim_result.value.
 *
 * @GPUOA_SIM_FAULT_NONE: not stopped
 * @GPUOA_SIM_FAULT_UNMAPPED: EFAULT: address of an access outside of bound objects
 * @GPUOA_SIM_FAULT_MISALIGNED: EINVAL: misaligned address or register offset
 * @GPUOA_SIM_FAULT_TRUNCATED: EFAULT: address of a command that extends beyond bound memory
 * @GPUOA_SIM_FAULT_RUNAWAY: ELOOP: address at which bound memory ends without an
 *	MI_BATCH_BUFFER_END, or at which GPUOA_SIM_MAX_DWORDS were executed
 * @GPUOA_SIM_FAULT_OPCODE: EOPNOTSUPP: first dword of an unknown command
 * @GPUOA_SIM_FAULT_LENGTH: EINVAL: first dword of a command with an invalid length
 * @GPUOA_SIM_FAULT_RESERVED: EINVAL: dword with a reserved or unsupported bit set
 * @GPUOA_SIM_FAULT_PRIVILEGED: EPERM: dword that selects the global address space
 * @GPUOA_SIM_FAULT_REGISTER: EACCES: offset of a register that batches may not read or write
 * @GPUOA_SIM_FAULT_WORKLOAD: EINVAL: index of an unknown workload
 * @GPUOA_SIM_FAULT_CLOCKS: ETIME: clocks that make the batch exceed GPUOA_SIM_MAX_CLOCKS
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
	GPUOA_SIM_FAULT_WORKLOAD,
	GPUOA_SIM_FAULT_CLOCKS,
};

/**
 * struct drm_gpuoa_sim_result - DRM_IOCTL_GPUOA_SIM_RESULT: Return the result of a batch.
 *
 * The effects of a batch before it was stopped remain, and its context can execute further batches.
 * A sync_file created from the syncobj has the same status.
 *
 * ENOENT if the syncobj does not exist, EINVAL if it has no fence of a batch, EBUSY if the batch
 * has not ended.
 *
 * @syncobj: in: handle of the syncobj that was passed to EXEC
 * @status: out: 0, or a negative errno: that of @reason; -ECANCELED if the context or its file was
 *	closed first; -ENODEV if the GPU was removed
 * @reason: out: enum gpuoa_sim_fault
 * @offset: out: offset of the faulty dword in the batch, bytes
 * @value: out: details of the fault, see enum gpuoa_sim_fault
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
