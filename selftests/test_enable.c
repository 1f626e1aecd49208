// SPDX-License-Identifier: MIT
/*
 * test_enable.c - enabled and disabled events with changes of rings, CPUs and other events.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "event.h"
#include "gpu_unit.h"
#include "kselftest_harness.h"
#include "sim.h"
#include "wait.h"

static size_t page_size(void)
{
	return sysconf(_SC_PAGESIZE);
}

/*
 * Read the value of an event: the number of delivered reports, or the count. UINT64_MAX means end
 * of file.
 */
static uint64_t value(int fd)
{
	uint64_t value = 0;

	return read(fd, &value, sizeof(value)) == sizeof(value) ? value : UINT64_MAX;
}

static bool grows(int fd)
{
	const uint64_t before = value(fd);

	return WAIT_UNTIL(value(fd) > before + 100) && value(fd) != UINT64_MAX;
}

static struct perf_event_attr enabled_attr(void)
{
	struct perf_event_attr attr = flat_attr(9, 1);

	attr.disabled = 0;
	return attr;
}

/* The perf core stops events of a PMU with AUX areas whenever a ring is mapped or unmapped. */
TEST(ring_may_be_mapped_and_unmapped_while_sampling)
{
	struct perf_event_attr attr = enabled_attr();
	struct reader reader;
	int round;

	ASSERT_EQ(0, reader_open(&reader, &attr, 9, 5));
	EXPECT_TRUE(reader_run_reports(&reader, 500));
	for (round = 0; round < 3; round++) {
		munmap(reader.page, page_size() + reader.data_size);
		EXPECT_TRUE(grows(reader.fd));
		reader.data_size *= 2;
		reader.page = mmap(NULL, page_size() + reader.data_size, PROT_READ | PROT_WRITE,
				   MAP_SHARED, reader.fd, 0);
		ASSERT_NE(MAP_FAILED, reader.page);
		EXPECT_TRUE(grows(reader.fd));
	}
	reader_close(&reader);
}

TEST(ring_may_be_shared_while_sampling)
{
	struct perf_event_attr attr = enabled_attr();
	struct reader reader;
	int other;

	ASSERT_EQ(0, reader_open(&reader, &attr, 9, 5));
	other = event_open(&attr);
	ASSERT_LE(0, other);
	EXPECT_TRUE(grows(other));
	ASSERT_EQ(0, ioctl(other, PERF_EVENT_IOC_SET_OUTPUT, reader.fd));
	EXPECT_TRUE(grows(other));
	ASSERT_EQ(0, ioctl(other, PERF_EVENT_IOC_SET_OUTPUT, -1L));
	EXPECT_TRUE(grows(other));
	EXPECT_TRUE(grows(reader.fd));
	close(other);
	reader_close(&reader);
}

