// SPDX-License-Identifier: MIT
/*
 * test_unplug.c - GPUs that are added and removed at run time while in use.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "aux.h"
#include "event.h"
#include "kselftest_harness.h"
#include "sim.h"
#include "uapi/gpuoa_sim.h"

#define NEW_DEVICE "/sys/bus/gpuoa_sim/new_device"
#define DEL_DEVICE "/sys/bus/gpuoa_sim/del_device"
#define MAX_GPUS 16

/* A virtual GPU created by a test */
struct gpu {
	int index; /* index in the simulator */
	char unit[32]; /* gpuoa<N> */
	int type; /* type of the PMU */
};

static bool gpu_exists(int index)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/devices/platform/gpuoa_sim.%d", index);
	return !access(path, F_OK);
}

static int free_index(void)
{
	int index = 0;

	while (index < MAX_GPUS && gpu_exists(index))
		index++;
	return index;
}

/* Find the name of the first unit of a GPU. */
static int find_unit(struct gpu *gpu)
{
	char path[64];
	struct dirent *entry;
	DIR *dir;

	snprintf(path, sizeof(path), "/sys/devices/platform/gpuoa_sim.%d/gpuoa", gpu->index);
	dir = opendir(path);
	if (!dir)
		return -errno;
	gpu->unit[0] = 0;
	while ((entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			snprintf(gpu->unit, sizeof(gpu->unit), "%.31s", entry->d_name);
	closedir(dir);
	return gpu->unit[0] ? 0 : -ENOENT;
}

static int gpu_add(struct gpu *gpu)
{
	char path[128];
	int err;

	gpu->index = free_index();
	err = file_set(NEW_DEVICE, "hsw_gt2");
	if (!err)
		err = find_unit(gpu);
	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type", gpu->unit);
	gpu->type = file_get(path);
	return err;
}

static int del_device(int index)
{
	char number[16];

	snprintf(number, sizeof(number), "%d", index);
	return file_set(DEL_DEVICE, number);
}

static int gpu_remove(const struct gpu *gpu)
{
	return del_device(gpu->index);
}

static uint64_t gpu_generated(const struct gpu *gpu)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/kernel/debug/gpuoa_sim/%d/generated", gpu->index);
	return file_get(path);
}

static struct perf_event_attr gpu_attr(const struct gpu *gpu)
{
	struct perf_event_attr attr = flat_attr(9, 1);

	attr.type = gpu->type;
	return attr;
}

static int gpu_open(const struct gpu *gpu)
{
	char path[64];

	snprintf(path, sizeof(path), "/dev/%s", gpu->unit);
	return open(path, O_RDWR | O_CLOEXEC);
}

static int gpu_stream(const struct gpu *gpu, struct reader *reader)
{
	struct perf_event_attr attr = gpu_attr(gpu);
	int err = reader_open(reader, &attr, 9, 9);

	if (!err)
		reader_enable(reader);
	return err;
}

static bool has_pmu(const struct gpu *gpu)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s", gpu->unit);
	return !access(path, F_OK);
}

/* Result of poll() */
static int poll_events(int fd)
{
	struct pollfd pollfd = { .fd = fd };

	return poll(&pollfd, 1, scaled_ms(1000)) == 1 ? pollfd.revents : 0;
}

FIXTURE(unplug)
{
	struct gpu gpu;
};

FIXTURE_SETUP(unplug)
{
	ASSERT_EQ(0, gpu_add(&self->gpu));
}

FIXTURE_TEARDOWN(unplug)
{
	gpu_remove(&self->gpu);
}

TEST_F(unplug, open_event_gets_last_reports_and_pollhup)
{
	struct reader reader;
	uint64_t generated, count = 0;

	ASSERT_EQ(0, gpu_stream(&self->gpu, &reader));
	ASSERT_TRUE(reader_run_reports(&reader, 1000));
	generated = gpu_generated(&self->gpu);
	ASSERT_EQ(0, gpu_remove(&self->gpu));
	EXPECT_EQ(POLLHUP, poll_events(reader.fd));
	reader_drain(&reader);
	EXPECT_GONE(&reader);
	EXPECT_ALL_OF(reader_due(&reader), &reader);
	EXPECT_LE(generated, reader.tally.reports + reader_lost(&reader));
	ASSERT_EQ(sizeof(count), read(reader.fd, &count, sizeof(count)));
	/* Unless time is virtual, the last reports may have been lost in perf's ring. */
	EXPECT_LE(reader.tally.reports + reader.tally.ring_lost, count);
	if (virtual_time())
		EXPECT_EQ(reader.tally.reports + reader.tally.ring_lost, count);
	reader_close(&reader);
}

