// SPDX-License-Identifier: MIT
/*
 * test_lifetime.c - opening and closing events, CPUs going offline, module removal, in any order.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "event.h"
#include "kselftest_harness.h"
#include "sim.h"

static int module_remove(const char *name)
{
	return syscall(SYS_delete_module, name, O_NONBLOCK) ? -errno : 0;
}

static int module_insert(const char *name, const char *parameters)
{
	const char *build = getenv("BUILD");
	struct utsname kernel;
	char path[512];
	int fd, result;

	uname(&kernel);
	snprintf(path, sizeof(path), "%s/modules/%s/%s.ko", build ? build : "build", kernel.release,
		 name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	result = syscall(SYS_finit_module, fd, parameters, 0) ? -errno : 0;
	close(fd);
	return result;
}

FIXTURE(rounds){};

FIXTURE_SETUP(rounds)
{
}

FIXTURE_TEARDOWN(rounds)
{
}

/* Each round waits for the multiplexer to settle, which takes long on a debug kernel. */
TEST_F_TIMEOUT(rounds, of_open_and_close, 300)
{
	const unsigned int rounds = scaled_rounds(1000);
	struct gpuoa_attr gpuoa = test_oa_attr(9);
	struct perf_event_attr attr = extensible_attr(&gpuoa);
	uint64_t opens = unit_get("statistics/opens");
	unsigned int i;
	int fd;

	gpuoa.buffer_size = 128 << 10;
	for (i = 0; i < rounds; i++) {
		fd = event_open(&attr);
		ASSERT_LE(0, fd);
		if (i % 2)
			ASSERT_EQ(0, ioctl(fd, PERF_EVENT_IOC_ENABLE, 0));
		ASSERT_EQ(0, close(fd));
	}
	EXPECT_EQ(opens + rounds, unit_get("statistics/opens"));
	EXPECT_EQ(0, sim_get("asleep_accesses"));
}

TEST(close_while_running)
{
	struct perf_event_attr attr = flat_attr(6, 1);
	struct reader reader;
	unsigned int i;

	for (i = 0; i < scaled_rounds(50); i++) {
		ASSERT_EQ(0, reader_open(&reader, &attr, 6, 5));
		reader_enable(&reader);
		usleep(i * 500);
		reader_close(&reader);
	}
	EXPECT_EQ(0, event_try(&attr));
}

