// SPDX-License-Identifier: MIT
/*
 * test_commands.c - the simulator's command streamer: memory, commands, faults, synchronization.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/sync_file.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "batch.h"
#include "event.h"
#include "kselftest_harness.h"
#include "sim.h"
#include "wait.h"

#define BATCH 0x100000
#define OTHER_BATCH 0x200000
#define DATA 0x300000
#define NOTHING 0x400000

#define MS 1000000ULL /* clocks in workload "steady" */

/* Clocks of work that takes so long that it still runs when a delayed program checks it */
#define LONG (2000 * MS)

FIXTURE(cs)
{
	struct gpu gpu;
	uint32_t context;
	struct gpu_buffer commands;
	struct gpu_buffer data;
	struct batch batch;
	uint64_t asleep;
	uint64_t unknown;
};

FIXTURE_SETUP(cs)
{
	self->asleep = sim_get("asleep_accesses");
	self->unknown = sim_get("unknown_accesses");
	ASSERT_EQ(0, gpu_open(&self->gpu));
	ASSERT_EQ(0, sim_context_create(self->gpu.fd, &self->context));
	ASSERT_EQ(0, gpu_buffer_create(&self->gpu, &self->commands, BATCH, 64 << 10));
	ASSERT_EQ(0, gpu_buffer_create(&self->gpu, &self->data, DATA, 4096));
	self->batch = batch_begin(&self->gpu, &self->commands);
}

FIXTURE_TEARDOWN(cs)
{
	gpu_buffer_unmap(&self->commands);
	gpu_buffer_unmap(&self->data);
	gpu_close(&self->gpu);
	EXPECT_EQ(self->asleep, sim_get("asleep_accesses"));
	EXPECT_EQ(self->unknown, sim_get("unknown_accesses"));
}

/* Append END, run the batch and wait for it. */
#define RUN(self_)                                                                             \
	do {                                                                                   \
		batch_end(&(self_)->batch);                                                    \
		ASSERT_EQ(0, gpu_run(&(self_)->gpu, (self_)->context, &(self_)->batch, NULL)); \
	} while (0)

static uint64_t data_qword(const struct gpu_buffer *data, size_t dword)
{
	return data->map[dword] | (uint64_t)data->map[dword + 1] << 32;
}

TEST_F(cs, memory_is_zeroed_and_page_aligned)
{
	struct gpu_buffer odd;
	size_t i;

	ASSERT_EQ(0, gpu_buffer_create(&self->gpu, &odd, NOTHING, 4097));
	EXPECT_EQ(8192, odd.size);
	for (i = 0; i < odd.size / 4; i++)
		ASSERT_EQ(0, odd.map[i]);
	gpu_buffer_unmap(&odd);
}

TEST_F(cs, objects_outlive_their_handles)
{
	struct gpu_buffer *data = &self->data;

	ASSERT_EQ(0, gpu_gem_close(&self->gpu, data->handle));
	EXPECT_EQ(-ENOENT, gpu_bind(&self->gpu, data->handle, NOTHING));
	batch_store(&self->batch, DATA, 1234);
	RUN(self);
	EXPECT_EQ(1234, data->map[0]);
}

TEST_F(cs, errors_of_gem_create)
{
	struct drm_gpuoa_sim_gem_create create = {};

	EXPECT_EQ(-1, ioctl(self->gpu.fd, DRM_IOCTL_GPUOA_SIM_GEM_CREATE, &create));
	EXPECT_EQ(EINVAL, errno);
	create.size = GPUOA_SIM_GEM_MAX_SIZE + 1;
	EXPECT_EQ(-1, ioctl(self->gpu.fd, DRM_IOCTL_GPUOA_SIM_GEM_CREATE, &create));
	EXPECT_EQ(EINVAL, errno);
	create.size = 4096;
	create.pad = 1;
	EXPECT_EQ(-1, ioctl(self->gpu.fd, DRM_IOCTL_GPUOA_SIM_GEM_CREATE, &create));
	EXPECT_EQ(EINVAL, errno);
}

TEST_F(cs, errors_of_bind)
{
	uint64_t end = self->gpu.wide ? 1ULL << 48 : 1ULL << 32;
	uint32_t handle = self->data.handle;

	EXPECT_EQ(-ENOENT, gpu_bind(&self->gpu, 4711, NOTHING));
	EXPECT_EQ(-EINVAL, gpu_bind(&self->gpu, handle, NOTHING + 64));
	EXPECT_EQ(-EINVAL, gpu_bind(&self->gpu, handle, 0));
	EXPECT_EQ(-EINVAL, gpu_bind(&self->gpu, handle, end));
	EXPECT_EQ(-EINVAL, gpu_bind(&self->gpu, handle, -4096ULL));
	EXPECT_EQ(-EINVAL, gpu_bind(&self->gpu, self->commands.handle, end - 4096));
	EXPECT_EQ(-EEXIST, gpu_bind(&self->gpu, handle, DATA));
	EXPECT_EQ(-EEXIST, gpu_bind(&self->gpu, handle, BATCH + 4096));
	EXPECT_EQ(0, gpu_bind(&self->gpu, handle, 4096));
	EXPECT_EQ(0, gpu_bind(&self->gpu, handle, end - 4096));
	EXPECT_EQ(-ENOENT, gpu_unbind(&self->gpu, NOTHING));
	EXPECT_EQ(-ENOENT, gpu_unbind(&self->gpu, BATCH + 4096));
	EXPECT_EQ(-ENOENT, gpu_unbind(&self->gpu, end));
	EXPECT_EQ(-ENOENT, gpu_unbind(&self->gpu, -4096ULL));
	EXPECT_EQ(0, gpu_unbind(&self->gpu, end - 4096));
	EXPECT_EQ(-ENOENT, gpu_unbind(&self->gpu, end - 4096));
}

