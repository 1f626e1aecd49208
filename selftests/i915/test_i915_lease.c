// SPDX-License-Identifier: MIT
/*
 * test_i915_lease.c - gpuoa on a GPU driven by the stock i915: events when the unit is reprogrammed
 * after a reset, after suspend or for another configuration; counts.
 *
 * Needs gpuoa_i915.ko.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../event.h"
#include "../kselftest_harness.h"
#include "../vgpu.h"
#include "i915.h"
#include "leased.h"
#include "perf.h"
#include "reference.h"

#define CONSTANT_UUID "5eed0000-0b0b-4111-8222-000000000012"
#define THIEF_UUID "5eed0000-0b0b-4111-8222-000000000013"

FIXTURE(lease)
{
	struct leased event;
};

FIXTURE_SETUP(lease)
{
	ASSERT_EQ(0, leased_begin(&self->event));
}

FIXTURE_TEARDOWN(lease)
{
	leased_end(&self->event);
}

/*
 * Open an event that shares the unit. Return the number of counters that differ from the reference.
 */
static unsigned int wrong_from_now(const struct i915 *gpu, struct perf_event_attr *attr)
{
	struct reader reader = { .fd = -1 };
	unsigned int wrong = UINT_MAX;

	if (!leased_start(&reader, attr) && reader_run_reports(&reader, 50))
		wrong = leased_wrong(gpu, &reader.tally);
	if (reader.fd >= 0)
		reader_close(&reader);
	return wrong;
}

static int write_to(const char *file, const char *what)
{
	int fd = open(file, O_WRONLY);
	ssize_t size = fd < 0 ? -1 : write(fd, what, strlen(what));
	int error = size < 0 ? -errno : 0;

	if (fd >= 0)
		close(fd);
	return error;
}

/*
 * A full GPU reset clears the unit's configuration; the unit is reprogrammed, and the reader gets a
 * record of the loss.
 */
TEST_F(lease, gpu_reset_is_reported)
{
	uint64_t told;

	/*
	 * Make i915 reset the whole GPU. By default it resets single engines, which does not affect
	 * the unit.
	 */
	if (write_to("/sys/kernel/debug/dri/0/i915_params/reset", "1"))
		SKIP(return, "i915 has no parameter reset in debugfs");
	ASSERT_EQ(0, leased_start(&self->event.reader, &self->event.attr));
	ASSERT_TRUE(reader_run_reports(&self->event.reader, 20));
	told = self->event.reader.tally.hardware_losses;
	EXPECT_EQ(0, write_to("/sys/kernel/debug/dri/0/i915_wedged", "0xffffffff"));
	EXPECT_TRUE(reader_run_reports(&self->event.reader, 100));
	write_to("/sys/kernel/debug/dri/0/i915_params/reset", "3");
	EXPECT_EQ(told + 1, self->event.reader.tally.hardware_losses);
	EXPECT_EQ(0, self->event.reader.tally.errors);
	EXPECT_EQ(0, self->event.reader.tally.gone);
	EXPECT_EQ(0, wrong_from_now(&self->event.gpu, &self->event.attr));
}

static int64_t engine_resets(void)
{
	char *statistics = vgpu_ask("statistics");
	int64_t resets = vgpu_number(statistics, "resets");

	free(statistics);
	return resets;
}

/*
 * Check whether one engine was reset. i915 may reset it twice. A reset of the whole GPU counts as
 * one of each engine, and there are at least four engines.
 */
static bool was_one(int64_t resets)
{
	const int64_t more = engine_resets() - resets;

	return more == 1 || more == 2;
}

/* Submit a batch that hangs; its engine is reset, and the batch completes. */
static int hang(const struct i915 *gpu)
{
	const char *heartbeat = "/sys/class/drm/card0/engine/rcs0/heartbeat_interval_ms";
	struct i915_batch batch;
	int ret = batch_create(gpu, &batch);

	if (ret)
		return ret;
	write_to(heartbeat, "50");
	batch_emit(&batch, 0x80000000);
	ret = batch_submit(&batch, i915_context(gpu), I915_EXEC_RENDER);
	if (!ret)
		ret = batch_wait(&batch, 60);
	write_to(heartbeat, "2500");
	batch_destroy(&batch);
	return ret;
}

/* A reset of one engine is not reported: the unit continues, and its counts are right. */
TEST_F(lease, engine_reset_is_survived)
{
	const struct tally *tally = &self->event.reader.tally;
	int64_t resets = engine_resets();

	if (!self->event.gpu.wide)
		SKIP(return, "i915 resets all of this GPU at once");
	ASSERT_EQ(0, leased_start(&self->event.reader, &self->event.attr));
	ASSERT_TRUE(reader_run_reports(&self->event.reader, 20));
	ASSERT_EQ(0, hang(&self->event.gpu));
	EXPECT_TRUE(was_one(resets));
	EXPECT_TRUE(reader_run_reports(&self->event.reader, 100));

	/* Also reset the engine by i915's error injection. Bit 0 is the render engine. */
	resets = engine_resets();
	if (!write_to("/sys/kernel/debug/dri/0/i915_wedged", "1"))
		EXPECT_TRUE(was_one(resets));
	EXPECT_TRUE(reader_run_reports(&self->event.reader, 100));
	EXPECT_EQ(0, tally->hardware_losses);
	EXPECT_EQ(0, tally->errors);
	EXPECT_EQ(0, tally->gone);
	EXPECT_EQ(0, wrong_from_now(&self->event.gpu, &self->event.attr));
}

