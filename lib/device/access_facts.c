// SPDX-License-Identifier: MIT
/* access_facts.c - collects facts that determine whether a process may sample */
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
#include "device/scan.h"
#include "base/sysfs.h"
#include "reader/i915/i915.h"
#include "reader/backends/backends.h"
#include "reader/pmu/pmu.h"
#include "reader/xe/xe.h"

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

/*
 * Check whether this is the initial user namespace, the only one in which capabilities count for
 * the kernel. It maps all ids to themselves.
 */
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

/* Avoids a dependency on libcap. */
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

/*
 * Open a software event on a CPU, which needs the same privileges from perf as an event of a unit.
 */
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

static void append(char *text, size_t size, const char *word)
{
	const size_t length = strlen(text);

	snprintf(text + length, size - length, "%s%s", length ? ", " : "", word);
}

static void try_unit(const struct backend *backend, const char *unit, struct access_facts *facts)
{
	struct access_node *node = &facts->nodes[facts->node_count];

	if (facts->node_count == ACCESS_NODES)
		return;
	backend->find_node(unit, node->path, sizeof(node->path));
	/* Store a node once, because all units of a GPU have the same node. */
	for (size_t i = 0; i < facts->node_count; i++)
		if (!strcmp(facts->nodes[i].path, node->path))
			return;
	node->error = try_node(node->path);
	facts->node_count++;
}

/* List the units of a driver. If @tried, also try to open their nodes. */
static int list_units(const struct backend *backend, char *units, size_t size, bool tried,
		      struct access_facts *facts)
{
	char names[ACCESS_NODES * 2][UNIT_NAME_SIZE];
	const int room = ACCESS_NODES * 2, count = backend->list(names, room);

	for (int i = 0; i < count && i < room; i++) {
		if (units)
			append(units, size, names[i]);
		if (tried)
			try_unit(backend, names[i], facts);
	}
	return count > 0 ? count : 0;
}

static int collect_unit(const char *unit, struct access_facts *facts)
{
	const struct backend *backend;
	bool gpuoa;
	int err;

	facts->units = list_units(&pmu_backend, NULL, 0, !unit, facts);
	gpuoa = facts->units;
	list_units(&i915_backend, facts->i915_units, sizeof(facts->i915_units), !unit && !gpuoa,
		   facts);
	list_units(&xe_backend, facts->xe_units, sizeof(facts->xe_units), !unit && !gpuoa, facts);
	err = backend_find(unit, &backend, facts->unit);
	if (err)
		return err == -ENODEV ? 0 : err;
	facts->xe = !strcmp(backend->name, "xe");
	facts->stock = facts->xe || !strcmp(backend->name, "i915");
	if (unit)
		try_unit(backend, facts->unit, facts);
	return 0;
}

static int collect_gpus(const char *root, struct access_facts *facts)
{
	struct scan scan;
	const int err = scan_devices(root, &scan);

	for (size_t i = scan.count; !err && i--;) {
		if (!scan.devices[i].vendor_id)
			continue;
		facts->gpus++;
		if (!scan.devices[i].unit_count)
			facts->gpu = scan.devices[i];
	}
	scan_free(&scan);
	return err;
}

void access_find_lease(const char *root, struct access_facts *facts)
{
	char path[PATH_MAX], driver[16];

	if (!sysfs_path(path, root, "/sys/class/gpuoa/%s/device/driver", facts->unit))
		return;
	sysfs_link(path, driver, sizeof(driver));
	facts->i915_lease = !strcmp(driver, "i915");
	facts->xe_lease = !strcmp(driver, "xe");
}

int access_collect(const char *root, const char *unit, struct access_facts *facts)
{
	struct rlimit limit = { 0 };
	char path[PATH_MAX];
	int err;

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
	read_line(root, "/sys/module/gpuoa/version", facts->module_version,
		  sizeof(facts->module_version));
	read_line(root, "/proc/sys/kernel/osrelease", facts->kernel, sizeof(facts->kernel));
	if (!getrlimit(RLIMIT_MEMLOCK, &limit))
		facts->memlock = limit.rlim_cur;
	read_capabilities(facts);
	err = collect_gpus(root, facts);
	if (!err)
		err = collect_unit(unit, facts);
	if (!err)
		access_find_lease(root, facts);
	return err;
}
