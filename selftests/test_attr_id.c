// SPDX-License-Identifier: MIT
/*
 * test_attr_id.c - event attributes registered by GPUOA_IOC_ADD_ATTR and opened by id.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "event.h"
#include "kselftest_harness.h"
#include "sim.h"

FIXTURE(attr_id)
{
	int fd;
	struct gpuoa_attr gpuoa;
	struct gpuoa_register mux[2];
};

FIXTURE_SETUP(attr_id)
{
	self->fd = unit_open();
	ASSERT_LE(0, self->fd);
	self->gpuoa = test_oa_attr(9);
	self->mux[0] = (struct gpuoa_register){ 0x9840, 0x80 };
	self->mux[1] = (struct gpuoa_register){ 0x25100, 1 };
}

FIXTURE_TEARDOWN(attr_id)
{
	close(self->fd);
}

/* Register attributes. Return the id or -errno. */
static int add(int fd, const struct gpuoa_attr *attr)
{
	struct gpuoa_attr_handle handle = { .attr = (uintptr_t)attr };

	return ioctl(fd, GPUOA_IOC_ADD_ATTR, &handle) ? -errno : (int)handle.id;
}

static int remove_id(int fd, uint32_t id)
{
	return ioctl(fd, GPUOA_IOC_REMOVE_ATTR, &id) ? -errno : 0;
}

static struct perf_event_attr attr_by_id(uint64_t id)
{
	struct perf_event_attr attr = flat_attr(9, 0);

	attr.config = GPUOA_CONFIG_ATTR_ID_MASK;
	attr.config1 = id;
	return attr;
}

static int try_id(uint64_t id)
{
	struct perf_event_attr attr = attr_by_id(id);

	return event_try(&attr);
}

static void inline_registers(FIXTURE_DATA(attr_id) * self)
{
	self->gpuoa.metric_set = 0;
	self->gpuoa.n_mux = 2;
	self->gpuoa.mux = (uintptr_t)self->mux;
}

/* Call @attempt in a child without capabilities. Return its result, 0 or -errno. */
static int as_user(int (*attempt)(void *context), void *context, uid_t uid)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = {};
	int status;
	pid_t child = fork();

	if (!child) {
		if (uid && (setgroups(0, NULL) || setresuid(uid, uid, uid)))
			_exit(255);
		syscall(SYS_capset, &header, data);
		_exit(-attempt(context));
	}
	waitpid(child, &status, 0);
	return -WEXITSTATUS(status);
}

TEST_F(attr_id, opens_any_number_of_events)
{
	const int id = add(self->fd, &self->gpuoa);
	struct perf_event_attr attr = attr_by_id(id);
	struct reader first, second;

	ASSERT_LT(0, id);
	memset(&self->gpuoa, 0xff, sizeof(self->gpuoa));
	ASSERT_EQ(0, reader_open(&first, &attr, 9, 6));
	ASSERT_EQ(0, reader_open(&second, &attr, 9, 6));
	reader_enable(&first);
	reader_enable(&second);
	EXPECT_TRUE(reader_run_reports(&first, 3));
	EXPECT_TRUE(reader_run_reports(&second, 3));
	EXPECT_EQ(9, first.tally.stream.exponent);
	EXPECT_EQ(0, first.tally.errors);
	reader_close(&first);
	reader_close(&second);
}

TEST_F(attr_id, uses_the_period_of_the_event)
{
	struct perf_event_attr attr;
	int id;

	self->gpuoa.flags = 0;
	self->gpuoa.exponent = 0;
	id = add(self->fd, &self->gpuoa);
	ASSERT_LT(0, id);
	attr = attr_by_id(id);
	EXPECT_EQ(-EINVAL, event_try(&attr));
	attr.sample_period = 100000;
	EXPECT_EQ(0, event_try(&attr));
}

TEST_F(attr_id, holds_inline_registers)
{
	int id;

	inline_registers(self);
	id = add(self->fd, &self->gpuoa);
	ASSERT_LT(0, id);
	memset(self->mux, 0xff, sizeof(self->mux));
	EXPECT_EQ(0, try_id(id));
}

/* Unlike perf_event_open(), the ioctl can fault in pages. */
TEST_F(attr_id, reads_pages_that_are_not_mapped_yet)
{
	const size_t size = sysconf(_SC_PAGESIZE);
	const int memory = memfd_create("attributes", MFD_CLOEXEC);
	uint8_t *pages;

	ASSERT_LE(0, memory);
	ASSERT_EQ(0, ftruncate(memory, 2 * size));
	pages = mmap(NULL, 2 * size, PROT_READ, MAP_SHARED, memory, 0);
	ASSERT_NE(MAP_FAILED, (void *)pages);
	inline_registers(self);
	self->gpuoa.mux = (uintptr_t)pages + size;
	ASSERT_EQ(sizeof(self->gpuoa), pwrite(memory, &self->gpuoa, sizeof(self->gpuoa), 0));
	ASSERT_EQ(sizeof(self->mux), pwrite(memory, self->mux, sizeof(self->mux), size));
	EXPECT_LT(0, add(self->fd, (struct gpuoa_attr *)pages));
	munmap(pages, 2 * size);
	close(memory);
}

