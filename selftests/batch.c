// SPDX-License-Identifier: MIT
/*
 * batch.c - memory, contexts and batches on the simulator's DRM node.
 */
#define _GNU_SOURCE
#include "batch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "event.h"
#include "sim.h"

static int drm_call(int fd, unsigned long request, void *argument)
{
	return ioctl(fd, request, argument) ? -errno : 0;
}

int gpu_open(struct gpu *gpu)
{
	struct gpuoa_unit_info info;
	int err, fd = unit_open();

	if (fd < 0)
		return fd;
	err = drm_call(fd, GPUOA_IOC_UNIT_INFO, &info);
	close(fd);
	if (err)
		return err;
	memcpy(gpu->platform, info.platform, sizeof(gpu->platform));
	gpu->features = info.features;
	gpu->frequency = info.timestamp_frequency;
	gpu->max_frequency = info.gt_max_frequency;
	gpu->wide = strcmp(gpu->platform, "hsw");
	gpu->fd = sim_drm_open();
	return gpu->fd < 0 ? gpu->fd : 0;
}

void gpu_close(struct gpu *gpu)
{
	close(gpu->fd);
	gpu->fd = -1;
}

int gpu_bind(struct gpu *gpu, uint32_t handle, uint64_t address)
{
	struct drm_gpuoa_sim_bind bind = { .address = address, .handle = handle };

	return drm_call(gpu->fd, DRM_IOCTL_GPUOA_SIM_BIND, &bind);
}

int gpu_unbind(struct gpu *gpu, uint64_t address)
{
	struct drm_gpuoa_sim_bind bind = { .address = address };

	return drm_call(gpu->fd, DRM_IOCTL_GPUOA_SIM_UNBIND, &bind);
}

int gpu_gem_close(struct gpu *gpu, uint32_t handle)
{
	struct drm_gem_close gem = { .handle = handle };

	return drm_call(gpu->fd, DRM_IOCTL_GEM_CLOSE, &gem);
}

int gpu_buffer_create(struct gpu *gpu, struct gpu_buffer *buffer, uint64_t address, uint64_t size)
{
	struct drm_gpuoa_sim_gem_create create = { .size = size };
	int err;

	err = drm_call(gpu->fd, DRM_IOCTL_GPUOA_SIM_GEM_CREATE, &create);
	if (err)
		return err;
	buffer->address = address;
	buffer->size = create.size;
	buffer->handle = create.handle;
	buffer->map =
		mmap(NULL, create.size, PROT_READ | PROT_WRITE, MAP_SHARED, gpu->fd, create.offset);
	if (buffer->map == MAP_FAILED)
		return -errno;
	return gpu_bind(gpu, create.handle, address);
}

void gpu_buffer_unmap(struct gpu_buffer *buffer)
{
	munmap(buffer->map, buffer->size);
}

struct batch batch_begin(const struct gpu *gpu, struct gpu_buffer *buffer)
{
	return (struct batch){ .gpu = gpu, .buffer = buffer };
}

void batch_emit(struct batch *batch, uint32_t dword)
{
	if ((batch->n + 1) * sizeof(dword) > batch->buffer->size)
		abort();
	batch->buffer->map[batch->n++] = dword;
}

static void emit_qword(struct batch *batch, uint64_t value)
{
	batch_emit(batch, value);
	batch_emit(batch, value >> 32);
}

static void emit_address(struct batch *batch, uint64_t address)
{
	batch_emit(batch, address);
	if (batch->gpu->wide)
		batch_emit(batch, address >> 32);
}

/* Emit the first dword of a command. Add 1 to its length if addresses take two dwords. */
static void emit_header(struct batch *batch, uint32_t header)
{
	batch_emit(batch, header + batch->gpu->wide);
}

void batch_noop(struct batch *batch)
{
	batch_emit(batch, 0);
}

void batch_end(struct batch *batch)
{
	batch_emit(batch, 0x05000000);
}

void batch_store(struct batch *batch, uint64_t address, uint32_t value)
{
	batch_emit(batch, 0x10000002);
	if (!batch->gpu->wide)
		batch_emit(batch, 0);
	emit_address(batch, address);
	batch_emit(batch, value);
}

void batch_store_qword(struct batch *batch, uint64_t address, uint64_t value)
{
	batch_emit(batch, batch->gpu->wide ? 0x10200003 : 0x10000003);
	if (!batch->gpu->wide)
		batch_emit(batch, 0);
	emit_address(batch, address);
	emit_qword(batch, value);
}

void batch_load_register(struct batch *batch, uint32_t reg, uint32_t value)
{
	batch_emit(batch, 0x11000001);
	batch_emit(batch, reg);
	batch_emit(batch, value);
}