TEST_F(unplug, count_is_kept_after_unplug)
{
	struct perf_event_attr attr = gpu_attr(&self->gpu);
	struct reader reader;
	uint64_t count = 0;
	int fd;

	ASSERT_EQ(0, reader_open(&reader, &attr, 9, 9));
	attr = flat_attr(9, 0);
	attr.type = self->gpu.type;
	attr.config |= (uint64_t)GPUOA_COUNTER_TIMESTAMP << GPUOA_CONFIG_COUNTER_SHIFT;
	attr.sample_type = 0;
	attr.disabled = 0;
	fd = syscall(SYS_perf_event_open, &attr, -1, 0, reader.fd, 0);
	ASSERT_LE(0, fd);
	reader_enable(&reader);
	ASSERT_TRUE(reader_run_reports(&reader, 1000));
	ASSERT_EQ(0, gpu_remove(&self->gpu));
	EXPECT_EQ(POLLHUP, poll_events(fd));
	reader_drain(&reader);
	EXPECT_GONE(&reader);
	/* The count covers the first to the last report, and is final when the event hangs up. */
	ASSERT_EQ(sizeof(count), read(fd, &count, sizeof(count)));
	EXPECT_LE(reader.tally.last_timestamp - reader.tally.first_timestamp, count);
	if (!reader_was_late(&reader))
		EXPECT_EQ(reader.tally.last_timestamp - reader.tally.first_timestamp, count);
	EXPECT_LT(0, count);
	close(fd);
	reader_close(&reader);
}

TEST_F(unplug, enable_after_unplug_fails)
{
	struct reader reader;

	ASSERT_EQ(0, gpu_stream(&self->gpu, &reader));
	ASSERT_EQ(0, gpu_remove(&self->gpu));
	EXPECT_EQ(0, ioctl(reader.fd, PERF_EVENT_IOC_DISABLE, 0));
	EXPECT_EQ(0, ioctl(reader.fd, PERF_EVENT_IOC_ENABLE, 0));
	EXPECT_EQ(0, ioctl(reader.fd, PERF_EVENT_IOC_REFRESH, 1));
	reader_run(&reader, 50);
	EXPECT_GONE(&reader);
	EXPECT_EQ(0, reader.tally.errors);
	EXPECT_EQ(POLLHUP, poll_events(reader.fd));
	reader_close(&reader);
}

TEST_F(unplug, unplug_hangs_up_all_events)
{
	struct perf_event_attr attr = gpu_attr(&self->gpu);
	struct reader readers[2];
	int disabled;

	ASSERT_EQ(0, gpu_stream(&self->gpu, &readers[0]));
	ASSERT_EQ(0, gpu_stream(&self->gpu, &readers[1]));
	disabled = event_open(&attr);
	ASSERT_LE(0, disabled);
	for (int i = 0; i < 2; i++)
		ASSERT_TRUE(reader_run_reports(&readers[i], 200));
	ASSERT_EQ(0, gpu_remove(&self->gpu));
	for (int i = 0; i < 2; i++) {
		EXPECT_EQ(POLLHUP, poll_events(readers[i].fd));
		reader_drain(&readers[i]);
		EXPECT_GONE(&readers[i]);
		EXPECT_EQ(0, readers[i].tally.errors);
		reader_close(&readers[i]);
	}
	EXPECT_EQ(POLLHUP, poll_events(disabled));
	EXPECT_EQ(0, ioctl(disabled, PERF_EVENT_IOC_ENABLE, 0));
	EXPECT_EQ(POLLHUP, poll_events(disabled));
	close(disabled);
}

/* Check whether the task is in interruptible sleep. */
static bool is_asleep(pid_t pid)
{
	char path[32], state = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "r");
	if (!file)
		return false;
	if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
		state = 0;
	fclose(file);
	return state == 'S';
}

