// SPDX-License-Identifier: MIT
/*
 * test_user.c - queries of a unit's user, and reconfiguration of a unit in use.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/capability.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "aux.h"
#include "event.h"
#include "kselftest_harness.h"
#include "sim.h"

#define SWAPPED_UUID "5eed0000-0b0b-4111-8222-000000000001"
#define EXPONENT 9 /* 82 us */
#define B(n) (192 + 4 * (n)) /* offset in A45_B8_C8 */

/* In TestOa, B0 counts no clocks and B1 counts all; here it is the reverse. */
static struct gpuoa_register swapped_mux[] = { { 0x9840, 0x80 } };
static struct gpuoa_register swapped_boolean[] = {
	{ 0x2740, 0 },		{ 0x2744, 0x800000 }, { 0x2714, 0xf0800000 }, { 0x2710, 0 },
	{ 0x2724, 0xf0800000 }, { 0x2720, 0 },	      { 0x2770, 0x3 },	      { 0x2774, 0 },
	{ 0x2778, 0x4 },	{ 0x277c, 0 },
};

FIXTURE(use)
{
	int unit;
	uint32_t swapped; /* configuration id */
};

FIXTURE_SETUP(use)
{
	struct gpuoa_config config = {
		.uuid = SWAPPED_UUID,
		.n_mux = sizeof(swapped_mux) / sizeof(swapped_mux[0]),
		.mux = (uintptr_t)swapped_mux,
		.n_boolean = sizeof(swapped_boolean) / sizeof(swapped_boolean[0]),
		.boolean = (uintptr_t)swapped_boolean,
	};

	self->unit = unit_open();
	ASSERT_LE(0, self->unit);
	ASSERT_EQ(0, ioctl(self->unit, GPUOA_IOC_ADD_CONFIG, &config));
	self->swapped = config.id;
}

FIXTURE_TEARDOWN(use)
{
	ioctl(self->unit, GPUOA_IOC_REMOVE_CONFIG, &self->swapped);
	close(self->unit);
}

static int get_use(int unit, struct gpuoa_user *use)
{
	return ioctl(unit, GPUOA_IOC_GET_USER, use) ? -errno : 0;
}

static int reconfigure(int unit, uint32_t id)
{
	return ioctl(unit, GPUOA_IOC_RECONFIGURE, &id) ? -errno : 0;
}

TEST_F(use, get_user_of_an_idle_unit_is_zero)
{
	struct gpuoa_user use, nobody;

	memset(&nobody, 0, sizeof(nobody));
	memset(&use, 0xff, sizeof(use));
	ASSERT_EQ(0, get_use(self->unit, &use));
	EXPECT_EQ(0, memcmp(&nobody, &use, sizeof(use)));
}

TEST_F(use, get_user_describes_the_user)
{
	struct perf_event_attr attr = flat_attr(EXPONENT, 1);
	struct gpuoa_attr sized = test_oa_attr(EXPONENT);
	struct perf_event_attr sized_attr = extensible_attr(&sized);
	struct gpuoa_user use;
	int a, b;

	prctl(PR_SET_NAME, "who-measures");
	sized.buffer_size = 1 << 20;
	a = event_open(&sized_attr);
	ASSERT_LE(0, a);
	b = event_open(&attr);
	ASSERT_LE(0, b);
	ASSERT_EQ(0, get_use(self->unit, &use));
	EXPECT_STREQ(GPUOA_TEST_OA_HSW_UUID, use.uuid);
	EXPECT_EQ(GPUOA_FORMAT_A45_B8_C8, use.format);
	EXPECT_EQ(EXPONENT, use.exponent);
	EXPECT_EQ(0, use.flags);
	EXPECT_EQ(1 << 20, use.buffer_size);
	EXPECT_EQ(2, use.n_events);
	EXPECT_EQ(getpid(), use.pid);
	EXPECT_STREQ("who-measures", use.comm);
	close(a);
	ASSERT_EQ(0, get_use(self->unit, &use));
	EXPECT_EQ(1, use.n_events);
	close(b);
}

TEST_F(use, get_user_returns_the_buffer_size)
{
	struct perf_event_attr attr = flat_attr(EXPONENT, 1);
	int fd = event_open(&attr);
	struct gpuoa_user use;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, get_use(self->unit, &use));
	/* Size of the reports of one second, rounded up: 12,208 reports of 256 bytes */
	EXPECT_EQ(4 << 20, use.buffer_size);
	close(fd);
}

