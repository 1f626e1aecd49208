// SPDX-License-Identifier: MIT
/*
 * test_memory.c - accounting of OABUFFER memory, and its limits.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "event.h"
#include "gpu_unit.h"
#include "kselftest_harness.h"
#include "sim.h"

#define MIB (1 << 20)

static void write_to(const char *dir, const char *file, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	file_set(path, text);
}

static uint64_t read_from(const char *dir, const char *file)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	return file_get(path);
}

/* In a new memory cgroup: check that opening an event charges @size to it. */
static void open_in_group(const char *group, uint32_t size)
{
	struct gpuoa_attr gpuoa = test_oa_attr(9);
	struct perf_event_attr attr = extensible_attr(&gpuoa);
	uint64_t before, after;

	write_to(group, "cgroup.procs", "0");
	gpuoa.buffer_size = size;
	before = read_from(group, "memory.current");
	if (event_open(&attr) < 0)
		_exit(2);
	after = read_from(group, "memory.current");
	_exit(after < before + size);
}

TEST(buffer_is_charged_to_the_opening_user)
{
	char root[] = "/tmp/gpuoa.cgroup.XXXXXX", group[64];
	int status = -1;
	pid_t child;

	ASSERT_NE(NULL, mkdtemp(root));
	ASSERT_EQ(0, mount("none", root, "cgroup2", 0, NULL));
	write_to(root, "cgroup.subtree_control", "+memory");
	snprintf(group, sizeof(group), "%s/test", root);
	ASSERT_EQ(0, mkdir(group, 0755));
	if (read_from(group, "memory.current") == UINT64_MAX) {
		rmdir(group);
		umount(root);
		SKIP(return, "no memory controller");
	}
	child = fork();
	if (!child)
		open_in_group(group, 16 * MIB);
	waitpid(child, &status, 0);
	EXPECT_TRUE(WIFEXITED(status));
	EXPECT_EQ(0, WEXITSTATUS(status));
	EXPECT_EQ(0, rmdir(group));
	umount(root);
	rmdir(root);
}

static void drop_privileges(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = {};

	syscall(SYS_capset, &header, data);
}

static int unprivileged_try(struct perf_event_attr *attr)
{
	pid_t child = fork();
	int status;

	if (!child) {
		drop_privileges();
		_exit(-event_try(attr));
	}
	waitpid(child, &status, 0);
	return -WEXITSTATUS(status);
}

TEST(large_buffers_need_cap_perfmon)
{
	const char *paranoid = "/proc/sys/kernel/perf_event_paranoid";
	struct gpuoa_attr gpuoa = test_oa_attr(9);
	struct perf_event_attr attr = extensible_attr(&gpuoa);
	struct gpu_unit unit;
	char old[16];

	ASSERT_EQ(0, file_set("/sys/bus/gpuoa_sim/new_device", "lnl"));
	ASSERT_TRUE(gpu_unit_find(&unit, "lnl", "OA"));
	attr.type = unit.pmu_type;
	snprintf(old, sizeof(old), "%d", (int)(int64_t)file_get(paranoid));
	ASSERT_EQ(0, file_set(paranoid, "-1"));
	ASSERT_EQ(0, file_set("/proc/sys/dev/gpuoa/paranoid", "0"));

	gpuoa.buffer_size = 16 * MIB;
	EXPECT_EQ(0, unprivileged_try(&attr));
	gpuoa.buffer_size = 32 * MIB;
	EXPECT_EQ(-EACCES, unprivileged_try(&attr));
	EXPECT_EQ(0, event_try(&attr));

	file_set("/proc/sys/dev/gpuoa/paranoid", "1");
	file_set(paranoid, old);
	EXPECT_EQ(0, file_set("/sys/bus/gpuoa_sim/del_device", strrchr(unit.gpu, '/') + 1));
}

TEST_HARNESS_MAIN