TEST_F(cs, object_can_be_bound_twice)
{
	ASSERT_EQ(0, gpu_bind(&self->gpu, self->data.handle, NOTHING));
	batch_store(&self->batch, DATA, 1);
	batch_store(&self->batch, NOTHING + 4, 2);
	RUN(self);
	EXPECT_EQ(1, self->data.map[0]);
	EXPECT_EQ(2, self->data.map[1]);
}

TEST_F(cs, files_have_separate_address_spaces)
{
	struct gpu_buffer commands, data;
	struct batch batch;
	struct gpu other;
	uint32_t context;

	ASSERT_EQ(0, gpu_open(&other));
	ASSERT_EQ(0, sim_context_create(other.fd, &context));
	ASSERT_EQ(0, gpu_buffer_create(&other, &commands, BATCH, 4096));
	ASSERT_EQ(0, gpu_buffer_create(&other, &data, DATA, 4096));
	batch = batch_begin(&other, &commands);
	batch_store(&batch, DATA, 2);
	batch_end(&batch);
	batch_store(&self->batch, DATA, 1);
	RUN(self);
	ASSERT_EQ(0, gpu_run(&other, context, &batch, NULL));
	EXPECT_EQ(1, self->data.map[0]);
	EXPECT_EQ(2, data.map[0]);
	gpu_buffer_unmap(&commands);
	gpu_buffer_unmap(&data);
	gpu_close(&other);
}

TEST_F(cs, immediates_are_stored)
{
	batch_noop(&self->batch);
	batch_store(&self->batch, DATA, 0xcafe);
	batch_store_qword(&self->batch, DATA + 8, 0x0123456789abcdef);
	batch_flush_write(&self->batch, DATA + 16, 0xfedcba9876543210);
	RUN(self);
	EXPECT_EQ(0xcafe, self->data.map[0]);
	EXPECT_EQ(0, self->data.map[1]);
	EXPECT_EQ(0x0123456789abcdef, data_qword(&self->data, 2));
	EXPECT_EQ(0xfedcba9876543210, data_qword(&self->data, 4));
}

TEST_F(cs, registers_are_loaded_and_stored)
{
	self->data.map[0] = 7;
	batch_load_register_mem(&self->batch, CS_GPR(3), DATA);
	batch_load_register_reg(&self->batch, CS_GPR(15) + 4, CS_GPR(3));
	batch_store_register(&self->batch, DATA + 4, CS_GPR(15) + 4);
	batch_load_register(&self->batch, CS_GPR(0), 8);
	batch_store_register(&self->batch, DATA + 8, CS_GPR(0));
	RUN(self);
	EXPECT_EQ(7, self->data.map[1]);
	EXPECT_EQ(8, self->data.map[2]);
}

TEST_F(cs, contexts_have_separate_registers)
{
	struct batch *batch = &self->batch;
	uint32_t other;

	ASSERT_EQ(0, sim_context_create(self->gpu.fd, &other));
	batch_load_register(batch, CS_GPR(0), 1);
	RUN(self);
	batch->n = 0;
	batch_store_register(batch, DATA, CS_GPR(0));
	batch_load_register(batch, CS_GPR(0), 2);
	batch_end(batch);
	ASSERT_EQ(0, gpu_run(&self->gpu, other, batch, NULL));
	EXPECT_EQ(0, self->data.map[0]);
	ASSERT_EQ(0, gpu_run(&self->gpu, self->context, batch, NULL));
	EXPECT_EQ(1, self->data.map[0]);
}

static uint64_t gpu_ticks(void)
{
	struct gpuoa_clock clock = { .clock_id = CLOCK_MONOTONIC };
	int fd = unit_open();

	ioctl(fd, GPUOA_IOC_GET_CLOCK, &clock);
	close(fd);
	return clock.gpu_ticks & ((1ULL << CS_TIMESTAMP_BITS) - 1);
}

TEST_F(cs, timestamps_equal_those_of_the_unit)
{
	uint64_t before, after, flushed, low, high;

	batch_flush_timestamp(&self->batch, DATA);
	batch_store_register(&self->batch, DATA + 8, CS_TIMESTAMP);
	batch_store_register(&self->batch, DATA + 12, CS_TIMESTAMP_UDW);
	before = gpu_ticks();
	RUN(self);
	after = gpu_ticks();
	flushed = data_qword(&self->data, 0);
	low = self->data.map[2];
	high = self->data.map[3];
	EXPECT_LE(before, flushed);
	EXPECT_LE((uint32_t)(low - flushed), (uint32_t)(after - flushed));
	EXPECT_EQ(after >> 32, high);
	EXPECT_LE(flushed, after);
}

