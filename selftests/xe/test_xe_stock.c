// SPDX-License-Identifier: MIT
/*
 * test_xe_stock.c - the stock xe driver on a GPU of gpuoa-vgpu: batches on each engine, contexts
 * that take turns, fences, partial bindings, an access error. Streams of the OA units are tested by
 * stock_xe and gpus_reference.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../kselftest_harness.h"
#include "third_party/drm/xe_drm.h"
#include "xe.h"

#define SIZE 0x10000 /* smallest buffer on each GPU */
#define BATCH_AT 0x100000
#define DATA_AT 0x200000
#define PARTS_AT 0x400000
#define UNMAPPED_AT 0x40000000
#define SECOND_BATCH 0x800 /* offset in the buffer of batches */
#define FENCE_OFFSET 0x800 /* offset in the buffer of data */
#define N_PARTS 3
#define TIMEOUT_S 120 /* an emulated guest on a busy machine is slow */
#define TIMEOUT_NS (TIMEOUT_S * 1000000000LL)
#define SHORT_NS 1000000
#define EARLY_US 20000 /* a batch that does not wait has run by then */
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

	self->fd = xe_open();
	ASSERT_GE(self->fd, 0);
	ASSERT_EQ(0, ioctl(self->fd, DRM_IOCTL_XE_VM_CREATE, &vm));
	self->vm = vm.vm_id;
	self->commands = xe_create_at(self->fd, self->vm, BATCH_AT, SIZE);
	ASSERT_NE(MAP_FAILED, self->commands);
	self->memory = xe_create_at(self->fd, self->vm, DATA_AT, SIZE);
	ASSERT_NE(MAP_FAILED, (void *)self->memory);
}

FIXTURE_TEARDOWN(stock)
{
	munmap(self->commands, SIZE);
	munmap((void *)self->memory, SIZE);
	close(self->fd);
}

static const struct drm_xe_engine_class_instance render = { DRM_XE_ENGINE_CLASS_RENDER, 0, 0, 0 };
static const struct drm_xe_engine_class_instance copy = { DRM_XE_ENGINE_CLASS_COPY, 0, 0, 0 };

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
		done = xe_submit(self->fd, queue, BATCH_AT, 0);
		ASSERT_GT(done, 0);
		ASSERT_EQ(0, xe_wait(self->fd, done));
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
	waits = xe_submit(self->fd, first, BATCH_AT, 0);
	ASSERT_GT(waits, 0);
	stores = xe_submit(self->fd, second, BATCH_AT + SECOND_BATCH, 0);
	ASSERT_GT(stores, 0);
	EXPECT_EQ(0, xe_wait(self->fd, stores));
	EXPECT_EQ(0, xe_wait(self->fd, waits));
	EXPECT_EQ(0, is_banned(self->fd, first));
}

TEST_F(stock, unmapped_address_bans_its_queue_alone)
{
	uint32_t bad, good;
	int done;

	ASSERT_EQ(0, xe_create_queue(self->fd, self->vm, render, &bad));
	ASSERT_EQ(0, xe_create_queue(self->fd, self->vm, render, &good));
	store(self->commands, UNMAPPED_AT, 1);
	done = xe_submit(self->fd, bad, BATCH_AT, 0);
	ASSERT_GT(done, 0);
	EXPECT_EQ(0, xe_wait(self->fd, done));
	for (int i = 0; i < TIMEOUT_S * 10 && !is_banned(self->fd, bad); i++)
		usleep(100000);
	EXPECT_EQ(1, is_banned(self->fd, bad));
	EXPECT_EQ(0, is_banned(self->fd, good));
	store(self->commands, DATA_AT, 7);
	done = xe_submit(self->fd, good, BATCH_AT, 0);
	ASSERT_GT(done, 0);
	EXPECT_EQ(0, xe_wait(self->fd, done));
	EXPECT_EQ(7, self->memory[0]);
}

