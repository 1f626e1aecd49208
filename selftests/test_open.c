// SPDX-License-Identifier: MIT
/*
 * test_open.c - attributes that perf_event_open() accepts and rejects: each errno of uapi/gpuoa.h.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/capability.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "event.h"
#include "kselftest_harness.h"
#include "sim.h"

TEST(flat_form_opens)
{
	struct perf_event_attr attr = flat_attr(9, 0);

	attr.sample_period = 1;
	EXPECT_EQ(0, event_try(&attr));
	attr = flat_attr(0, 100000);
	EXPECT_EQ(0, event_try(&attr));
	attr.freq = 1;
	attr.sample_freq = 10000;
	EXPECT_EQ(0, event_try(&attr));
}

TEST(extensible_form_opens)
{
	struct gpuoa_attr gpuoa = test_oa_attr(9);
	struct perf_event_attr attr = extensible_attr(&gpuoa);

	EXPECT_EQ(0, event_try(&attr));
	gpuoa.flags = 0;
	gpuoa.exponent = 0;
	attr.sample_period = 100000;
	EXPECT_EQ(0, event_try(&attr));
}

TEST(inline_configuration_opens)
{
	struct gpuoa_register mux[] = { { 0x9840, 0x80 }, { 0x25100, 1 } };
	struct gpuoa_attr gpuoa = test_oa_attr(9);
	struct perf_event_attr attr = extensible_attr(&gpuoa);

	gpuoa.metric_set = 0;
	gpuoa.n_mux = 2;
	gpuoa.mux = (uintptr_t)mux;
	EXPECT_EQ(0, event_try(&attr));
}

TEST(every_format_opens)
{
	uint32_t format;

	for (format = GPUOA_FORMAT_DEFAULT; format <= GPUOA_FORMAT_C4_B8; format++) {
		struct perf_event_attr attr = flat_attr(9, 1);

		attr.config |= (uint64_t)format << GPUOA_CONFIG_FORMAT_SHIFT;
		EXPECT_EQ(0, event_try(&attr));
	}
}

TEST(e2big_for_attributes_of_a_newer_version)
{
	struct {
		struct gpuoa_attr attr;
		uint64_t future;
	} big = { .attr = test_oa_attr(9) };
	struct perf_event_attr attr = extensible_attr(&big.attr);

	big.attr.size = sizeof(big);
	EXPECT_EQ(0, event_try(&attr));
	big.future = 1;
	EXPECT_EQ(-E2BIG, event_try(&attr));
	EXPECT_EQ(sizeof(struct gpuoa_attr), big.attr.size);
}

TEST(e2big_when_a_register_list_is_too_long)
{
	struct gpuoa_attr gpuoa = test_oa_attr(9);
	struct perf_event_attr attr = extensible_attr(&gpuoa);

	gpuoa.metric_set = 0;
	gpuoa.n_mux = GPUOA_MAX_REGISTERS + 1;
	EXPECT_EQ(-E2BIG, event_try(&attr));
}

static void drop_privileges(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = {};

	syscall(SYS_capset, &header, data);
}

#define OWN_PARANOID "/proc/sys/dev/gpuoa/paranoid"

/*
 * Try to open the event in a child without capabilities, with these values of
 * kernel.perf_event_paranoid and dev.gpuoa.paranoid.
 */
static int unprivileged_try_both(struct perf_event_attr *attr, const char *paranoid,
				 const char *own)
{
	const char *path = "/proc/sys/kernel/perf_event_paranoid";
	char old[16];
	int status;
	pid_t child;

	snprintf(old, sizeof(old), "%lld", (long long)file_get(path));
	file_set(path, paranoid);
	file_set(OWN_PARANOID, own);
	child = fork();
	if (!child) {
		drop_privileges();
		_exit(-event_try(attr));
	}
	waitpid(child, &status, 0);
	file_set(OWN_PARANOID, "1");
	file_set(path, old);
	return -WEXITSTATUS(status);
}

static int unprivileged_try(struct perf_event_attr *attr, const char *paranoid)
{
	return unprivileged_try_both(attr, paranoid, "0");
}

