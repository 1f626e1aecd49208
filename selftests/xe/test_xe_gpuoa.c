// SPDX-License-Identifier: MIT
/*
 * test_xe_gpuoa.c - gpuoa on a GPU driven by the stock xe: xe's streams and gpuoa's events exclude
 * each other, permissions, unsupported requests, unbinding. Reports are compared with the reference
 * by gpus_reference.
 *
 * Needs gpuoa_xe.ko.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../aux_copied.h"
#include "../event.h"
#include "../kselftest_harness.h"
#include "../sim.h"
#include "xe.h"

#define GPU "0000:00:02.0"
#define BIND "/sys/bus/pci/drivers/xe/"
#define EXPONENT 13 /* 0.85 ms */
#define RING_ORDER 8
#define OAG 0
#define OAM 1
#define SIZE_OAG 576
#define TIMESTAMP 8 /* offset in a report with 64-bit header */
#define TIMESTAMP_MASK ((1ULL << 56) - 1)
#define REASON_TRIGGER (1u << 25) /* in the header */
#define CONTEXT 16 /* offset; also of the value of a trigger */
#define MARKER 4711
#define BATCH_AT 0x100000
#define BATCH_SIZE 0x10000
#define NOBODY 65534
#define BUFFER_SIZE_CAPABILITY 4 /* DRM_XE_OA_CAPS_OA_BUFFER_SIZE of later kernels */

/* Selections for a PEC counter of OAG and an MPEC counter of OAM */
static const uint32_t oag_registers[] = { 0x13000, 0x00001234 };
static const uint32_t oam_registers[] = { 0x393200, 0x11 };

/* Sysctls that tests change */
enum { PERF_PARANOID, GPUOA_PARANOID, XE_PARANOID, SYSCTLS };
static const char *const sysctls[SYSCTLS] = {
	"/proc/sys/kernel/perf_event_paranoid",
	"/proc/sys/dev/gpuoa/paranoid",
	"/proc/sys/dev/xe/observation_paranoid",
};

FIXTURE(gpuoa)
{
	int fd;
	char saved[SYSCTLS][16]; /* values of .sysctls */
	struct gpuoa_attr gpuoa;
	struct perf_event_attr attr; /* contains the address of .gpuoa */
	struct reader reader;
};

static bool read_text(const char *file, char *text, size_t size)
{
	int fd = open(file, O_RDONLY);
	ssize_t length = fd < 0 ? -1 : read(fd, text, size - 1);

	if (fd >= 0)
		close(fd);
	text[length < 0 ? 0 : length] = '\0';
	return length > 0;
}

FIXTURE_SETUP(gpuoa)
{
	for (int i = 0; i < SYSCTLS; i++)
		ASSERT_TRUE(read_text(sysctls[i], self->saved[i], sizeof(self->saved[i])));
	self->fd = xe_open();
	ASSERT_LE(0, self->fd);
	self->gpuoa = test_oa_attr(EXPONENT);
	self->attr = extensible_attr(&self->gpuoa);
	self->reader.fd = -1;
}

FIXTURE_TEARDOWN(gpuoa)
{
	if (self->reader.fd >= 0)
		reader_close(&self->reader);
	if (self->fd >= 0)
		close(self->fd);
	for (int i = 0; i < SYSCTLS; i++)
		EXPECT_EQ(0, file_set(sysctls[i], self->saved[i]));
}

/* Reports seen by an event */
struct seen {
	unsigned int reports;
	unsigned int errors;
	unsigned int markers;
	uint64_t timestamp;
};

static void see(void *context, const uint8_t *report, uint32_t size)
{
	struct seen *seen = context;
	uint32_t reason, marker;
	uint64_t timestamp;

	memcpy(&timestamp, report + TIMESTAMP, sizeof(timestamp));
	seen->errors += size != SIZE_OAG || timestamp <= seen->timestamp;
	seen->timestamp = timestamp;
	seen->reports++;
	memcpy(&reason, report, sizeof(reason));
	memcpy(&marker, report + CONTEXT, sizeof(marker));
	seen->markers += reason & REASON_TRIGGER && marker == MARKER;
}

/* Open and enable an event. Return 0 or -errno. */
static int start(struct reader *reader, struct perf_event_attr *attr, struct seen *seen)
{
	int ret = reader_open(reader, attr, EXPONENT, RING_ORDER);

	if (ret) {
		reader->fd = -1;
		return ret;
	}
	reader->each = see;
	reader->context = seen;
	reader_enable(reader);
	return 0;
}