TEST_F(unplug, unplug_wakes_poll)
{
	struct perf_event_attr attr = gpu_attr(&self->gpu);
	struct pollfd pollfd = {};
	struct reader reader;
	pid_t child;
	int status;

	/* Map a ring, because perf always reports POLLHUP for events without one. */
	ASSERT_EQ(0, reader_open(&reader, &attr, 9, 2));
	pollfd.fd = reader.fd;
	child = fork();
	if (!child)
		_exit(poll(&pollfd, 1, scaled_ms(10000)) == 1 && pollfd.revents == POLLHUP ? 0 : 1);
	ASSERT_TRUE(WAIT_UNTIL(is_asleep(child)));
	ASSERT_EQ(0, gpu_remove(&self->gpu));
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
	reader_close(&reader);
}

TEST_F(unplug, unplug_sends_sigio)
{
	const struct timespec limit = { .tv_sec = scaled_ms(1000) / 1000 };
	struct perf_event_attr attr = gpu_attr(&self->gpu);
	int fd = event_open(&attr);
	siginfo_t info = {};
	sigset_t set;

	ASSERT_LE(0, fd);
	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	sigprocmask(SIG_BLOCK, &set, NULL);
	ASSERT_EQ(0, fcntl(fd, F_SETOWN, getpid()));
	ASSERT_EQ(0, fcntl(fd, F_SETSIG, SIGRTMIN));
	ASSERT_EQ(0, fcntl(fd, F_SETFL, O_ASYNC));
	ASSERT_EQ(0, gpu_remove(&self->gpu));
	ASSERT_EQ(SIGRTMIN, sigtimedwait(&set, &info, &limit));
	EXPECT_EQ(POLL_HUP, info.si_code);
	EXPECT_EQ(fd, info.si_fd);
	close(fd);
}

TEST_F(unplug, ioctls_after_unplug_return_enodev)
{
	struct perf_event_attr attr = gpu_attr(&self->gpu);
	struct gpuoa_attr stream = test_oa_attr(9), registered = test_oa_attr(9);
	struct gpuoa_attr_handle handle = { .attr = (uintptr_t)&registered };
	struct gpuoa_clock clock = {};
	struct gpuoa_unit_info info;
	struct gpuoa_config config = { .uuid = "" };
	struct reader reader;
	uint32_t id = 2;
	int fd = gpu_open(&self->gpu);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, gpu_stream(&self->gpu, &reader));
	stream.flags |= GPUOA_ATTR_CONTEXT;
	ASSERT_EQ(0, gpu_remove(&self->gpu));

	EXPECT_EQ(-ENODEV, event_try(&attr));
	EXPECT_EQ(-1, ioctl(fd, GPUOA_IOC_UNIT_INFO, &info));
	EXPECT_EQ(ENODEV, errno);
	EXPECT_EQ(-1, ioctl(fd, GPUOA_IOC_GET_CLOCK, &clock));
	EXPECT_EQ(ENODEV, errno);
	EXPECT_EQ(-1, ioctl(fd, GPUOA_IOC_OPEN_STREAM, &stream));
	EXPECT_EQ(ENODEV, errno);
	EXPECT_EQ(-1, ioctl(fd, GPUOA_IOC_ADD_ATTR, &handle));
	EXPECT_EQ(ENODEV, errno);
	EXPECT_EQ(-1, ioctl(fd, GPUOA_IOC_REMOVE_CONFIG, &id));
	EXPECT_EQ(ENODEV, errno);
	/*
	 * This call fails with EINVAL instead of ENODEV, because its UUID is invalid and arguments
	 * are validated first.
	 */
	EXPECT_EQ(-1, ioctl(fd, GPUOA_IOC_ADD_CONFIG, &config));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, gpu_open(&self->gpu));
	EXPECT_EQ(ENOENT, errno);
	EXPECT_FALSE(gpu_exists(self->gpu.index));
	reader_close(&reader);
	close(fd);

	/* The PMU exists until the last event is closed, and is freed then. */
	EXPECT_TRUE(WAIT_UNTIL(event_try(&attr) != -ENODEV));
	EXPECT_EQ(-ENOENT, event_try(&attr));
	EXPECT_TRUE(WAIT_UNTIL(!has_pmu(&self->gpu)));
}

/* Read a stream to its end. Return 0 if it ended with a DEVICE_REMOVED record. */
static int read_to_the_end(int fd)
{
	struct reader reader;

	fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	stream_reader(&reader, fd, 9);
	reader.filtered = true;
	return stream_drain(&reader) || reader.tally.gone != 1 || reader.tally.errors;
}

static uint64_t reports_of(int stream)
{
	struct gpuoa_stream_status status;

	return ioctl(stream, GPUOA_STREAM_IOC_STATUS, &status) ? 0 : status.reports;
}

