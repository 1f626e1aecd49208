// SPDX-License-Identifier: MIT
/*
 * test_unit.c - information about a unit: ioctls, sysfs, clocks.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/capability.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "event.h"
#include "kselftest_harness.h"
#include "sim.h"

FIXTURE(unit)
{
	int fd;
};

FIXTURE_SETUP(unit)
{
	self->fd = unit_open();
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(unit)
{
	close(self->fd);
}

TEST_F(unit, info_describes_haswell_gt2)
{
	struct gpuoa_unit_info info;

	ASSERT_EQ(0, ioctl(self->fd, GPUOA_IOC_UNIT_INFO, &info));
	EXPECT_STREQ("hsw", info.platform);
	EXPECT_STREQ("gpuoa0", info.pmu);
	EXPECT_EQ(pmu_type(), info.pmu_type);
	EXPECT_EQ(HSW_FREQUENCY, info.timestamp_frequency);
	EXPECT_EQ(32, info.timestamp_bits);
	EXPECT_EQ(0xfe, info.formats[0]);
	EXPECT_EQ(0, info.formats[1]);
	EXPECT_EQ(3, info.subslice_mask[0]);
	EXPECT_EQ(0, info.subslice_mask[1]);
	EXPECT_EQ(GPUOA_FORMAT_A45_B8_C8, info.default_format);
	EXPECT_EQ(31, info.exponent_max);
	EXPECT_EQ(128 << 10, info.buffer_size_min);
	EXPECT_EQ(16 << 20, info.buffer_size_max);
	EXPECT_EQ(1, info.n_slices);
	EXPECT_EQ(2, info.n_subslices);
	EXPECT_EQ(20, info.n_eus);
	EXPECT_EQ(7, info.threads_per_eu);
	EXPECT_EQ(3, info.subslice_stride);
	EXPECT_EQ(0, info.l3_bank_mask);
	EXPECT_EQ(0, info.n_compute_engines);
	EXPECT_EQ(GPUOA_UNIT_OA, info.unit_type);
	EXPECT_EQ(0, info.reserved);
	EXPECT_EQ(0, info.reserved2);
	EXPECT_EQ(GPUOA_FEATURE_CONTEXT | GPUOA_FEATURE_BATCH_BOUNDARY_REPORTS |
			  GPUOA_FEATURE_HALF_FULL | GPUOA_FEATURE_OWN_REPORTS |
			  GPUOA_FEATURE_FREQUENCY | GPUOA_FEATURE_AUX | GPUOA_FEATURE_ZERO_COPY |
			  GPUOA_FEATURE_CONTEXT_NAMES,
		  info.features);
	EXPECT_EQ(HSW_FREQUENCY, info.cs_timestamp_frequency);
	EXPECT_EQ(36, info.cs_timestamp_bits);
	EXPECT_EQ(0, info.tile);
	EXPECT_EQ(0, info.gt);
	ASSERT_EQ(1, info.n_engines);
	EXPECT_EQ(GPUOA_ENGINE_CLASS_RENDER, info.engines[0].engine_class);
	EXPECT_EQ(0, info.engines[0].instance);
	EXPECT_EQ(-1, ioctl(self->fd, GPUOA_IOC_UNIT_INFO, 8));
	EXPECT_EQ(EFAULT, errno);
}

TEST_F(unit, sysfs_equals_info)
{
	char platform[16] = "", unit[16] = "";
	FILE *file = fopen("/sys/class/gpuoa/gpuoa0/platform", "r");

	ASSERT_NE(NULL, file);
	EXPECT_EQ(1, fscanf(file, "%15s", platform));
	EXPECT_STREQ("hsw", platform);
	fclose(file);

	file = fopen("/sys/class/gpuoa/gpuoa0/unit", "r");
	ASSERT_NE(NULL, file);
	EXPECT_EQ(1, fscanf(file, "%15s", unit));
	EXPECT_STREQ("OA", unit);
	fclose(file);

	EXPECT_EQ(0, unit_get("tile"));
}

TEST_F(unit, ioctl_zeroes_the_rest_of_a_longer_struct)
{
	struct {
		struct gpuoa_unit_info info;
		uint64_t later;
	} newer;
	struct gpuoa_unit_info info;

	memset(&newer, 0xff, sizeof(newer));
	ASSERT_EQ(0, ioctl(self->fd, GPUOA_IOC_UNIT_INFO, &info));
	ASSERT_EQ(0, ioctl(self->fd, _IOC(_IOC_READ, 'O', 0x40, sizeof(newer)), &newer));
	EXPECT_EQ(0, memcmp(&info, &newer.info, sizeof(info)));
	EXPECT_EQ(0, newer.later);
}

/* Unit and stream files reject each other's ioctls. */
TEST_F(unit, ioctl_with_other_direction_returns_enotty)
{
	static const unsigned int streams[] = { GPUOA_STREAM_IOC_ENABLE, GPUOA_STREAM_IOC_DISABLE,
						GPUOA_STREAM_IOC_STATUS };
	static const unsigned int units[] = {
		GPUOA_IOC_UNIT_INFO,   GPUOA_IOC_ADD_CONFIG,	GPUOA_IOC_REMOVE_CONFIG,
		GPUOA_IOC_GET_CLOCK,   GPUOA_IOC_INSERT_MARKER, GPUOA_IOC_ADD_ATTR,
		GPUOA_IOC_REMOVE_ATTR, GPUOA_IOC_OPEN_STREAM,	GPUOA_IOC_GET_USER,
		GPUOA_IOC_RECONFIGURE, GPUOA_IOC_PIN_FREQ,	GPUOA_IOC_GET_CONTEXT_OWNER,
	};
	static const unsigned int directions[] = { _IOC_NONE, _IOC_READ, _IOC_WRITE,
						   _IOC_READ | _IOC_WRITE };
	uint8_t room[4096] = { 0 };
	unsigned int i, j, other;

	for (i = 0; i < sizeof(streams) / sizeof(*streams); i++) {
		EXPECT_EQ(-1, ioctl(self->fd, streams[i], room));
		EXPECT_EQ(ENOTTY, errno);
	}
	for (i = 0; i < sizeof(units) / sizeof(*units); i++) {
		for (j = 0; j < sizeof(directions) / sizeof(*directions); j++) {
			other = _IOC(directions[j], 'O', _IOC_NR(units[i]), _IOC_SIZE(units[i]));
			if (other == units[i])
				continue;
			EXPECT_EQ(-1, ioctl(self->fd, other, room));
			EXPECT_EQ(ENOTTY, errno);
		}
		/* A struct must not be shorter than its first version. */
		other = _IOC(_IOC_DIR(units[i]), 'O', _IOC_NR(units[i]), 3);
		EXPECT_EQ(-1, ioctl(self->fd, other, room));
		EXPECT_EQ(EINVAL, errno);
	}
	EXPECT_EQ(-1, ioctl(self->fd, _IOR('N', 0x40, struct gpuoa_unit_info), room));
	EXPECT_EQ(ENOTTY, errno);
}