/* Wait for reports. Return false on timeout. */
static bool wait_for(struct reader *reader, const struct seen *seen, unsigned int reports)
{
	unsigned int before;

	while (seen->reports < reports) {
		before = seen->reports;
		if (!reader_run_reports(reader, 1) && seen->reports == before)
			return false;
	}
	return true;
}

static void stop(struct reader *reader)
{
	reader_close(reader);
	reader->fd = -1;
}

TEST_F(gpuoa, event_delivers_reports_in_order)
{
	struct seen seen = { 0 };

	ASSERT_EQ(0, start(&self->reader, &self->attr, &seen));
	EXPECT_TRUE(wait_for(&self->reader, &seen, 200));
	EXPECT_EQ(0, seen.errors);
}

/* Check whether xe can allocate buffers of more than 16 MiB. */
static bool xe_selects_buffer_size(int fd)
{
	struct drm_xe_query_oa_units *units;
	const struct drm_xe_oa_unit *first;
	uint32_t size;
	bool selects;

	units = xe_query(fd, DRM_XE_DEVICE_QUERY_OA_UNITS, &size);
	first = units ? (const void *)units->oa_units : NULL;
	selects = first && first->capabilities & BUFFER_SIZE_CAPABILITY;
	free(units);
	return selects;
}

/* An event can request any size up to the maximum, which is 16 MiB if xe has one size only. */
TEST_F(gpuoa, buffer_has_requested_size)
{
	bool selects = xe_selects_buffer_size(self->fd);
	struct seen seen = { 0 };
	struct gpuoa_unit_info info;
	int unit = unit_open();

	ASSERT_EQ(0, ioctl(unit, GPUOA_IOC_UNIT_INFO, &info));
	close(unit);
	EXPECT_EQ(selects ? 128 << 20 : 16 << 20, info.buffer_size_max);
	self->gpuoa.buffer_size = selects ? 32 << 20 : 16 << 20;
	ASSERT_EQ(0, start(&self->reader, &self->attr, &seen));
	EXPECT_TRUE(wait_for(&self->reader, &seen, 20));
	EXPECT_EQ(0, seen.errors);
	stop(&self->reader);
	self->gpuoa.buffer_size = 2 * info.buffer_size_max;
	EXPECT_EQ(-ERANGE, event_try(&self->attr));
}

/* Contexts are rejected, and their features are off. */
TEST_F(gpuoa, unsupported_requests_are_rejected)
{
	const uint64_t missing = GPUOA_FEATURE_CONTEXT | GPUOA_FEATURE_QUERY_ONLY |
				 GPUOA_FEATURE_ZERO_COPY;
	struct gpuoa_unit_info info;
	int unit = unit_open();

	ASSERT_EQ(0, ioctl(unit, GPUOA_IOC_UNIT_INFO, &info));
	EXPECT_EQ(0, info.features & missing);
	close(unit);
	self->gpuoa.flags |= GPUOA_ATTR_CONTEXT;
	self->gpuoa.drm_fd = self->fd;
	self->gpuoa.context = 1;
	EXPECT_EQ(-EOPNOTSUPP, event_try(&self->attr));
}

/* xe lets batches of users trigger reports while an event has the unit. */
TEST_F(gpuoa, batch_inserts_marker)
{
	const uint32_t commands[] = { 0x11000001, GPUOA_TRIGGER_REGISTER, MARKER, 0x05000000 };
	const struct drm_xe_engine_class_instance engine = { DRM_XE_ENGINE_CLASS_RENDER, 0, 0, 0 };
	struct drm_xe_vm_create vm = { 0 };
	struct seen seen = { 0 };
	struct gpuoa_unit_info info;
	int unit = unit_open(), done;
	uint32_t *batch, queue;

	ASSERT_EQ(0, ioctl(unit, GPUOA_IOC_UNIT_INFO, &info));
	EXPECT_TRUE(info.features & GPUOA_FEATURE_MARKERS);
	close(unit);
	ASSERT_EQ(0, ioctl(self->fd, DRM_IOCTL_XE_VM_CREATE, &vm));
	batch = xe_create_at(self->fd, vm.vm_id, BATCH_AT, BATCH_SIZE);
	ASSERT_NE(MAP_FAILED, (void *)batch);
	ASSERT_EQ(0, xe_create_queue(self->fd, vm.vm_id, engine, &queue));
	memcpy(batch, commands, sizeof(commands));
	ASSERT_EQ(0, start(&self->reader, &self->attr, &seen));
	EXPECT_TRUE(wait_for(&self->reader, &seen, 10));
	done = xe_submit(self->fd, queue, BATCH_AT, 0);
	ASSERT_LT(0, done);
	EXPECT_EQ(0, xe_wait(self->fd, done));
	EXPECT_TRUE(wait_for(&self->reader, &seen, seen.reports + 100));
	EXPECT_EQ(1, seen.markers);
	EXPECT_EQ(0, seen.errors);
	munmap(batch, BATCH_SIZE);
}