TEST_F(unplug, streams_of_one_context_end)
{
	struct gpuoa_attr gpuoa = test_oa_attr(9);
	struct gpuoa_stream_status status;
	unsigned int unit;
	uint32_t handle;
	int fd, disabled, result;
	pid_t child;

	ASSERT_EQ(1, sscanf(self->gpu.unit, "gpuoa%u", &unit));
	gpuoa.flags |= GPUOA_ATTR_CONTEXT;
	gpuoa.drm_fd = sim_drm_open_number(self->gpu.index);
	ASSERT_LE(0, gpuoa.drm_fd);
	ASSERT_EQ(0, sim_context_create(gpuoa.drm_fd, &handle));
	gpuoa.context = handle;
	fd = unit_open_stream(unit, &gpuoa);
	ASSERT_LE(0, fd);
	disabled = unit_open_stream(unit, &gpuoa);
	ASSERT_LE(0, disabled);
	ASSERT_EQ(0, ioctl(fd, GPUOA_STREAM_IOC_ENABLE));
	child = fork();
	if (!child)
		_exit(read_to_the_end(fd));
	ASSERT_TRUE(WAIT_UNTIL(reports_of(fd) > 0 && is_asleep(child)));
	ASSERT_EQ(0, gpu_remove(&self->gpu));
	ASSERT_EQ(child, waitpid(child, &result, 0));
	EXPECT_EQ(0, result);

	EXPECT_EQ(POLLHUP, poll_events(fd));
	EXPECT_EQ(POLLHUP, poll_events(disabled));
	EXPECT_EQ(-1, ioctl(disabled, GPUOA_STREAM_IOC_ENABLE));
	EXPECT_EQ(ENODEV, errno);
	ASSERT_EQ(0, ioctl(fd, GPUOA_STREAM_IOC_STATUS, &status));
	EXPECT_EQ(GPUOA_STREAM_GONE, status.flags);
	EXPECT_LT(0, status.reports);
	EXPECT_EQ(-ENODEV, sim_context_create(gpuoa.drm_fd, &handle));
	close(fd);
	close(disabled);
	close(gpuoa.drm_fd);
}

TEST_F(unplug, unplug_ends_context_events)
{
	struct gpuoa_attr gpuoa = test_oa_attr(9);
	struct perf_event_attr attr = extensible_attr(&gpuoa);
	struct reader reader;
	uint32_t handle;

	attr.type = self->gpu.type;
	gpuoa.flags |= GPUOA_ATTR_CONTEXT;
	gpuoa.drm_fd = sim_drm_open_number(self->gpu.index);
	ASSERT_LE(0, gpuoa.drm_fd);
	ASSERT_EQ(0, sim_context_create(gpuoa.drm_fd, &handle));
	gpuoa.context = handle;
	ASSERT_EQ(0, reader_open(&reader, &attr, 9, 9));
	reader.filtered = true;
	reader_enable(&reader);
	ASSERT_TRUE(reader_run_reports(&reader, 1));
	ASSERT_EQ(0, gpu_remove(&self->gpu));
	EXPECT_EQ(POLLHUP, poll_events(reader.fd));
	reader_drain(&reader);
	EXPECT_GONE(&reader);
	EXPECT_EQ(0, reader.tally.errors);

	EXPECT_EQ(-ENODEV, sim_context_create(gpuoa.drm_fd, &handle));
	EXPECT_EQ(-ENODEV, event_try(&attr));
	close(gpuoa.drm_fd);
	reader_close(&reader);
}

TEST_F(unplug, mapping_outlives_event_and_unit)
{
	size_t size = 5 * sysconf(_SC_PAGESIZE);
	struct perf_event_attr attr = gpu_attr(&self->gpu);
	int fd = event_open(&attr);
	void *ring;

	ASSERT_LE(0, fd);
	ring = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	ASSERT_NE(MAP_FAILED, ring);
	ASSERT_EQ(0, ioctl(fd, PERF_EVENT_IOC_ENABLE, 0));
	close(fd);
	ASSERT_EQ(0, gpu_remove(&self->gpu));
	EXPECT_EQ(-ENODEV, event_try(&attr));
	EXPECT_EQ(0, munmap(ring, size));
	EXPECT_TRUE(WAIT_UNTIL(event_try(&attr) != -ENODEV));
	EXPECT_EQ(-ENOENT, event_try(&attr));
}

