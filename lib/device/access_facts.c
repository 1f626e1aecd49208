// SPDX-License-Identifier: MIT
/*
 * access_facts.c - collects what decides whether a process may sample
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "device/access.h"
#include "base/sysfs.h"
#include "source/i915/i915.h"
#include "source/origins/origins.h"
#include "source/pmu/pmu.h"

static bool read_line(const char *root, const char *path, char *line, size_t size)
{
	char whole[PATH_MAX];

	*line = '\0';
	return sysfs_path(whole, root, "%s", path) && sysfs_line(whole, line, size);
}

static int64_t read_number(const char *root, const char *path)
{
	char whole[PATH_MAX];

	return sysfs_path(whole, root, "%s", path) ? sysfs_number(whole) : SYSFS_NONE;
}

/* The state is the word in brackets: "none [integrity] confidentiality". */
static enum access_lockdown read_lockdown(const char *root)
{
	char line[64];

	read_line(root, "/sys/kernel/security/lockdown", line, sizeof(line));
	if (strstr(line, "[confidentiality]"))
		return LOCKDOWN_CONFIDENTIALITY;
	return strstr(line, "[integrity]") ? LOCKDOWN_INTEGRITY : LOCKDOWN_NONE;
}

/* The kernel asks for capabilities of the initial namespace, which maps all ids to themselves. */
static bool in_user_namespace(const char *root)
{
	unsigned long first = 0, outside = 0, count = UINT32_MAX;
	char line[64];

	if (read_line(root, "/proc/self/uid_map", line, sizeof(line)))
		sscanf(line, "%lu %lu %lu", &first, &outside, &count);
	return first || outside || count != UINT32_MAX;
}

static bool has_capability(const struct __user_cap_data_struct *data, unsigned int capability)
{
	return data[CAP_TO_INDEX(capability)].effective & CAP_TO_MASK(capability);
}

/* libcap would be one more dependency. */
static void read_capabilities(struct access_facts *facts)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = { 0 };

	if (syscall(SYS_capget, &header, data))
		return;
	facts->sys_admin = has_capability(data, CAP_SYS_ADMIN);
	facts->perfmon = facts->sys_admin || has_capability(data, CAP_PERFMON);
	facts->ipc_lock = has_capability(data, CAP_IPC_LOCK);
}

/* An event of a CPU that counts nothing: it needs what one of a unit needs of perf. */
static int try_perf(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.disabled = 1,
	};
	const long fd = syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0)
		return errno;
	close((int)fd);
	return 0;
}

static int try_node(const char *path)
{
	const int fd = open(path, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

static int collect_unit(const char *unit, struct access_facts *facts)
{
	const int units = pmu_origin.list(NULL, 0);
	const struct origin *origin;
	int err;

	facts->units = units > 0 ? (unsigned int)units : 0;
	*facts->i915_unit = '\0';
	i915_origin.list(&facts->i915_unit, 1);
	err = origin_find(unit, &origin, facts->unit);
	if (err)
		return err == -ENODEV ? 0 : err;
	facts->xe = !strcmp(origin->name, "xe");
	facts->stock = facts->xe || !strcmp(origin->name, "i915");
	origin->find_node(facts->unit, facts->path, sizeof(facts->path));
	facts->node = try_node(facts->path);
	return 0;
}

int access_collect(const char *root, const char *unit, struct access_facts *facts)
{
	struct rlimit limit = { 0 };
	char path[PATH_MAX];

	*facts = (struct access_facts){
		.lockdown = read_lockdown(root),
		.paranoid = read_number(root, "/proc/sys/dev/gpuoa/paranoid"),
		.perf_paranoid = read_number(root, "/proc/sys/kernel/perf_event_paranoid"),
		.sample_rate = read_number(root, "/proc/sys/dev/gpuoa/max_sample_rate"),
		.i915_paranoid = read_number(root, "/proc/sys/dev/i915/perf_stream_paranoid"),
		.i915_rate = read_number(root, "/proc/sys/dev/i915/oa_max_sample_rate"),
		.xe_paranoid = read_number(root, "/proc/sys/dev/xe/observation_paranoid"),
		.mlock_kib = read_number(root, "/proc/sys/kernel/perf_event_mlock_kb"),
		.cpus = sysconf(_SC_NPROCESSORS_ONLN),
		.user_namespace = in_user_namespace(root),
		.perf = try_perf(),
	};
	facts->module = sysfs_path(path, root, "/sys/module/gpuoa") && !access(path, F_OK);
	facts->i915 = sysfs_path(path, root, "/sys/module/i915") && !access(path, F_OK);
	read_line(root, "/sys/module/gpuoa/version", facts->module_version,
		  sizeof(facts->module_version));
	if (!getrlimit(RLIMIT_MEMLOCK, &limit))
		facts->memlock = limit.rlim_cur;
	read_capabilities(facts);
	return collect_unit(unit, facts);
}