TEST_F(attr_id, is_removed_with_its_file)
{
	struct perf_event_attr attr;
	const int other = unit_open();
	const int id = add(self->fd, &self->gpuoa), others = add(other, &self->gpuoa);
	int event;

	ASSERT_LT(0, id);
	ASSERT_LT(0, others);
	attr = attr_by_id(others);
	event = event_open(&attr);
	ASSERT_LE(0, event);

	EXPECT_EQ(-ENOENT, remove_id(self->fd, others));
	EXPECT_EQ(-ENOENT, remove_id(self->fd, 0));
	EXPECT_EQ(0, close(other));
	EXPECT_EQ(-ENOENT, try_id(others));
	/* Removing the id does not affect the event. */
	EXPECT_EQ(0, ioctl(event, PERF_EVENT_IOC_ENABLE, 0));
	EXPECT_EQ(0, try_id(id));
	EXPECT_EQ(0, remove_id(self->fd, id));
	EXPECT_EQ(-ENOENT, remove_id(self->fd, id));
	EXPECT_EQ(-ENOENT, try_id(id));
	close(event);
}

TEST_F(attr_id, keeps_a_configuration_that_is_removed)
{
	struct gpuoa_config config = {
		.uuid = "01234567-89ab-cdef-0123-456789abcdef",
		.n_mux = 2,
		.mux = (uintptr_t)self->mux,
	};
	int id;

	ASSERT_EQ(0, ioctl(self->fd, GPUOA_IOC_ADD_CONFIG, &config));
	self->gpuoa.metric_set = config.id;
	id = add(self->fd, &self->gpuoa);
	EXPECT_LT(0, id);
	ASSERT_EQ(0, ioctl(self->fd, GPUOA_IOC_REMOVE_CONFIG, &config.id));
	EXPECT_EQ(0, try_id(id));
	EXPECT_EQ(-ENOENT, add(self->fd, &self->gpuoa));
}

TEST_F(attr_id, keeps_the_drm_file)
{
	uint32_t handle = 0;
	int id, drm = sim_drm_open();

	ASSERT_LE(0, drm);
	ASSERT_EQ(0, sim_context_create(drm, &handle));
	self->gpuoa.flags |= GPUOA_ATTR_CONTEXT;
	self->gpuoa.drm_fd = drm;
	self->gpuoa.context = 77;
	EXPECT_EQ(-ENOENT, add(self->fd, &self->gpuoa));
	self->gpuoa.context = handle;
	id = add(self->fd, &self->gpuoa);
	ASSERT_LT(0, id);
	close(drm);
	EXPECT_EQ(0, try_id(id));
	EXPECT_EQ(-EBADF, add(self->fd, &self->gpuoa));
	self->gpuoa.drm_fd = open("/dev/null", O_RDWR);
	EXPECT_EQ(-EXDEV, add(self->fd, &self->gpuoa));
	close(self->gpuoa.drm_fd);
}

TEST_F(attr_id, errors_of_attributes_are_those_of_events)
{
	struct {
		struct gpuoa_attr attr;
		uint64_t future;
	} big = { .attr = self->gpuoa, .future = 1 };

	big.attr.size = sizeof(big);
	EXPECT_EQ(-E2BIG, add(self->fd, &big.attr));
	EXPECT_EQ(sizeof(struct gpuoa_attr), big.attr.size);
	EXPECT_EQ(-EFAULT, add(self->fd, (struct gpuoa_attr *)8));
	self->gpuoa.exponent = 32;
	EXPECT_EQ(-ERANGE, add(self->fd, &self->gpuoa));
	self->gpuoa.exponent = 9;
	self->gpuoa.format = 8;
	EXPECT_EQ(-EINVAL, add(self->fd, &self->gpuoa));
	self->gpuoa.format = 0;
	self->gpuoa.counter = GPUOA_COUNTER_PEC(0);
	EXPECT_EQ(-ENODATA, add(self->fd, &self->gpuoa));
	self->gpuoa.counter = 0;
	self->gpuoa.metric_set = 4711;
	EXPECT_EQ(-ENOENT, add(self->fd, &self->gpuoa));
	inline_registers(self);
	self->gpuoa.mux = 8;
	EXPECT_EQ(-EFAULT, add(self->fd, &self->gpuoa));
	self->gpuoa.mux = (uintptr_t)self->mux;
	self->mux[1].address = 0x2360;
	EXPECT_EQ(-EINVAL, add(self->fd, &self->gpuoa));
	self->gpuoa.n_mux = GPUOA_MAX_REGISTERS + 1;
	EXPECT_EQ(-E2BIG, add(self->fd, &self->gpuoa));
}

