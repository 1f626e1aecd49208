// SPDX-License-Identifier: MIT
/*
 * test_i915_perf.c - the stock i915-perf on the virtual GPU: reports match the reference, errors
 * are reported.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "../kselftest_harness.h"
#include "../vgpu.h"
#include "i915.h"
#include "perf.h"
#include "render.h"
#include "reference.h"

#define EXPONENT 12
#define REPORT_DWORDS 64
#define BUFFER_SIZE (1 << 20)
#define GPUOA_SIM_WORK 0xe0000002
#define STEADY 1

FIXTURE(perf)
{
	struct i915 gpu;
	struct i915_batch batch;
	uint32_t context;
	uint64_t set;
	int stream;
	uint8_t *buffer;
};

FIXTURE_SETUP(perf)
{
	ASSERT_EQ(0, i915_open(&self->gpu));
	ASSERT_EQ(0, batch_create(&self->gpu, &self->batch));
	self->context = i915_context(&self->gpu);
	ASSERT_NE(0, self->context);
	self->stream = -1;
	self->set = perf_add_set(&self->gpu, "7f4a0c1e-3b52-4d6f-9a80-5e2d1c0b9f01");
	ASSERT_GT(1000, self->set);
	self->buffer = malloc(BUFFER_SIZE);
	ASSERT_NE(NULL, self->buffer);
}

FIXTURE_TEARDOWN(perf)
{
	if (self->stream >= 0)
		close(self->stream);
	EXPECT_EQ(0, ioctl(self->gpu.fd, DRM_IOCTL_I915_PERF_REMOVE_CONFIG, &self->set));
	free(self->buffer);
	batch_destroy(&self->batch);
	close(self->gpu.fd);
}

/* Open a stream of timer reports, of all contexts or of one. */
static int stream_open(const struct i915 *gpu, uint64_t set, uint32_t context)
{
	struct perf_open open = perf_usual(gpu, set, EXPONENT);

	if (context)
		perf_property(&open, DRM_I915_PERF_PROP_CTX_HANDLE, context);

	return perf_open(gpu, &open);
}

/* Summary of a stream's records */
struct told {
	unsigned int n;
	unsigned int lost_buffers;
	unsigned int lost_reports;
	unsigned int others; /* reports of other contexts than the first report's */
	uint32_t first[REPORT_DWORDS];
	uint32_t last[REPORT_DWORDS];
};

static void take(struct told *told, const uint8_t *record)
{
	struct drm_i915_perf_record_header header;
	const uint8_t *report = record + sizeof(header);

	memcpy(&header, record, sizeof(header));
	if (header.type == DRM_I915_PERF_RECORD_OA_BUFFER_LOST)
		told->lost_buffers++;
	if (header.type == DRM_I915_PERF_RECORD_OA_REPORT_LOST)
		told->lost_reports++;
	if (header.type != DRM_I915_PERF_RECORD_SAMPLE)
		return;
	if (!told->n++)
		memcpy(told->first, report, sizeof(told->first));
	memcpy(told->last, report, sizeof(told->last));
	told->others += told->last[2] != told->first[2];
}

/* Read until there are @n reports, or for ten seconds. */
static void stream_read(int stream, uint8_t *buffer, struct told *told, unsigned int n)
{
	time_t end = time(NULL) + 10;

	while (told->n < n && time(NULL) < end) {
		struct pollfd fd = { stream, POLLIN, 0 };
		struct drm_i915_perf_record_header header;
		ssize_t size, i;

		if (poll(&fd, 1, 1000) <= 0)
			continue;
		size = read(stream, buffer, BUFFER_SIZE);
		for (i = 0; i < size; i += header.size) {
			memcpy(&header, buffer + i, sizeof(header));
			take(told, buffer + i);
		}
	}
}

TEST_F(perf, reports_equal_the_reference)
{
	struct told told = { 0 };

	vgpu_request("workload frames");
	self->stream = stream_open(&self->gpu, self->set, 0);
	ASSERT_LE(0, self->stream);
	stream_read(self->stream, self->buffer, &told, 200);
	ASSERT_LE(200, told.n);
	EXPECT_EQ(0, reference_differences(perf_default_format(&self->gpu), told.first, told.last));
	EXPECT_EQ(0, told.lost_buffers + told.lost_reports);
	vgpu_request("workload idle");
}

/* The tail runs ahead of complete reports: none is read too early. */
TEST_F(perf, tail_ahead_of_data_yields_no_stale_report)
{
	struct told told = { 0 };

	vgpu_request("workload steady");
	vgpu_request("fault tail_ahead 5");
	self->stream = stream_open(&self->gpu, self->set, 0);
	ASSERT_LE(0, self->stream);
	stream_read(self->stream, self->buffer, &told, 200);
	vgpu_request("fault tail_ahead 0");
	ASSERT_LE(200, told.n);
	EXPECT_EQ(0, reference_differences(perf_default_format(&self->gpu), told.first, told.last));
	vgpu_request("workload idle");
}

