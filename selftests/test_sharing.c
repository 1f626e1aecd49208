// SPDX-License-Identifier: MIT
/*
 * test_sharing.c - combinations of events that can share a unit.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "event.h"
#include "kselftest_harness.h"
#include "sim.h"

TEST(equal_configurations_share)
{
	struct perf_event_attr attr = flat_attr(9, 1);
	struct reader a, b;

	/* The ring holds 5 s of reports, so that slow readers lose none. */
	ASSERT_EQ(0, reader_open(&a, &attr, 9, 12));
	ASSERT_EQ(0, reader_open(&b, &attr, 9, 12));
	reader_enable(&a);
	ASSERT_TRUE(reader_run_reports(&a, 500));
	reader_enable(&b);
	ASSERT_TRUE(reader_run_reports(&b, 500));
	reader_disable(&a);
	reader_drain(&a);
	ASSERT_TRUE(reader_run_reports(&b, 500));
	reader_disable(&b);
	reader_drain(&b);

	EXPECT_EQ(0, a.tally.errors);
	EXPECT_EQ(0, b.tally.errors);
	EXPECT_EQ(0, a.tally.ring_lost + b.tally.ring_lost);
	/*
	 * perf removes event a from the PMU for a moment when event b is enabled; the missing
	 * reports are announced.
	 */
	EXPECT_EQ(reader_due(&a), a.tally.reports + a.tally.lost);
	EXPECT_EQ(reader_due(&b), b.tally.reports + b.tally.lost);
	if (virtual_time())
		EXPECT_GT(50, a.tally.lost);
	EXPECT_LE(1, b.tally.streams); /* the description is also delivered to the later event */
	/* Event b was enabled later than event a, and disabled later. */
	EXPECT_LT(a.tally.first_timestamp, b.tally.first_timestamp);
	EXPECT_LT(a.tally.last_timestamp, b.tally.last_timestamp);
	reader_close(&a);
	reader_close(&b);
}

TEST(disabling_one_event_loses_no_reports)
{
	struct perf_event_attr attr = flat_attr(9, 1);
	struct reader a, b;

	ASSERT_EQ(0, reader_open(&a, &attr, 9, 12));
	ASSERT_EQ(0, reader_open(&b, &attr, 9, 12));
	reader_enable(&a);
	reader_enable(&b);
	ASSERT_TRUE(reader_run_reports(&a, 500));
	reader_disable(&a);
	reader_drain(&b);
	ASSERT_TRUE(reader_run_reports(&b, 500));
	reader_enable(&a);
	ASSERT_TRUE(reader_run_reports(&a, 500));
	reader_disable(&a);
	reader_disable(&b);
	reader_drain(&a);
	reader_drain(&b);

	EXPECT_EQ(0, a.tally.errors);
	EXPECT_EQ(0, a.tally.ring_lost);
	EXPECT_EQ(0, b.tally.errors);
	EXPECT_EQ(0, b.tally.ring_lost);
	EXPECT_EQ(reader_due(&b), b.tally.reports + b.tally.lost);
	EXPECT_LT(a.tally.reports, b.tally.reports);
	reader_close(&a);
	reader_close(&b);
}

TEST(flat_and_extensible_attributes_share)
{
	struct perf_event_attr flat = flat_attr(9, 1);
	struct gpuoa_attr gpuoa = test_oa_attr(9);
	struct perf_event_attr extensible = extensible_attr(&gpuoa), period = flat_attr(0, 100000);
	int fd = event_open(&flat);

	ASSERT_LE(0, fd);
	EXPECT_EQ(0, event_try(&extensible));
	EXPECT_EQ(0, event_try(&period));
	close(fd);
}

static const struct gpuoa_register test_oa_mux[] = { { 0x9840, 0x80 } };
static const struct gpuoa_register test_oa_boolean[] = {
	{ 0x2740, 0 },		{ 0x2744, 0x800000 }, { 0x2714, 0xf0800000 }, { 0x2710, 0 },
	{ 0x2724, 0xf0800000 }, { 0x2720, 0 },	      { 0x2770, 0x4 },	      { 0x2774, 0 },
	{ 0x2778, 0x3 },	{ 0x277c, 0 },	      { 0x2780, 0x7 },	      { 0x2784, 0 },
	{ 0x2788, 0x100002 },	{ 0x278c, 0xfff7 },   { 0x2790, 0x100002 },   { 0x2794, 0xffcf },
	{ 0x2798, 0x100082 },	{ 0x279c, 0xffef },   { 0x27a0, 0x1000c2 },   { 0x27a4, 0xffe7 },
	{ 0x27a8, 0x100001 },	{ 0x27ac, 0xffe7 },
};

TEST(inline_registers_share_with_the_same_registers)
{
	struct perf_event_attr flat = flat_attr(9, 1);
	struct gpuoa_attr gpuoa = test_oa_attr(9);
	struct perf_event_attr attr = extensible_attr(&gpuoa);
	int fd = event_open(&flat);

	ASSERT_LE(0, fd);
	gpuoa.metric_set = 0;
	gpuoa.n_mux = 1;
	gpuoa.mux = (uintptr_t)test_oa_mux;
	gpuoa.n_boolean = sizeof(test_oa_boolean) / sizeof(test_oa_boolean[0]);
	gpuoa.boolean = (uintptr_t)test_oa_boolean;
	EXPECT_EQ(0, event_try(&attr));
	gpuoa.n_boolean--;
	EXPECT_EQ(-EBUSY, event_try(&attr));
	close(fd);
}

