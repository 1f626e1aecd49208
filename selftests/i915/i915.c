// SPDX-License-Identifier: MIT
/*
 * i915.c - helpers for tests of the stock i915: buffers and batches.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "i915.h"

/* Addresses of batch buffers in the address space of their contexts, one after the other */
#define FIRST_ADDRESS 0x1000000
#define ADDRESS_STEP 0x10000

int i915_param(const struct i915 *gpu, int param)
{
	int value = -1;
	struct drm_i915_getparam get = { .param = param, .value = &value };

	return ioctl(gpu->fd, DRM_IOCTL_I915_GETPARAM, &get) ? -errno : value;
}

static const struct chip {
	int id;
	int gen;
	bool a24u40;
} chips[] = {
	{ 0x0412, 7, false },  { 0x1616, 8, false },  { 0x1912, 9, false },  { 0x8a52, 11, false },
	{ 0x9a49, 12, false }, { 0x4c8a, 12, false }, { 0x4680, 12, false }, { 0x46d0, 12, false },
	{ 0x56a0, 12, true },  { 0x7d45, 12, true },
};

static const struct chip *find_chip(int id)
{
	unsigned int i;

	for (i = 0; i < sizeof(chips) / sizeof(*chips); i++)
		if (chips[i].id == id)
			return &chips[i];

	return NULL;
}

int i915_open(struct i915 *gpu)
{
	const struct chip *chip;

	gpu->fd = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);
	if (gpu->fd < 0)
		return -errno;
	chip = find_chip(i915_param(gpu, I915_PARAM_CHIPSET_ID));
	if (!chip)
		return -ENODEV;
	gpu->gen = chip->gen;
	gpu->wide = chip->gen >= 8;
	gpu->a24u40 = chip->a24u40;

	return 0;
}

uint32_t i915_context(const struct i915 *gpu)
{
	struct drm_i915_gem_context_create create = { 0 };

	return ioctl(gpu->fd, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &create) ? 0 : create.ctx_id;
}

int i915_context_priority(const struct i915 *gpu, uint32_t context, int priority)
{
	struct drm_i915_gem_context_param param = {
		.ctx_id = context,
		.param = I915_CONTEXT_PARAM_PRIORITY,
		.value = priority,
	};

	return ioctl(gpu->fd, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &param) ? -errno : 0;
}

static uint32_t create(const struct i915 *gpu)
{
	struct drm_i915_gem_create create = { .size = I915_PAGE };

	return ioctl(gpu->fd, DRM_IOCTL_I915_GEM_CREATE, &create) ? 0 : create.handle;
}

/* From DG2 and Meteor Lake on, the driver chooses how memory is mapped, by an offset in its file.
 */
static uint32_t *map_by_offset(const struct i915 *gpu, uint32_t handle)
{
	struct drm_i915_gem_mmap_offset args = { .handle = handle,
						 .flags = I915_MMAP_OFFSET_FIXED };
	void *at;

	if (ioctl(gpu->fd, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &args)) {
		args.flags = I915_MMAP_OFFSET_WC;
		if (ioctl(gpu->fd, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &args))
			return NULL;
	}
	at = mmap(NULL, I915_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, gpu->fd, args.offset);

	return at == MAP_FAILED ? NULL : at;
}

/* CPU mappings are coherent, because the GPU's memory is the guest's. */
static uint32_t *map(const struct i915 *gpu, uint32_t handle)
{
	struct drm_i915_gem_mmap mmap_args = { .handle = handle, .size = I915_PAGE };

	if (ioctl(gpu->fd, DRM_IOCTL_I915_GEM_MMAP, &mmap_args))
		return map_by_offset(gpu, handle);

	return (uint32_t *)(uintptr_t)mmap_args.addr_ptr;
}

int batch_create(const struct i915 *gpu, struct i915_batch *batch)
{
	static uint64_t next = FIRST_ADDRESS;

	*batch = (struct i915_batch){ .gpu = gpu, .address = next };
	next += 2 * ADDRESS_STEP;
	batch->handle = create(gpu);
	batch->target = create(gpu);
	if (!batch->handle || !batch->target)
		return -ENOMEM;
	batch->dwords = map(gpu, batch->handle);
	batch->data = map(gpu, batch->target);

	return batch->dwords && batch->data ? 0 : -ENOMEM;
}

static void gem_close(const struct i915 *gpu, uint32_t handle)
{
	struct drm_gem_close close = { .handle = handle };

	ioctl(gpu->fd, DRM_IOCTL_GEM_CLOSE, &close);
}