/* Lists of the OA registers that batches may read, and of those that they may write */
struct registers {
	const char *platforms;
	uint32_t read[4];
	uint32_t write[3];
};

static const struct registers registers[] = {
	{ "hsw", { 0x2364, 0x2368, 0x23b0 }, {} },
	{ "bdw sklgt2 icl", { 0x2b08, 0x2b0c, 0x2b10, 0x2b14 }, { 0x2740, 0x275c, 0x28a0 } },
	{ "tglgt2", { 0xdafc, 0xdb00, 0xdb04, 0xdb08 }, { 0xd920, 0xd93c, 0xda18 } },
	{ "mtlgt2 lnl bmg", { 0xdafc, 0xdb00, 0xdb04, 0xdb08 }, { 0xdb1c } },
};

static const struct registers *registers_of(const struct gpu *gpu)
{
	size_t i;

	for (i = 0; i < sizeof(registers) / sizeof(registers[0]); i++)
		if (strstr(registers[i].platforms, gpu->platform))
			return &registers[i];
	return NULL;
}

/* The fixture's teardown checks that all registers exist on this GPU. */
TEST_F(cs, registers_of_the_unit_are_readable)
{
	const struct registers *known = registers_of(&self->gpu);
	size_t i;

	ASSERT_NE(NULL, known);
	memset(self->data.map, 0xff, self->data.size);
	for (i = 0; i < 4 && known->read[i]; i++)
		batch_store_register(&self->batch, DATA + 4 * i, known->read[i]);
	for (i = 0; i < 3 && known->write[i]; i++)
		batch_load_register(&self->batch, known->write[i], 0);
	RUN(self);
	for (i = 0; i < 4 && known->read[i]; i++)
		EXPECT_NE(UINT32_MAX, self->data.map[i]);
}

TEST_F(cs, work_takes_gpu_time)
{
	uint64_t begin, end;

	batch_flush_timestamp(&self->batch, DATA);
	batch_work(&self->batch, GPUOA_SIM_WORKLOAD_STEADY, 50 * MS);
	batch_flush_timestamp(&self->batch, DATA + 8);
	RUN(self);
	begin = data_qword(&self->data, 0);
	end = data_qword(&self->data, 2);
	EXPECT_LE(self->gpu.frequency * 50 * MS / self->gpu.max_frequency, end - begin);
}

/* Pinning allocates memory, and reclaim may wait for a batch; lockdep checks the locks. */
TEST_F(cs, clock_is_pinned_while_a_batch_works)
{
	struct gpuoa_freq_pin_arg pin = { .flags = GPUOA_PIN_FREQ_SET };
	const uint32_t syncobj = syncobj_create(&self->gpu);
	int fd = unit_open();

	ASSERT_LE(0, fd);
	batch_work(&self->batch, GPUOA_SIM_WORKLOAD_STEADY, 50 * MS);
	batch_end(&self->batch);
	ASSERT_EQ(0, gpu_exec(&self->gpu, self->context, BATCH, syncobj));
	pin.hz = self->gpu.max_frequency;
	EXPECT_EQ(0, ioctl(fd, GPUOA_IOC_PIN_FREQ, &pin));
	EXPECT_EQ(0, syncobj_wait(&self->gpu, syncobj, 10000));
	close(fd);
	syncobj_destroy(&self->gpu, syncobj);
}

/* Layout of counters in a batch's report */
struct counters {
	const char *bank;
	size_t first; /* dword index */
	size_t dwords; /* dwords per counter */
	size_t n;
	size_t timestamp; /* dword index */
	size_t size; /* size of a report, dwords */
};

static bool is_xe2(const struct gpu *gpu)
{
	return strstr("lnl bmg", gpu->platform);
}

static struct counters counters_of(const struct gpu *gpu)
{
	if (is_xe2(gpu))
		return (struct counters){ "PEC", 8, 2, 64, 2, 576 / 4 };
	return gpu->wide ? (struct counters){ "A", 4, 1, 32, 1, 256 / 4 } :
			   (struct counters){ "A", 3, 1, 45, 1, 256 / 4 };
}

TEST_F(cs, report_has_id_and_time_of_the_command)
{
	const struct counters counters = counters_of(&self->gpu);
	size_t i, end = 64 + counters.size;
	uint32_t timestamp, before, after;

	memset(self->data.map, 0xff, self->data.size);
	batch_flush_timestamp(&self->batch, DATA);
	batch_report(&self->batch, DATA + 256, 0x89abcdef);
	batch_flush_timestamp(&self->batch, DATA + 8);
	RUN(self);
	EXPECT_EQ(0x89abcdef, self->data.map[64]);
	timestamp = self->data.map[64 + counters.timestamp];
	before = self->data.map[0];
	after = self->data.map[2];
	EXPECT_LE(timestamp - before, after - before);
	/* Exactly the size of the report is written. */
	EXPECT_NE(UINT32_MAX, self->data.map[end - 1]);
	for (i = end; i < self->data.size / 4; i++)
		ASSERT_EQ(UINT32_MAX, self->data.map[i]);
}

