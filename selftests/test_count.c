// SPDX-License-Identifier: MIT
/*
 * test_count.c - counting events: values, groups, sharing of a unit.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "event.h"
#include "kselftest_harness.h"
#include "ring.h"
#include "sim.h"

#define MAX_EVENTS 8

/* With exponent 9, the timer writes a report every 81.92 us. */
#define EXPONENT 9
#define PERIOD (2u << EXPONENT)

/* Result of read() for a group with PERF_FORMAT_GROUP and both times */
struct values {
	uint64_t n;
	uint64_t time_enabled;
	uint64_t time_running;
	uint64_t value[MAX_EVENTS];
};

static struct perf_event_attr count_attr(unsigned int exponent, unsigned int counter)
{
	struct perf_event_attr attr = flat_attr(exponent, 0);

	attr.config |= (uint64_t)counter << GPUOA_CONFIG_COUNTER_SHIFT;
	attr.sample_type = 0;
	attr.watermark = 0;
	attr.wakeup_watermark = 0;
	attr.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	return attr;
}

static int open_in_group(struct perf_event_attr *attr, int leader)
{
	int fd;

	attr->read_format |= PERF_FORMAT_GROUP;
	attr->disabled = leader < 0;
	fd = syscall(SYS_perf_event_open, attr, -1, 0, leader, PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* Add siblings to the group; they are closed when the process exits. */
static int add_counters(int leader, const unsigned int *counters, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++) {
		struct perf_event_attr attr = count_attr(EXPONENT, counters[i]);
		int fd = open_in_group(&attr, leader);

		if (fd < 0)
			return fd;
	}
	return 0;
}

static int read_values(int fd, struct values *values)
{
	ssize_t n = read(fd, values, sizeof(*values));

	return n < 0 ? -errno : n;
}

static uint32_t dword(const uint8_t *report, unsigned int offset)
{
	uint32_t value;

	memcpy(&value, report + offset, sizeof(value));
	return value;
}

/*
 * Counters of the members of a group with a sampling leader. All members count from and to the
 * reports that the leader samples.
 */
static const unsigned int group_counters[] = {
	GPUOA_COUNTER_TIMESTAMP, GPUOA_COUNTER_A(0), GPUOA_COUNTER_A(7),
	GPUOA_COUNTER_B(1),	 GPUOA_COUNTER_B(3), GPUOA_COUNTER_C(2),
};
enum { SAMPLES, TIMESTAMP, A0, A7, B1, B3, C2, N_VALUES };

FIXTURE(sampled)
{
	struct reader reader;
	struct values values;
};

FIXTURE_SETUP(sampled)
{
	struct perf_event_attr attr = flat_attr(EXPONENT, 1);

	attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
			   PERF_FORMAT_TOTAL_TIME_RUNNING;
	ASSERT_EQ(0, reader_open(&self->reader, &attr, EXPONENT, 10));
	ASSERT_EQ(0, add_counters(self->reader.fd, group_counters, N_VALUES - 1));
}

FIXTURE_TEARDOWN(sampled)
{
	reader_close(&self->reader);
}

/* Check that values match the samples and the reference. */
static void check_values(struct __test_metadata *_metadata, const struct reader *reader,
			 const struct values *values)
{
	const struct tally *tally = &reader->tally;
	uint32_t from = tally->first_timestamp, to = tally->last_timestamp;

	EXPECT_EQ(0, tally->errors);
	EXPECT_EQ(N_VALUES, values->n);
	/* Counts are not collected while the unit is restarted. */
	if (!virtual_time() && (tally->overflows || tally->ring_lost)) {
		TH_LOG("held up for so long that reports were lost");
		return;
	}
	EXPECT_EQ(tally->reports, values->value[SAMPLES]);
	EXPECT_EQ(to - from, values->value[TIMESTAMP]);
	EXPECT_EQ(sim_reference(from, to, "A0"), values->value[A0]);
	EXPECT_EQ(sim_reference(from, to, "A7"), values->value[A7]);
	EXPECT_EQ(sim_reference(from, to, "B1"), values->value[B1]);
	EXPECT_EQ(sim_reference(from, to, "B3"), values->value[B3]);
	EXPECT_EQ(sim_reference(from, to, "C2"), values->value[C2]);
	EXPECT_EQ(dword(tally->last_report, 12) - dword(tally->first_report, 12),
		  (uint32_t)values->value[A0]);
	EXPECT_EQ(dword(tally->last_report, 196) - dword(tally->first_report, 196),
		  (uint32_t)values->value[B1]);
}

TEST_F(sampled, values_equal_the_reference)
{
	reader_enable(&self->reader);
	ASSERT_TRUE(reader_run_reports(&self->reader, 1200));
	reader_disable(&self->reader);
	reader_drain(&self->reader);

	ASSERT_EQ(8 * (3 + N_VALUES), read_values(self->reader.fd, &self->values));
	EXPECT_LT(0, self->values.value[A7]);
	check_values(_metadata, &self->reader, &self->values);
}

/* A0 counts all EUs, so it wraps every 0.4 s. */
TEST_F(sampled, values_do_not_wrap)
{
	uint64_t last[N_VALUES] = {}, *value = self->values.value;
	int i, round;

	ASSERT_EQ(0, sim_set("wrap_counters", "1000"));
	reader_enable(&self->reader);
	for (round = 0; round < 100; round++) {
		ASSERT_TRUE(reader_run_reports(&self->reader, 150));
		ASSERT_LT(0, read_values(self->reader.fd, &self->values));
		for (i = 0; i < N_VALUES; i++) {
			EXPECT_LE(last[i], value[i]);
			last[i] = value[i];
		}
	}
	reader_disable(&self->reader);
	reader_drain(&self->reader);

	ASSERT_LT(0, read_values(self->reader.fd, &self->values));
	EXPECT_LT(2ULL << 32, value[A0]);
	/* Counters wrapped: in the first report they were close to the maximum. */
	EXPECT_LT(dword(self->reader.tally.last_report, 196),
		  dword(self->reader.tally.first_report, 196));
	check_values(_metadata, &self->reader, &self->values);
}

TEST_F(sampled, read_includes_reports_of_the_last_period)
{
	uint32_t now, newest;
	int i;

	reader_enable(&self->reader);
	ASSERT_TRUE(reader_run_reports(&self->reader, 1));
	for (i = 0; i < 50; i++) {
		usleep(300);
		now = sim_get("tick");
		ASSERT_LT(0, read_values(self->reader.fd, &self->values));
		newest = self->reader.tally.first_timestamp + self->values.value[TIMESTAMP];
		/* The newest report is less than two periods older than the read. */
		EXPECT_LE(-(int32_t)(2 * PERIOD), (int32_t)(newest - now));
	}
	reader_disable(&self->reader);
}

TEST_F(sampled, pause_is_not_counted)
{
	struct values paused;

	reader_enable(&self->reader);
	ASSERT_TRUE(reader_run_reports(&self->reader, 200));
	reader_disable(&self->reader);
	ASSERT_LT(0, read_values(self->reader.fd, &self->values));
	usleep(50000);
	ASSERT_LT(0, read_values(self->reader.fd, &paused));
	EXPECT_EQ(0, memcmp(&self->values, &paused, 8 * (3 + N_VALUES)));

	reader_enable(&self->reader);
	ASSERT_TRUE(reader_run_reports(&self->reader, 200));
	reader_disable(&self->reader);
	ASSERT_LT(0, read_values(self->reader.fd, &self->values));
	EXPECT_LT(paused.value[TIMESTAMP], self->values.value[TIMESTAMP]);
	/*
	 * Counts are collected while the event is enabled. Times are in ns, a tick is 80 ns. perf
	 * reads the clock before it disables the event; in between, the host can delay the CPU.
	 */
	if (virtual_time())
		EXPECT_GE(self->values.time_enabled, 80 * self->values.value[TIMESTAMP]);
	EXPECT_EQ(self->values.time_enabled, self->values.time_running);
}

/*
 * With TestOa, B1 and B2 count the same events, so their difference is equal in all reports. If it
 * changes, the values of a group are from different reports.
 */
TEST(group_values_are_of_one_report)
{
	static const unsigned int siblings[] = { GPUOA_COUNTER_B(2), GPUOA_COUNTER_TIMESTAMP };
	struct perf_event_attr attr = count_attr(EXPONENT, GPUOA_COUNTER_B(1));
	int fd = open_in_group(&attr, -1), i, moved = 0;
	struct values values;
	uint64_t last = 0;

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, add_counters(fd, siblings, 2));
	ASSERT_EQ(0, ioctl(fd, PERF_EVENT_IOC_ENABLE, 0));
	for (i = 0; i < 500 || moved < 20; i++) {
		ASSERT_EQ(8 * 6, read_values(fd, &values));
		EXPECT_EQ(values.value[0], values.value[1]);
		EXPECT_EQ(0, values.value[2] % PERIOD);
		EXPECT_LE(last, values.value[0]);
		moved += last != values.value[0];
		last = values.value[0];
	}
	close(fd);
}