TEST(markers_need_the_permissions_of_events)
{
	struct gpuoa_marker mark = { .value = 1 };
	const int unit = unit_open();
	int status;
	pid_t child;

	child = fork();
	if (!child) {
		drop_privileges();
		_exit(ioctl(unit, GPUOA_IOC_INSERT_MARKER, &mark) ? errno : 0);
	}
	waitpid(child, &status, 0);
	EXPECT_EQ(EACCES, WEXITSTATUS(status));
	close(unit);
}

TEST(eacces_without_cap_perfmon)
{
	struct perf_event_attr attr = flat_attr(9, 1);

	ASSERT_EQ(1, file_get(OWN_PARANOID));
	EXPECT_EQ(-EACCES, unprivileged_try(&attr, "2"));
	EXPECT_EQ(-EACCES, unprivileged_try_both(&attr, "-1", "1"));
	EXPECT_EQ(-EACCES, unprivileged_try_both(&attr, "-1", "2"));
	EXPECT_EQ(0, unprivileged_try(&attr, "-1"));
	EXPECT_EQ(-EINVAL, file_set(OWN_PARANOID, "3"));
	EXPECT_EQ(-EINVAL, file_set(OWN_PARANOID, "-1"));
}

/* An open that fails because of permissions must not acquire the unit. */
TEST(refused_opens_do_not_acquire_the_unit)
{
	uint64_t opens = unit_get("statistics/opens");
	struct perf_event_attr attr = flat_attr(9, 1);

	EXPECT_EQ(-EACCES, unprivileged_try_both(&attr, "2", "1"));
	EXPECT_EQ(-EACCES, unprivileged_try_both(&attr, "1", "1"));
	attr.exclude_kernel = 1;
	EXPECT_EQ(-EINVAL, unprivileged_try_both(&attr, "2", "1"));
	EXPECT_EQ(-EINVAL, event_try(&attr));
	attr.exclude_kernel = 0;
	attr.exclude_guest = 1;
	EXPECT_EQ(-EINVAL, event_try(&attr));
	EXPECT_EQ(opens, unit_get("statistics/opens"));

	attr.exclude_guest = 0;
	EXPECT_EQ(0, event_try(&attr));
	EXPECT_EQ(opens + 1, unit_get("statistics/opens"));
}

/*
 * An open that fails because of permissions must not read user memory either, because a page fault
 * may block indefinitely.
 */
TEST(refused_opens_do_not_read_user_memory)
{
	struct perf_event_attr attr = flat_attr(9, 1);

	attr.config = 0;
	attr.config1 = 8;
	EXPECT_EQ(-EACCES, unprivileged_try_both(&attr, "1", "1"));
	EXPECT_EQ(-EFAULT, event_try(&attr));
}

TEST(eacces_for_inline_registers)
{
	struct gpuoa_register mux = { 0x9840, 0x80 };
	struct gpuoa_attr gpuoa = test_oa_attr(9);
	struct perf_event_attr attr = extensible_attr(&gpuoa);

	EXPECT_EQ(0, unprivileged_try(&attr, "-1"));
	gpuoa.metric_set = 0;
	gpuoa.n_mux = 1;
	gpuoa.mux = (uintptr_t)&mux;
	EXPECT_EQ(-EACCES, unprivileged_try(&attr, "-1"));
	EXPECT_EQ(0, event_try(&attr));
}

TEST(eacces_above_max_sample_rate)
{
	const char *limit = "/proc/sys/dev/gpuoa/max_sample_rate";
	struct perf_event_attr allowed = flat_attr(6, 1), fast = flat_attr(5, 1);

	ASSERT_EQ(100000, file_get(limit));
	EXPECT_EQ(0, unprivileged_try(&allowed, "-1"));
	EXPECT_EQ(-EACCES, unprivileged_try(&fast, "-1"));
	EXPECT_EQ(0, event_try(&fast));

	ASSERT_EQ(0, file_set(limit, "200000"));
	EXPECT_EQ(0, unprivileged_try(&fast, "-1"));
	ASSERT_EQ(0, file_set(limit, "100000"));
	EXPECT_EQ(-EINVAL, file_set(limit, "-1"));
}

TEST(ebadf_for_a_bad_drm_fd)
{
	struct gpuoa_attr gpuoa = test_oa_attr(9);
	struct perf_event_attr attr = extensible_attr(&gpuoa);

	gpuoa.flags |= GPUOA_ATTR_CONTEXT;
	gpuoa.drm_fd = 999;
	gpuoa.context = 1;
	EXPECT_EQ(-EBADF, event_try(&attr));
	gpuoa.drm_fd = -1;
	EXPECT_EQ(-EBADF, event_try(&attr));
}