TEST(page_may_be_mapped_and_unmapped_while_counting)
{
	struct perf_event_attr attr = enabled_attr();
	void *page;
	int fd;

	attr.config |= (uint64_t)GPUOA_COUNTER_TIMESTAMP << GPUOA_CONFIG_COUNTER_SHIFT;
	attr.sample_period = 0;
	attr.sample_type = 0;
	fd = event_open(&attr);
	ASSERT_LE(0, fd);
	EXPECT_TRUE(grows(fd));
	page = mmap(NULL, page_size(), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	ASSERT_NE(MAP_FAILED, page);
	EXPECT_TRUE(grows(fd));
	munmap(page, page_size());
	EXPECT_TRUE(grows(fd));
	close(fd);
}

/* Get the file that takes the CPU of the unit's events offline. */
static bool cpu_file(char *path, size_t size)
{
	FILE *file = fopen("/sys/bus/event_source/devices/gpuoa0/cpumask", "r");
	unsigned int cpu = 0;

	if (!file)
		return false;
	if (fscanf(file, "%u", &cpu) != 1)
		cpu = 0;
	fclose(file);
	snprintf(path, size, "/sys/devices/system/cpu/cpu%u/online", cpu);
	return !access(path, W_OK);
}

static int open_member(struct perf_event_attr *attr, int leader)
{
	return syscall(SYS_perf_event_open, attr, -1, 0, leader, PERF_FLAG_FD_CLOEXEC);
}

TEST(disabled_events_stay_disabled_when_their_cpu_goes_offline)
{
	struct perf_event_attr attr = flat_attr(9, 1), member_attr = enabled_attr();
	int fd, leader, member;
	uint64_t polls, seen;
	char cpu[64];

	if (!cpu_file(cpu, sizeof(cpu)))
		SKIP(return, "the only CPU");
	fd = event_open(&attr);
	leader = event_open(&attr);
	member = open_member(&member_attr, leader);
	ASSERT_LE(0, fd);
	ASSERT_LE(0, leader);
	ASSERT_LE(0, member);
	ASSERT_EQ(0, ioctl(fd, PERF_EVENT_IOC_ENABLE, 0));
	EXPECT_TRUE(grows(fd));
	ASSERT_EQ(0, ioctl(fd, PERF_EVENT_IOC_DISABLE, 0));

	seen = value(fd);
	polls = unit_get("statistics/polls");
	ASSERT_EQ(0, file_set(cpu, "0"));
	usleep(100000);
	EXPECT_EQ(0, file_set(cpu, "1"));
	EXPECT_EQ(polls, unit_get("statistics/polls"));
	EXPECT_EQ(seen, value(fd));
	EXPECT_EQ(0, value(leader));
	EXPECT_EQ(0, value(member));

	ASSERT_EQ(0, ioctl(leader, PERF_EVENT_IOC_ENABLE, 0));
	EXPECT_TRUE(grows(leader));
	EXPECT_TRUE(grows(member));
	EXPECT_EQ(seen, value(fd));
	close(member);
	close(leader);
	close(fd);
}

/* Open and enable events until killed. Exit with 1 if an event stays in error state. */
static void open_and_enable(int pmu)
{
	struct perf_event_attr attr = flat_attr(9, 1);
	int fd;

	attr.type = pmu;
	for (;;) {
		fd = event_open(&attr);
		if (fd < 0)
			continue; /* the CPU has just gone offline */
		ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
		usleep(1000);
		/* Until all events have moved, an event may be in error state. */
		if (!WAIT_UNTIL(value(fd) != UINT64_MAX))
			_exit(1);
		close(fd);
	}
}

/* Events of a new unit are on the last CPU. If that is the only other CPU, they move just once. */
static void try_offline(struct __test_metadata *_metadata, const char *cpu)
{
	struct perf_event_attr attr = flat_attr(9, 1);
	int first, status = -1;
	struct gpu_unit unit;
	pid_t child;

	ASSERT_EQ(0, file_set("/sys/bus/gpuoa_sim/new_device", "bdw_gt2"));
	ASSERT_TRUE(gpu_unit_find(&unit, "bdw", "OA"));
	attr.type = unit.pmu_type;
	first = event_open(&attr);
	ASSERT_LE(0, first);
	ASSERT_EQ(0, ioctl(first, PERF_EVENT_IOC_ENABLE, 0));
	EXPECT_TRUE(grows(first));
	child = fork();
	if (!child)
		open_and_enable(unit.pmu_type);
	usleep(5000);
	EXPECT_EQ(0, file_set(cpu, "0"));
	usleep(5000);
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	EXPECT_TRUE(WIFSIGNALED(status));
	EXPECT_EQ(0, file_set(cpu, "1"));
	EXPECT_TRUE(grows(first));
	close(first);
	EXPECT_EQ(0, file_set("/sys/bus/gpuoa_sim/del_device", strrchr(unit.gpu, '/') + 1));
}

/* An event enabled before others have moved must not stay in error state. */
TEST(events_begin_while_a_cpu_goes_offline)
{
	const char *cpu = "/sys/devices/system/cpu/cpu1/online";
	unsigned int i;

	if (access(cpu, W_OK))
		SKIP(return, "the only CPU");
	for (i = 0; i < scaled_rounds(20); i++)
		try_offline(_metadata, cpu);
}

/* Reading an event would cause a poll, so read the statistics instead. */
static uint64_t forwarded(void)
{
	return unit_get("statistics/reports_forwarded");
}

/* Get the number of polls per 5000 delivered reports. */
static uint64_t polls_for_reports(void)
{
	const uint64_t polls = unit_get("statistics/polls"), reports = forwarded();

	if (!WAIT_UNTIL(forwarded() > reports + 5000))
		return 0;
	return (unit_get("statistics/polls") - polls) * 5000 / (forwarded() - reports);
}

#define SWITCHES 2000

static bool move_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	return !sched_setaffinity(0, sizeof(set), &set);
}