/* The unit writes to xe's buffer, so reports are copied into AUX areas. */
TEST_F(gpuoa, aux_area_gets_copies)
{
	struct copied copied = { .exponent = EXPONENT, .report_size = SIZE_OAG, .wide = true };
	struct gpuoa_unit_info info;
	int unit = unit_open();

	ASSERT_EQ(0, ioctl(unit, GPUOA_IOC_UNIT_INFO, &info));
	EXPECT_TRUE(info.features & GPUOA_FEATURE_AUX);
	close(unit);
	copied.format = info.default_format;
	self->gpuoa.flags |= GPUOA_ATTR_AUX;
	/* Many seconds of reports, for a slow machine */
	self->gpuoa.buffer_size = 1 << 24;
	EXPECT_STREQ("", copied_reports_are_in_order(&self->attr, &copied) ?: "");
	EXPECT_STREQ("", copied_area_may_be_full(&self->attr, &copied) ?: "");
	EXPECT_STREQ("", copied_flight_recorder_has_newest(&self->attr, &copied) ?: "");
}

/* Open a stream of a unit by xe. Return its fd or -errno. */
static int xe_stream(int fd, uint32_t unit)
{
	int set = xe_add_config(fd, XE_UUID, unit == OAG ? oag_registers : oam_registers, 1);
	const struct xe_property properties[] = {
		{ DRM_XE_OA_PROPERTY_OA_UNIT_ID, unit },
		{ DRM_XE_OA_PROPERTY_SAMPLE_OA, 1 },
		{ DRM_XE_OA_PROPERTY_OA_METRIC_SET, set },
		{ DRM_XE_OA_PROPERTY_OA_FORMAT, unit == OAG ? XE_PEC64U64 : XE_MPEC8U64 },
		{ DRM_XE_OA_PROPERTY_OA_PERIOD_EXPONENT, EXPONENT },
	};
	int stream;

	if (set < 0)
		return set;
	stream = xe_stream_open(fd, properties, sizeof(properties) / sizeof(properties[0]));
	xe_remove_config(fd, set);
	return stream;
}

/*
 * The first user gets the unit; the other gets it after the first has closed it. The other unit
 * stays free.
 */
TEST_F(gpuoa, xe_and_gpuoa_exclude_each_other)
{
	struct seen seen = { 0 };
	int stream = xe_stream(self->fd, OAG);

	ASSERT_LE(0, stream);
	EXPECT_EQ(-EBUSY, event_try(&self->attr));
	close(stream);
	ASSERT_EQ(0, start(&self->reader, &self->attr, &seen));
	EXPECT_EQ(-EBUSY, xe_stream(self->fd, OAG));
	stream = xe_stream(self->fd, OAM);
	EXPECT_LE(0, stream);
	close(stream);
	EXPECT_TRUE(wait_for(&self->reader, &seen, 10));
	stop(&self->reader);
	stream = xe_stream(self->fd, OAG);
	EXPECT_LE(0, stream);
	close(stream);
	EXPECT_EQ(0, event_try(&self->attr));
}

static int read_clock(int unit, struct gpuoa_clock *clock)
{
	memset(clock, 0, sizeof(*clock));
	clock->clock_id = CLOCK_MONOTONIC;
	return ioctl(unit, GPUOA_IOC_GET_CLOCK, clock) ? -errno : 0;
}

/* The clock is monotonic, no matter whether gpuoa, xe or nobody uses the unit. */
TEST_F(gpuoa, get_clock_works_without_a_stream)
{
	struct gpuoa_clock idle, used, shared;
	struct seen seen = { 0 };
	int unit = unit_open(), stream;

	ASSERT_LE(0, unit);
	ASSERT_EQ(0, read_clock(unit, &idle));
	ASSERT_EQ(0, start(&self->reader, &self->attr, &seen));
	EXPECT_TRUE(wait_for(&self->reader, &seen, 10));
	ASSERT_EQ(0, read_clock(unit, &used));
	EXPECT_LT(idle.gpu_ticks, used.gpu_ticks);
	/* The clock has all bits of a report's timestamp. */
	EXPECT_LT(idle.gpu_ticks & TIMESTAMP_MASK, seen.timestamp & TIMESTAMP_MASK);
	EXPECT_LT(seen.timestamp & TIMESTAMP_MASK, used.gpu_ticks & TIMESTAMP_MASK);
	stop(&self->reader);
	stream = xe_stream(self->fd, OAG);
	EXPECT_LE(0, stream);
	ASSERT_EQ(0, read_clock(unit, &shared));
	EXPECT_LT(used.gpu_ticks, shared.gpu_ticks);
	close(stream);
	close(unit);
}