TEST(exdev_for_another_devices_fd)
{
	struct gpuoa_attr gpuoa = test_oa_attr(9);
	struct perf_event_attr attr = extensible_attr(&gpuoa);
	int fd = open("/dev/null", O_RDWR);

	ASSERT_LE(0, fd);
	gpuoa.flags |= GPUOA_ATTR_CONTEXT;
	gpuoa.drm_fd = fd;
	gpuoa.context = 1;
	EXPECT_EQ(-EXDEV, event_try(&attr));
	close(fd);
}

TEST(enoent_for_an_unknown_context)
{
	struct gpuoa_attr gpuoa = test_oa_attr(9);
	struct perf_event_attr attr = extensible_attr(&gpuoa);
	uint32_t handle = 0;

	gpuoa.flags |= GPUOA_ATTR_CONTEXT;
	gpuoa.drm_fd = sim_drm_open();
	ASSERT_LE(0, gpuoa.drm_fd);
	gpuoa.context = 77;
	EXPECT_EQ(-ENOENT, event_try(&attr));

	ASSERT_EQ(0, sim_context_create(gpuoa.drm_fd, &handle));
	gpuoa.context = handle;
	EXPECT_EQ(0, event_try(&attr));
	ASSERT_EQ(0, sim_context_destroy(gpuoa.drm_fd, handle));
	EXPECT_EQ(-ENOENT, event_try(&attr));
	close(gpuoa.drm_fd);
}

TEST(enoent_for_an_unknown_configuration)
{
	struct perf_event_attr attr = flat_attr(9, 1);

	attr.config = (attr.config & ~GPUOA_CONFIG_METRIC_SET_MASK) | 4711;
	EXPECT_EQ(-ENOENT, event_try(&attr));
	attr.config &= ~GPUOA_CONFIG_METRIC_SET_MASK;
	EXPECT_EQ(-ENOENT, event_try(&attr));
}

TEST(ebusy_when_in_use_with_another_configuration)
{
	struct perf_event_attr attr = flat_attr(9, 1);
	int fd = event_open(&attr);

	ASSERT_LE(0, fd);
	attr = flat_attr(10, 1);
	EXPECT_EQ(-EBUSY, event_try(&attr));
	close(fd);
	EXPECT_EQ(0, event_try(&attr));
}

TEST(efault_for_bad_pointers)
{
	struct gpuoa_attr gpuoa = test_oa_attr(9);
	struct perf_event_attr attr = extensible_attr(&gpuoa);

	attr.config1 = 8;
	EXPECT_EQ(-EFAULT, event_try(&attr));
	attr.config1 = (uintptr_t)&gpuoa;
	gpuoa.metric_set = 0;
	gpuoa.n_boolean = 1;
	gpuoa.boolean = 8;
	EXPECT_EQ(-EFAULT, event_try(&attr));
	gpuoa.boolean = 0;
	EXPECT_EQ(-EFAULT, event_try(&attr));
}

/*
 * The perf core holds a lock of all PMUs during the open, so the open must not wait for user
 * memory.
 */
TEST(efault_for_attributes_that_are_not_mapped_yet)
{
	const size_t size = sysconf(_SC_PAGESIZE);
	const int memory = memfd_create("attributes", MFD_CLOEXEC);
	struct gpuoa_attr gpuoa = test_oa_attr(9);
	struct gpuoa_register boolean = { 0x2710, 0 };
	struct perf_event_attr attr;
	uint8_t *page;

	ASSERT_LE(0, memory);
	ASSERT_EQ(0, ftruncate(memory, size));
	page = mmap(NULL, size, PROT_READ, MAP_SHARED, memory, 0);
	ASSERT_NE(MAP_FAILED, (void *)page);
	ASSERT_EQ(sizeof(gpuoa), pwrite(memory, &gpuoa, sizeof(gpuoa), 0));
	attr = extensible_attr((struct gpuoa_attr *)page);
	EXPECT_EQ(-EFAULT, event_try(&attr));
	EXPECT_EQ(sizeof(gpuoa), ((volatile struct gpuoa_attr *)page)->size);
	EXPECT_EQ(0, event_try(&attr));
	munmap(page, size);

	/* The open must not wait for register lists in user memory either. */
	page = mmap(NULL, size, PROT_READ, MAP_SHARED, memory, 0);
	ASSERT_NE(MAP_FAILED, (void *)page);
	ASSERT_EQ(sizeof(boolean), pwrite(memory, &boolean, sizeof(boolean), 0));
	gpuoa.metric_set = 0;
	gpuoa.n_boolean = 1;
	gpuoa.boolean = (uintptr_t)page;
	attr = extensible_attr(&gpuoa);
	EXPECT_EQ(-EFAULT, event_try(&attr));
	EXPECT_EQ(boolean.address, ((volatile struct gpuoa_register *)page)->address);
	EXPECT_EQ(0, event_try(&attr));
	munmap(page, size);
	close(memory);
}