TEST_F(unit, files_have_restricted_modes)
{
	static const char *const statistics[] = {
		"reports_forwarded", "reports_lost", "overflows", "resets", "opens", "polls",
		"interrupts"
	};
	struct stat stat;
	char path[100];
	unsigned int i;

	ASSERT_EQ(0, fstat(self->fd, &stat));
	EXPECT_EQ(0660, stat.st_mode & 0777);
	for (i = 0; i < sizeof(statistics) / sizeof(*statistics); i++) {
		snprintf(path, sizeof(path), "/sys/class/gpuoa/gpuoa0/statistics/%s",
			 statistics[i]);
		ASSERT_EQ(0, lstat(path, &stat));
		EXPECT_EQ(0400, stat.st_mode & 0777);
	}
}

/* Unprivileged reads of an idle GPU's clock are rate-limited, so that the GPU can sleep. */
TEST_F(unit, get_clock_of_a_suspended_gpu_is_rate_limited)
{
	struct gpuoa_clock clock = { .clock_id = CLOCK_MONOTONIC };
	struct timespec begin, end;
	unsigned int i;
	pid_t child;
	int status;

	child = fork();
	if (!child) {
		if (setresuid(65534, 65534, 65534))
			_exit(1);
		clock_gettime(CLOCK_MONOTONIC, &begin);
		for (i = 0; i < 6; i++)
			if (ioctl(self->fd, GPUOA_IOC_GET_CLOCK, &clock))
				_exit(2);
		clock_gettime(CLOCK_MONOTONIC, &end);
		_exit(end.tv_sec - begin.tv_sec + (end.tv_nsec - begin.tv_nsec) / 1e9 < 0.04 ? 3 :
											       0);
	}
	ASSERT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
}