/* With a software leader, members of the group are not read in a transaction of gpuoa's PMU. */
TEST(group_values_with_another_leader_are_of_one_report)
{
	static const unsigned int siblings[] = { GPUOA_COUNTER_B(1), GPUOA_COUNTER_B(2) };
	struct perf_event_attr attr = { .size = sizeof(attr),
					.type = PERF_TYPE_SOFTWARE,
					.config = PERF_COUNT_SW_DUMMY,
					.disabled = 1,
					.pinned = 1,
					.read_format = PERF_FORMAT_GROUP };
	uint64_t values[4], last = 0;
	int cpu, fd, i, moved = 0;

	cpu = file_get("/sys/bus/event_source/devices/gpuoa0/cpumask");
	fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	ASSERT_LE(0, fd);
	for (i = 0; i < 2; i++) {
		struct perf_event_attr count = count_attr(EXPONENT, siblings[i]);

		count.read_format = PERF_FORMAT_GROUP;
		count.disabled = 0;
		ASSERT_LE(0,
			  syscall(SYS_perf_event_open, &count, -1, cpu, fd, PERF_FLAG_FD_CLOEXEC));
	}
	ASSERT_EQ(0, ioctl(fd, PERF_EVENT_IOC_ENABLE, 0));
	for (i = 0; i < 500 || moved < 20; i++) {
		ASSERT_EQ(sizeof(values), read(fd, values, sizeof(values)));
		EXPECT_EQ(values[2], values[3]);
		moved += last != values[2];
		last = values[2];
	}
	close(fd);
}