/*
 * Number of intervals between reports with each configuration. In an interval, either B0 or B1
 * counts nothing, depending on the configuration.
 */
struct watch {
	const uint64_t *resumed; /* running number of RESUME records */
	uint8_t last[256];
	uint64_t resumes;
	bool has_last;
	uint64_t test_oa; /* intervals of TestOa */
	uint64_t swapped;
	uint64_t neither;
	uint64_t back; /* intervals of the first configuration after the second */
};

static uint32_t dword(const uint8_t *report, size_t at)
{
	uint32_t value;

	memcpy(&value, report + at, sizeof(value));
	return value;
}

static void watch_report(void *context, const uint8_t *report, uint32_t size)
{
	struct watch *watch = context;
	const bool follows = watch->has_last && watch->resumes == *watch->resumed;
	const uint32_t b0 = dword(report, B(0)) - dword(watch->last, B(0));
	const uint32_t b1 = dword(report, B(1)) - dword(watch->last, B(1));

	if (follows && !b0 && b1) {
		watch->test_oa++;
		watch->back += watch->swapped;
	} else if (follows && b0 && !b1) {
		watch->swapped++;
	} else if (follows) {
		watch->neither++;
	}
	memcpy(watch->last, report, size);
	watch->has_last = true;
	watch->resumes = *watch->resumed;
}

TEST_F(use, reconfigure_returns_no_report_of_the_old_configuration)
{
	struct perf_event_attr attr = flat_attr(EXPONENT, 1);
	struct watch watch = { 0 };
	struct reader reader;

	ASSERT_EQ(0, reader_open(&reader, &attr, EXPONENT, 10));
	reader.each = watch_report;
	reader.context = &watch;
	watch.resumed = &reader.tally.resumes;
	reader_enable(&reader);
	ASSERT_TRUE(reader_run_reports(&reader, 300));
	ASSERT_EQ(0, reconfigure(self->unit, self->swapped));
	/*
	 * There may be many reports from before the change of the configuration, and they precede
	 * all others.
	 */
	ASSERT_TRUE(WAIT_UNTIL(reader_run_reports(&reader, 100) && watch.swapped >= 100));
	reader_disable(&reader);
	reader_drain(&reader);

	EXPECT_NOTHING_LOST(&reader);
	EXPECT_EQ(2, reader.tally.resumes); /* the start and the change */
	EXPECT_STREQ(SWAPPED_UUID, reader.tally.stream.uuid);
	EXPECT_LE(299, watch.test_oa);
	EXPECT_LE(100, watch.swapped);
	EXPECT_EQ(0, watch.neither);
	EXPECT_EQ(0, watch.back);
	reader_close(&reader);
}

TEST_F(use, disabled_event_starts_with_the_new_configuration)
{
	struct perf_event_attr attr = flat_attr(EXPONENT, 1);
	struct watch watch = { 0 };
	struct gpuoa_user use;
	struct reader reader;

	ASSERT_EQ(0, reader_open(&reader, &attr, EXPONENT, 10));
	reader.each = watch_report;
	reader.context = &watch;
	watch.resumed = &reader.tally.resumes;
	ASSERT_EQ(0, reconfigure(self->unit, self->swapped));
	ASSERT_EQ(0, get_use(self->unit, &use));
	EXPECT_STREQ(SWAPPED_UUID, use.uuid);
	/* Only events with the new configuration can share the unit. */
	EXPECT_EQ(-EBUSY, event_try(&attr));
	reader_enable(&reader);
	ASSERT_TRUE(reader_run_reports(&reader, 100));
	reader_disable(&reader);
	reader_drain(&reader);

	EXPECT_STREQ(SWAPPED_UUID, reader.tally.stream.uuid);
	EXPECT_EQ(0, watch.test_oa);
	EXPECT_LE(99, watch.swapped);
	EXPECT_EQ(0, watch.neither);
	reader_close(&reader);
}

static struct watch aux_watch;

static void watch_aux_report(struct aux_reader *reader, const uint8_t *report)
{
	watch_report(&aux_watch, report, reader->report_size);
	reader->tally.reports++;
}