void batch_load_register_mem(struct batch *batch, uint32_t reg, uint64_t address)
{
	emit_header(batch, 0x14800001);
	batch_emit(batch, reg);
	emit_address(batch, address);
}

void batch_load_register_reg(struct batch *batch, uint32_t to, uint32_t from)
{
	batch_emit(batch, 0x15000001);
	batch_emit(batch, from);
	batch_emit(batch, to);
}

void batch_store_register(struct batch *batch, uint64_t address, uint32_t reg)
{
	emit_header(batch, 0x12000001);
	batch_emit(batch, reg);
	emit_address(batch, address);
}

void batch_report(struct batch *batch, uint64_t address, uint32_t id)
{
	emit_header(batch, 0x14000001);
	emit_address(batch, address);
	batch_emit(batch, id);
}

/* PIPE_CONTROL: stall the command streamer, flush caches, then do the post-sync operation. */
static void pipe_control(struct batch *batch, uint32_t post_sync, uint64_t address, uint64_t value)
{
	emit_header(batch, 0x7a000003);
	batch_emit(batch, 1 << 20 | 1 << 12 | 1 << 5 | 1 | post_sync << 14);
	emit_address(batch, address);
	emit_qword(batch, value);
}

void batch_flush_timestamp(struct batch *batch, uint64_t address)
{
	pipe_control(batch, 3, address, 0);
}

void batch_flush_write(struct batch *batch, uint64_t address, uint64_t value)
{
	pipe_control(batch, 1, address, value);
}

void batch_work(struct batch *batch, uint32_t workload, uint64_t clocks)
{
	batch_emit(batch, GPUOA_SIM_WORK);
	batch_emit(batch, workload);
	emit_qword(batch, clocks);
}

uint32_t syncobj_create(struct gpu *gpu)
{
	struct drm_syncobj_create create = {};

	drm_call(gpu->fd, DRM_IOCTL_SYNCOBJ_CREATE, &create);
	return create.handle;
}

void syncobj_destroy(struct gpu *gpu, uint32_t syncobj)
{
	struct drm_syncobj_destroy destroy = { .handle = syncobj };

	drm_call(gpu->fd, DRM_IOCTL_SYNCOBJ_DESTROY, &destroy);
}

int syncobj_wait(struct gpu *gpu, uint32_t syncobj, unsigned int ms)
{
	struct drm_syncobj_wait wait = { .handles = (uintptr_t)&syncobj, .count_handles = 1 };
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	wait.timeout_nsec = now.tv_sec * 1000000000LL + now.tv_nsec + scaled_ms(ms) * 1000000LL;
	return drm_call(gpu->fd, DRM_IOCTL_SYNCOBJ_WAIT, &wait);
}

static int to_fd(struct gpu *gpu, uint32_t syncobj, uint32_t flags)
{
	struct drm_syncobj_handle handle = { .handle = syncobj, .flags = flags };
	int err = drm_call(gpu->fd, DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD, &handle);

	return err ? err : handle.fd;
}

int syncobj_export(struct gpu *gpu, uint32_t syncobj)
{
	return to_fd(gpu, syncobj, 0);
}

uint32_t syncobj_import(struct gpu *gpu, int fd)
{
	struct drm_syncobj_handle handle = { .fd = fd };

	drm_call(gpu->fd, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &handle);
	return handle.handle;
}

int syncobj_sync_file(struct gpu *gpu, uint32_t syncobj)
{
	return to_fd(gpu, syncobj, DRM_SYNCOBJ_HANDLE_TO_FD_FLAGS_EXPORT_SYNC_FILE);
}

int gpu_exec(struct gpu *gpu, uint32_t context, uint64_t address, uint32_t syncobj)
{
	struct drm_gpuoa_sim_exec exec = { .address = address,
					   .context = context,
					   .syncobj = syncobj };

	return drm_call(gpu->fd, DRM_IOCTL_GPUOA_SIM_EXEC, &exec);
}

int gpu_result(struct gpu *gpu, uint32_t syncobj, struct drm_gpuoa_sim_result *result)
{
	memset(result, 0, sizeof(*result));
	result->syncobj = syncobj;
	return drm_call(gpu->fd, DRM_IOCTL_GPUOA_SIM_RESULT, result);
}

int gpu_run(struct gpu *gpu, uint32_t context, const struct batch *batch,
	    struct drm_gpuoa_sim_result *result)
{
	uint32_t syncobj = syncobj_create(gpu);
	struct drm_gpuoa_sim_result own;
	int err;

	if (!result)
		result = &own;
	err = gpu_exec(gpu, context, batch->buffer->address, syncobj);
	if (!err)
		err = syncobj_wait(gpu, syncobj, 20000);
	if (!err)
		err = gpu_result(gpu, syncobj, result);
	if (!err)
		err = result->status;
	syncobj_destroy(gpu, syncobj);
	return err;
}
