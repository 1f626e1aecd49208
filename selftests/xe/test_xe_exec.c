// SPDX-License-Identifier: MIT
/*
 * test_xe_exec.c - memory, address spaces, exec queues and batches of the emulated xe device, and
 * OA reports of an exec queue.
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

#include "../kselftest_harness.h"
#include "../wait.h"
#include "uapi/gpuoa_sim.h"
#include "xe.h"

#define PAGE 4096
#define BATCH_AT 0x100000
#define DATA_AT 0x200000
#define FENCE_OFFSET 0x800
#define REPORT_OFFSET 0x400
#define FOREVER INT64_MAX
#define MI_END 0x05000000
#define MI_STORE 0x10000003
#define MI_REPORT 0x14000002
#define SIM_WORK 0xe0000002
#define STEADY 1

FIXTURE(exec)
{
	int fd;
	uint32_t vm;
	uint32_t queue;
	uint32_t batch;
	uint32_t data;
	uint32_t *commands;
	uint32_t *memory;
	uint32_t done;
	unsigned int n;
};

FIXTURE_VARIANT(exec)
{
	unsigned int gpu;
};

FIXTURE_VARIANT_ADD(exec, lnl){
	.gpu = 0,
};

FIXTURE_VARIANT_ADD(exec, bmg){
	.gpu = 1,
};

static int bind(int fd, uint32_t vm, uint32_t op, uint32_t object, uint64_t offset, uint64_t at,
		uint64_t size)
{
	struct drm_xe_vm_bind args = {
		.vm_id = vm,
		.num_binds = 1,
		.bind = {
			.op = op, .obj = object, .obj_offset = offset, .addr = at, .range = size,
		},
	};

	return ioctl(fd, DRM_IOCTL_XE_VM_BIND, &args) ? -errno : 0;
}

static int create_queue(int fd, uint32_t vm, uint16_t class, uint32_t *queue)
{
	const struct drm_xe_engine_class_instance engine = { .engine_class = class };

	return xe_create_queue(fd, vm, engine, queue);
}

static uint32_t create_syncobj(int fd)
{
	struct drm_syncobj_create args = { 0 };

	return ioctl(fd, DRM_IOCTL_SYNCOBJ_CREATE, &args) ? 0 : args.handle;
}

static int wait_syncobj(int fd, uint32_t handle)
{
	struct drm_syncobj_wait args = {
		.handles = (uintptr_t)&handle,
		.count_handles = 1,
		.timeout_nsec = FOREVER,
	};

	return ioctl(fd, DRM_IOCTL_SYNCOBJ_WAIT, &args) ? -errno : 0;
}

static int execute(int fd, uint32_t queue, uint64_t at, struct drm_xe_sync *syncs, uint32_t n)
{
	struct drm_xe_exec args = {
		.exec_queue_id = queue,
		.num_syncs = n,
		.syncs = (uintptr_t)syncs,
		.address = at,
		.num_batch_buffer = 1,
	};

	return ioctl(fd, DRM_IOCTL_XE_EXEC, &args) ? -errno : 0;
}

#define EMIT(...)                                                           \
	do {                                                                \
		const uint32_t emitted[] = { __VA_ARGS__ };                 \
		memcpy(self->commands + self->n, emitted, sizeof(emitted)); \
		self->n += sizeof(emitted) / sizeof(emitted[0]);            \
	} while (0)
#define STORE(at, value) EMIT(MI_STORE - 1, (uint32_t)(at), (uint32_t)((uint64_t)(at) >> 32), value)

FIXTURE_SETUP(exec)
{
	struct drm_xe_vm_create vm = { 0 };

	self->n = 0;
	self->fd = xe_open(variant->gpu);
	ASSERT_GE(self->fd, 0);
	ASSERT_EQ(0, ioctl(self->fd, DRM_IOCTL_XE_VM_CREATE, &vm));
	self->vm = vm.vm_id;
	self->batch = xe_create(self->fd, PAGE);
	self->data = xe_create(self->fd, 4 * PAGE);
	ASSERT_NE(0, self->batch);
	ASSERT_NE(0, self->data);
	self->commands = xe_map(self->fd, self->batch, PAGE);
	self->memory = xe_map(self->fd, self->data, 4 * PAGE);
	ASSERT_NE(MAP_FAILED, self->commands);
	ASSERT_NE(MAP_FAILED, self->memory);
	ASSERT_EQ(0,
		  bind(self->fd, self->vm, DRM_XE_VM_BIND_OP_MAP, self->batch, 0, BATCH_AT, PAGE));
	ASSERT_EQ(0, bind(self->fd, self->vm, DRM_XE_VM_BIND_OP_MAP, self->data, 0, DATA_AT,
			  4 * PAGE));
	ASSERT_EQ(0, create_queue(self->fd, self->vm, DRM_XE_ENGINE_CLASS_RENDER, &self->queue));
	self->done = create_syncobj(self->fd);
	ASSERT_NE(0, self->done);
}

FIXTURE_TEARDOWN(exec)
{
	munmap(self->commands, PAGE);
	munmap(self->memory, 4 * PAGE);
	close(self->fd);
}

#define RUN()                                                                         \
	do {                                                                          \
		struct drm_xe_sync run_sync = { .flags = DRM_XE_SYNC_FLAG_SIGNAL,     \
						.handle = self->done };               \
		EMIT(MI_END);                                                         \
		ASSERT_EQ(0, execute(self->fd, self->queue, BATCH_AT, &run_sync, 1)); \
		ASSERT_EQ(0, wait_syncobj(self->fd, self->done));                     \
		self->n = 0;                                                          \
	} while (0)

static int banned(int fd, uint32_t queue)
{
	struct drm_xe_exec_queue_get_property args = { .exec_queue_id = queue };

	return ioctl(fd, DRM_IOCTL_XE_EXEC_QUEUE_GET_PROPERTY, &args) ? -errno : (int)args.value;
}

TEST_F(exec, batch_writes_memory)
{
	STORE(DATA_AT + 8, 0x12345678);
	RUN();
	EXPECT_EQ(0x12345678, self->memory[2]);
	EXPECT_EQ(0, banned(self->fd, self->queue));
}

TEST_F(exec, user_fence)
{
	struct drm_xe_sync fence = {
		.type = DRM_XE_SYNC_TYPE_USER_FENCE,
		.flags = DRM_XE_SYNC_FLAG_SIGNAL,
		.addr = DATA_AT + FENCE_OFFSET,
		.timeline_value = 0x123456789abcULL,
	};
	struct drm_xe_wait_user_fence wait = {
		.addr = (uintptr_t)self->memory + FENCE_OFFSET,
		.op = DRM_XE_UFENCE_WAIT_OP_EQ,
		.value = fence.timeline_value,
		.mask = ~0ULL,
		.timeout = -1,
		.exec_queue_id = self->queue,
	};
	uint64_t value;

	STORE(DATA_AT, 7);
	EMIT(MI_END);
	ASSERT_EQ(0, execute(self->fd, self->queue, BATCH_AT, &fence, 1));
	ASSERT_EQ(0, ioctl(self->fd, DRM_IOCTL_XE_WAIT_USER_FENCE, &wait));
	memcpy(&value, (char *)self->memory + FENCE_OFFSET, sizeof(value));
	EXPECT_EQ(fence.timeline_value, value);
	EXPECT_EQ(7, self->memory[0]);

	wait.value = 1;
	wait.timeout = 1000000;
	EXPECT_EQ(-1, ioctl(self->fd, DRM_IOCTL_XE_WAIT_USER_FENCE, &wait));
	EXPECT_EQ(ETIME, errno);
	EXPECT_EQ(0, wait.timeout);
}

TEST_F(exec, user_fence_of_a_binding)
{
	uint64_t fence = 0;
	struct drm_xe_sync sync = {
		.type = DRM_XE_SYNC_TYPE_USER_FENCE,
		.flags = DRM_XE_SYNC_FLAG_SIGNAL,
		.addr = (uintptr_t)&fence,
		.timeline_value = 42,
	};
	struct drm_xe_vm_bind args = {
		.vm_id = self->vm,
		.num_binds = 1,
		.bind = { .obj = self->data, .addr = 2 * DATA_AT, .range = PAGE },
		.num_syncs = 1,
		.syncs = (uintptr_t)&sync,
	};

	ASSERT_EQ(0, ioctl(self->fd, DRM_IOCTL_XE_VM_BIND, &args));
	EXPECT_EQ(42, fence);
}

/* Remap a page in the middle and unmap the last one; the other pages stay mapped. */
TEST_F(exec, bindings_of_parts)
{
	ASSERT_EQ(0, bind(self->fd, self->vm, DRM_XE_VM_BIND_OP_MAP, self->data, 3 * PAGE,
			  DATA_AT + PAGE, PAGE));
	ASSERT_EQ(0, bind(self->fd, self->vm, DRM_XE_VM_BIND_OP_UNMAP, 0, 0, DATA_AT + 3 * PAGE,
			  PAGE));
	STORE(DATA_AT, 1);
	STORE(DATA_AT + PAGE, 2);
	STORE(DATA_AT + 2 * PAGE, 3);
	RUN();
	EXPECT_EQ(1, self->memory[0]);
	EXPECT_EQ(0, self->memory[PAGE / 4]);
	EXPECT_EQ(3, self->memory[2 * PAGE / 4]);
	EXPECT_EQ(2, self->memory[3 * PAGE / 4]);
}