TEST(killed_reader_releases_the_unit)
{
	struct perf_event_attr attr = flat_attr(9, 1), other = flat_attr(10, 1);
	struct reader reader;
	int running[2];
	char byte = 0;
	pid_t child;

	ASSERT_EQ(0, pipe(running));
	child = fork();
	if (!child) {
		if (reader_open(&reader, &attr, 9, 5))
			_exit(1);
		reader_enable(&reader);
		if (write(running[1], &byte, 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	/* Wait until the child runs; an earlier attempt could claim the unit. */
	close(running[1]);
	ASSERT_EQ(1, read(running[0], &byte, 1));
	close(running[0]);
	EXPECT_EQ(-EBUSY, event_try(&other));
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	EXPECT_EQ(0, event_try(&other));
}

TEST(rmmod_is_refused_while_an_event_is_open)
{
	struct perf_event_attr attr = flat_attr(9, 1);
	struct reader reader;

	ASSERT_EQ(0, reader_open(&reader, &attr, 9, 5));
	reader_enable(&reader);
	EXPECT_EQ(-EWOULDBLOCK, module_remove("gpuoa_sim"));
	EXPECT_EQ(-EWOULDBLOCK, module_remove("gpuoa"));
	EXPECT_TRUE(reader_run_reports(&reader, 100));
	reader_close(&reader);
}

TEST(rmmod_is_refused_while_the_drm_node_is_open)
{
	int fd = sim_drm_open();

	ASSERT_LE(0, fd);
	EXPECT_EQ(-EWOULDBLOCK, module_remove("gpuoa_sim"));
	close(fd);
}

TEST(file_of_a_removed_unit_returns_enodev)
{
	struct gpuoa_unit_info info;
	uint32_t id = 1;
	int fd = unit_open();

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, ioctl(fd, GPUOA_IOC_UNIT_INFO, &info));
	/* The last event's module reference is dropped after an RCU grace period. */
	EXPECT_TRUE(WAIT_UNTIL(!module_remove("gpuoa_sim")));
	EXPECT_EQ(-1, ioctl(fd, GPUOA_IOC_UNIT_INFO, &info));
	EXPECT_EQ(ENODEV, errno);
	EXPECT_EQ(-1, ioctl(fd, GPUOA_IOC_REMOVE_CONFIG, &id));
	EXPECT_EQ(ENODEV, errno);
	EXPECT_EQ(-EWOULDBLOCK, module_remove("gpuoa"));
	close(fd);

	EXPECT_EQ(0, module_remove("gpuoa"));
	ASSERT_EQ(0, module_insert("gpuoa", ""));
	ASSERT_EQ(0, module_insert("gpuoa_sim", "platform=hsw_gt2"));
	fd = unit_open();
	EXPECT_LE(0, fd);
	close(fd);
}

TEST(event_moves_when_its_cpu_goes_offline)
{
	struct perf_event_attr attr = flat_attr(9, 1);
	char cpu[64], mask[16] = "";
	struct reader reader;
	FILE *file;

	file = fopen("/sys/bus/event_source/devices/gpuoa0/cpumask", "r");
	ASSERT_NE(NULL, file);
	ASSERT_EQ(1, fscanf(file, "%15s", mask));
	fclose(file);
	snprintf(cpu, sizeof(cpu), "/sys/devices/system/cpu/cpu%s/online", mask);
	if (access(cpu, W_OK))
		SKIP(return, "there is but one CPU");
	ASSERT_EQ(1, file_get(cpu));

	ASSERT_EQ(0, reader_open(&reader, &attr, 9, 12));
	reader_enable(&reader);
	ASSERT_TRUE(reader_run_reports(&reader, 500));
	ASSERT_EQ(0, file_set(cpu, "0"));
	EXPECT_TRUE(reader_run_reports(&reader, 1000));
	EXPECT_EQ(0, file_set(cpu, "1"));
	EXPECT_TRUE(reader_run_reports(&reader, 500));
	reader_disable(&reader);
	reader_drain(&reader);
	EXPECT_EQ(0, reader.tally.errors);
	/* The unit was off while perf moved the event; these reports are announced as lost. */
	if (!reader_was_late(&reader))
		EXPECT_EQ(reader_due(&reader), reader.tally.reports + reader.tally.lost);
	reader_close(&reader);
}

/* A stream is based on an event, which moves like other events. */
TEST(stream_survives_its_cpu)
{
	struct gpuoa_attr gpuoa = test_oa_attr(9);
	char cpu[64], mask[16];
	struct reader reader;
	uint32_t handle;
	uint64_t before;
	FILE *file;

	/* A new unit uses the last CPU. */
	ASSERT_EQ(0, module_remove("gpuoa_sim"));
	ASSERT_EQ(0, module_insert("gpuoa_sim", "platform=hsw_gt2"));
	file = fopen("/sys/bus/event_source/devices/gpuoa0/cpumask", "r");
	ASSERT_NE(NULL, file);
	ASSERT_EQ(1, fscanf(file, "%15s", mask));
	fclose(file);
	snprintf(cpu, sizeof(cpu), "/sys/devices/system/cpu/cpu%s/online", mask);
	if (access(cpu, W_OK))
		SKIP(return, "there is but one CPU");
	gpuoa.flags |= GPUOA_ATTR_CONTEXT;
	gpuoa.drm_fd = sim_drm_open();
	ASSERT_LE(0, gpuoa.drm_fd);
	ASSERT_EQ(0, sim_context_create(gpuoa.drm_fd, &handle));
	gpuoa.context = handle;
	stream_reader(&reader, unit_open_stream(0, &gpuoa), 9);
	ASSERT_LE(0, reader.fd);
	reader.filtered = true;

	/* A disabled stream stays disabled. */
	ASSERT_EQ(0, file_set(cpu, "0"));
	EXPECT_EQ(1, stream_drain(&reader));
	EXPECT_EQ(0, reader.tally.samples);
	ASSERT_EQ(0, ioctl(reader.fd, GPUOA_STREAM_IOC_ENABLE));
	EXPECT_TRUE(WAIT_UNTIL(stream_drain(&reader) == 1 && reader.tally.reports > 500));
	EXPECT_EQ(0, file_set(cpu, "1"));
	before = reader.tally.reports;
	EXPECT_TRUE(WAIT_UNTIL(stream_drain(&reader) == 1 && reader.tally.reports > before + 500));
	ASSERT_EQ(0, ioctl(reader.fd, GPUOA_STREAM_IOC_DISABLE));
	EXPECT_EQ(1, stream_drain(&reader));
	EXPECT_EQ(0, reader.tally.errors);
	close(reader.fd);
	close(gpuoa.drm_fd);
}

TEST_HARNESS_MAIN
