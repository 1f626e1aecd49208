// SPDX-License-Identifier: MIT
/*
 * xe.c - client of xe's uAPI, for tests of the stock driver
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "xe.h"

#define MAX_PROPERTIES 20
#define SYSTEM_MEMORY 1 /* placement: bit 0 */
#define PAT_INDEX 1 /* Xe2: coherent with CPUs */
#define TIMEOUT_S 120

const char *xe_node(void)
{
	static char node[64];
	glob_t found;

	if (glob("/sys/bus/pci/drivers/xe/*/drm/renderD*", 0, NULL, &found))
		return NULL;
	snprintf(node, sizeof(node), "/dev/dri/%s", strrchr(found.gl_pathv[0], '/') + 1);
	globfree(&found);
	return node;
}

int xe_open(void)
{
	const char *node = xe_node();
	int fd;

	if (!node)
		return -ENODEV;
	fd = open(node, O_RDWR | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

void *xe_query(int fd, uint32_t query, uint32_t *size)
{
	struct drm_xe_device_query args = { .query = query };
	void *data;

	if (ioctl(fd, DRM_IOCTL_XE_DEVICE_QUERY, &args))
		return NULL;
	data = calloc(1, args.size + 1);
	args.data = (uintptr_t)data;
	if (!data || ioctl(fd, DRM_IOCTL_XE_DEVICE_QUERY, &args)) {
		free(data);
		return NULL;
	}
	*size = args.size;
	return data;
}

uint32_t xe_create(int fd, uint64_t size)
{
	struct drm_xe_gem_create args = {
		.size = size,
		.placement = SYSTEM_MEMORY,
		.cpu_caching = DRM_XE_GEM_CPU_CACHING_WB,
	};

	return ioctl(fd, DRM_IOCTL_XE_GEM_CREATE, &args) ? 0 : args.handle;
}

void *xe_map(int fd, uint32_t buffer, size_t size)
{
	struct drm_xe_gem_mmap_offset args = { .handle = buffer };

	if (ioctl(fd, DRM_IOCTL_XE_GEM_MMAP_OFFSET, &args))
		return MAP_FAILED;
	return mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, args.offset);
}

int xe_bind(int fd, uint32_t vm, uint32_t buffer, uint64_t offset, uint64_t at, uint64_t size)
{
	struct drm_xe_vm_bind args = {
		.vm_id = vm,
		.num_binds = 1,
		.bind = {
			.op = DRM_XE_VM_BIND_OP_MAP,
			.obj = buffer,
			.obj_offset = offset,
			.addr = at,
			.range = size,
			.pat_index = PAT_INDEX,
		},
	};

	return ioctl(fd, DRM_IOCTL_XE_VM_BIND, &args) ? -errno : 0;
}

void *xe_create_at(int fd, uint32_t vm, uint64_t at, size_t size)
{
	const uint32_t buffer = xe_create(fd, size);

	if (!buffer || xe_bind(fd, vm, buffer, 0, at, size))
		return MAP_FAILED;
	return xe_map(fd, buffer, size);
}

int xe_create_queue(int fd, uint32_t vm, struct drm_xe_engine_class_instance engine,
		    uint32_t *queue)
{
	struct drm_xe_exec_queue_create args = {
		.width = 1,
		.num_placements = 1,
		.vm_id = vm,
		.instances = (uintptr_t)&engine,
	};
	int err = ioctl(fd, DRM_IOCTL_XE_EXEC_QUEUE_CREATE, &args) ? -errno : 0;

	*queue = args.exec_queue_id;
	return err;
}

int xe_submit(int fd, uint32_t queue, uint64_t batch, uint32_t after)
{
	struct drm_syncobj_create done = { 0 };
	struct drm_xe_sync syncs[] = {
		{ .flags = DRM_XE_SYNC_FLAG_SIGNAL },
		{ .handle = after },
	};
	struct drm_xe_exec args = {
		.exec_queue_id = queue,
		.num_syncs = after ? 2 : 1,
		.syncs = (uintptr_t)syncs,
		.address = batch,
		.num_batch_buffer = 1,
	};

	if (ioctl(fd, DRM_IOCTL_SYNCOBJ_CREATE, &done))
		return -errno;
	syncs[0].handle = done.handle;
	return ioctl(fd, DRM_IOCTL_XE_EXEC, &args) ? -errno : (int)done.handle;
}

int xe_wait(int fd, uint32_t syncobj)
{
	struct drm_syncobj_wait args = { .handles = (uintptr_t)&syncobj, .count_handles = 1 };
	struct drm_syncobj_destroy destroy = { .handle = syncobj };
	struct timespec now;
	int err;

	clock_gettime(CLOCK_MONOTONIC, &now);
	args.timeout_nsec = (now.tv_sec + TIMEOUT_S) * 1000000000LL;
	err = ioctl(fd, DRM_IOCTL_SYNCOBJ_WAIT, &args) ? -errno : 0;
	ioctl(fd, DRM_IOCTL_SYNCOBJ_DESTROY, &destroy);
	return err;
}

int xe_submit_fenced(int fd, uint32_t queue, uint64_t batch, uint64_t fence, uint64_t value)
{
	const struct drm_xe_sync sync = {
		.type = DRM_XE_SYNC_TYPE_USER_FENCE,
		.flags = DRM_XE_SYNC_FLAG_SIGNAL,
		.addr = fence,
		.timeline_value = value,
	};
	struct drm_xe_exec args = {
		.exec_queue_id = queue,
		.num_syncs = 1,
		.syncs = (uintptr_t)&sync,
		.address = batch,
		.num_batch_buffer = 1,
	};

	return ioctl(fd, DRM_IOCTL_XE_EXEC, &args) ? -errno : 0;
}

int xe_wait_fence(int fd, uint32_t queue, const void *fence, uint64_t value, int64_t timeout_ns)
{
	struct drm_xe_wait_user_fence args = {
		.addr = (uintptr_t)fence,
		.op = DRM_XE_UFENCE_WAIT_OP_EQ,
		.value = value,
		.mask = UINT64_MAX,
		.timeout = timeout_ns,
		.exec_queue_id = queue,
	};

	return ioctl(fd, DRM_IOCTL_XE_WAIT_USER_FENCE, &args) ? -errno : 0;
}

/* Call DRM_IOCTL_XE_OBSERVATION. Returns the operation's result, or -errno. */
static int observe(int fd, uint64_t op, const void *param)
{
	struct drm_xe_observation_param args = {
		.observation_type = DRM_XE_OBSERVATION_TYPE_OA,
		.observation_op = op,
		.param = (uintptr_t)param,
	};
	int result = ioctl(fd, DRM_IOCTL_XE_OBSERVATION, &args);

	return result < 0 ? -errno : result;
}

int xe_add_config(int fd, const char *uuid, const uint32_t *regs, uint32_t n)
{
	struct drm_xe_oa_config config = { .n_regs = n, .regs_ptr = (uintptr_t)regs };

	memcpy(config.uuid, uuid, sizeof(config.uuid));
	return observe(fd, DRM_XE_OBSERVATION_OP_ADD_CONFIG, &config);
}

int xe_remove_config(int fd, uint64_t id)
{
	return observe(fd, DRM_XE_OBSERVATION_OP_REMOVE_CONFIG, &id);
}

static void chain(struct drm_xe_ext_set_property *extensions, const struct xe_property *properties,
		  unsigned int n)
{
	memset(extensions, 0, n * sizeof(*extensions));
	for (unsigned int i = 0; i < n; i++) {
		extensions[i].property = properties[i].property;
		extensions[i].value = properties[i].value;
		if (i + 1 < n)
			extensions[i].base.next_extension = (uintptr_t)&extensions[i + 1];
	}
}

int xe_stream_open(int fd, const struct xe_property *properties, unsigned int n)
{
	struct drm_xe_ext_set_property extensions[MAX_PROPERTIES];

	chain(extensions, properties, n);
	return observe(fd, DRM_XE_OBSERVATION_OP_STREAM_OPEN, extensions);
}