static uint64_t counter_of(const struct counters *counters, const uint32_t *report, size_t i)
{
	const uint32_t *counter = report + counters->first + i * counters->dwords;

	return counters->dwords == 2 ? counter[0] | (uint64_t)counter[1] << 32 : counter[0];
}

/* Get the difference of a counter between two reports, modulo its width. */
static uint64_t difference(const struct counters *counters, const uint32_t *from,
			   const uint32_t *to, size_t i)
{
	uint64_t delta = counter_of(counters, to, i) - counter_of(counters, from, i);

	return counters->dwords == 2 ? delta : (uint32_t)delta;
}

/*
 * From gen12 on, a batch's report comes from OAR, which counts its context only. Fractions of
 * events accumulate from the creation of the context, but in the reference from the start of the
 * GPU, so counts may differ by one.
 */
static bool has_oar(const struct gpu *gpu)
{
	return strstr("tglgt2 mtlgt2 lnl bmg", gpu->platform);
}

/*
 * Read the reference counts between two timestamps, of all contexts or of the only one. Return the
 * number of counters.
 */
static size_t reference_of(bool context, const struct counters *counters, uint32_t from,
			   uint32_t to, uint64_t reference[64])
{
	FILE *file = fopen("/sys/kernel/debug/gpuoa_sim/0/reference", "r+");
	char line[128], format[32];
	unsigned long long delta;
	unsigned int i;
	size_t n = 0;

	if (!file)
		return 0;
	snprintf(format, sizeof(format), "counter %s%%u %%llu", counters->bank);
	fprintf(file, "%u %u%s", from, to, context ? " 0" : "");
	if (!fflush(file) && !fseek(file, 0, SEEK_SET))
		while (fgets(line, sizeof(line), file))
			if (sscanf(line, format, &i, &delta) == 2 && i < 64) {
				reference[i] = delta;
				n++;
			}
	fclose(file);
	return n;
}

/* Number of events that a counter counts in a given number of clocks of workload "steady" */
struct known {
	size_t counter;
	uint64_t events;
};

/*
 * A0 counts clocks in which the GPU is busy, 950 of 1024; on Haswell it counts clocks in which each
 * of 20 EUs is active, 648 of 1024. PEC3 of the test configuration counts clocks of one Xe core.
 */
static struct known known_counter(const struct gpu *gpu, uint64_t clocks)
{
	if (is_xe2(gpu))
		return (struct known){ 3, clocks };
	return (struct known){ 0, clocks * (gpu->wide ? 950 : 20 * 648) / 1024 };
}

#define FIRST_REPORT 64 /* dword index in the data buffer */
#define SECOND_REPORT 256
#define XE2_CLOCK 6 /* dword index in a report */

/* The GPU is otherwise idle, so the reports count the work alone. */
TEST_F(cs, pair_of_reports_counts_the_work)
{
	static const uint64_t clocks = 20 * MS;
	struct perf_event_attr attr = flat_attr(16, 1);
	const struct counters counters = counters_of(&self->gpu);
	const struct known known = known_counter(&self->gpu, clocks);
	const uint32_t *from = self->data.map + FIRST_REPORT;
	const uint32_t *to = self->data.map + SECOND_REPORT;
	uint64_t reference[64] = {}, delta;
	struct reader reader;
	size_t i;

	ASSERT_EQ(0, sim_set("workload", "idle"));
	ASSERT_EQ(0, reader_open(&reader, &attr, 16, 5));
	reader_enable(&reader);
	batch_report(&self->batch, DATA + 4 * FIRST_REPORT, 0x1234);
	batch_work(&self->batch, GPUOA_SIM_WORKLOAD_STEADY, clocks);
	batch_report(&self->batch, DATA + 4 * SECOND_REPORT, 0x5678);
	RUN(self);
	EXPECT_LE(counters.n, reference_of(has_oar(&self->gpu), &counters, from[counters.timestamp],
					   to[counters.timestamp], reference));
	reader_close(&reader);
	ASSERT_EQ(0, sim_set("workload", "frames"));

	EXPECT_EQ(0x1234, from[0]);
	EXPECT_EQ(0x5678, to[0]);
	EXPECT_EQ(0, from[-1]);
	EXPECT_EQ(0, to[-1]);
	EXPECT_EQ(0, to[counters.size]);
	for (i = 0; i < counters.n; i++) {
		uint64_t expected = counters.dwords == 2 ? reference[i] : (uint32_t)reference[i];

		delta = difference(&counters, from, to, i);
		EXPECT_LE(expected, delta + has_oar(&self->gpu));
		EXPECT_GE(expected + has_oar(&self->gpu), delta);
	}
	delta = difference(&counters, from, to, known.counter);
	EXPECT_LE(known.events, delta);
	/*
	 * The GPU clock counts between the reports, not only during the work. Work lasts a whole
	 * number of ticks.
	 */
	if (is_xe2(&self->gpu)) {
		EXPECT_EQ(to[XE2_CLOCK] - from[XE2_CLOCK], delta);
	} else {
		EXPECT_GE(known.events + known.events / 1000, delta);
	}
}