TEST(einval_for_a_task_event)
{
	struct perf_event_attr attr = flat_attr(9, 1);

	EXPECT_EQ(-1, syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0));
	EXPECT_EQ(EINVAL, errno);
	EXPECT_EQ(-1, syscall(SYS_perf_event_open, &attr, 0, 0, -1, 0));
	EXPECT_EQ(EINVAL, errno);
}

TEST(drm_fd_without_context_is_0_or_minus_1)
{
	struct gpuoa_attr gpuoa = test_oa_attr(9);
	struct perf_event_attr attr = extensible_attr(&gpuoa);

	gpuoa.drm_fd = -1;
	EXPECT_EQ(0, event_try(&attr));
	gpuoa.drm_fd = 1;
	EXPECT_EQ(-EINVAL, event_try(&attr));
}

TEST(einval_without_raw_samples)
{
	struct perf_event_attr attr = flat_attr(9, 1);

	attr.sample_type = PERF_SAMPLE_TIME;
	EXPECT_EQ(-EINVAL, event_try(&attr));
}

TEST(eopnotsupp_for_state_of_a_cpu)
{
	static const uint64_t never[] = {
		PERF_SAMPLE_CALLCHAIN, PERF_SAMPLE_BRANCH_STACK,   PERF_SAMPLE_REGS_INTR,
		PERF_SAMPLE_REGS_USER, PERF_SAMPLE_STACK_USER,	   PERF_SAMPLE_ADDR,
		PERF_SAMPLE_PHYS_ADDR, PERF_SAMPLE_WEIGHT,	   PERF_SAMPLE_WEIGHT_STRUCT,
		PERF_SAMPLE_DATA_SRC,  PERF_SAMPLE_TRANSACTION,	   PERF_SAMPLE_DATA_PAGE_SIZE,
		PERF_SAMPLE_CGROUP,    PERF_SAMPLE_CODE_PAGE_SIZE,
	};
	struct perf_event_attr attr;
	unsigned int i;

	for (i = 0; i < sizeof(never) / sizeof(*never); i++) {
		attr = flat_attr(9, 1);
		attr.sample_type |= never[i];
		attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY;
		attr.sample_regs_user = 1;
		attr.sample_regs_intr = 1;
		attr.sample_stack_user = 1024;
		EXPECT_EQ(-EOPNOTSUPP, event_try(&attr));
	}
	attr = flat_attr(9, 1);
	attr.precise_ip = 1;
	EXPECT_EQ(-EOPNOTSUPP, event_try(&attr));
	attr.precise_ip = 0;
	attr.sample_type |= PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
			    PERF_SAMPLE_PERIOD | PERF_SAMPLE_IDENTIFIER;
	EXPECT_EQ(0, event_try(&attr));
}

TEST(einval_for_reserved_flags)
{
	struct gpuoa_attr gpuoa = test_oa_attr(9);
	struct perf_event_attr attr = extensible_attr(&gpuoa);
	uint64_t *const lists[] = { (uint64_t *)&gpuoa.mux, (uint64_t *)&gpuoa.boolean,
				    (uint64_t *)&gpuoa.flex };
	int i;

	attr.exclusive = 1;
	EXPECT_EQ(-EINVAL, event_try(&attr));
	attr.exclusive = 0;
	attr.bp_type = 1;
	EXPECT_EQ(-EINVAL, event_try(&attr));
	attr.bp_type = 0;
	for (i = 0; i < 3; i++) {
		*lists[i] = (uintptr_t)&gpuoa;
		EXPECT_EQ(-EINVAL, event_try(&attr));
		*lists[i] = 0;
	}
	EXPECT_EQ(0, event_try(&attr));
}

