/* SPDX-License-Identifier: MIT */
/*
 * sim_gpu.h - minimal driver for a simulated GPU: memory for batches, a context, and execution of
 * batches. In a real program, i915, xe or a graphics API takes its place.
 */
#ifndef GPUOA_EXAMPLES_SIM_GPU_H
#define GPUOA_EXAMPLES_SIM_GPU_H

#include <errno.h>
#include <fcntl.h>
#include <gpuoa-device.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "uapi/gpuoa_sim.h"

#define MI_BATCH_BUFFER_END 0x05000000
#define SIM_GPUS_MAX 16

struct sim_gpu {
	int fd; /* DRM node */
	uint32_t context;
	uint32_t syncobj; /* sync object that is signaled when the running batch ends */
};

struct sim_memory {
	uint64_t address; /* in the GPU's address space */
	uint64_t size;
	uint32_t *map;
};

/* Call an ioctl. All functions of this file return 0 or a negative errno. */
static inline int sim_call(const struct sim_gpu *gpu, unsigned long request, void *argument)
{
	return ioctl(gpu->fd, request, argument) ? -errno : 0;
}

/* Create a context on the GPU with this name. */
static inline int sim_gpu_open(struct sim_gpu *gpu, const char *name)
{
	struct gpuoa_device_desc devices[SIM_GPUS_MAX];
	int n = gpuoa_device_list(devices, sizeof(devices[0]), SIM_GPUS_MAX);
	struct drm_gpuoa_sim_context context = { 0 };
	struct drm_syncobj_create syncobj = { 0 };
	const char *node = "";
	int err;

	for (int i = 0; i < n && i < SIM_GPUS_MAX; i++)
		if (!strcmp(devices[i].name, name))
			node = devices[i].render;
	gpu->fd = open(node, O_RDWR | O_CLOEXEC);
	if (gpu->fd < 0)
		return -errno;
	err = sim_call(gpu, DRM_IOCTL_GPUOA_SIM_CONTEXT_CREATE, &context);
	if (!err)
		err = sim_call(gpu, DRM_IOCTL_SYNCOBJ_CREATE, &syncobj);
	gpu->context = context.handle;
	gpu->syncobj = syncobj.handle;
	return err;
}

static inline int sim_memory_get(const struct sim_gpu *gpu, struct sim_memory *memory,
				 uint64_t address, uint64_t size)
{
	struct drm_gpuoa_sim_gem_create create = { .size = size };
	int err = sim_call(gpu, DRM_IOCTL_GPUOA_SIM_GEM_CREATE, &create);
	struct drm_gpuoa_sim_bind bind = { .address = address, .handle = create.handle };

	if (err)
		return err;
	memory->address = address;
	memory->size = create.size;
	memory->map =
		mmap(NULL, create.size, PROT_READ | PROT_WRITE, MAP_SHARED, gpu->fd, create.offset);
	if (memory->map == MAP_FAILED)
		return -errno;
	return sim_call(gpu, DRM_IOCTL_GPUOA_SIM_BIND, &bind);
}

/*
 * Write commands for work that takes @clocks GPU clocks, like a draw call or a kernel. Returns the
 * number of dwords written.
 */
static inline size_t sim_work(uint32_t *dwords, uint32_t clocks)
{
	dwords[0] = GPUOA_SIM_WORK;
	dwords[1] = GPUOA_SIM_WORKLOAD_COMPUTE;
	dwords[2] = clocks;
	dwords[3] = 0;
	return 4;
}

/* Run a batch of @dwords dwords, and wait for its end. */
static inline int sim_run(const struct sim_gpu *gpu, const struct sim_memory *batch, size_t dwords)
{
	struct drm_gpuoa_sim_exec exec = { .address = batch->address,
					   .context = gpu->context,
					   .syncobj = gpu->syncobj };
	struct drm_syncobj_wait wait = { .handles = (uintptr_t)&gpu->syncobj,
					 .count_handles = 1,
					 .timeout_nsec = INT64_MAX };
	int err;

	batch->map[dwords] = MI_BATCH_BUFFER_END;
	err = sim_call(gpu, DRM_IOCTL_GPUOA_SIM_EXEC, &exec);
	return err ? err : sim_call(gpu, DRM_IOCTL_SYNCOBJ_WAIT, &wait);
}

#endif