TEST_F(attr_id, bad_arguments)
{
	struct gpuoa_attr_handle handle = { .attr = (uintptr_t)&self->gpuoa, .reserved = 1 };
	const int id = add(self->fd, &self->gpuoa);
	struct perf_event_attr attr = attr_by_id(id);

	ASSERT_LT(0, id);
	EXPECT_EQ(-1, ioctl(self->fd, GPUOA_IOC_ADD_ATTR, &handle));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, ioctl(self->fd, GPUOA_IOC_ADD_ATTR, 8));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ(-ENOENT, try_id(0));
	EXPECT_EQ(-ENOENT, try_id(id + 1));
	EXPECT_EQ(-ENOENT, try_id((uint64_t)id | 1ULL << 32));
	EXPECT_EQ(-ENOENT, try_id(UINT64_MAX));
	attr.config |= GPUOA_TEST_OA_ID;
	EXPECT_EQ(-EINVAL, event_try(&attr));
	attr.config = GPUOA_CONFIG_ATTR_ID_MASK;
	attr.config2 = 1;
	EXPECT_EQ(-EINVAL, event_try(&attr));
}

/* If the page for the result is not writable, the id is removed again. */
TEST_F(attr_id, efault_for_the_result_removes_the_id)
{
	const size_t size = sysconf(_SC_PAGESIZE);
	struct gpuoa_attr_handle *handle =
		mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int before = add(self->fd, &self->gpuoa);

	ASSERT_NE(MAP_FAILED, (void *)handle);
	handle->attr = (uintptr_t)&self->gpuoa;
	ASSERT_EQ(0, mprotect(handle, size, PROT_READ));
	EXPECT_EQ(-1, ioctl(self->fd, GPUOA_IOC_ADD_ATTR, handle));
	EXPECT_EQ(EFAULT, errno);
	EXPECT_EQ(-ENOENT, try_id(before + 1));
	munmap(handle, size);
}

struct attempt {
	int fd;
	const struct gpuoa_attr *attr;
	int id;
};

static int attempt_add(void *context)
{
	const struct attempt *attempt = context;
	const int id = add(attempt->fd, attempt->attr);

	return id < 0 ? id : 0;
}

static int attempt_open(void *context)
{
	const struct attempt *attempt = context;

	return try_id(attempt->id);
}

#define USER_IDS 64

static int attempt_many(void *context)
{
	const struct attempt *attempt = context;
	int i, id;

	for (i = 0; i < USER_IDS; i++) {
		id = add(attempt->fd, attempt->attr);
		if (id < 0)
			return -EPROTO;
	}
	if (add(attempt->fd, attempt->attr) != -EUSERS)
		return -EPROTO;
	return remove_id(attempt->fd, id) ?: add(attempt->fd, attempt->attr) < 0;
}

TEST_F(attr_id, permissions_are_those_of_events)
{
	const char *core = "/proc/sys/kernel/perf_event_paranoid";
	const char *own = "/proc/sys/dev/gpuoa/paranoid";
	struct attempt attempt = { .fd = self->fd, .attr = &self->gpuoa };
	char old[16];

	attempt.id = add(self->fd, &self->gpuoa);
	ASSERT_LT(0, attempt.id);
	snprintf(old, sizeof(old), "%lld", (long long)file_get(core));
	file_set(core, "-1");
	EXPECT_EQ(-EACCES, as_user(attempt_add, &attempt, 0));
	EXPECT_EQ(-EACCES, as_user(attempt_open, &attempt, 0));

	file_set(own, "0");
	EXPECT_EQ(0, as_user(attempt_add, &attempt, 0));
	EXPECT_EQ(0, as_user(attempt_open, &attempt, 0));
	/* An id of root cannot be used by other users. */
	EXPECT_EQ(-ENOENT, as_user(attempt_open, &attempt, 65534));
	/* An id does not confer privileges. */
	inline_registers(self);
	EXPECT_EQ(-EACCES, as_user(attempt_add, &attempt, 0));
	attempt.id = add(self->fd, &self->gpuoa);
	EXPECT_LT(0, attempt.id);
	EXPECT_EQ(-EACCES, as_user(attempt_open, &attempt, 0));
	EXPECT_EQ(0, try_id(attempt.id));
	file_set(own, "1");
	file_set(core, old);
}

TEST_F(attr_id, eusers_for_more_than_64_of_a_user)
{
	struct attempt attempt = { .fd = self->fd, .attr = &self->gpuoa };

	file_set("/proc/sys/dev/gpuoa/paranoid", "0");
	EXPECT_EQ(0, as_user(attempt_many, &attempt, 65534));
	file_set("/proc/sys/dev/gpuoa/paranoid", "1");
}

TEST_F(attr_id, enospc_for_more_than_4096_of_a_unit)
{
	int i;

	for (i = 0; i < 4096; i++)
		ASSERT_LT(0, add(self->fd, &self->gpuoa));
	EXPECT_EQ(-ENOSPC, add(self->fd, &self->gpuoa));
	close(self->fd);
	self->fd = unit_open();
	EXPECT_LT(0, add(self->fd, &self->gpuoa));
}

TEST_F(attr_id, perf_knows_the_format)
{
	char line[32] = "";
	FILE *file = fopen("/sys/bus/event_source/devices/gpuoa0/format/attr_id", "r");

	ASSERT_NE(NULL, file);
	ASSERT_NE(NULL, fgets(line, sizeof(line), file));
	EXPECT_STREQ("config1:0-31\n", line);
	fclose(file);
}

TEST_HARNESS_MAIN