static int open_software(unsigned int config, uint64_t period, int leader)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = config,
		.sample_period = period,
		.sample_type = PERF_SAMPLE_READ,
		.read_format = PERF_FORMAT_GROUP,
		.disabled = leader < 0,
		.pinned = leader < 0,
	};
	int cpu = file_get("/sys/bus/event_source/devices/gpuoa0/cpumask");

	return syscall(SYS_perf_event_open, &attr, -1, cpu, leader, PERF_FLAG_FD_CLOEXEC);
}

struct held {
	unsigned int samples, differing;
};

static void take_held(void *context, const uint8_t *event)
{
	struct {
		struct perf_event_header header;
		uint64_t n, b1, b2, clock;
	} sample;
	struct held *held = context;

	memcpy(&sample, event, sizeof(sample));
	if (sample.header.type != PERF_RECORD_SAMPLE)
		return;
	held->samples++;
	held->differing += sample.n != 3 || sample.b1 != sample.b2;
}

/* Without a transaction, gpuoa must detect that the members are read together. */
TEST(sample_of_another_pmu_holds_counts_of_one_report)
{
	struct perf_event_attr b1 = count_attr(EXPONENT, GPUOA_COUNTER_B(1));
	struct perf_event_attr b2 = count_attr(EXPONENT, GPUOA_COUNTER_B(2));
	int leader = open_in_group(&b1, -1), clock;
	struct perf_event_mmap_page *page;
	struct held held = {};

	ASSERT_LE(0, leader);
	b2.read_format = 0;
	b2.disabled = 0;
	ASSERT_LE(0, syscall(SYS_perf_event_open, &b2, -1, 0, leader, 0));
	clock = open_software(PERF_COUNT_SW_CPU_CLOCK, 500000, leader);
	ASSERT_LE(0, clock);
	page = mmap(NULL, 65 * 4096, PROT_READ | PROT_WRITE, MAP_SHARED, clock, 0);
	ASSERT_NE(MAP_FAILED, page);
	ASSERT_EQ(0, ioctl(leader, PERF_EVENT_IOC_ENABLE, 0));
	ASSERT_TRUE(WAIT_UNTIL((ring_drain(page, take_held, &held), held.samples > 20)));
	ASSERT_EQ(0, ioctl(leader, PERF_EVENT_IOC_DISABLE, 0));
	ring_drain(page, take_held, &held);
	EXPECT_EQ(0, held.differing);
	munmap(page, 65 * 4096);
	close(clock);
	close(leader);
}