TEST_F(cs, errors_of_exec)
{
	uint32_t gone = syncobj_create(&self->gpu);

	batch_end(&self->batch);
	syncobj_destroy(&self->gpu, gone);
	EXPECT_EQ(-ENOENT, gpu_exec(&self->gpu, 4711, BATCH, 0));
	EXPECT_EQ(-ENOENT, gpu_exec(&self->gpu, self->context, BATCH, gone));
	EXPECT_EQ(0, gpu_exec(&self->gpu, self->context, BATCH, 0));
	EXPECT_EQ(0, sim_context_destroy(self->gpu.fd, self->context));
	EXPECT_EQ(-ENOENT, gpu_exec(&self->gpu, self->context, BATCH, 0));
}

TEST_F(cs, errors_of_result)
{
	struct drm_gpuoa_sim_result result;
	struct drm_syncobj_array reset = { .count_handles = 1 };
	uint32_t syncobj = syncobj_create(&self->gpu);

	reset.handles = (uintptr_t)&syncobj;
	EXPECT_EQ(-ENOENT, gpu_result(&self->gpu, 4711, &result));
	EXPECT_EQ(-EINVAL, gpu_result(&self->gpu, syncobj, &result));
	/* The fence of the syncobj does not belong to a batch now. */
	ASSERT_EQ(0, ioctl(self->gpu.fd, DRM_IOCTL_SYNCOBJ_SIGNAL, &reset));
	EXPECT_EQ(-EINVAL, gpu_result(&self->gpu, syncobj, &result));

	batch_work(&self->batch, GPUOA_SIM_WORKLOAD_STEADY, LONG);
	batch_end(&self->batch);
	ASSERT_EQ(0, gpu_exec(&self->gpu, self->context, BATCH, syncobj));
	EXPECT_EQ(-EBUSY, gpu_result(&self->gpu, syncobj, &result));
	EXPECT_EQ(-ETIME, syncobj_wait(&self->gpu, syncobj, 1));
	EXPECT_EQ(0, syncobj_wait(&self->gpu, syncobj, 5000));
	EXPECT_EQ(0, gpu_result(&self->gpu, syncobj, &result));
	EXPECT_EQ(0, result.status);
	EXPECT_EQ(GPUOA_SIM_FAULT_NONE, result.reason);
}

TEST_F(cs, full_queue_returns_ebusy)
{
	uint32_t syncobj = syncobj_create(&self->gpu);
	struct gpu_buffer end;
	struct batch batch;
	int i;

	ASSERT_EQ(0, gpu_buffer_create(&self->gpu, &end, OTHER_BATCH, 4096));
	batch = batch_begin(&self->gpu, &end);
	batch_end(&batch);
	batch_work(&self->batch, GPUOA_SIM_WORKLOAD_STEADY, LONG);
	batch_end(&self->batch);

	ASSERT_EQ(0, gpu_exec(&self->gpu, self->context, BATCH, 0));
	for (i = 1; i < GPUOA_SIM_MAX_QUEUED; i++)
		ASSERT_EQ(0, gpu_exec(&self->gpu, self->context, OTHER_BATCH, syncobj));
	EXPECT_EQ(-EBUSY, gpu_exec(&self->gpu, self->context, OTHER_BATCH, syncobj));
	EXPECT_EQ(0, syncobj_wait(&self->gpu, syncobj, 10000));
	EXPECT_EQ(0, gpu_exec(&self->gpu, self->context, OTHER_BATCH, syncobj));
	gpu_buffer_unmap(&end);
}

/* Get the status of the single fence in a sync_file. */
static int sync_file_status(int fd)
{
	struct sync_fence_info fence = {};
	struct sync_file_info info = { .num_fences = 1, .sync_fence_info = (uintptr_t)&fence };

	if (ioctl(fd, SYNC_IOC_FILE_INFO, &info))
		return -errno;
	return fence.status;
}

TEST_F(cs, sync_files_report_the_error)
{
	uint32_t syncobj = syncobj_create(&self->gpu);
	int fd;

	batch_store(&self->batch, NOTHING, 1);
	batch_end(&self->batch);
	ASSERT_EQ(0, gpu_exec(&self->gpu, self->context, BATCH, syncobj));
	ASSERT_EQ(0, syncobj_wait(&self->gpu, syncobj, 5000));
	fd = syncobj_sync_file(&self->gpu, syncobj);
	ASSERT_LE(0, fd);
	EXPECT_EQ(-EFAULT, sync_file_status(fd));
	close(fd);
}

/*
 * Invalid batch, which consists of a NOOP and @dwords. The KUnit suite of the command streamer has
 * more cases.
 */
struct bad_batch {
	int status;
	uint32_t reason;
	uint32_t offset;
	uint64_t value;
	size_t n;
	uint32_t dwords[4];
};