static int gpu_stream_aux(const struct gpu *gpu, struct aux_reader *reader)
{
	struct gpuoa_attr gpuoa = aux_attr(9);
	struct perf_event_attr attr = extensible_attr(&gpuoa);
	int err;

	attr.type = gpu->type;
	err = aux_open(reader, &attr, 9);
	if (!err)
		err = aux_map(reader, 1 << 20, true);
	return err ? err : aux_enable(reader);
}

TEST_F(unplug, aux_area_has_the_last_reports)
{
	struct aux_reader reader;

	ASSERT_EQ(0, gpu_stream_aux(&self->gpu, &reader));
	ASSERT_TRUE(aux_run_reports(&reader, 1100));
	ASSERT_EQ(0, gpu_remove(&self->gpu));
	EXPECT_EQ(POLLHUP, poll_events(reader.fd));
	aux_drain(&reader);
	EXPECT_EQ(1, reader.tally.gone);
	EXPECT_EQ(0, reader.tally.errors);
	if (virtual_time())
		EXPECT_EQ(0, reader.tally.gaps);
	EXPECT_EQ(aux_due(&reader), reader.tally.reports + reader.tally.lost);
	/* perf may unmap its area. Without a unit, no other area can be mapped. */
	aux_unmap(&reader);
	EXPECT_GT(0, aux_map(&reader, 1 << 20, true));
	aux_close(&reader);
}

TEST_F(unplug, aux_area_outlives_event_and_unit)
{
	struct aux_reader reader;

	ASSERT_EQ(0, gpu_stream_aux(&self->gpu, &reader));
	ASSERT_TRUE(WAIT_UNTIL(aux_head(&reader)));
	close(reader.fd);
	ASSERT_EQ(0, gpu_remove(&self->gpu));
	/* The area still contains reports. */
	EXPECT_NE(0, ((volatile uint32_t *)reader.area)[1]);
	munmap(reader.page, AUX_PAGE + reader.data_size);
	aux_unmap(&reader);
	EXPECT_TRUE(WAIT_UNTIL(!has_pmu(&self->gpu)));
}

/* Open an event on the unit's CPU, because events of a group are on one CPU. */
static int open_in_group(const struct gpu *gpu, struct perf_event_attr *attr, int leader)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/cpumask", gpu->unit);
	fd = syscall(SYS_perf_event_open, attr, -1, (int)file_get(path), leader,
		     PERF_FLAG_FD_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/*
 * Up to 6.1, perf keeps the clock event in the context of gpuoa's PMU. From 6.15 on, the clock
 * event refers to the PMU even after the group is dissolved.
 */
static void group_with_clock(struct __test_metadata *_metadata, const struct gpu *gpu,
			     bool clock_leads, bool dissolve)
{
	struct perf_event_attr attr = gpu_attr(gpu);
	struct perf_event_attr clock = {
		.size = sizeof(clock),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.pinned = clock_leads,
	};
	uint64_t before, after;
	int leader, sibling, clock_fd, event_fd;

	attr.disabled = clock_leads ? 0 : attr.disabled;
	leader = open_in_group(gpu, clock_leads ? &clock : &attr, -1);
	ASSERT_LE(0, leader);
	sibling = open_in_group(gpu, clock_leads ? &attr : &clock, leader);
	ASSERT_LE(0, sibling);
	clock_fd = clock_leads ? leader : sibling;
	event_fd = clock_leads ? sibling : leader;
	ioctl(leader, PERF_EVENT_IOC_ENABLE, PERF_IOC_FLAG_GROUP);
	usleep(20000);
	if (dissolve)
		close(event_fd);
	ASSERT_EQ(0, gpu_remove(gpu));
	if (!dissolve) {
		EXPECT_EQ(POLLHUP, poll_events(event_fd));
		close(event_fd);
	}

	/* A group stops with its leader, but the clock event itself still works. */
	ASSERT_EQ(0, ioctl(clock_fd, PERF_EVENT_IOC_DISABLE, 0));
	ASSERT_EQ(0, ioctl(clock_fd, PERF_EVENT_IOC_ENABLE, 0));
	ASSERT_EQ(sizeof(before), read(clock_fd, &before, sizeof(before)));
	usleep(50000);
	ASSERT_EQ(sizeof(after), read(clock_fd, &after, sizeof(after)));
	EXPECT_LT(before, after);
	usleep(300000);
	close(clock_fd);
}

TEST_F(unplug, group_leader_clock_runs_after_unplug)
{
	group_with_clock(_metadata, &self->gpu, true, false);
}

TEST_F(unplug, group_member_clock_runs_after_unplug)
{
	group_with_clock(_metadata, &self->gpu, false, false);
}

TEST_F(unplug, former_leader_clock_runs_after_unplug)
{
	group_with_clock(_metadata, &self->gpu, true, true);
}

TEST_F(unplug, former_member_clock_runs_after_unplug)
{
	group_with_clock(_metadata, &self->gpu, false, true);
}

TEST_F(unplug, open_debugfs_files_end)
{
	static const char *const names[] = { "registers", "reference", "workload", "generated" };
	char path[128], line[64];
	int fds[ARRAY_SIZE(names)];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		snprintf(path, sizeof(path), "/sys/kernel/debug/gpuoa_sim/%d/%s", self->gpu.index,
			 names[i]);
		fds[i] = open(path, O_RDONLY | O_CLOEXEC);
		ASSERT_LE(0, fds[i]);
	}
	ASSERT_EQ(0, gpu_remove(&self->gpu));
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		EXPECT_EQ(-1, read(fds[i], line, sizeof(line)));
		EXPECT_EQ(EIO, errno);
		close(fds[i]);
	}
}