TEST_F(perf, buffer_overflow_is_reported)
{
	struct told told = { 0 };

	self->stream = stream_open(&self->gpu, self->set, 0);
	ASSERT_LE(0, self->stream);
	stream_read(self->stream, self->buffer, &told, 10);
	vgpu_request("overflow");
	stream_read(self->stream, self->buffer, &told, told.n + 10);
	EXPECT_EQ(1, told.lost_buffers);
}

TEST_F(perf, lost_report_is_reported)
{
	struct told told = { 0 };

	self->stream = stream_open(&self->gpu, self->set, 0);
	ASSERT_LE(0, self->stream);
	stream_read(self->stream, self->buffer, &told, 10);
	vgpu_request("fault lose_reports 3");
	stream_read(self->stream, self->buffer, &told, told.n + 50);
	EXPECT_LE(1, told.lost_reports);
	EXPECT_EQ(0, told.lost_buffers);
}

TEST_F(perf, second_stream_returns_ebusy)
{
	self->stream = stream_open(&self->gpu, self->set, 0);
	ASSERT_LE(0, self->stream);
	EXPECT_EQ(-EBUSY, stream_open(&self->gpu, self->set, 0));
}

static void emit_work(struct i915_batch *batch, uint32_t clocks)
{
	batch_emit(batch, GPUOA_SIM_WORK);
	batch_emit(batch, STEADY);
	batch_emit(batch, clocks);
	batch_emit(batch, 0);
}

/* A batch writes reports before and after its work. */
TEST_F(perf, batch_reports_show_its_work)
{
	const uint32_t *before = self->batch.data + 64, *after = self->batch.data + 128;
	const uint32_t clocks = 1000000;

	if (!self->gpu.wide)
		SKIP(return, "the command parser does not know the command that works");
	self->stream = stream_open(&self->gpu, self->set, self->context);
	ASSERT_LE(0, self->stream);
	batch_report(&self->batch, 256, 0x1111);
	emit_work(&self->batch, clocks);
	batch_report(&self->batch, 512, 0x2222);
	ASSERT_EQ(0, batch_run(&self->batch, self->context, I915_EXEC_RENDER));
	EXPECT_EQ(0x1111, before[0]);
	EXPECT_EQ(0x2222, after[0]);
	EXPECT_NE(before[1], after[1]);
	/*
	 * Check the number of GPU clocks, and A0, the number of clocks in which the GPU was busy.
	 */
	EXPECT_LE(clocks, after[3] - before[3]);
	EXPECT_LE(clocks / 2, after[4] - before[4]);
}

/*
 * Check the number of samples written, one per pixel. Its counter is A40 on Haswell and A26 on
 * later GPUs.
 */
TEST_F(perf, copy_counts_its_pixels)
{
	const unsigned int written = self->gpu.wide ? 4 + 26 : 3 + 40;
	const uint32_t *before = self->batch.data + 512, *after = self->batch.data + 576;

	self->stream = stream_open(&self->gpu, self->set, self->context);
	ASSERT_LE(0, self->stream);
	batch_report(&self->batch, 2048, 0x1111);
	render_copy(&self->batch, 1);
	batch_report(&self->batch, 2304, 0x2222);
	ASSERT_EQ(0, batch_run(&self->batch, self->context, I915_EXEC_RENDER));
	EXPECT_EQ(0x1111, before[0]);
	EXPECT_EQ(0x2222, after[0]);
	EXPECT_EQ(RENDER_WIDTH * RENDER_HEIGHT, after[written] - before[written]);
	EXPECT_EQ(1, render_pixel(&self->batch, RENDER_LEFT, RENDER_TOP));
}

/* On gen12, reports of a context are zero unless its counters were enabled. */
TEST_F(perf, context_without_counters_reads_zeros)
{
	const uint32_t *report = self->batch.data + 64;
	unsigned int i;

	if (self->gpu.gen < 12)
		SKIP(return, "before gen12, counters are those of all contexts");
	batch_report(&self->batch, 256, 0x3333);
	ASSERT_EQ(0, batch_run(&self->batch, self->context, I915_EXEC_RENDER));
	EXPECT_EQ(0x3333, report[0]);
	EXPECT_NE(0, report[1]);
	for (i = 4; i < REPORT_DWORDS; i++)
		EXPECT_EQ(0, report[i]);
}

/* A stream for one context gets only reports of that context. */
TEST_F(perf, stream_filters_one_context)
{
	struct told told = { 0 };

	if (!self->gpu.wide)
		SKIP(return, "the command parser does not know the command that works");
	self->stream = stream_open(&self->gpu, self->set, self->context);
	ASSERT_LE(0, self->stream);
	emit_work(&self->batch, 5000000);
	ASSERT_EQ(0, batch_run(&self->batch, self->context, I915_EXEC_RENDER));
	stream_read(self->stream, self->buffer, &told, 5);
	EXPECT_LE(5, told.n);
	EXPECT_NE(0xffffffff, told.first[2]);
}

TEST_HARNESS_MAIN