TEST_F(exec, bad_batch_bans_its_queue_alone)
{
	uint32_t other;

	ASSERT_EQ(0, create_queue(self->fd, self->vm, DRM_XE_ENGINE_CLASS_COMPUTE, &other));
	ASSERT_EQ(0, bind(self->fd, self->vm, DRM_XE_VM_BIND_OP_UNMAP_ALL, self->data, 0, 0, 0));
	STORE(DATA_AT, 1);
	RUN();
	EXPECT_TRUE(WAIT_UNTIL(banned(self->fd, self->queue) == 1));
	EXPECT_EQ(-ECANCELED, execute(self->fd, self->queue, BATCH_AT, NULL, 0));
	EXPECT_EQ(0, banned(self->fd, other));
	self->queue = other;
	RUN();
	EXPECT_EQ(0, banned(self->fd, other));
}

/* A batch that waits for a fence runs after the batch of another queue that signals it. */
TEST_F(exec, batch_waits_for_a_fence)
{
	struct drm_xe_sync first = { .flags = DRM_XE_SYNC_FLAG_SIGNAL, .handle = self->done };
	struct drm_xe_sync second[2] = { { .handle = self->done }, first };
	uint32_t other;

	ASSERT_EQ(0, create_queue(self->fd, self->vm, DRM_XE_ENGINE_CLASS_RENDER, &other));
	second[1].handle = create_syncobj(self->fd);
	EMIT(SIM_WORK, STEADY, 20000000, 0);
	STORE(DATA_AT, 1);
	EMIT(MI_END);
	ASSERT_EQ(0, execute(self->fd, self->queue, BATCH_AT, &first, 1));
	self->n = 64;
	STORE(DATA_AT, 2);
	EMIT(MI_END);
	ASSERT_EQ(0, execute(self->fd, other, BATCH_AT + 256, second, 2));
	ASSERT_EQ(0, wait_syncobj(self->fd, second[1].handle));
	EXPECT_EQ(0, wait_syncobj(self->fd, self->done));
	EXPECT_EQ(2, self->memory[0]);
}