/* An event of a removed GPU keeps only the modules loaded. */
TEST_F(unplug, rmmod_fails_while_an_event_of_a_removed_gpu_is_open)
{
	struct perf_event_attr attr = gpu_attr(&self->gpu);
	int fd = event_open(&attr);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, gpu_remove(&self->gpu));
	EXPECT_EQ(-1, syscall(SYS_delete_module, "gpuoa_sim", O_NONBLOCK));
	EXPECT_EQ(EWOULDBLOCK, errno);
	close(fd);
}

TEST_F(unplug, new_gpu_works_while_events_of_a_removed_gpu_are_open)
{
	struct reader dead, reader;
	struct gpu next;

	ASSERT_EQ(0, gpu_stream(&self->gpu, &dead));
	ASSERT_TRUE(reader_run_reports(&dead, 300));
	ASSERT_EQ(0, gpu_remove(&self->gpu));
	ASSERT_EQ(0, gpu_add(&next));
	EXPECT_EQ(self->gpu.index, next.index);
	EXPECT_NE(0, strcmp(self->gpu.unit, next.unit));
	ASSERT_EQ(0, gpu_stream(&next, &reader));
	ASSERT_TRUE(reader_run_reports(&reader, 500));
	reader_close(&dead);
	ASSERT_TRUE(reader_run_reports(&reader, 500));
	reader_disable(&reader);
	reader_drain(&reader);
	EXPECT_EQ(0, reader.tally.gone);
	EXPECT_ALL_OF(gpu_generated(&next), &reader);
	reader_close(&reader);
	EXPECT_EQ(0, gpu_remove(&next));
}

TEST_F(unplug, name_of_an_unused_unit_is_reused_at_once)
{
	struct gpu next;

	ASSERT_EQ(0, gpu_remove(&self->gpu));
	EXPECT_FALSE(has_pmu(&self->gpu));
	ASSERT_EQ(0, gpu_add(&next));
	EXPECT_STREQ(self->gpu.unit, next.unit);
	EXPECT_EQ(0, gpu_remove(&next));
}

TEST_F_TIMEOUT(unplug, another_gpu_loses_nothing, 120)
{
	struct perf_event_attr attr = flat_attr(9, 1);
	struct reader other, reader;
	uint64_t generated;
	unsigned int i;

	ASSERT_EQ(0, reader_open(&other, &attr, 9, 12));
	generated = sim_get("generated");
	reader_enable(&other);
	for (i = 0; i < scaled_rounds(10); i++) {
		ASSERT_EQ(0, gpu_stream(&self->gpu, &reader));
		reader_run(&other, 30);
		ASSERT_EQ(0, gpu_remove(&self->gpu));
		reader_run(&other, 30);
		reader_drain(&reader);
		EXPECT_GONE(&reader);
		reader_close(&reader);
		ASSERT_EQ(0, gpu_add(&self->gpu));
	}
	reader_disable(&other);
	reader_drain(&other);
	EXPECT_EQ(0, other.tally.gone);
	EXPECT_ALL_OF(sim_get("generated") - generated, &other);
	EXPECT_EQ(0, sim_get("asleep_accesses"));
	EXPECT_EQ(0, sim_get("ggtt_faults"));
	reader_close(&other);
}