static const struct bad_batch bad_batches[] = {
	{ -EOPNOTSUPP, GPUOA_SIM_FAULT_OPCODE, 4, 0x54000000, 1, { 0x54000000 } },
	{ -EINVAL,
	  GPUOA_SIM_FAULT_LENGTH,
	  4,
	  0x15000002,
	  4,
	  { 0x15000002, CS_GPR(0), CS_GPR(0), 0 } },
	{ -EACCES, GPUOA_SIM_FAULT_REGISTER, 8, 0x2360, 3, { 0x11000001, 0x2360, 0 } },
	{ -EINVAL,
	  GPUOA_SIM_FAULT_MISALIGNED,
	  8,
	  CS_GPR(0) + 1,
	  3,
	  { 0x11000001, CS_GPR(0) + 1, 0 } },
	{ -EINVAL, GPUOA_SIM_FAULT_WORKLOAD, 8, 99, 4, { GPUOA_SIM_WORK, 99, 1, 0 } },
	{ -ETIME, GPUOA_SIM_FAULT_CLOCKS, 12, 0x200000000, 4, { GPUOA_SIM_WORK, 0, 0, 2 } },
	/* This batch has only NOOPs up to the end of memory. */
	{ -ELOOP, GPUOA_SIM_FAULT_RUNAWAY, 64 << 10, BATCH + (64 << 10), 1, {} },
};

TEST_F(cs, bad_batches_report_the_fault)
{
	struct drm_gpuoa_sim_result result;
	size_t i;

	for (i = 0; i < sizeof(bad_batches) / sizeof(bad_batches[0]); i++) {
		const struct bad_batch *bad = &bad_batches[i];

		memset(self->commands.map, 0, self->commands.size);
		memcpy(self->commands.map + 1, bad->dwords, 4 * bad->n);
		EXPECT_EQ(bad->status, gpu_run(&self->gpu, self->context, &self->batch, &result));
		EXPECT_EQ(bad->status, result.status);
		EXPECT_EQ(bad->reason, result.reason);
		EXPECT_EQ(bad->offset, result.offset);
		EXPECT_EQ(bad->value, result.value);
	}
	/* The context still works. */
	self->batch.n = 0;
	batch_store(&self->batch, DATA, 1);
	RUN(self);
	EXPECT_EQ(1, self->data.map[0]);
}

TEST_F(cs, truncated_command_at_the_end_of_memory_is_a_fault)
{
	struct drm_gpuoa_sim_result result;
	size_t last = self->commands.size / 4 - 1;

	self->commands.map[last] = 0x10000002;
	EXPECT_EQ(-EFAULT, gpu_run(&self->gpu, self->context, &self->batch, &result));
	EXPECT_EQ(GPUOA_SIM_FAULT_TRUNCATED, result.reason);
	EXPECT_EQ(self->commands.size, result.offset);
	EXPECT_EQ(BATCH + self->commands.size, result.value);
}

TEST_F(cs, unbound_address_is_a_fault)
{
	struct drm_gpuoa_sim_result result;
	struct gpu_buffer nothing = { .address = NOTHING };
	struct batch batch = batch_begin(&self->gpu, &nothing);

	EXPECT_EQ(-EFAULT, gpu_run(&self->gpu, self->context, &batch, &result));
	EXPECT_EQ(GPUOA_SIM_FAULT_UNMAPPED, result.reason);
	EXPECT_EQ(0, result.offset);
	EXPECT_EQ(NOTHING, result.value);

	batch_store(&self->batch, DATA, 1);
	batch_store(&self->batch, DATA + 4096, 1);
	batch_store(&self->batch, DATA, 2);
	batch_end(&self->batch);
	EXPECT_EQ(-EFAULT, gpu_run(&self->gpu, self->context, &self->batch, &result));
	EXPECT_EQ(GPUOA_SIM_FAULT_UNMAPPED, result.reason);
	EXPECT_EQ(self->gpu.wide ? 20 : 24, result.offset);
	EXPECT_EQ(DATA + 4096, result.value);
	EXPECT_EQ(1, self->data.map[0]);
}

TEST_F(cs, memory_can_be_freed_while_a_batch_runs)
{
	struct drm_gpuoa_sim_result result;
	uint32_t syncobj = syncobj_create(&self->gpu);

	batch_store(&self->batch, DATA, 1);
	batch_work(&self->batch, GPUOA_SIM_WORKLOAD_STEADY, LONG);
	batch_store(&self->batch, DATA, 2);
	batch_end(&self->batch);
	ASSERT_EQ(0, gpu_exec(&self->gpu, self->context, BATCH, syncobj));
	while (!__atomic_load_n(self->data.map, __ATOMIC_ACQUIRE))
		usleep(1000);
	ASSERT_EQ(0, gpu_unbind(&self->gpu, DATA));
	ASSERT_EQ(0, syncobj_wait(&self->gpu, syncobj, 5000));
	ASSERT_EQ(0, gpu_result(&self->gpu, syncobj, &result));
	EXPECT_EQ(-EFAULT, result.status);
	EXPECT_EQ(DATA, result.value);
	EXPECT_EQ(1, self->data.map[0]);
}

#define ROUNDS 16