TEST_F(use, reconfigure_in_aux_mode_returns_no_old_report)
{
	struct gpuoa_attr gpuoa = aux_attr(EXPONENT);
	struct perf_event_attr attr = extensible_attr(&gpuoa);
	struct aux_reader reader;
	struct gpuoa_user use;

	ASSERT_EQ(0, aux_open(&reader, &attr, EXPONENT));
	ASSERT_EQ(0, get_use(self->unit, &use));
	EXPECT_EQ(0, use.buffer_size);
	ASSERT_EQ(0, aux_map(&reader, 1 << 20, true));
	ASSERT_EQ(0, get_use(self->unit, &use));
	EXPECT_EQ(1 << 20, use.buffer_size);
	EXPECT_EQ(GPUOA_ATTR_AUX, use.flags);
	EXPECT_EQ(1, use.n_events);
	reader.take = watch_aux_report;
	aux_watch = (struct watch){ .resumed = &reader.tally.resumes };
	ASSERT_EQ(0, aux_enable(&reader));
	ASSERT_TRUE(aux_run_reports(&reader, 300));
	ASSERT_EQ(0, reconfigure(self->unit, self->swapped));
	ASSERT_TRUE(WAIT_UNTIL(aux_run_reports(&reader, 100) && aux_watch.swapped >= 100));
	aux_disable(&reader);
	aux_drain(&reader);

	EXPECT_EQ(0, reader.tally.errors);
	if (virtual_time())
		EXPECT_EQ(0, reader.tally.lost + reader.tally.lost_unknown);
	EXPECT_STREQ(SWAPPED_UUID, reader.tally.stream.uuid);
	EXPECT_LE(299, aux_watch.test_oa);
	EXPECT_LE(100, aux_watch.swapped);
	EXPECT_EQ(0, aux_watch.neither);
	EXPECT_EQ(0, aux_watch.back);
	aux_close(&reader);
}

TEST_F(use, reconfigure_of_a_flight_recorder_returns_eopnotsupp)
{
	struct gpuoa_attr gpuoa = aux_attr(EXPONENT);
	struct perf_event_attr attr = extensible_attr(&gpuoa);
	struct aux_reader reader;

	ASSERT_EQ(0, aux_open(&reader, &attr, EXPONENT));
	ASSERT_EQ(0, aux_map(&reader, 1 << 20, false));
	EXPECT_EQ(-EOPNOTSUPP, reconfigure(self->unit, self->swapped));
	aux_close(&reader);
}

/* Call @child in another process. Return its errno. */
static int errno_of_child(int (*child)(int unit, uint32_t id), int unit, uint32_t id)
{
	const pid_t pid = fork();
	int status = 0;

	if (!pid)
		_exit(-child(unit, id));
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -ECHILD;
}

/* Share the unit for a moment. */
static int share(int unit, uint32_t id)
{
	struct perf_event_attr attr = flat_attr(EXPONENT, 1);

	(void)unit;
	(void)id;
	return event_try(&attr);
}

TEST_F(use, reconfigure_of_a_shared_unit_returns_ebusy)
{
	struct perf_event_attr attr = flat_attr(EXPONENT, 1);
	int fd;

	EXPECT_EQ(-ENXIO, reconfigure(self->unit, self->swapped));
	fd = event_open(&attr);
	ASSERT_LE(0, fd);
	EXPECT_EQ(-ENOENT, reconfigure(self->unit, 4711));
	/* Only the single user of a unit can change its configuration. */
	EXPECT_EQ(-EBUSY, errno_of_child(reconfigure, self->unit, self->swapped));
	EXPECT_EQ(0, reconfigure(self->unit, self->swapped));
	EXPECT_EQ(0, reconfigure(self->unit, GPUOA_TEST_OA_ID));
	EXPECT_EQ(0, errno_of_child(share, self->unit, 0));
	EXPECT_EQ(-EBUSY, reconfigure(self->unit, self->swapped));
	close(fd);
}

TEST_F(use, reconfigure_with_a_counter_returns_ebusy)
{
	struct perf_event_attr attr = flat_attr(EXPONENT, 0), samples = flat_attr(EXPONENT, 1);
	int sampling, counting;

	attr.sample_type = 0;
	attr.watermark = 0;
	attr.wakeup_watermark = 0;
	attr.config |= (uint64_t)GPUOA_COUNTER_B(0) << GPUOA_CONFIG_COUNTER_SHIFT;
	sampling = event_open(&samples);
	ASSERT_LE(0, sampling);
	counting = event_open(&attr);
	ASSERT_LE(0, counting);
	EXPECT_EQ(-EBUSY, reconfigure(self->unit, self->swapped));
	close(counting);
	EXPECT_EQ(0, reconfigure(self->unit, self->swapped));
	close(sampling);
}

TEST_HARNESS_MAIN