#define MHZ 1000000ull

static int frequency_ioctl(int fd, uint32_t flags, uint64_t hz, uint64_t *now)
{
	struct gpuoa_freq_pin_arg frequency = { .flags = flags, .hz = hz };

	if (ioctl(fd, GPUOA_IOC_PIN_FREQ, &frequency))
		return -errno;
	*now = frequency.hz;
	return 0;
}

static int frequency_pin(int fd, uint64_t hz, uint64_t *now)
{
	return frequency_ioctl(fd, GPUOA_PIN_FREQ_SET, hz, now);
}

TEST_F(unit, clock_is_pinned_at_the_nearest_step)
{
	uint64_t now = 1;

	EXPECT_EQ(0, frequency_ioctl(self->fd, 0, 0, &now));
	EXPECT_EQ(0, now);
	EXPECT_EQ(0, frequency_pin(self->fd, 730 * MHZ, &now));
	EXPECT_EQ(750 * MHZ, now);
	EXPECT_EQ(0, frequency_ioctl(self->fd, 0, 0, &now));
	EXPECT_EQ(750 * MHZ, now);
	EXPECT_EQ(0, frequency_pin(self->fd, 350 * MHZ, &now));
	EXPECT_EQ(350 * MHZ, now);
	EXPECT_EQ(0, frequency_pin(self->fd, 0, &now));
	EXPECT_EQ(0, now);
	/* Releasing a pin that does not exist succeeds. */
	EXPECT_EQ(0, frequency_pin(self->fd, 0, &now));
}

TEST_F(unit, clock_belongs_to_a_file_until_that_is_closed)
{
	int other = unit_open(), status;
	uint64_t now = 1;
	pid_t child;

	ASSERT_LE(0, other);
	EXPECT_EQ(0, frequency_pin(self->fd, 500 * MHZ, &now));
	EXPECT_EQ(-EBUSY, frequency_pin(other, 600 * MHZ, &now));
	EXPECT_EQ(-EBUSY, frequency_pin(other, 0, &now));
	EXPECT_EQ(0, frequency_ioctl(other, 0, 0, &now));
	EXPECT_EQ(0, now);
	EXPECT_EQ(0, frequency_pin(self->fd, 0, &now));

	/* The process is killed while it holds the pin. */
	child = fork();
	if (!child) {
		int fd = unit_open();

		_exit(frequency_pin(fd, 500 * MHZ, &now) || raise(SIGKILL));
	}
	waitpid(child, &status, 0);
	EXPECT_TRUE(WIFSIGNALED(status));
	EXPECT_EQ(0, frequency_pin(other, 600 * MHZ, &now));
	close(other);
	EXPECT_EQ(0, frequency_pin(self->fd, 1200 * MHZ, &now));
}