static void run_where_the_unit_is(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(file_get("/sys/bus/event_source/devices/gpuoa0/cpumask"), &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static void fault_pages(unsigned int n)
{
	size_t size = n * 4096, i;
	volatile char *pages =
		mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (i = 0; i < size; i += 4096)
		pages[i] = 1;
	munmap((void *)pages, size);
}

/* perf cannot take a sample of gpuoa's events while it takes one of another event. */
TEST(counts_in_samples_of_others_lose_no_reports)
{
	struct perf_event_attr samples = flat_attr(EXPONENT, 1);
	struct perf_event_attr count = count_attr(EXPONENT, GPUOA_COUNTER_A(7));
	struct perf_event_mmap_page *page;
	struct held held = {};
	struct reader reader;
	int leader, i;

	/* The ring holds 5 s of reports. */
	ASSERT_EQ(0, reader_open(&reader, &samples, EXPONENT, 12));
	run_where_the_unit_is();
	leader = open_software(PERF_COUNT_SW_PAGE_FAULTS, 1, -1);
	ASSERT_LE(0, leader);
	page = mmap(NULL, 65 * 4096, PROT_READ | PROT_WRITE, MAP_SHARED, leader, 0);
	ASSERT_NE(MAP_FAILED, page);
	count.disabled = 0;
	ASSERT_LE(0, syscall(SYS_perf_event_open, &count, -1, 0, leader, 0));
	ASSERT_EQ(0, ioctl(leader, PERF_EVENT_IOC_ENABLE, 0));
	reader_enable(&reader);
	for (i = 0; i < 100; i++) {
		usleep(2000);
		fault_pages(16);
		reader_drain(&reader);
	}
	reader_disable(&reader);
	reader_drain(&reader);
	ring_drain(page, take_held, &held);
	EXPECT_LT(20, held.samples);
	EXPECT_EQ(0, reader.tally.errors);
	if (!reader_was_late(&reader))
		EXPECT_EQ(reader_due(&reader), reader.tally.reports + reader.tally.lost);
	munmap(page, 65 * 4096);
	close(leader);
	reader_close(&reader);
}

/* perf still associates gpuoa's PMU with a group after the last gpuoa event has left it. */
TEST(leader_outlives_its_counters)
{
	struct perf_event_attr count = count_attr(EXPONENT, GPUOA_COUNTER_A(7));
	int leader = open_software(PERF_COUNT_SW_CPU_CLOCK, 0, -1), fd;
	uint64_t values[3];

	ASSERT_LE(0, leader);
	count.disabled = 0;
	fd = syscall(SYS_perf_event_open, &count, -1, 0, leader, 0);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, ioctl(leader, PERF_EVENT_IOC_ENABLE, 0));
	EXPECT_TRUE(WAIT_UNTIL(read(leader, values, sizeof(values)) != 24 || values[2]));
	EXPECT_EQ(24, read(leader, values, sizeof(values)));
	close(fd);
	EXPECT_EQ(16, read(leader, values, sizeof(values)));
	EXPECT_LT(0, values[1]);
	close(leader);
}

TEST(sample_may_contain_the_counts)
{
	struct perf_event_attr attr = flat_attr(EXPONENT, 1);
	static const unsigned int sibling = GPUOA_COUNTER_A(7);
	struct reader reader;

	attr.sample_type |= PERF_SAMPLE_READ;
	attr.read_format = PERF_FORMAT_GROUP;
	ASSERT_EQ(0, reader_open(&reader, &attr, EXPONENT, 8));
	ASSERT_EQ(0, add_counters(reader.fd, &sibling, 1));
	reader_enable(&reader);
	EXPECT_TRUE(WAIT_UNTIL(__atomic_load_n(&reader.page->data_head, __ATOMIC_ACQUIRE)));
	reader_disable(&reader);
	reader_close(&reader);
}

TEST(ioctl_reset_sets_the_count_to_zero)
{
	struct perf_event_attr attr = count_attr(EXPONENT, GPUOA_COUNTER_TIMESTAMP);
	int fd = event_open(&attr);
	uint64_t values[3];

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, ioctl(fd, PERF_EVENT_IOC_ENABLE, 0));
	ASSERT_TRUE(WAIT_UNTIL(read(fd, values, sizeof(values)) == sizeof(values) &&
			       values[0] > 500000));
	ASSERT_EQ(0, ioctl(fd, PERF_EVENT_IOC_DISABLE, 0));
	ASSERT_EQ(0, ioctl(fd, PERF_EVENT_IOC_RESET, 0));
	ASSERT_EQ(sizeof(values), read(fd, values, sizeof(values)));
	EXPECT_EQ(0, values[0]);
	close(fd);
}