/* Suspend and resume the system, except for the devices, which this guest cannot resume. */
static int sleep_a_moment(void)
{
	int ret;

	write_to("/sys/module/suspend/parameters/pm_test_delay", "0");
	ret = write_to("/sys/power/pm_test", "freezer");
	if (!ret)
		ret = write_to("/sys/power/state", "freeze");
	write_to("/sys/power/pm_test", "none");
	return ret;
}

TEST_F(lease, event_continues_after_sleep)
{
	uint64_t told;

	ASSERT_EQ(0, leased_start(&self->event.reader, &self->event.attr));
	ASSERT_TRUE(reader_run_reports(&self->event.reader, 20));
	told = self->event.reader.tally.hardware_losses;
	if (sleep_a_moment())
		SKIP(return, "this kernel does not try to sleep");
	EXPECT_TRUE(reader_run_reports(&self->event.reader, 100));
	EXPECT_EQ(told + 1, self->event.reader.tally.hardware_losses);
	EXPECT_EQ(0, self->event.reader.tally.errors);
	EXPECT_EQ(0, wrong_from_now(&self->event.gpu, &self->event.attr));
}

/* Start a process that opens the unit as soon as possible, then reports it and keeps the unit. */
static pid_t start_thief(const struct i915 *gpu, int *said)
{
	uint64_t set = perf_add_set(gpu, THIEF_UUID);
	struct perf_open wanted = perf_usual(gpu, set, LEASED_EXPONENT);
	int ends[2];
	pid_t pid;

	if (pipe(ends))
		return -1;
	*said = ends[0];
	pid = fork();
	if (!pid) {
		while (perf_open(gpu, &wanted) < 0)
			;
		_exit(write(ends[1], "", 1) == 1 && pause());
	}
	close(ends[1]);
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	return pid;
}

static bool has_said(int pipe)
{
	char byte;

	return read(pipe, &byte, 1) == 1;
}

/*
 * If another process has taken the unit when the system resumes, the event waits until the unit is
 * free.
 */
TEST_F(lease, event_waits_for_busy_unit_after_sleep)
{
	uint64_t told, before;
	unsigned int i;
	pid_t thief;
	int said;

	ASSERT_EQ(0, leased_start(&self->event.reader, &self->event.attr));
	ASSERT_TRUE(reader_run_reports(&self->event.reader, 20));
	told = self->event.reader.tally.hardware_losses;
	thief = start_thief(&self->event.gpu, &said);
	ASSERT_LT(0, thief);
	for (i = 0; i < 10 && !has_said(said); i++)
		if (sleep_a_moment())
			break;
	reader_drain(&self->event.reader);
	before = self->event.reader.tally.reports;
	if (i && i < 10) {
		reader_run(&self->event.reader, 1500);
		EXPECT_EQ(before, self->event.reader.tally.reports);
	}
	kill(thief, SIGKILL);
	waitpid(thief, NULL, 0);
	close(said);
	if (!i || i == 10)
		SKIP(return, "no other user took the unit in time");
	EXPECT_TRUE(reader_run_reports(&self->event.reader, 100));
	EXPECT_LT(told, self->event.reader.tally.hardware_losses);
	EXPECT_EQ(0, self->event.reader.tally.errors);
	EXPECT_EQ(0, wrong_from_now(&self->event.gpu, &self->event.attr));
}

/*
 * With this configuration, B0 counts every clock. With TestOa, B0 counts none, and B1 counts every
 * clock.
 */
static int add_constant_set(int unit, const struct i915 *gpu, uint32_t *id)
{
	uint32_t trigger = gpu->gen >= 12 ? 0xd900 : 0x2710;
	uint32_t counter = gpu->gen >= 12 ? 0xd940 : 0x2770;
	/* Up to gen9 this register enables signals, including Haswell's clocks. */
	const struct gpuoa_register mux = { 0x9840, gpu->gen < 11 ? 0x80 : 0 };
	const struct gpuoa_register boolean[] = {
		{ trigger, 0 },	     { trigger + 4, 0xf0800000 },
		{ trigger + 16, 0 }, { trigger + 20, 0xf0800000 },
		{ counter, 3 },	     { counter + 4, gpu->gen >= 12 ? 0xffff : 0 },
	};
	struct gpuoa_config config = {
		.uuid = CONSTANT_UUID,
		.n_mux = 1,
		.mux = (uintptr_t)&mux,
		.n_boolean = sizeof(boolean) / sizeof(boolean[0]),
		.boolean = (uintptr_t)boolean,
	};
	int ret = ioctl(unit, GPUOA_IOC_ADD_CONFIG, &config) ? -errno : 0;

	*id = config.id;
	return ret;
}