/* Use all available units until killed. */
static void __attribute__((noreturn)) use_all_units(unsigned int seed)
{
	struct gpu gpu;
	int fd, drm;

	for (;;) {
		struct reader reader;
		uint32_t handle;

		gpu.index = 1 + rand_r(&seed) % 3;
		if (find_unit(&gpu)) {
			usleep(1000);
			continue;
		}
		fd = gpu_open(&gpu);
		drm = sim_drm_open_number(gpu.index);
		if (fd >= 0) {
			struct gpuoa_unit_info info;
			struct perf_event_attr attr;

			if (!ioctl(fd, GPUOA_IOC_UNIT_INFO, &info)) {
				gpu.type = info.pmu_type;
				attr = gpu_attr(&gpu);
				if (!reader_open(&reader, &attr, 9, 5)) {
					reader_enable(&reader);
					reader_run(&reader, rand_r(&seed) % 20);
					reader_close(&reader);
				}
			}
			close(fd);
		}
		if (drm >= 0) {
			sim_context_create(drm, &handle);
			close(drm);
		}
	}
}

TEST_F_TIMEOUT(unplug, come_and_go_under_load, 300)
{
	pid_t users[3];
	struct gpu gpu;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(users); i++) {
		users[i] = fork();
		if (!users[i])
			use_all_units(i);
	}
	for (i = 0; i < scaled_rounds(30); i++) {
		EXPECT_EQ(0, gpu_add(&gpu));
		usleep(i * 5000);
		EXPECT_EQ(0, gpu_remove(&gpu));
	}
	for (i = 0; i < ARRAY_SIZE(users); i++) {
		kill(users[i], SIGKILL);
		waitpid(users[i], NULL, 0);
	}
}

TEST(del_device_of_a_missing_gpu_returns_enoent)
{
	EXPECT_EQ(-ENOENT, del_device(free_index()));
	EXPECT_EQ(-ENOENT, file_set(DEL_DEVICE, "4000000000"));
	EXPECT_EQ(-EINVAL, file_set(DEL_DEVICE, "gpuoa0"));
	EXPECT_EQ(-EINVAL, file_set(DEL_DEVICE, "-1"));
	EXPECT_EQ(-EINVAL, file_set(DEL_DEVICE, " "));
}

TEST(unknown_platforms_and_workloads_are_refused)
{
	int index = free_index();

	EXPECT_EQ(-EINVAL, file_set(NEW_DEVICE, "voodoo2"));
	EXPECT_EQ(-EINVAL, file_set(NEW_DEVICE, "hsw_gt2 night"));
	EXPECT_EQ(-EINVAL, file_set(NEW_DEVICE, "hsw_gt2 idle please"));
	EXPECT_EQ(-EINVAL, file_set(NEW_DEVICE, " "));
	EXPECT_EQ(-EINVAL, file_set(NEW_DEVICE, "hsw_gt2_with_a_name_much_too_long_for_it"));
	EXPECT_FALSE(gpu_exists(index));
}

TEST(new_device_sets_the_workload)
{
	int index = free_index();
	char path[64], workload[16] = "";
	FILE *file;

	ASSERT_EQ(0, file_set(NEW_DEVICE, "hsw_gt2 compute\n"));
	snprintf(path, sizeof(path), "/sys/kernel/debug/gpuoa_sim/%d/workload", index);
	file = fopen(path, "r");
	ASSERT_NE(NULL, file);
	EXPECT_EQ(1, fscanf(file, "%15s", workload));
	fclose(file);
	EXPECT_STREQ("compute", workload);
	EXPECT_EQ(0, del_device(index));
}

TEST(seventeenth_gpu_returns_enospc)
{
	int first = free_index(), index;

	for (index = first; index < MAX_GPUS; index = free_index())
		ASSERT_EQ(0, file_set(NEW_DEVICE, "hsw_gt2"));
	EXPECT_EQ(-ENOSPC, file_set(NEW_DEVICE, "hsw_gt2"));
	for (index = first; index < MAX_GPUS; index++)
		EXPECT_EQ(0, del_device(index));
	EXPECT_EQ(first, free_index());
}

TEST_HARNESS_MAIN