/*
 * Open a pinned event of the calling task. The perf core looks for pinned events at each switch to
 * the task.
 */
static int open_pinned_of_task(void)
{
	struct perf_event_attr attr = { .size = sizeof(attr),
					.type = PERF_TYPE_SOFTWARE,
					.config = PERF_COUNT_SW_DUMMY,
					.pinned = 1 };

	return syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* Let two tasks with pinned events switch to each other on the CPU of the unit's events. */
static bool switch_tasks(void)
{
	int there[2], back[2], i, mine, status = -1;
	char byte = 0;
	pid_t child;

	if (pipe(there) || pipe(back))
		return false;
	child = fork();
	if (!child) {
		close(there[1]);
		close(back[0]);
		if (open_pinned_of_task() < 0)
			_exit(1);
		while (read(there[0], &byte, 1) == 1 && write(back[1], &byte, 1) == 1)
			;
		_exit(0);
	}
	close(there[0]);
	close(back[1]);
	mine = open_pinned_of_task();
	for (i = 0; i < SWITCHES / 2; i++)
		if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
			break;
	close(there[1]);
	close(back[0]);
	close(mine);
	waitpid(child, &status, 0);
	return mine >= 0 && i == SWITCHES / 2 && !status;
}

/* Move to the unit's CPU and open an event there. */
static int open_on_cpu(struct perf_event_attr *attr, int leader)
{
	int cpu = file_get("/sys/bus/event_source/devices/gpuoa0/cpumask");

	if (!move_to(cpu))
		return -errno;
	return syscall(SYS_perf_event_open, attr, -1, cpu, leader, PERF_FLAG_FD_CLOEXEC);
}

/*
 * A poll reads GPU registers; at a task switch it would do so with the run queue locked. The
 * timer's polls continue and are at least 0.5 ms apart.
 */
TEST(task_switches_do_not_poll)
{
	struct perf_event_attr attr = enabled_attr();
	uint64_t polls, begin;
	int fd = open_on_cpu(&attr, -1);

	ASSERT_LE(0, fd);
	EXPECT_TRUE(grows(fd));
	polls = unit_get("statistics/polls");
	begin = wait_now_ms();
	ASSERT_TRUE(switch_tasks());
	EXPECT_GT(SWITCHES / 4 + (wait_now_ms() - begin) * 2, unit_get("statistics/polls") - polls);
	close(fd);
}

TEST(group_of_a_software_event_loses_nothing_at_task_switches)
{
	struct perf_event_attr attr = enabled_attr();
	struct perf_event_attr clock = { .size = sizeof(clock),
					 .type = PERF_TYPE_SOFTWARE,
					 .config = PERF_COUNT_SW_DUMMY };
	uint64_t lost, polls, begin;
	int leader, fd;

	/*
	 * The perf core would remove the group from the PMU at each switch to a task with a pinned
	 * event, if the group were not pinned.
	 */
	leader = open_on_cpu(&clock, -1);
	ASSERT_LE(0, leader);
	EXPECT_EQ(-1, open_on_cpu(&attr, leader));
	EXPECT_EQ(EINVAL, errno);
	close(leader);

	clock.pinned = 1;
	leader = open_on_cpu(&clock, -1);
	ASSERT_LE(0, leader);
	fd = open_on_cpu(&attr, leader);
	ASSERT_LE(0, fd);
	EXPECT_TRUE(grows(fd));
	lost = unit_get("statistics/reports_lost");
	polls = unit_get("statistics/polls");
	begin = wait_now_ms();
	ASSERT_TRUE(switch_tasks());
	EXPECT_EQ(lost, unit_get("statistics/reports_lost"));

	/* After the leader is closed, the event is no longer in a group. */
	close(leader);
	ASSERT_TRUE(switch_tasks());
	EXPECT_TRUE(grows(fd));
	EXPECT_EQ(lost, unit_get("statistics/reports_lost"));
	EXPECT_GT(SWITCHES / 2 + (wait_now_ms() - begin) * 2, unit_get("statistics/polls") - polls);
	close(fd);
}

TEST(read_polls_while_enabled_only)
{
	struct gpuoa_attr gpuoa = test_oa_attr(14); /* 2.6 ms */
	struct perf_event_attr attr = extensible_attr(&gpuoa);
	uint64_t polls;
	int fd = event_open(&attr);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, ioctl(fd, PERF_EVENT_IOC_ENABLE, 0));
	polls = unit_get("statistics/polls");
	value(fd);
	EXPECT_LE(polls + 1, unit_get("statistics/polls"));
	ASSERT_EQ(0, ioctl(fd, PERF_EVENT_IOC_DISABLE, 0));
	polls = unit_get("statistics/polls");
	value(fd);
	EXPECT_EQ(polls, unit_get("statistics/polls"));
	close(fd);
}