TEST(counts_share_with_samples)
{
	struct perf_event_attr samples = flat_attr(12, 1);
	struct perf_event_attr any = count_attr(0, GPUOA_COUNTER_A(7));
	struct perf_event_attr same = count_attr(12, GPUOA_COUNTER_A(8));
	struct perf_event_attr other = count_attr(11, GPUOA_COUNTER_A(8));
	int fd = event_open(&samples);

	ASSERT_LE(0, fd);
	EXPECT_EQ(0, event_try(&any));
	EXPECT_EQ(0, event_try(&same));
	EXPECT_EQ(-EBUSY, event_try(&other));
	close(fd);

	/* With a period in which a counter may wrap, counting is rejected. */
	samples = flat_attr(25, 1);
	fd = event_open(&samples);
	ASSERT_LE(0, fd);
	EXPECT_EQ(-EBUSY, event_try(&any));
	close(fd);
}

TEST(default_period_is_short)
{
	struct perf_event_attr any = count_attr(0, GPUOA_COUNTER_A(7));
	struct perf_event_attr samples = flat_attr(0, 250000);
	struct perf_event_attr other = flat_attr(0, 100000);
	int fd = event_open(&any);

	ASSERT_LE(0, fd);
	EXPECT_EQ(0, event_try(&samples));
	EXPECT_EQ(-EBUSY, event_try(&other));
	close(fd);
}

TEST(bad_counters_return_errors)
{
	struct perf_event_attr attr = count_attr(EXPONENT, GPUOA_COUNTER_A(45));
	struct gpuoa_attr gpuoa = test_oa_attr(EXPONENT);

	EXPECT_EQ(-ENODATA, event_try(&attr));
	attr = count_attr(EXPONENT, GPUOA_COUNTER_CLOCK);
	EXPECT_EQ(-ENODATA, event_try(&attr));
	attr = count_attr(EXPONENT, GPUOA_COUNTER_A(0));
	EXPECT_EQ(0, event_try(&attr));
	attr.sample_period = 1;
	EXPECT_EQ(-EINVAL, event_try(&attr));
	attr = count_attr(25, GPUOA_COUNTER_A(0));
	EXPECT_EQ(-ERANGE, event_try(&attr));
	attr = count_attr(EXPONENT, GPUOA_COUNTER_NONE);
	EXPECT_EQ(-EINVAL, event_try(&attr));

	attr = extensible_attr(&gpuoa);
	attr.sample_type = 0;
	gpuoa.counter = GPUOA_COUNTER_C(7);
	EXPECT_EQ(0, event_try(&attr));
	gpuoa.dword_mask[0] = 1;
	EXPECT_EQ(-EINVAL, event_try(&attr));
}

TEST_HARNESS_MAIN