TEST(erange_for_a_short_poll_period)
{
	struct gpuoa_attr gpuoa = test_oa_attr(9);
	struct perf_event_attr attr = extensible_attr(&gpuoa);

	gpuoa.poll_us = GPUOA_POLL_US_MIN - 1;
	EXPECT_EQ(-ERANGE, event_try(&attr));
	gpuoa.poll_us = GPUOA_POLL_US_MIN;
	EXPECT_EQ(0, event_try(&attr));
	gpuoa.poll_us = UINT32_MAX;
	EXPECT_EQ(0, event_try(&attr));
}

TEST(einval_without_a_sampling_period)
{
	struct perf_event_attr attr = flat_attr(0, 0);

	EXPECT_EQ(-EINVAL, event_try(&attr));
}

TEST(einval_for_reserved_bits)
{
	struct perf_event_attr attr = flat_attr(9, 1);
	struct gpuoa_attr gpuoa = test_oa_attr(9);
	int bit;

	for (bit = 48; bit < 63; bit++) {
		attr = flat_attr(9, 1);
		attr.config |= 1ULL << bit;
		EXPECT_EQ(-EINVAL, event_try(&attr));
	}
	attr = flat_attr(9, 1);
	attr.config2 = 1;
	EXPECT_EQ(-EINVAL, event_try(&attr));

	attr = extensible_attr(&gpuoa);
	attr.config = 1;
	EXPECT_EQ(-EINVAL, event_try(&attr));
	attr.config = 0;
	gpuoa.flags |= 8;
	EXPECT_EQ(-EINVAL, event_try(&attr));
}

/* Linux 6.19 has added config4; older versions do not know the words after config3. */
TEST(einval_or_e2big_for_config4)
{
	struct {
		struct perf_event_attr attr;
		uint64_t rest[4];
	} larger = { .attr = flat_attr(9, 1) };
	const size_t config4 = 136;
	int ret;

	EXPECT_EQ(0, event_try(&larger.attr));
	larger.attr.size = config4 + sizeof(uint64_t);
	EXPECT_EQ(0, event_try(&larger.attr));
	((char *)&larger)[config4] = 1;
	ret = event_try(&larger.attr);
	EXPECT_TRUE(ret == -EINVAL || ret == -E2BIG);
}

TEST(einval_for_fields_without_their_flag)
{
	struct gpuoa_attr gpuoa = test_oa_attr(9);
	struct perf_event_attr attr = extensible_attr(&gpuoa);

	attr.sample_period = 100000;
	gpuoa.flags = 0;
	EXPECT_EQ(-EINVAL, event_try(&attr));
	gpuoa.exponent = 0;
	EXPECT_EQ(0, event_try(&attr));
	gpuoa.context = 1;
	EXPECT_EQ(-EINVAL, event_try(&attr));
}

TEST(einval_for_an_unknown_format)
{
	struct perf_event_attr attr = flat_attr(9, 1);

	attr.config |= 8ULL << GPUOA_CONFIG_FORMAT_SHIFT;
	EXPECT_EQ(-EINVAL, event_try(&attr));
}

TEST(einval_for_registers_off_the_whitelist)
{
	struct gpuoa_register regs[] = { { 0x9888, 0 }, { 0x2360, 1 } };
	struct gpuoa_attr gpuoa = test_oa_attr(9);
	struct perf_event_attr attr = extensible_attr(&gpuoa);

	gpuoa.metric_set = 0;
	EXPECT_EQ(-EINVAL, event_try(&attr)); /* no register at all */
	gpuoa.mux = (uintptr_t)regs;
	gpuoa.n_mux = 1;
	EXPECT_EQ(0, event_try(&attr));
	gpuoa.n_mux = 2;
	EXPECT_EQ(-EINVAL, event_try(&attr));
	gpuoa.n_mux = 1;
	gpuoa.metric_set = GPUOA_TEST_OA_ID; /* both kinds of configuration */
	EXPECT_EQ(-EINVAL, event_try(&attr));
}

TEST(einval_for_an_odd_buffer_size)
{
	struct gpuoa_attr gpuoa = test_oa_attr(9);
	struct perf_event_attr attr = extensible_attr(&gpuoa);

	gpuoa.buffer_size = 3 << 17;
	EXPECT_EQ(-EINVAL, event_try(&attr));
}

