/* SPDX-License-Identifier: MIT */
/* access.h - facts that determine whether a process may sample, and conclusions from them */
#ifndef GPUOA_LIB_DEVICE_ACCESS_H
#define GPUOA_LIB_DEVICE_ACCESS_H

#include "base/sysfs.h"
#include "gpuoa-device.h"

/* Stored in place of the value of a sysctl that does not exist on this machine */
#define ACCESS_UNKNOWN SYSFS_NONE

enum access_lockdown {
	LOCKDOWN_NONE,
	LOCKDOWN_INTEGRITY,
	LOCKDOWN_CONFIDENTIALITY,
};

#define ACCESS_NODES 8

/* Device node of a unit */
struct access_node {
	char path[32];
	int error; /* 0, or the errno of opening it */
};

/* Properties of the system that determine the access to a unit. */
struct access_facts {
	bool module; /* gpuoa.ko is loaded */
	char module_version[16]; /* "" if unknown */
	char kernel[32]; /* release of the running kernel; "" if unknown */
	unsigned int units;
	char unit[16]; /* name of the unit to check; "" if there is none */
	bool stock; /* the unit's driver is i915 or xe */
	/* the node of that unit; if no unit was named, the nodes of all units */
	struct access_node nodes[ACCESS_NODES];
	size_t node_count;
	char i915_units[96]; /* names of i915's units, separated by commas */
	int64_t i915_paranoid; /* dev.i915.perf_stream_paranoid */
	int64_t i915_rate; /* dev.i915.oa_max_sample_rate */
	bool i915_lease; /* the unit is gpuoa's, by gpuoa_i915.ko: sysctls of i915 also apply */
	bool xe_lease; /* the unit is gpuoa's, by gpuoa_xe.ko: the sysctl of xe also applies */
	bool xe; /* the unit's driver is xe; .stock is also true */
	char xe_units[96]; /* names of xe's units, separated by commas */
	int64_t xe_paranoid; /* dev.xe.observation_paranoid */
	size_t gpus; /* number of Intel GPUs on the PCI bus */
	struct gpuoa_device_desc gpu; /* first of them without units */
	enum access_lockdown lockdown;
	int64_t paranoid; /* dev.gpuoa.paranoid */
	int64_t perf_paranoid; /* kernel.perf_event_paranoid */
	int64_t sample_rate; /* dev.gpuoa.max_sample_rate */
	int64_t mlock_kib; /* kernel.perf_event_mlock_kb, per CPU */
	int64_t cpus; /* number of CPUs online */
	uint64_t memlock; /* RLIMIT_MEMLOCK, bytes */
	bool perfmon; /* CAP_PERFMON or CAP_SYS_ADMIN */
	bool sys_admin;
	bool ipc_lock;
	/* the process has its capabilities in another user namespace than the initial one */
	bool user_namespace;
	int perf; /* 0, or the errno of opening a software event on a CPU */
};

/*
 * Collect the facts.
 *
 * @root: "", or a test's directory with /proc and /sys; system calls always query the running
 *   kernel
 * @unit: see gpuoa_check_access()
 */
int access_collect(const char *root, const char *unit, struct access_facts *facts);

/*
 * Set .i915_lease and .xe_lease by the driver of the GPU that .unit belongs to, if it is a unit of
 * gpuoa.
 *
 * @root: as for access_collect()
 */
void access_find_lease(const char *root, struct access_facts *facts);

/* Maximum number of conditions. */
#define ACCESS_MAX (GPUOA_ACCESS_GPU + ACCESS_NODES)

/*
 * Derive the conditions for sampling from the facts. Returns the number of elements of @access that
 * were filled in.
 */
size_t access_judge(const struct access_facts *facts, struct gpuoa_access access[ACCESS_MAX]);

#endif /* GPUOA_LIB_DEVICE_ACCESS_H */