TEST(poll_period_bounds_the_delay)
{
	struct gpuoa_attr hasty = test_oa_attr(9), any = test_oa_attr(9);
	struct perf_event_attr attr = extensible_attr(&hasty), other = extensible_attr(&any);
	int a, b;

	/* One report every 81.92 us: 5000 reports take 82 polls if polled every 5 ms, or fewer. */
	b = event_open(&other);
	ASSERT_LE(0, b);
	ASSERT_EQ(0, ioctl(b, PERF_EVENT_IOC_ENABLE, 0));
	EXPECT_GT(100, polls_for_reports());

	/*
	 * The shortest interval of all enabled events applies. A guest with a fraction of a CPU
	 * misses most polls; the next test checks such guests.
	 */
	hasty.poll_us = 500;
	a = event_open(&attr);
	ASSERT_LE(0, a);
	ASSERT_EQ(0, ioctl(a, PERF_EVENT_IOC_ENABLE, 0));
	if (virtual_time())
		EXPECT_TRUE(WAIT_UNTIL(polls_for_reports() > 200));
	ASSERT_EQ(0, ioctl(a, PERF_EVENT_IOC_DISABLE, 0));
	EXPECT_GT(100, polls_for_reports());
	close(a);
	close(b);
}

/* With rare reports, the first one takes up to a period, during which the unit is polled often. */
TEST(shortest_poll_period_applies)
{
	struct gpuoa_attr hasty = test_oa_attr(20), any = test_oa_attr(20);
	struct perf_event_attr attr = extensible_attr(&hasty), other = extensible_attr(&any);
	uint64_t polls, reports;
	int a, b;

	hasty.poll_us = 1000;
	b = event_open(&other);
	a = event_open(&attr);
	ASSERT_LE(0, b);
	ASSERT_LE(0, a);
	ASSERT_EQ(0, ioctl(b, PERF_EVENT_IOC_ENABLE, 0));
	ASSERT_EQ(0, ioctl(a, PERF_EVENT_IOC_ENABLE, 0));
	polls = unit_get("statistics/polls");
	reports = forwarded();
	EXPECT_TRUE(WAIT_UNTIL(forwarded() > reports));
	EXPECT_LT(polls + 10, unit_get("statistics/polls"));
	close(a);
	close(b);
}

TEST_HARNESS_MAIN
