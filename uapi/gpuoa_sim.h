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

/**
 * struct drm_gpuoa_sim_context - DRM_IOCTL_GPUOA_SIM_CONTEXT_CREATE and _DESTROY
 *
 * Both fail with EINVAL if @pad is not 0. CREATE fails with ENOSPC if the GPU has no free time slot
 * for one more context, DESTROY with ENOENT if this file has no such context.
 *
 * @handle: CREATE: out; DESTROY: in. Names the context within this file, from 1
 * @pad: must be 0
 */
struct drm_gpuoa_sim_context {
	__u32 handle;
	__u32 pad;
};

#define DRM_IOCTL_GPUOA_SIM_CONTEXT_CREATE \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_GPUOA_SIM_CONTEXT_CREATE, struct drm_gpuoa_sim_context)
#define DRM_IOCTL_GPUOA_SIM_CONTEXT_DESTROY \
	DRM_IOW(DRM_COMMAND_BASE + DRM_GPUOA_SIM_CONTEXT_DESTROY, struct drm_gpuoa_sim_context)

#if defined(__cplusplus)
}
#endif

#endif /* _UAPI_GPUOA_SIM_H */