TEST_F(exec, timeline)
{
	uint32_t handle = create_syncobj(self->fd);
	uint64_t point = 5;
	struct drm_xe_sync sync = {
		.type = DRM_XE_SYNC_TYPE_TIMELINE_SYNCOBJ,
		.flags = DRM_XE_SYNC_FLAG_SIGNAL,
		.handle = handle,
		.timeline_value = point,
	};
	struct drm_syncobj_timeline_wait wait = {
		.handles = (uintptr_t)&handle,
		.points = (uintptr_t)&point,
		.count_handles = 1,
		.timeout_nsec = FOREVER,
	};

	EMIT(MI_END);
	ASSERT_EQ(0, execute(self->fd, self->queue, BATCH_AT, &sync, 1));
	EXPECT_EQ(0, ioctl(self->fd, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &wait));
}

TEST_F(exec, refusals)
{
	struct drm_xe_exec_queue_create create_args = { .width = 1 };
	struct drm_xe_sync sync = { .handle = self->done };
	struct drm_xe_gem_create gem = { .size = 100, .placement = 1, .cpu_caching = 1 };
	uint32_t queue;

	EXPECT_EQ(-ENOENT, execute(self->fd, 999, BATCH_AT, NULL, 0));
	EXPECT_EQ(-EINVAL, execute(self->fd, self->queue, BATCH_AT, &sync, 1));
	sync.handle = 999;
	EXPECT_EQ(-ENOENT, execute(self->fd, self->queue, BATCH_AT, &sync, 1));
	EXPECT_EQ(-ENOENT, create_queue(self->fd, 999, DRM_XE_ENGINE_CLASS_RENDER, &queue));
	EXPECT_EQ(-EINVAL, create_queue(self->fd, self->vm, 17, &queue));
	EXPECT_EQ(-1, ioctl(self->fd, DRM_IOCTL_XE_EXEC_QUEUE_CREATE, &create_args));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, ioctl(self->fd, DRM_IOCTL_XE_GEM_CREATE, &gem));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-EINVAL,
		  bind(self->fd, 999, DRM_XE_VM_BIND_OP_MAP, self->data, 0, DATA_AT, PAGE));
	EXPECT_EQ(-EINVAL, bind(self->fd, self->vm, DRM_XE_VM_BIND_OP_MAP, self->data, 0,
				DATA_AT + 1, PAGE));
	EXPECT_EQ(-EINVAL, bind(self->fd, self->vm, DRM_XE_VM_BIND_OP_MAP, self->data, 4 * PAGE,
				DATA_AT, PAGE));
	EXPECT_EQ(-ENOENT, bind(self->fd, self->vm, DRM_XE_VM_BIND_OP_MAP, 999, 0, DATA_AT, PAGE));
}