/* Call a function as a user without capabilities. Return its result: 0 or -errno. */
static int as_nobody(int (*function)(void *data), void *data)
{
	int status = 0;
	pid_t pid = fork();

	if (!pid) {
		if (setresgid(NOBODY, NOBODY, NOBODY) || setresuid(NOBODY, NOBODY, NOBODY))
			_exit(EINVAL);
		_exit(-function(data));
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -ECHILD;
}

static int try_event(void *attr)
{
	return event_try(attr);
}

/* xe checks permissions before the format, and this stream has none. Return 0 or -EACCES. */
static int try_xe(void *data)
{
	static const struct xe_property sample = { DRM_XE_OA_PROPERTY_SAMPLE_OA, 1 };
	int ret = xe_stream_open(*(int *)data, &sample, 1);

	return ret == -EINVAL ? 0 : ret;
}

/*
 * A user may open gpuoa's events if and only if dev.xe.observation_paranoid lets him open streams
 * of xe, even if the event shares the unit. With the value 1, Linux 6.12 requires CAP_PERFMON; 7.x
 * only what perf requires for events of a CPU.
 */
TEST_F(gpuoa, xe_paranoid_sysctl_applies)
{
	struct seen seen = { 0 };
	int restricted;

	ASSERT_EQ(0, file_set(sysctls[PERF_PARANOID], "-1"));
	ASSERT_EQ(0, file_set(sysctls[GPUOA_PARANOID], "0"));
	ASSERT_EQ(0, file_set(sysctls[XE_PARANOID], "1"));
	restricted = as_nobody(try_xe, &self->fd);
	EXPECT_TRUE(restricted == 0 || restricted == -EACCES);
	EXPECT_EQ(restricted, as_nobody(try_event, &self->attr));
	ASSERT_EQ(0, file_set(sysctls[XE_PARANOID], "0"));
	EXPECT_EQ(0, as_nobody(try_xe, &self->fd));
	EXPECT_EQ(0, as_nobody(try_event, &self->attr));

	ASSERT_EQ(0, start(&self->reader, &self->attr, &seen));
	EXPECT_EQ(0, as_nobody(try_event, &self->attr));
	ASSERT_EQ(0, file_set(sysctls[XE_PARANOID], "1"));
	EXPECT_EQ(restricted, as_nobody(try_event, &self->attr));
	EXPECT_EQ(0, event_try(&self->attr));
}

/* xe is unbound from the GPU while an event is open. */
TEST_F(gpuoa, unbind_ends_event)
{
	struct seen seen = { 0 };

	ASSERT_EQ(0, start(&self->reader, &self->attr, &seen));
	ASSERT_TRUE(wait_for(&self->reader, &seen, 20));
	close(self->fd);
	self->fd = -1;
	ASSERT_EQ(0, file_set(BIND "unbind", GPU));
	reader_drain(&self->reader);
	EXPECT_EQ(1, self->reader.tally.gone);
	EXPECT_EQ(0, seen.errors);
	EXPECT_NE(0, access(BIND GPU, F_OK));
	EXPECT_EQ(0, file_set(BIND "bind", GPU));
}

/*
 * The process that loads gpuoa_xe.ko, the file $GPUOA_MODULE, cannot open events. Another process
 * can, after it has exited.
 */
TEST(loader_gets_eagain)
{
	const char *module = getenv("GPUOA_MODULE");
	struct gpuoa_attr gpuoa = test_oa_attr(EXPONENT);
	struct perf_event_attr attr;
	int fd;

	if (!module)
		SKIP(return, "no GPUOA_MODULE");
	fd = open(module, O_RDONLY | O_CLOEXEC);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, syscall(SYS_finit_module, fd, "", 0));
	close(fd);
	attr = extensible_attr(&gpuoa);
	EXPECT_EQ(-EAGAIN, event_try(&attr));
}

TEST_HARNESS_MAIN
