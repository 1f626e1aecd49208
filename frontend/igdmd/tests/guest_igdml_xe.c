// SPDX-License-Identifier: MIT
/*
 * guest_igdml_xe.c - queries by libigdml.so.1 in the guest: batches of a program with the commands
 * of the library run on a virtual GPU of the stock xe, on its render and compute engines
 */
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "queries.h"
#include "selftests/xe/xe.h"

#define SIZE 0x10000
#define BATCH_AT 0x100000
#define DATA_AT 0x200000
#define FENCE_OFFSET (SIZE - 64)
#define FENCE_TIMEOUT_NS 120000000000
#define MI_END 0x05000000
#define MI_STORE 0x10000002 /* one dword */
#define STORES 100 /* take more than a tick of the GPU's time */

/* A DRM file with two exec queues of one engine class */
static struct program {
	int fd;
	bool long_running; /* its address space is for long-running exec queues */
	enum igdml_engine engine;
	uint32_t queues[2];
	uint32_t *batch;
	uint32_t *data;
} program;

static bool program_open(uint16_t class, enum igdml_engine engine, bool long_running)
{
	const struct drm_xe_engine_class_instance instance = { class, 0, 0, 0 };
	struct drm_xe_vm_create vm = {
		.flags = long_running ? DRM_XE_VM_CREATE_FLAG_LR_MODE : 0,
	};

	program =
		(struct program){ .fd = xe_open(), .long_running = long_running, .engine = engine };
	if (program.fd < 0 || ioctl(program.fd, DRM_IOCTL_XE_VM_CREATE, &vm))
		return false;
	program.batch = xe_create_at(program.fd, vm.vm_id, BATCH_AT, SIZE);
	program.data = xe_create_at(program.fd, vm.vm_id, DATA_AT, SIZE);
	return program.batch != MAP_FAILED && program.data != MAP_FAILED &&
	       !xe_create_queue(program.fd, vm.vm_id, instance, &program.queues[0]) &&
	       !xe_create_queue(program.fd, vm.vm_id, instance, &program.queues[1]);
}

static void program_close(void)
{
	munmap(program.batch, SIZE);
	munmap(program.data, SIZE);
	close(program.fd);
}

/* Write stores to a batch. Returns their number of dwords. */
static uint32_t put_stores(uint32_t *batch)
{
	const uint32_t store[] = { MI_STORE, DATA_AT + SIZE / 2, 0, 1 };

	for (int i = 0; i < STORES; i++, batch += 4)
		memcpy(batch, store, sizeof(store));
	return STORES * 4;
}

/* Record a batch: query 0 around query 1 around stores. */
static void record(void)
{
	static const struct {
		uint32_t slot;
		bool is_begin;
	} steps[] = { { 0, true }, { 1, true }, { 1, false }, { 0, false } };
	const struct igdml_memory memory = { .gpu = DATA_AT, .cpu = program.data };
	uint32_t n = 0;

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		if (i == 2)
			n += put_stores(program.batch + n);
		n += put(memory, program.engine, steps[i].slot, steps[i].is_begin,
			 program.batch + n, SIZE / 4 - 1 - n);
	}
	program.batch[n] = MI_END;
}

/* Submit the batch, and wait for its end. */
static bool submit(uint32_t queue)
{
	static uint64_t value;
	int done;

	if (program.long_running)
		return !xe_submit_fenced(program.fd, queue, BATCH_AT, DATA_AT + FENCE_OFFSET,
					 ++value) &&
		       !xe_wait_fence(program.fd, queue, (char *)program.data + FENCE_OFFSET, value,
				      FENCE_TIMEOUT_NS);
	done = xe_submit(program.fd, queue, BATCH_AT, 0);
	return done > 0 && !xe_wait(program.fd, (uint32_t)done);
}

static void check_engine(uint16_t class, enum igdml_engine engine, bool long_running)
{
	static uint8_t before[sizeof(results)];

	REQUIRE(program_open(class, engine, long_running));
	REQUIRE(begin(program.fd, "RenderBasic"));
	record();
	CHECK(get(0, 1) == IGDML_NOT_READY);
	CHECK(submit(program.queues[0]));
	CHECK(get(0, 1) == IGDML_EMPTY_CONFIGURATION);

	record();
	CHECK(activate() == IGDML_OK);
	CHECK(submit(program.queues[0]));
	if (CHECK(get(0, SLOTS) == IGDML_OK))
		check_values();

	/* Commands that are executed again, by another exec queue, start the queries over. */
	memcpy(before, results, sizeof(before));
	CHECK(submit(program.queues[1]));
	CHECK(activate() == IGDML_OK);
	if (CHECK(get(0, SLOTS) == IGDML_OK)) {
		CHECK(memcmp(before, results, sizeof(before)));
		check_values();
	}
	end();
	program_close();
}

static void render_engine_counts(void)
{
	check_engine(DRM_XE_ENGINE_CLASS_RENDER, IGDML_ENGINE_RENDER, false);
}

static void compute_engine_counts(void)
{
	check_engine(DRM_XE_ENGINE_CLASS_COMPUTE, IGDML_ENGINE_COMPUTE, false);
}

/* The exec queues of Level Zero's driver are such ones. */
static void long_running_queue_counts(void)
{
	check_engine(DRM_XE_ENGINE_CLASS_COMPUTE, IGDML_ENGINE_COMPUTE, true);
}

static void second_program_is_told_which_one_has_queries(void)
{
	REQUIRE(program_open(DRM_XE_ENGINE_CLASS_RENDER, IGDML_ENGINE_RENDER, false));
	check_second_program(program.fd);
	program_close();
}

int main(void)
{
	setbuf(stdout, NULL);
	if (!load()) {
		printf("Bail out! libigdml.so.1 cannot be loaded\n");
		return 1;
	}
	RUN(second_program_is_told_which_one_has_queries);
	RUN(render_engine_counts);
	RUN(compute_engine_counts);
	RUN(long_running_queue_counts);
	return tap_end();
}