/* Each batch records the progress of the preceding one; the first may record anything. */
TEST_F(cs, batches_of_a_context_run_in_order)
{
	uint32_t syncobjs[ROUNDS];
	struct gpu_buffer commands[ROUNDS];
	struct batch batch;
	uint64_t last = 0;
	int i;

	for (i = 0; i < ROUNDS; i++) {
		ASSERT_EQ(0, gpu_buffer_create(&self->gpu, &commands[i], OTHER_BATCH + 0x1000 * i,
					       4096));
		batch = batch_begin(&self->gpu, &commands[i]);
		batch_load_register_mem(&batch, CS_GPR(0), DATA);
		batch_store_register(&batch, DATA + 128 + 4 * i, CS_GPR(0));
		batch_work(&batch, GPUOA_SIM_WORKLOAD_STEADY, (i % 4) * MS);
		batch_store(&batch, DATA, i + 1);
		batch_flush_timestamp(&batch, DATA + 256 + 8 * i);
		batch_end(&batch);
		syncobjs[i] = syncobj_create(&self->gpu);
	}
	for (i = 0; i < ROUNDS; i++)
		ASSERT_EQ(0, gpu_exec(&self->gpu, self->context, commands[i].address, syncobjs[i]));
	/* All batches have ended when the last one has ended. */
	ASSERT_EQ(0, syncobj_wait(&self->gpu, syncobjs[ROUNDS - 1], 10000));
	for (i = 0; i < ROUNDS; i++) {
		uint64_t at = data_qword(&self->data, 64 + 2 * i);

		EXPECT_EQ(0, syncobj_wait(&self->gpu, syncobjs[i], 0));
		EXPECT_EQ(i, self->data.map[32 + i]);
		EXPECT_LT(last, at);
		last = at;
		gpu_buffer_unmap(&commands[i]);
	}
}

TEST_F(cs, destroyed_context_cancels_its_batches)
{
	uint32_t runs = syncobj_create(&self->gpu);
	uint32_t waits = syncobj_create(&self->gpu);
	struct drm_gpuoa_sim_result result;

	batch_store(&self->batch, DATA, 1);
	batch_work(&self->batch, GPUOA_SIM_WORKLOAD_STEADY, LONG);
	batch_store(&self->batch, DATA, 2);
	batch_end(&self->batch);
	ASSERT_EQ(0, gpu_exec(&self->gpu, self->context, BATCH, runs));
	ASSERT_EQ(0, gpu_exec(&self->gpu, self->context, BATCH, waits));
	while (!__atomic_load_n(self->data.map, __ATOMIC_ACQUIRE))
		usleep(1000);
	ASSERT_EQ(0, sim_context_destroy(self->gpu.fd, self->context));
	ASSERT_EQ(0, syncobj_wait(&self->gpu, waits, 5000));
	ASSERT_EQ(0, gpu_result(&self->gpu, runs, &result));
	EXPECT_EQ(-ECANCELED, result.status);
	ASSERT_EQ(0, gpu_result(&self->gpu, waits, &result));
	EXPECT_EQ(-ECANCELED, result.status);
	EXPECT_EQ(GPUOA_SIM_FAULT_NONE, result.reason);
	EXPECT_EQ(1, self->data.map[0]);
}

TEST_F(cs, closed_file_cancels_its_batches)
{
	struct drm_gpuoa_sim_result result;
	struct gpu_buffer commands;
	uint32_t context, syncobj;
	struct batch batch;
	struct gpu other;
	int i, fd;

	ASSERT_EQ(0, gpu_open(&other));
	ASSERT_EQ(0, sim_context_create(other.fd, &context));
	ASSERT_EQ(0, gpu_buffer_create(&other, &commands, BATCH, 4096));
	batch = batch_begin(&other, &commands);
	batch_work(&batch, GPUOA_SIM_WORKLOAD_STEADY, LONG);
	batch_end(&batch);
	syncobj = syncobj_create(&other);
	for (i = 0; i < 3; i++)
		ASSERT_EQ(0, gpu_exec(&other, context, BATCH, syncobj));
	fd = syncobj_export(&other, syncobj);
	ASSERT_LE(0, fd);
	gpu_buffer_unmap(&commands);
	gpu_close(&other);

	syncobj = syncobj_import(&self->gpu, fd);
	close(fd);
	ASSERT_NE(0, syncobj);
	ASSERT_EQ(0, syncobj_wait(&self->gpu, syncobj, 5000));
	ASSERT_EQ(0, gpu_result(&self->gpu, syncobj, &result));
	EXPECT_EQ(-ECANCELED, result.status);
}