#define B0 48 /* dword indices in the default formats */
#define B1 49

/* Number of intervals between reports with each configuration, which B0 and B1 show */
struct watch {
	const uint64_t *resumes;
	uint64_t resumed;
	uint32_t last[2];
	bool has_last;
	unsigned int old; /* intervals of the first configuration */
	unsigned int new; /* intervals of the second configuration */
	unsigned int back; /* intervals of the first configuration after the second one */
};

static void watch_report(void *context, const uint8_t *report, uint32_t size)
{
	const uint32_t *now = leased_dwords(report);
	struct watch *watch = context;
	bool b0 = now[B0] != watch->last[0], b1 = now[B1] != watch->last[1];

	if (watch->has_last && watch->resumed == *watch->resumes) {
		watch->old += b1 && !b0;
		watch->new += b0;
		watch->back += b1 && !b0 && watch->new;
	}
	watch->last[0] = now[B0];
	watch->last[1] = now[B1];
	watch->resumed = *watch->resumes;
	watch->has_last = size == 256;
}

TEST_F(lease, reconfigure_keeps_the_stream)
{
	struct watch watch = { .resumes = &self->event.reader.tally.resumes };
	int unit = unit_open();
	uint32_t id;

	ASSERT_LE(0, unit);
	ASSERT_EQ(0, add_constant_set(unit, &self->event.gpu, &id));
	ASSERT_EQ(0, reader_open(&self->event.reader, &self->event.attr, LEASED_EXPONENT,
				 LEASED_RING_ORDER));
	self->event.reader.each = watch_report;
	self->event.reader.context = &watch;
	reader_enable(&self->event.reader);
	ASSERT_TRUE(reader_run_reports(&self->event.reader, 50));
	EXPECT_EQ(0, ioctl(unit, GPUOA_IOC_RECONFIGURE, &id));
	/* If the guest was delayed, more than a hundred reports are older than the change. */
	reader_drain(&self->event.reader);
	EXPECT_TRUE(reader_run_reports(&self->event.reader, 100));
	reader_disable(&self->event.reader);
	reader_drain(&self->event.reader);
	EXPECT_STREQ(CONSTANT_UUID, self->event.reader.tally.stream.uuid);
	EXPECT_LE(20, watch.old);
	EXPECT_LE(20, watch.new);
	EXPECT_EQ(0, watch.back);
	/* No other user could open the unit meanwhile, nor can one afterwards. */
	EXPECT_EQ(-EBUSY, event_try(&self->event.attr));
	EXPECT_EQ(0, ioctl(unit, GPUOA_IOC_REMOVE_CONFIG, &id));
	close(unit);
}

static int add_count(struct perf_event_attr *sampled, struct gpuoa_attr *gpuoa, int leader,
		     uint32_t counter)
{
	struct gpuoa_attr counts = *gpuoa;
	struct perf_event_attr attr = *sampled;
	int fd;

	counts.counter = counter;
	attr.config1 = (uintptr_t)&counts;
	attr.sample_type = 0;
	attr.watermark = 0;
	attr.wakeup_watermark = 0;
	attr.disabled = 0;
	fd = syscall(SYS_perf_event_open, &attr, -1, 0, leader, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* Events of a group count from and to the same reports, which the leader samples. */
TEST_F(lease, counts_equal_the_reference)
{
	static const struct {
		uint32_t counter;
		const char *name;
	} counters[] = {
		{ GPUOA_COUNTER_A(0), "counter A0" }, { GPUOA_COUNTER_A(7), "counter A7" },
		{ GPUOA_COUNTER_B(1), "counter B1" }, { GPUOA_COUNTER_C(2), "counter C2" },
		{ GPUOA_COUNTER_TIMESTAMP, NULL },
	};
	struct {
		uint64_t n;
		uint64_t samples;
		uint64_t value[5];
	} values;
	const struct tally *tally = &self->event.reader.tally;
	unsigned int i;

	self->event.attr.read_format = PERF_FORMAT_GROUP;
	ASSERT_EQ(0, reader_open(&self->event.reader, &self->event.attr, LEASED_EXPONENT,
				 LEASED_RING_ORDER));
	self->event.reader.batches = self->event.reader.filtered = true;
	for (i = 0; i < 5; i++)
		ASSERT_LE(0, add_count(&self->event.attr, &self->event.gpuoa, self->event.reader.fd,
				       counters[i].counter));
	reader_enable(&self->event.reader);
	ASSERT_TRUE(reader_run_reports(&self->event.reader, 500));
	reader_disable(&self->event.reader);
	reader_drain(&self->event.reader);
	ASSERT_EQ(sizeof(values), read(self->event.reader.fd, &values, sizeof(values)));
	EXPECT_EQ(0, tally->errors);
	EXPECT_EQ(tally->last_timestamp - tally->first_timestamp, values.value[4]);
	for (i = 0; counters[i].name; i++)
		EXPECT_EQ(reference_counted(leased_dwords(tally->first_report),
					    leased_dwords(tally->last_report), counters[i].name),
			  values.value[i]);
	EXPECT_LT(0, values.value[2]);
}

TEST_HARNESS_MAIN
