// SPDX-License-Identifier: MIT
/*
 * test_xe_stock.c - the stock xe driver on a GPU of gpuoa-vgpu: batches on each engine, contexts
 * that take turns, an access error. Streams of the OA units are tested by gpus_reference.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "../kselftest_harness.h"
#include "third_party/drm/xe_drm.h"
#include "xe.h"

#define NODE "/dev/dri/renderD128"
#define SIZE 0x10000 /* smallest buffer on each GPU */
#define BATCH_AT 0x100000
#define DATA_AT 0x200000
#define UNMAPPED_AT 0x40000000
#define SECOND_BATCH 0x800 /* offset in the buffer of batches */
#define TIMEOUT_S 120 /* an emulated guest on a busy machine is slow */
#define MI_END 0x05000000
#define MI_STORE 0x10000002 /* one dword */
#define MI_WAIT_EQUAL 0x0e00c003 /* poll until memory equals the operand */

FIXTURE(stock)
{
	int fd;
	uint32_t vm;
	uint32_t *commands;
	volatile uint32_t *memory;
};

/* Create a buffer, map it, and bind it to an address of the GPU. */
static void *create_at(int fd, uint32_t vm, uint64_t at)
{
	const uint32_t buffer = xe_create(fd, SIZE);
	struct drm_xe_vm_bind bind = {
		.vm_id = vm,
		.num_binds = 1,
		.bind = {
			.op = DRM_XE_VM_BIND_OP_MAP,
			.obj = buffer,
			.addr = at,
			.range = SIZE,
			.pat_index = 1, /* Xe2: coherent with CPUs */
		},
	};

	if (!buffer || ioctl(fd, DRM_IOCTL_XE_VM_BIND, &bind))
		return MAP_FAILED;
	return xe_map(fd, buffer, SIZE);
}

/* Submit a batch. Returns a syncobj that it signals, or -errno. */
static int submit(int fd, uint32_t queue, uint64_t batch)
{
	struct drm_syncobj_create done = { 0 };
	struct drm_xe_sync sync = { .flags = DRM_XE_SYNC_FLAG_SIGNAL };
	struct drm_xe_exec args = {
		.exec_queue_id = queue,
		.num_syncs = 1,
		.syncs = (uintptr_t)&sync,
		.address = batch,
		.num_batch_buffer = 1,
	};

	if (ioctl(fd, DRM_IOCTL_SYNCOBJ_CREATE, &done))
		return -errno;
	sync.handle = done.handle;
	return ioctl(fd, DRM_IOCTL_XE_EXEC, &args) ? -errno : (int)done.handle;
}

static int wait_for(int fd, uint32_t done)
{
	struct drm_syncobj_wait args = { .handles = (uintptr_t)&done, .count_handles = 1 };
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	args.timeout_nsec = (now.tv_sec + TIMEOUT_S) * 1000000000LL;
	return ioctl(fd, DRM_IOCTL_SYNCOBJ_WAIT, &args) ? -errno : 0;
}

static int is_banned(int fd, uint32_t queue)
{
	struct drm_xe_exec_queue_get_property args = {
		.exec_queue_id = queue,
		.property = DRM_XE_EXEC_QUEUE_GET_PROPERTY_BAN,
	};

	return ioctl(fd, DRM_IOCTL_XE_EXEC_QUEUE_GET_PROPERTY, &args) ? -errno : (int)args.value;
}

FIXTURE_SETUP(stock)
{
	struct drm_xe_vm_create vm = { 0 };

	self->fd = open(NODE, O_RDWR | O_CLOEXEC);
	ASSERT_GE(self->fd, 0);
	ASSERT_EQ(0, ioctl(self->fd, DRM_IOCTL_XE_VM_CREATE, &vm));
	self->vm = vm.vm_id;
	self->commands = create_at(self->fd, self->vm, BATCH_AT);
	ASSERT_NE(MAP_FAILED, self->commands);
	self->memory = create_at(self->fd, self->vm, DATA_AT);
	ASSERT_NE(MAP_FAILED, (void *)self->memory);
}

FIXTURE_TEARDOWN(stock)
{
	munmap(self->commands, SIZE);
	munmap((void *)self->memory, SIZE);
	close(self->fd);
}

static const struct drm_xe_engine_class_instance render = { DRM_XE_ENGINE_CLASS_RENDER, 0, 0, 0 };

static void store(uint32_t *batch, uint64_t at, uint32_t value)
{
	const uint32_t commands[] = {
		MI_STORE, (uint32_t)at, (uint32_t)(at >> 32), value, MI_END,
	};

	memcpy(batch, commands, sizeof(commands));
}

TEST_F(stock, batches_store_on_each_engine)
{
	uint32_t size, queue, n = 0;
	struct drm_xe_query_engines *engines =
		xe_query(self->fd, DRM_XE_DEVICE_QUERY_ENGINES, &size);
	int done;

	ASSERT_NE(NULL, engines);
	for (uint32_t i = 0; i < engines->num_engines; i++) {
		ASSERT_EQ(0, xe_create_queue(self->fd, self->vm, engines->engines[i].instance,
					     &queue));
		store(self->commands, DATA_AT + 4 * i, 0x100 + i);
		done = submit(self->fd, queue, BATCH_AT);
		ASSERT_GT(done, 0);
		ASSERT_EQ(0, wait_for(self->fd, done));
		EXPECT_EQ(0x100 + i, self->memory[i]);
		n++;
	}
	EXPECT_GE(n, 4);
	free(engines);
}

/*
 * The first context waits for a write of the second one. Both need the same engine, so the contexts
 * must take turns.
 */
TEST_F(stock, contexts_take_turns)
{
	const uint32_t commands[] = { MI_WAIT_EQUAL, 1, DATA_AT, 0, 0, MI_END };
	uint32_t first, second;
	int waits, stores;

	memcpy(self->commands, commands, sizeof(commands));
	store(self->commands + SECOND_BATCH / 4, DATA_AT, 1);
	ASSERT_EQ(0, xe_create_queue(self->fd, self->vm, render, &first));
	ASSERT_EQ(0, xe_create_queue(self->fd, self->vm, render, &second));
	waits = submit(self->fd, first, BATCH_AT);
	ASSERT_GT(waits, 0);
	stores = submit(self->fd, second, BATCH_AT + SECOND_BATCH);
	ASSERT_GT(stores, 0);
	EXPECT_EQ(0, wait_for(self->fd, stores));
	EXPECT_EQ(0, wait_for(self->fd, waits));
	EXPECT_EQ(0, is_banned(self->fd, first));
}

TEST_F(stock, unmapped_address_bans_its_queue_alone)
{
	uint32_t bad, good;
	int done;

	ASSERT_EQ(0, xe_create_queue(self->fd, self->vm, render, &bad));
	ASSERT_EQ(0, xe_create_queue(self->fd, self->vm, render, &good));
	store(self->commands, UNMAPPED_AT, 1);
	done = submit(self->fd, bad, BATCH_AT);
	ASSERT_GT(done, 0);
	EXPECT_EQ(0, wait_for(self->fd, done));
	for (int i = 0; i < TIMEOUT_S * 10 && !is_banned(self->fd, bad); i++)
		usleep(100000);
	EXPECT_EQ(1, is_banned(self->fd, bad));
	EXPECT_EQ(0, is_banned(self->fd, good));
	store(self->commands, DATA_AT, 7);
	done = submit(self->fd, good, BATCH_AT);
	ASSERT_GT(done, 0);
	EXPECT_EQ(0, wait_for(self->fd, done));
	EXPECT_EQ(7, self->memory[0]);
}

TEST_HARNESS_MAIN