/* While one file submits bad batches, the batches of another file and a stream are not affected. */
TEST_F(cs, bad_batches_do_not_affect_other_contexts)
{
	struct perf_event_attr attr = flat_attr(9, 1);
	struct gpu_buffer commands;
	struct reader reader;
	struct batch bad;
	struct gpu other;
	uint32_t context, syncobj = syncobj_create(&self->gpu);
	int i;

	if (self->gpu.wide)
		SKIP(return, "the reader checks Haswell's reports");
	ASSERT_EQ(0, gpu_open(&other));
	ASSERT_EQ(0, sim_context_create(other.fd, &context));
	ASSERT_EQ(0, gpu_buffer_create(&other, &commands, BATCH, 4096));
	bad = batch_begin(&other, &commands);
	batch_work(&bad, GPUOA_SIM_WORKLOAD_STEADY, MS / 10);
	batch_store(&bad, DATA, 3);

	ASSERT_EQ(0, reader_open(&reader, &attr, 9, 9));
	reader_enable(&reader);
	batch_load_register_mem(&self->batch, CS_GPR(0), DATA);
	batch_store_register(&self->batch, DATA + 4, CS_GPR(0));
	batch_work(&self->batch, GPUOA_SIM_WORKLOAD_STEADY, MS);
	batch_flush_timestamp(&self->batch, DATA + 8);
	batch_end(&self->batch);
	for (i = 1; i <= 50; i++) {
		__atomic_store_n(self->data.map, i, __ATOMIC_RELEASE);
		ASSERT_EQ(0, gpu_exec(&self->gpu, self->context, BATCH, syncobj));
		ASSERT_EQ(-EFAULT, gpu_run(&other, context, &bad, NULL));
		ASSERT_EQ(0, syncobj_wait(&self->gpu, syncobj, 5000));
		ASSERT_EQ(i, self->data.map[1]);
		reader_drain(&reader);
	}
	reader_disable(&reader);
	reader_drain(&reader);
	EXPECT_EQ(0, reader.tally.errors);
	EXPECT_ALL_OF(reader_due(&reader), &reader);
	EXPECT_LT(100, reader.tally.reports);
	reader_close(&reader);
	gpu_buffer_unmap(&commands);
	gpu_close(&other);
}

/* Wait until the simulator's module has @users references. */
static bool module_users_become(uint64_t users)
{
	return WAIT_UNTIL(file_get("/sys/module/gpuoa_sim/refcnt") == users);
}

TEST_F(cs, fence_prevents_rmmod)
{
	uint32_t syncobj = syncobj_create(&self->gpu);
	int fd;

	batch_end(&self->batch);
	/* Events of earlier tests are freed after an RCU grace period; this DRM file remains. */
	ASSERT_TRUE(module_users_become(1));
	ASSERT_EQ(0, gpu_exec(&self->gpu, self->context, BATCH, syncobj));
	ASSERT_EQ(0, syncobj_wait(&self->gpu, syncobj, 5000));
	fd = syncobj_sync_file(&self->gpu, syncobj);
	ASSERT_LE(0, fd);
	syncobj_destroy(&self->gpu, syncobj);
	EXPECT_TRUE(module_users_become(2));
	close(fd);
	EXPECT_TRUE(module_users_become(1));
}

/*
 * The second GPU is removed while its batches run and wait; the first one continues. The work would
 * take more than a minute on this slow GPU, but the removal does not wait for it.
 */
TEST_F(cs, removed_gpu_ends_its_batches)
{
	struct gpu_buffer commands, data;
	struct gpu gone = self->gpu;
	uint32_t context, syncobj;
	const unsigned int slowdown = 20;
	struct batch batch;
	int i, files[3];
	uint64_t begin;

	ASSERT_EQ(0, file_set("/sys/bus/gpuoa_sim/new_device", "hsw_gt2 idle"));
	ASSERT_EQ(0, file_set("/sys/kernel/debug/gpuoa_sim/1/slowdown", "20"));
	gone.fd = sim_drm_open_number(1);
	gone.wide = false;
	ASSERT_LE(0, gone.fd);
	ASSERT_EQ(0, sim_context_create(gone.fd, &context));
	ASSERT_EQ(0, gpu_buffer_create(&gone, &commands, BATCH, 4096));
	ASSERT_EQ(0, gpu_buffer_create(&gone, &data, DATA, 4096));
	batch = batch_begin(&gone, &commands);
	batch_store(&batch, DATA, 1);
	batch_work(&batch, GPUOA_SIM_WORKLOAD_STEADY, GPUOA_SIM_MAX_CLOCKS);
	batch_store(&batch, DATA, 2);
	batch_end(&batch);
	syncobj = syncobj_create(&gone);
	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0, gpu_exec(&gone, context, BATCH, syncobj));
		files[i] = syncobj_sync_file(&gone, syncobj);
		ASSERT_LE(0, files[i]);
		EXPECT_EQ(0, sync_file_status(files[i]));
	}
	while (!__atomic_load_n(data.map, __ATOMIC_ACQUIRE))
		usleep(1000);

	begin = wait_now_ms();
	ASSERT_EQ(0, file_set("/sys/bus/gpuoa_sim/del_device", "1"));
	EXPECT_GT(slowdown * (GPUOA_SIM_MAX_CLOCKS / MS) / 2, wait_now_ms() - begin);
	for (i = 0; i < 3; i++) {
		EXPECT_EQ(-ENODEV, sync_file_status(files[i]));
		close(files[i]);
	}
	EXPECT_EQ(-ENODEV, gpu_exec(&gone, context, BATCH, 0));
	EXPECT_EQ(1, data.map[0]);
	gpu_buffer_unmap(&commands);
	gpu_buffer_unmap(&data);
	gpu_close(&gone);

	batch_store(&self->batch, DATA, 3);
	RUN(self);
	EXPECT_EQ(3, self->data.map[0]);
}

TEST_HARNESS_MAIN