/* The part in the middle of a binding is bound anew, to pages of another buffer. */
TEST_F(stock, binding_replaces_a_part)
{
	const uint32_t buffer = xe_create(self->fd, N_PARTS * SIZE);
	const uint32_t other = xe_create(self->fd, N_PARTS * SIZE);
	volatile uint32_t *parts = xe_map(self->fd, buffer, N_PARTS * SIZE);
	volatile uint32_t *others = xe_map(self->fd, other, N_PARTS * SIZE);
	uint32_t queue;
	int done;

	ASSERT_NE(MAP_FAILED, (void *)parts);
	ASSERT_NE(MAP_FAILED, (void *)others);
	ASSERT_EQ(0, xe_bind(self->fd, self->vm, buffer, 0, PARTS_AT, N_PARTS * SIZE));
	ASSERT_EQ(0, xe_bind(self->fd, self->vm, other, 2 * SIZE, PARTS_AT + SIZE, SIZE));
	ASSERT_EQ(0, xe_create_queue(self->fd, self->vm, render, &queue));
	for (uint32_t i = 0; i < N_PARTS; i++) {
		store(self->commands, PARTS_AT + i * SIZE, i + 1);
		done = xe_submit(self->fd, queue, BATCH_AT, 0);
		ASSERT_GT(done, 0);
		ASSERT_EQ(0, xe_wait(self->fd, done));
	}
	EXPECT_EQ(1, parts[0]);
	EXPECT_EQ(0, parts[SIZE / 4]);
	EXPECT_EQ(3, parts[2 * SIZE / 4]);
	EXPECT_EQ(2, others[2 * SIZE / 4]);
	munmap((void *)parts, N_PARTS * SIZE);
	munmap((void *)others, N_PARTS * SIZE);
}

/*
 * The first batch stores a value when memory allows it to continue. The second one, on another
 * engine, waits for its fence, and stores another value at the same address.
 */
TEST_F(stock, batch_waits_for_a_fence)
{
	const uint32_t commands[] = {
		MI_WAIT_EQUAL, 1, DATA_AT + 4, 0, 0, MI_STORE, DATA_AT, 0, 10, MI_END,
	};
	uint32_t first, second;
	int done, last;

	memcpy(self->commands, commands, sizeof(commands));
	store(self->commands + SECOND_BATCH / 4, DATA_AT, 20);
	ASSERT_EQ(0, xe_create_queue(self->fd, self->vm, render, &first));
	ASSERT_EQ(0, xe_create_queue(self->fd, self->vm, copy, &second));
	done = xe_submit(self->fd, first, BATCH_AT, 0);
	ASSERT_GT(done, 0);
	last = xe_submit(self->fd, second, BATCH_AT + SECOND_BATCH, done);
	ASSERT_GT(last, 0);
	usleep(EARLY_US);
	EXPECT_EQ(0, self->memory[0]);
	self->memory[1] = 1;
	EXPECT_EQ(0, xe_wait(self->fd, last));
	EXPECT_EQ(20, self->memory[0]);
	EXPECT_EQ(0, xe_wait(self->fd, done));
}

/* In an address space for long-running contexts, batches signal fences in memory of the user. */
TEST_F(stock, user_fence_is_written)
{
	struct drm_xe_vm_create vm = { .flags = DRM_XE_VM_CREATE_FLAG_LR_MODE };
	const uint64_t value = 0x123456789abcULL;
	uint32_t *commands, *memory, queue;
	const char *fence;

	ASSERT_EQ(0, ioctl(self->fd, DRM_IOCTL_XE_VM_CREATE, &vm));
	commands = xe_create_at(self->fd, vm.vm_id, BATCH_AT, SIZE);
	memory = xe_create_at(self->fd, vm.vm_id, DATA_AT, SIZE);
	ASSERT_NE(MAP_FAILED, commands);
	ASSERT_NE(MAP_FAILED, memory);
	fence = (const char *)memory + FENCE_OFFSET;
	ASSERT_EQ(0, xe_create_queue(self->fd, vm.vm_id, render, &queue));
	store(commands, DATA_AT, 7);
	ASSERT_EQ(0, xe_submit_fenced(self->fd, queue, BATCH_AT, DATA_AT + FENCE_OFFSET, value));
	EXPECT_EQ(0, xe_wait_fence(self->fd, queue, fence, value, TIMEOUT_NS));
	EXPECT_EQ(7, memory[0]);
	EXPECT_EQ(0, memcmp(fence, &value, sizeof(value)));
	EXPECT_EQ(-ETIME, xe_wait_fence(self->fd, queue, fence, 1, SHORT_NS));
	munmap(commands, SIZE);
	munmap(memory, SIZE);
}

TEST_HARNESS_MAIN