TEST_F(unit, pin_freq_checks_limits_and_permission)
{
	struct gpuoa_freq_pin_arg reserved = { .reserved = 1 };
	uint64_t now = 1;
	int status;
	pid_t child;

	EXPECT_EQ(-ERANGE, frequency_pin(self->fd, 350 * MHZ - 1, &now));
	EXPECT_EQ(-ERANGE, frequency_pin(self->fd, 1200 * MHZ + 1, &now));
	EXPECT_EQ(-EINVAL, frequency_ioctl(self->fd, 2, 0, &now));
	EXPECT_EQ(-1, ioctl(self->fd, GPUOA_IOC_PIN_FREQ, &reserved));
	EXPECT_EQ(EINVAL, errno);
	child = fork();
	if (!child) {
		struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
		struct __user_cap_data_struct data[2] = {};

		data[CAP_TO_INDEX(CAP_PERFMON)].effective = CAP_TO_MASK(CAP_PERFMON);
		data[CAP_TO_INDEX(CAP_PERFMON)].permitted = CAP_TO_MASK(CAP_PERFMON);
		if (syscall(SYS_capset, &header, data))
			_exit(1);
		_exit(frequency_pin(self->fd, 500 * MHZ, &now) != -EPERM ||
		      frequency_ioctl(self->fd, 0, 0, &now));
	}
	waitpid(child, &status, 0);
	EXPECT_EQ(0, status);
}

static int64_t clock_ns(int clock_id)
{
	struct timespec now;

	clock_gettime(clock_id, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

TEST_F(unit, get_clock_lies_between_two_clock_reads)
{
	static const int clocks[] = { CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW, CLOCK_BOOTTIME,
				      CLOCK_REALTIME, CLOCK_TAI };
	struct gpuoa_clock perf = { .clock_id = GPUOA_CLOCK_PERF };
	uint64_t last = 0;
	size_t i;

	for (i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++) {
		struct gpuoa_clock clock = { .clock_id = clocks[i] };
		int64_t before = clock_ns(clocks[i]), after;

		ASSERT_EQ(0, ioctl(self->fd, GPUOA_IOC_GET_CLOCK, &clock));
		after = clock_ns(clocks[i]);
		EXPECT_LE(before, (int64_t)clock.cpu_ns);
		EXPECT_LE((int64_t)clock.cpu_ns, after);
		EXPECT_LE(clock.error_ns, after - before);
	}
	/* Programs cannot read perf's clock to compare it, so only check that it is monotonic. */
	for (i = 0; i < 3; i++) {
		ASSERT_EQ(0, ioctl(self->fd, GPUOA_IOC_GET_CLOCK, &perf));
		EXPECT_LT(last, perf.cpu_ns);
		last = perf.cpu_ns;
	}
}

TEST_F(unit, get_clock_advances_with_the_cpu_clock)
{
	struct gpuoa_clock a = { .clock_id = CLOCK_MONOTONIC }, b = a;
	int64_t gpu_ns, cpu_ns, allowed;

	ASSERT_EQ(0, ioctl(self->fd, GPUOA_IOC_GET_CLOCK, &a));
	usleep(100000);
	ASSERT_EQ(0, ioctl(self->fd, GPUOA_IOC_GET_CLOCK, &b));
	gpu_ns = (b.gpu_ticks - a.gpu_ticks) * 80;
	cpu_ns = b.cpu_ns - a.cpu_ns;
	allowed = a.error_ns + b.error_ns + 160;
	EXPECT_LE(gpu_ns, cpu_ns + allowed);
	EXPECT_LE(cpu_ns, gpu_ns + allowed);
}

TEST_F(unit, einval_for_an_unknown_clock)
{
	struct gpuoa_clock clock = { .clock_id = CLOCK_PROCESS_CPUTIME_ID };

	EXPECT_EQ(-1, ioctl(self->fd, GPUOA_IOC_GET_CLOCK, &clock));
	EXPECT_EQ(EINVAL, errno);
}

TEST(statistics_count_opens)
{
	struct perf_event_attr attr = flat_attr(9, 1);
	uint64_t opens = unit_get("statistics/opens");

	ASSERT_NE(UINT64_MAX, opens);
	EXPECT_EQ(0, event_try(&attr));
	EXPECT_EQ(0, event_try(&attr));
	EXPECT_EQ(opens + 2, unit_get("statistics/opens"));
}

TEST_HARNESS_MAIN
