/* SPDX-License-Identifier: MIT */
/*
 * access.h - what decides whether a process may sample, as facts, and what follows from them
 */
#ifndef GPUOA_LIB_DEVICE_ACCESS_H
#define GPUOA_LIB_DEVICE_ACCESS_H

#include "base/sysfs.h"
#include "gpuoa-device.h"

/* Sysctls that do not exist here */
#define ACCESS_UNKNOWN SYSFS_NONE

enum access_lockdown {
	LOCKDOWN_NONE,
	LOCKDOWN_INTEGRITY,
	LOCKDOWN_CONFIDENTIALITY,
};

#define ACCESS_NODES 8

/* The node of a unit */
struct access_node {
	char path[32];
	int error; /* 0, or the errno of opening it */
};

/* What a process finds. */
struct access_facts {
	bool module; /* gpuoa.ko is loaded */
	char module_version[16]; /* "" if it does not tell */
	unsigned int units;
	char unit[16]; /* whose node was opened; "" if there is no unit */
	bool stock; /* it is i915's or xe's */
	struct access_node nodes[ACCESS_NODES]; /* of that unit; if no unit was named, of all units
						 */
	size_t node_count;
	char i915_units[96]; /* that it offers, with commas between */
	int64_t i915_paranoid; /* dev.i915.perf_stream_paranoid */
	int64_t i915_rate; /* dev.i915.oa_max_sample_rate */
	bool i915_lease; /* gpuoa_i915.ko is loaded: the sysctls of i915 hold as well */
	bool xe; /* the unit is xe's, and @stock is set */
	char xe_units[96]; /* that xe offers */
	int64_t xe_paranoid; /* dev.xe.observation_paranoid */
	size_t gpus; /* of Intel, on the PCI bus */
	struct gpuoa_device_desc gpu; /* the first one that has no unit */
	enum access_lockdown lockdown;
	int64_t paranoid; /* dev.gpuoa.paranoid */
	int64_t perf_paranoid; /* kernel.perf_event_paranoid */
	int64_t sample_rate; /* dev.gpuoa.max_sample_rate */
	int64_t mlock_kib; /* kernel.perf_event_mlock_kb, for each CPU */
	int64_t cpus; /* that are online */
	uint64_t memlock; /* RLIMIT_MEMLOCK, bytes */
	bool perfmon; /* CAP_PERFMON or CAP_SYS_ADMIN */
	bool sys_admin;
	bool ipc_lock;
	bool user_namespace; /* these capabilities are not those of the machine */
	int perf; /* 0, or the errno of opening a software event of a CPU */
};

/*
 * Collect the facts. @root: "" or where a test has its own /proc and /sys; what is asked of the
 * kernel by system calls is asked of the one that runs. @unit: see gpuoa_check_access().
 */
int access_collect(const char *root, const char *unit, struct access_facts *facts);

/* Room for what there is to say about the facts. */
#define ACCESS_MAX (GPUOA_ACCESS_GPU + ACCESS_NODES)

/* Returns how many of @access are filled in. */
size_t access_judge(const struct access_facts *facts, struct gpuoa_access access[ACCESS_MAX]);

#endif /* GPUOA_LIB_DEVICE_ACCESS_H */