TEST(einval_for_a_struct_that_is_too_short)
{
	struct gpuoa_attr gpuoa = test_oa_attr(9);
	struct perf_event_attr attr = extensible_attr(&gpuoa);

	gpuoa.size = 8;
	EXPECT_EQ(-EINVAL, event_try(&attr));
}

TEST(eopnotsupp_for_missing_features)
{
	struct gpuoa_register flex = { 0xe458, 0 };
	struct gpuoa_attr gpuoa = test_oa_attr(9);
	struct perf_event_attr attr = extensible_attr(&gpuoa);

	gpuoa.metric_set = 0;
	gpuoa.n_flex = 1;
	gpuoa.flex = (uintptr_t)&flex;
	EXPECT_EQ(-EOPNOTSUPP, event_try(&attr));

	attr = flat_attr(9, 1);
	attr.sample_type |= PERF_SAMPLE_BRANCH_STACK;
	attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_USER;
	EXPECT_EQ(-EOPNOTSUPP, event_try(&attr));
}

TEST(erange_beyond_the_hardware)
{
	struct gpuoa_attr gpuoa = test_oa_attr(32);
	struct perf_event_attr attr = extensible_attr(&gpuoa);

	EXPECT_EQ(-ERANGE, event_try(&attr));
	gpuoa.exponent = 9;
	gpuoa.buffer_size = 1 << 16;
	EXPECT_EQ(-ERANGE, event_try(&attr));
	gpuoa.buffer_size = 1 << 25;
	EXPECT_EQ(-ERANGE, event_try(&attr));

	attr = flat_attr(32, 1);
	EXPECT_EQ(-ERANGE, event_try(&attr));
	attr = flat_attr(0, 159);
	EXPECT_EQ(-ERANGE, event_try(&attr));
	attr = flat_attr(0, 160);
	EXPECT_EQ(0, event_try(&attr));
}

TEST(einval_for_a_new_period)
{
	struct perf_event_attr attr = flat_attr(9, 1);
	uint64_t period = 1000;
	int fd = event_open(&attr);

	ASSERT_LE(0, fd);
	EXPECT_EQ(-1, ioctl(fd, PERF_EVENT_IOC_PERIOD, &period));
	EXPECT_EQ(EINVAL, errno);
	close(fd);
}

#define NOA_DELAY "/sys/module/gpuoa/parameters/noa_delay_us"

static uint64_t open_ns(void)
{
	struct perf_event_attr attr = flat_attr(9, 1);
	struct timespec begin, end;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	if (event_try(&attr))
		return 0;
	clock_gettime(CLOCK_MONOTONIC, &end);
	return (end.tv_sec - begin.tv_sec) * 1000000000ULL + end.tv_nsec - begin.tv_nsec;
}

/*
 * Opening an event waits for the delay of the MUX. The administrator's delay overrides that of the
 * simulator.
 */
TEST(open_waits_for_the_mux)
{
	uint64_t fastest = UINT64_MAX, delay_us, ns;
	char text[32];
	int i;

	for (i = 0; i < 10; i++) {
		ns = open_ns();
		EXPECT_NE(0, ns);
		if (ns < fastest)
			fastest = ns;
	}

	/* Set a delay that is longer than the fastest open without a delay, on any machine. */
	delay_us = 150000 + 2 * fastest / 1000;
	snprintf(text, sizeof(text), "%" PRIu64, delay_us);
	ASSERT_EQ(0, file_set(NOA_DELAY, text));
	EXPECT_LE(delay_us * 1000, open_ns());
	EXPECT_EQ(0, file_set(NOA_DELAY, "0"));
}

TEST(refused_opens_release_everything)
{
	struct gpuoa_attr gpuoa = test_oa_attr(9);
	struct perf_event_attr bad = extensible_attr(&gpuoa), good = flat_attr(9, 1);

	gpuoa.flags |= GPUOA_ATTR_CONTEXT;
	gpuoa.drm_fd = 999;
	EXPECT_EQ(-EBADF, event_try(&bad));
	EXPECT_EQ(0, event_try(&good));
	EXPECT_EQ(0, sim_get("asleep_accesses"));
	EXPECT_EQ(0, sim_get("unknown_accesses"));
}

TEST_HARNESS_MAIN
