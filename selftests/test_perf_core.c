// SPDX-License-Identifier: MIT
/*
 * test_perf_core.c - behaviour of the perf core that gpuoa.ko relies on, see
 * kernel/core/stream/gpuoa_perf_hacks.c; Documentation/dev/kernels.rst lists the tests of all
 * assumptions.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "event.h"
#include "kselftest_harness.h"
#include "ring.h"
#include "sim.h"

#define UNIT_CPU "/sys/bus/event_source/devices/gpuoa0/cpumask"
#define SWITCH_ID "/sys/kernel/tracing/events/sched/sched_switch/id"

/* Open an event on the unit's CPU. Return the fd or -errno. */
static int open_on_unit_cpu(struct perf_event_attr *attr)
{
	int fd = syscall(SYS_perf_event_open, attr, -1, (int)file_get(UNIT_CPU), -1,
			 PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

static struct perf_event_attr software_attr(uint64_t config)
{
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = config;
	return attr;
}

/* Counts of a ring */
struct samples {
	uint64_t valid;
	uint64_t others; /* malformed samples, and samples of another event */
	uint64_t reserved; /* with a nonzero gpuoa_raw.reserved */
	uint64_t lost; /* PERF_RECORD_LOST */
	uint16_t tracepoint; /* id of the tracepoint; 0: samples are gpuoa's */
};

static void take_record(void *context, const struct gpuoa_record *record, const uint8_t *data)
{
	(void)context, (void)record, (void)data;
}

static void take_sample(void *context, const uint8_t *event)
{
	static const uint8_t zeros[sizeof(((struct gpuoa_raw *)0)->reserved)];
	struct samples *samples = context;
	struct perf_event_header header;
	const uint8_t *data = event + sizeof(header) + sizeof(uint32_t);
	uint16_t id;

	memcpy(&header, event, sizeof(header));
	memcpy(&id, data, sizeof(id));
	if (header.type == PERF_RECORD_LOST)
		samples->lost++;
	else if (header.type != PERF_RECORD_SAMPLE)
		samples->others++;
	else if (samples->tracepoint ? id != samples->tracepoint :
				       !ring_sample(event, take_record, NULL))
		samples->others++;
	else
		samples->valid++;
	if (!samples->tracepoint && memcmp(data, zeros, sizeof(zeros)))
		samples->reserved++;
}

static bool move_to_unit_cpu(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((int)file_get(UNIT_CPU), &set);
	return !sched_setaffinity(0, sizeof(set), &set);
}

/*
 * perf_tp_event() writes to the events of a private list only, and the description of the
 * interrupted task is not part of the samples.
 */
TEST(samples_do_not_mix_with_those_of_tracepoints)
{
	struct perf_event_attr attr = flat_attr(9, 1), trace;
	struct samples ours = {}, others = {};
	struct reader reader, tracer;

	others.tracepoint = file_get(SWITCH_ID);
	ASSERT_NE(UINT16_MAX, others.tracepoint);
	memset(&trace, 0, sizeof(trace));
	trace.size = sizeof(trace);
	trace.type = PERF_TYPE_TRACEPOINT;
	trace.config = others.tracepoint;
	trace.sample_type = PERF_SAMPLE_RAW;
	trace.sample_period = 1;
	ASSERT_TRUE(move_to_unit_cpu());
	ASSERT_EQ(0, reader_open(&reader, &attr, 9, 9));
	tracer.data_size = 64 * sysconf(_SC_PAGESIZE);
	tracer.fd = open_on_unit_cpu(&trace);
	ASSERT_LE(0, tracer.fd);
	tracer.page = mmap(NULL, sysconf(_SC_PAGESIZE) + tracer.data_size, PROT_READ | PROT_WRITE,
			   MAP_SHARED, tracer.fd, 0);
	ASSERT_NE(MAP_FAILED, tracer.page);

	reader_enable(&reader);
	ASSERT_TRUE(WAIT_UNTIL((ring_drain(reader.page, take_sample, &ours),
				ring_drain(tracer.page, take_sample, &others),
				ours.valid >= 20 && others.valid >= 20)));
	EXPECT_EQ(0, ours.others);
	EXPECT_EQ(0, ours.reserved);
	EXPECT_EQ(0, others.others);
	reader_close(&tracer);
	reader_close(&reader);
}

/* gpuoa's overflow handler calls the handler that perf has chosen, here that for a ring that is
 * overwritten.
 */
TEST(backward_ring_receives_samples)
{
	static uint8_t event[65536] __attribute__((aligned(8)));
	struct perf_event_attr attr = flat_attr(9, 1);
	const size_t page_size = sysconf(_SC_PAGESIZE), size = 64 * page_size;
	struct perf_event_mmap_page *page;
	struct perf_event_header header;
	struct samples samples = {};
	size_t done, i;
	uint64_t head;
	int fd;

	attr.write_backward = 1;
	fd = event_open(&attr);
	ASSERT_LE(0, fd);
	page = mmap(NULL, page_size + size, PROT_READ, MAP_SHARED, fd, 0);
	ASSERT_NE(MAP_FAILED, page);
	ASSERT_EQ(0, ioctl(fd, PERF_EVENT_IOC_ENABLE, 0));
	/* Wait until the ring was written twice. The head of a backward ring counts down from 0. */
	ASSERT_TRUE(WAIT_UNTIL(-__atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE) >= 2 * size));
	ASSERT_EQ(0, ioctl(fd, PERF_EVENT_IOC_PAUSE_OUTPUT, 1));
	head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	for (done = 0; done + sizeof(header) <= size; done += header.size) {
		for (i = 0; i < sizeof(event); i++)
			event[i] = ((uint8_t *)page)[page_size + (head + done + i) % size];
		memcpy(&header, event, sizeof(header));
		if (!header.size || done + header.size > size)
			break; /* the oldest one, partly overwritten */
		take_sample(&samples, event);
	}
	EXPECT_LE(4, samples.valid);
	EXPECT_EQ(0, samples.others);
	EXPECT_EQ(0, samples.reserved);
	munmap(page, page_size + size);
	close(fd);
}

static uint64_t count_of(int fd)
{
	uint64_t count = 0;

	return read(fd, &count, sizeof(count)) == sizeof(count) ? count : 0;
}

/* perf counts samples of PERF_EVENT_IOC_REFRESH and disables the event after the last one. */
TEST(refresh_ends_after_its_samples)
{
	struct perf_event_attr attr = flat_attr(9, 1);
	struct samples samples = {};
	struct reader reader;
	uint64_t count;
	int round;

	ASSERT_EQ(0, reader_open(&reader, &attr, 9, 9));
	for (round = 0; round < 3; round++) {
		samples.valid = 0;
		ASSERT_EQ(0, ioctl(reader.fd, PERF_EVENT_IOC_REFRESH, 3));
		ASSERT_TRUE(WAIT_UNTIL(
			(ring_drain(reader.page, take_sample, &samples), samples.valid >= 3)));
		/* The disabled unit publishes its last reports. */
		ASSERT_TRUE(WAIT_UNTIL(({
			count = sim_get("generated");
			usleep(20000);
			count == sim_get("generated");
		})));
		ring_drain(reader.page, take_sample, &samples);
		/*
		 * perf disables the event in an interrupt, which follows the poll. If the poll was
		 * late, it had more reports to write.
		 */
		if (virtual_time())
			EXPECT_GE(4, samples.valid);
		EXPECT_EQ(0, samples.others);
	}
	count = count_of(reader.fd);
	EXPECT_LT(0, count);
	reader_enable(&reader);
	EXPECT_TRUE(WAIT_UNTIL(count_of(reader.fd) > count));
	reader_close(&reader);
}

/* perf reschedules flexible events when a pinned one is added; gpuoa's are pinned, so none stops.
 */
TEST(pinned_events_do_not_stop_the_unit)
{
	struct perf_event_attr attr = flat_attr(9, 1);
	struct perf_event_attr pinned = software_attr(PERF_COUNT_SW_DUMMY);
	uint64_t streams;
	struct reader reader;
	int fds[20], i;

	pinned.pinned = 1;
	ASSERT_EQ(0, reader_open(&reader, &attr, 9, 9));
	reader_enable(&reader);
	ASSERT_TRUE(reader_run_reports(&reader, 100));
	streams = reader.tally.resumes;
	for (i = 0; i < 20; i++) {
		fds[i] = open_on_unit_cpu(&pinned);
		ASSERT_LE(0, fds[i]);
		ASSERT_TRUE(reader_run_reports(&reader, 20));
	}
	for (i = 0; i < 20; i++)
		close(fds[i]);
	ASSERT_TRUE(reader_run_reports(&reader, 100));
	EXPECT_EQ(streams, reader.tally.resumes);
	EXPECT_NOTHING_LOST(&reader);
	reader_close(&reader);
}

/*
 * Samples of gpuoa and of an event that samples in a timer's interrupt need the same recursion
 * context. If perf refuses one of gpuoa's, the next one has its reports.
 */
TEST(samples_of_another_timer_lose_no_report)
{
	struct perf_event_attr attr = flat_attr(9, 1);
	struct perf_event_attr clock = software_attr(PERF_COUNT_SW_CPU_CLOCK);
	struct reader reader;
	int fd;

	clock.sample_period = 200000; /* ns */
	clock.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN;
	ASSERT_EQ(0, reader_open(&reader, &attr, 9, 9));
	fd = open_on_unit_cpu(&clock);
	ASSERT_LE(0, fd);
	reader_enable(&reader);
	ASSERT_TRUE(reader_run_reports(&reader, 2000));
	EXPECT_LT(0, count_of(fd));
	EXPECT_NOTHING_LOST(&reader);
	close(fd);
	reader_close(&reader);
}

TEST_HARNESS_MAIN