void batch_destroy(struct i915_batch *batch)
{
	munmap(batch->dwords, I915_PAGE);
	munmap(batch->data, I915_PAGE);
	gem_close(batch->gpu, batch->handle);
	gem_close(batch->gpu, batch->target);
}

void batch_reset(struct i915_batch *batch)
{
	batch->n = 0;
	batch->n_relocations = 0;
}

void batch_emit(struct i915_batch *batch, uint32_t dword)
{
	if (batch->n == I915_PAGE / sizeof(dword))
		abort();
	batch->dwords[batch->n++] = dword;
}

/*
 * If each context has its own address space, the test chooses addresses of buffers; later GPUs do
 * not support relocations.
 */
static uint64_t address_of(const struct i915_batch *batch, uint32_t handle)
{
	return batch->address + (handle == batch->target ? ADDRESS_STEP : 0);
}

void batch_address(struct i915_batch *batch, uint32_t handle, uint32_t offset)
{
	if (batch->gpu->wide) {
		batch_emit(batch, address_of(batch, handle) + offset);
		batch_emit(batch, 0);
		return;
	}
	if (batch->n_relocations == I915_MAX_RELOCATIONS)
		abort();
	batch->relocations[batch->n_relocations++] = (struct drm_i915_gem_relocation_entry){
		.target_handle = handle,
		.delta = offset,
		.offset = batch->n * sizeof(uint32_t),
		.presumed_offset = -1,
		.read_domains = I915_GEM_DOMAIN_RENDER,
		.write_domain = handle == batch->target ? I915_GEM_DOMAIN_RENDER : 0,
	};
	batch_emit(batch, 0);
}

void batch_store(struct i915_batch *batch, uint32_t offset, uint32_t value)
{
	batch_emit(batch, MI(0x20) | 2);
	if (!batch->gpu->wide)
		batch_emit(batch, 0);
	batch_address(batch, batch->target, offset);
	batch_emit(batch, value);
}

void batch_load_register(struct i915_batch *batch, uint32_t reg, uint32_t value)
{
	batch_emit(batch, MI(0x22) | 1);
	batch_emit(batch, reg);
	batch_emit(batch, value);
}

void batch_store_register(struct i915_batch *batch, uint32_t reg, uint32_t offset)
{
	batch_emit(batch, MI(0x24) | (batch->gpu->wide ? 2 : 1));
	batch_emit(batch, reg);
	batch_address(batch, batch->target, offset);
}

void batch_report(struct i915_batch *batch, uint32_t offset, uint32_t id)
{
	batch_emit(batch, MI(0x28) | (batch->gpu->wide ? 2 : 1));
	batch_address(batch, batch->target, offset);
	batch_emit(batch, id);
}

int batch_submit(struct i915_batch *batch, uint32_t context, unsigned int engine)
{
	uint64_t pinned = batch->gpu->wide ? EXEC_OBJECT_PINNED : 0;
	struct drm_i915_gem_exec_object2 objects[] = {
		{
			.handle = batch->target,
			.offset = address_of(batch, batch->target),
			.flags = pinned | EXEC_OBJECT_WRITE,
		},
		{
			.handle = batch->handle,
			.offset = address_of(batch, batch->handle),
			.flags = pinned,
			.relocs_ptr = (uintptr_t)batch->relocations,
			.relocation_count = batch->n_relocations,
		},
	};
	struct drm_i915_gem_execbuffer2 exec = {
		.buffers_ptr = (uintptr_t)objects,
		.buffer_count = 2,
		.flags = engine,
		.rsvd1 = context,
	};

	batch_emit(batch, MI_BATCH_END);
	if (batch->n % 2)
		batch_emit(batch, 0);
	exec.batch_len = batch->n * sizeof(uint32_t);

	return ioctl(batch->gpu->fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &exec) ? -errno : 0;
}

int batch_wait(struct i915_batch *batch, double seconds)
{
	struct drm_i915_gem_wait wait = {
		.bo_handle = batch->handle,
		.timeout_ns = seconds * 1e9,
	};
	int ret;

	/* i915 waits in jiffies. If it ends early, it returns EAGAIN and the time that is left. */
	do {
		ret = ioctl(batch->gpu->fd, DRM_IOCTL_I915_GEM_WAIT, &wait) ? -errno : 0;
	} while (ret == -EAGAIN);

	return ret;
}

int batch_run(struct i915_batch *batch, uint32_t context, unsigned int engine)
{
	int ret = batch_submit(batch, context, engine);

	return ret ? ret : batch_wait(batch, 20);
}