TEST(unnamed_stream_gets_the_uuid_of_a_joining_event)
{
	struct perf_event_attr flat = flat_attr(9, 1);
	struct gpuoa_attr gpuoa = test_oa_attr(9);
	struct perf_event_attr attr = extensible_attr(&gpuoa);
	struct reader inlined, named;

	gpuoa.metric_set = 0;
	gpuoa.n_mux = 1;
	gpuoa.mux = (uintptr_t)test_oa_mux;
	gpuoa.n_boolean = sizeof(test_oa_boolean) / sizeof(test_oa_boolean[0]);
	gpuoa.boolean = (uintptr_t)test_oa_boolean;
	ASSERT_EQ(0, reader_open(&inlined, &attr, 9, 8));
	reader_enable(&inlined);
	ASSERT_TRUE(reader_run_reports(&inlined, 1));
	EXPECT_LE(1, inlined.tally.streams);
	EXPECT_STREQ("", inlined.tally.stream.uuid);

	ASSERT_EQ(0, reader_open(&named, &flat, 9, 8));
	reader_enable(&named);
	ASSERT_TRUE(reader_run_reports(&named, 1));
	EXPECT_STREQ(GPUOA_TEST_OA_HSW_UUID, named.tally.stream.uuid);
	reader_close(&named);
	reader_close(&inlined);
}

/* Haswell compares the page address of a context and ignores the other bits. */
TEST(ignored_bits_do_not_prevent_sharing)
{
	struct gpuoa_attr a = test_oa_attr(9), b = test_oa_attr(9);
	struct perf_event_attr a_attr, b_attr;
	int fd;

	a.flags |= GPUOA_ATTR_CONTEXT | GPUOA_ATTR_CONTEXT_HW_ID;
	a.context = 0x12345000;
	a_attr = extensible_attr(&a);
	fd = event_open(&a_attr);
	ASSERT_LE(0, fd);
	b.flags = a.flags;
	b.context = 0x12345fff;
	b_attr = extensible_attr(&b);
	EXPECT_EQ(0, event_try(&b_attr));
	b.context = 0x12346000;
	EXPECT_EQ(-EBUSY, event_try(&b_attr));
	close(fd);
}

TEST(different_configuration_returns_ebusy)
{
	struct gpuoa_attr gpuoa = test_oa_attr(9), other;
	struct perf_event_attr attr = extensible_attr(&gpuoa);
	int fd, drm;
	uint32_t handle;

	gpuoa.buffer_size = 1 << 20;
	fd = event_open(&attr);
	ASSERT_LE(0, fd);

	attr = extensible_attr(&other);
	other = gpuoa;
	EXPECT_EQ(0, event_try(&attr));
	other.buffer_size = 0; /* any */
	EXPECT_EQ(0, event_try(&attr));
	other.buffer_size = 2 << 20;
	EXPECT_EQ(-EBUSY, event_try(&attr));
	other = gpuoa;
	other.exponent = 10;
	EXPECT_EQ(-EBUSY, event_try(&attr));
	other = gpuoa;
	other.format = GPUOA_FORMAT_A13;
	EXPECT_EQ(-EBUSY, event_try(&attr));
	other.format = GPUOA_FORMAT_A45_B8_C8; /* the default, set explicitly */
	EXPECT_EQ(0, event_try(&attr));

	drm = sim_drm_open();
	ASSERT_LE(0, drm);
	ASSERT_EQ(0, sim_context_create(drm, &handle));
	other = gpuoa;
	other.flags |= GPUOA_ATTR_CONTEXT;
	other.drm_fd = drm;
	other.context = handle;
	EXPECT_EQ(-EBUSY, event_try(&attr));
	close(drm);
	close(fd);
}

TEST(unit_is_free_after_the_last_user)
{
	struct perf_event_attr a = flat_attr(9, 1), b = flat_attr(10, 1);
	int first = event_open(&a), second = event_open(&a);

	ASSERT_LE(0, first);
	ASSERT_LE(0, second);
	close(first);
	EXPECT_EQ(-EBUSY, event_try(&b));
	close(second);
	EXPECT_EQ(0, event_try(&b));
}

TEST(destroyed_context_does_not_end_the_stream)
{
	struct gpuoa_attr gpuoa = test_oa_attr(9);
	struct perf_event_attr attr = extensible_attr(&gpuoa);
	struct reader reader;
	uint32_t handle;

	gpuoa.flags |= GPUOA_ATTR_CONTEXT;
	gpuoa.drm_fd = sim_drm_open();
	ASSERT_LE(0, gpuoa.drm_fd);
	ASSERT_EQ(0, sim_context_create(gpuoa.drm_fd, &handle));
	gpuoa.context = handle;
	ASSERT_EQ(0, reader_open(&reader, &attr, 9, 8));
	reader.filtered = true;
	reader_enable(&reader);
	ASSERT_EQ(0, sim_context_destroy(gpuoa.drm_fd, handle));
	close(gpuoa.drm_fd);
	reader_run(&reader, 50);
	EXPECT_EQ(0, reader.tally.errors);
	reader_close(&reader);
}

TEST_HARNESS_MAIN