static const uint32_t registers[] = { 0x13000, 0x00001234, 0x13004, 0x00005678 };

/* Reports of the caller's own queue need no privilege. */
TEST_F(exec, reports_of_a_queue)
{
	int set = xe_add_config(self->fd, XE_UUID, registers, 2), stream;
	struct drm_xe_sync sync = { .flags = DRM_XE_SYNC_FLAG_SIGNAL, .handle = self->done };
	const struct xe_property properties[] = {
		{ DRM_XE_OA_PROPERTY_EXEC_QUEUE_ID, self->queue },
		{ DRM_XE_OA_PROPERTY_OA_METRIC_SET, set },
		{ DRM_XE_OA_PROPERTY_OA_FORMAT, XE_PEC64U64 },
		{ DRM_XE_OA_PROPERTY_NUM_SYNCS, 1 },
		{ DRM_XE_OA_PROPERTY_SYNCS, (uintptr_t)&sync },
	};
	const uint64_t *report = (const uint64_t *)((char *)self->memory + REPORT_OFFSET);

	ASSERT_LT(0, set);
	ASSERT_EQ(0, seteuid(65534));
	stream = xe_stream_open(self->fd, properties, 5);
	ASSERT_EQ(0, seteuid(0));
	ASSERT_GE(stream, 0);
	EXPECT_EQ(0, wait_syncobj(self->fd, self->done));
	EMIT(MI_REPORT, DATA_AT + REPORT_OFFSET, 0, 0x77);
	RUN();
	EXPECT_EQ(0x77, (uint32_t)report[0]);
	EXPECT_NE(0, report[1]);
	EXPECT_EQ(-1, read(stream, self->memory, PAGE));
	EXPECT_EQ(EINVAL, errno);
	close(stream);
	EXPECT_EQ(0, xe_remove_config(self->fd, set));
}

/* No OA unit measures the copy engine, and OAM does not measure the render engine. */
TEST_F(exec, unit_counts_for_the_queue)
{
	int set = xe_add_config(self->fd, XE_UUID, registers, 2);
	struct xe_property properties[] = {
		{ DRM_XE_OA_PROPERTY_OA_UNIT_ID, 1 },
		{ DRM_XE_OA_PROPERTY_EXEC_QUEUE_ID, self->queue },
		{ DRM_XE_OA_PROPERTY_OA_METRIC_SET, set },
		{ DRM_XE_OA_PROPERTY_OA_FORMAT, XE_MPEC8U64 },
	};
	uint32_t copy;

	EXPECT_EQ(-EINVAL, xe_stream_open(self->fd, properties, 4));
	ASSERT_EQ(0, create_queue(self->fd, self->vm, DRM_XE_ENGINE_CLASS_COPY, &copy));
	properties[0].value = 0;
	properties[1].value = copy;
	properties[3].value = XE_PEC64U64;
	EXPECT_EQ(-EINVAL, xe_stream_open(self->fd, properties, 4));
	EXPECT_EQ(0, xe_remove_config(self->fd, set));
}

TEST_HARNESS_MAIN
