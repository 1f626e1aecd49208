// SPDX-License-Identifier: MIT
/*
 * test_batches.c - reports at the start and end of a context's batches.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "batch.h"
#include "event.h"
#include "kselftest_harness.h"
#include "sim.h"

#define COMMANDS 0x100000
#define CLOCKS 2000000ULL

/* Exponent with a period so long that the timer writes no report */
#define NEVER 31

/* Indices of dwords in a report of Haswell's default format */
#define A(n) (3 + (n))
#define C(n) (56 + (n))

FIXTURE(batches)
{
	struct gpu gpu;
	uint32_t context;
	uint32_t other;
	struct gpu_buffer commands;
	struct gpuoa_attr gpuoa;
	struct perf_event_attr attr;
	struct reader reader;
};

/*
 * The simulator's provider can write reports at batch boundaries, the provider for the stock i915
 * cannot.
 */
FIXTURE_SETUP(batches)
{
	int err = gpu_open(&self->gpu);

	ASSERT_NE('\0', self->gpu.platform[0]);
	if (!(self->gpu.features & GPUOA_FEATURE_BATCH_BOUNDARY_REPORTS))
		SKIP(return, "the host of this %s does not report batches", self->gpu.platform);
	if (strcmp(self->gpu.platform, "hsw"))
		SKIP(return, "dwords are those of Haswell's reports, this is %s",
			   self->gpu.platform);
	ASSERT_EQ(0, err);
	ASSERT_EQ(0, sim_context_create(self->gpu.fd, &self->context));
	ASSERT_EQ(0, sim_context_create(self->gpu.fd, &self->other));
	ASSERT_EQ(0, gpu_buffer_create(&self->gpu, &self->commands, COMMANDS, 4096));
	self->gpuoa = test_oa_attr(NEVER);
	self->gpuoa.flags |= GPUOA_ATTR_CONTEXT | GPUOA_ATTR_BATCH_BOUNDARY_REPORTS;
	self->gpuoa.drm_fd = self->gpu.fd;
	self->gpuoa.context = self->context;
	self->attr = extensible_attr(&self->gpuoa);
	self->reader.filtered = true;
	self->reader.batches = true;
}

FIXTURE_TEARDOWN(batches)
{
	gpu_buffer_unmap(&self->commands);
	gpu_close(&self->gpu);
	EXPECT_EQ(0, sim_get("asleep_accesses"));
	EXPECT_EQ(0, sim_get("unknown_accesses"));
}

static int run_work(struct gpu *gpu, struct gpu_buffer *commands, uint32_t context, uint64_t clocks)
{
	struct batch batch = batch_begin(gpu, commands);

	batch_work(&batch, GPUOA_SIM_WORKLOAD_STEADY, clocks);
	batch_end(&batch);
	return gpu_run(gpu, context, &batch, NULL);
}

/*
 * Get the reference count of @counter for the context in slot 0 between two timestamps, or
 * UINT64_MAX.
 */
static uint64_t reference_counter(uint32_t from, uint32_t to, const char *counter)
{
	char question[32];

	snprintf(question, sizeof(question), "%u %u 0", from, to);
	return file_reference("/sys/kernel/debug/gpuoa_sim/0/reference", question, counter);
}

static uint32_t difference(const struct tally *tally, unsigned int dword)
{
	uint32_t first, last;

	memcpy(&first, tally->first_report + 4 * dword, sizeof(first));
	memcpy(&last, tally->last_report + 4 * dword, sizeof(last));
	return last - first;
}

TEST_F(batches, two_reports_of_a_batch_count_its_work)
{
	struct tally *tally = &self->reader.tally;

	ASSERT_EQ(0, reader_open(&self->reader, &self->attr, NEVER, 4));
	self->reader.filtered = true;
	self->reader.batches = true;
	reader_enable(&self->reader);
	ASSERT_EQ(0, run_work(&self->gpu, &self->commands, self->context, CLOCKS));
	reader_disable(&self->reader);
	reader_drain(&self->reader);

	EXPECT_EQ(0, tally->errors);
	ASSERT_EQ(2, tally->reports);
	EXPECT_TRUE(tally->stream.flags & GPUOA_ATTR_BATCH_BOUNDARY_REPORTS);
	EXPECT_LE(CLOCKS, difference(tally, C(2)));
	EXPECT_EQ(reference_counter(tally->first_timestamp, tally->last_timestamp, "C2"),
		  difference(tally, C(2)));
	EXPECT_EQ(reference_counter(tally->first_timestamp, tally->last_timestamp, "A0"),
		  difference(tally, A(0)));
	/* The workload "steady" keeps more than half of the EUs busy during the batch. */
	EXPECT_LT(CLOCKS * 10, difference(tally, A(0)));
	EXPECT_GT(CLOCKS * 20, difference(tally, A(0)));
	reader_close(&self->reader);
}

TEST_F(batches, each_batch_of_the_context_has_two_reports)
{
	int i;

	ASSERT_EQ(0, reader_open(&self->reader, &self->attr, NEVER, 4));
	self->reader.filtered = true;
	self->reader.batches = true;
	reader_enable(&self->reader);
	for (i = 0; i < 5; i++) {
		ASSERT_EQ(0, run_work(&self->gpu, &self->commands, self->context, 1000));
		ASSERT_EQ(0, run_work(&self->gpu, &self->commands, self->other, 1000));
	}
	/*
	 * All reports but the last one are delivered while the event is enabled. A report is
	 * complete only if a later one is visible.
	 */
	EXPECT_TRUE(reader_run_reports(&self->reader, 9));
	reader_disable(&self->reader);
	reader_drain(&self->reader);
	EXPECT_EQ(0, self->reader.tally.errors);
	EXPECT_EQ(10, self->reader.tally.reports);
	reader_close(&self->reader);
}

TEST_F(batches, closed_event_stops_batch_reports)
{
	struct gpuoa_attr without = self->gpuoa;
	struct perf_event_attr attr;

	ASSERT_EQ(0, event_try(&self->attr));
	without.flags &= ~GPUOA_ATTR_BATCH_BOUNDARY_REPORTS;
	attr = extensible_attr(&without);
	ASSERT_EQ(0, reader_open(&self->reader, &attr, NEVER, 4));
	self->reader.filtered = true;
	EXPECT_EQ(-EBUSY, event_try(&self->attr));
	reader_enable(&self->reader);
	ASSERT_EQ(0, run_work(&self->gpu, &self->commands, self->context, 1000));
	reader_disable(&self->reader);
	reader_drain(&self->reader);
	EXPECT_EQ(0, self->reader.tally.reports);
	reader_close(&self->reader);
}

TEST_F(batches, batch_reports_need_a_context)
{
	self->gpuoa.flags &= ~GPUOA_ATTR_CONTEXT;
	self->gpuoa.drm_fd = 0;
	self->gpuoa.context = 0;
	EXPECT_EQ(-EINVAL, event_try(&self->attr));
}

TEST_HARNESS_MAIN
