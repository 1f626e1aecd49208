// SPDX-License-Identifier: MIT
/*
 * access_test.c - Test the check of the reasons that prevent a process from sampling: the facts
 * read from the system, and the proposed remedies.
 */
#define _GNU_SOURCE /* nftw */
#include <errno.h>

#include "device/access.h"
#include "tap.h"
#include "tree.h"

static struct gpuoa_access found[ACCESS_MAX];
static size_t count;

/* Default facts: the process is root, the machine has one unit, and sampling is allowed. */
static struct access_facts all_well(void)
{
	return (struct access_facts){
		.module = true,
		.units = 1,
		.unit = "gpuoa0",
		.nodes = { { "/dev/gpuoa0", 0 } },
		.node_count = 1,
		.paranoid = 1,
		.perf_paranoid = 2,
		.sample_rate = 100000,
		.mlock_kib = 516,
		.cpus = 4,
		.memlock = 8 << 20,
		.perfmon = true,
		.sys_admin = true,
		.ipc_lock = true,
	};
}

/* The default facts, but without capabilities; the sysctls let every user sample. */
static struct access_facts for_everybody(void)
{
	struct access_facts facts = all_well();

	facts.paranoid = facts.perf_paranoid = 0;
	facts.perfmon = facts.sys_admin = facts.ipc_lock = false;
	return facts;
}

static void judge(const struct access_facts *facts)
{
	count = access_judge(facts, found);
	for (size_t i = 0; i < count; i++) {
		/* No text is truncated, and there is a remedy unless access is granted. */
		CHECK(strlen(found[i].found) < sizeof(found[i].found) - 1);
		CHECK(strlen(found[i].remedy) < sizeof(found[i].remedy) - 1);
		CHECK(!*found[i].remedy == (found[i].verdict == GPUOA_ACCESS_GRANTED));
	}
}

static const struct gpuoa_access *find(enum gpuoa_access_topic topic)
{
	for (size_t i = 0; i < count; i++)
		if (found[i].topic == topic)
			return &found[i];
	return NULL;
}

static bool is(enum gpuoa_access_topic topic, enum gpuoa_access_verdict verdict)
{
	const struct gpuoa_access *access = find(topic);

	return access && access->verdict == verdict;
}

static enum gpuoa_access_verdict worst(void)
{
	enum gpuoa_access_verdict verdict = GPUOA_ACCESS_GRANTED;

	for (size_t i = 0; i < count; i++)
		if (found[i].verdict > verdict)
			verdict = found[i].verdict;
	return verdict;
}

static bool says(enum gpuoa_access_topic topic, const char *words)
{
	const struct gpuoa_access *access = find(topic);

	return access && strstr(access->found, words);
}

static const char *text(enum gpuoa_access_topic topic)
{
	const struct gpuoa_access *access = find(topic);

	return access ? access->found : "";
}

static bool advises(enum gpuoa_access_topic topic, const char *words)
{
	const struct gpuoa_access *access = find(topic);

	return access && strstr(access->remedy, words);
}

/* Returns whether @topic is the only one that denies access, and its remedy contains @remedy. */
static bool denied_for(enum gpuoa_access_topic topic, const char *remedy)
{
	const struct gpuoa_access *access = find(topic);
	size_t denied = 0;

	for (size_t i = 0; i < count; i++)
		denied += found[i].verdict == GPUOA_ACCESS_DENIED;
	return denied == 1 && access && access->verdict == GPUOA_ACCESS_DENIED &&
	       strstr(access->remedy, remedy);
}

static void check_access_grants_root_everything(void)
{
	const struct access_facts facts = all_well();

	judge(&facts);
	CHECK(count == GPUOA_ACCESS_MEMORY + 1); /* no finding about other drivers */
	CHECK(worst() == GPUOA_ACCESS_GRANTED);
}

static void kernel_newer_than_tested_is_limited(void)
{
	struct access_facts facts = all_well();
	unsigned int major = 0, minor = 0;

	judge(&facts);
	CHECK(says(GPUOA_ACCESS_MODULE,
		   "tested on Linux " GPUOA_LINUX_OLDEST " to " GPUOA_LINUX_NEWEST));
	CHECK(sscanf(GPUOA_LINUX_NEWEST, "%u.%u", &major, &minor) == 2);
	snprintf(facts.kernel, sizeof(facts.kernel), "%u.%u.99-amd64", major, minor);
	judge(&facts);
	CHECK(is(GPUOA_ACCESS_MODULE, GPUOA_ACCESS_GRANTED));
	snprintf(facts.kernel, sizeof(facts.kernel), "%u.%u.0-amd64", major, minor + 1);
	judge(&facts);
	CHECK(worst() == GPUOA_ACCESS_LIMITED);
	CHECK(is(GPUOA_ACCESS_MODULE, GPUOA_ACCESS_LIMITED));
	CHECK(says(GPUOA_ACCESS_MODULE, facts.kernel));
	snprintf(facts.kernel, sizeof(facts.kernel), "%u.0.1", major + 1);
	judge(&facts);
	CHECK(is(GPUOA_ACCESS_MODULE, GPUOA_ACCESS_LIMITED));
}

static void older_kernel_is_granted(void)
{
	struct access_facts facts = all_well();
	unsigned int major = 0, minor = 0;

	CHECK(sscanf(GPUOA_LINUX_NEWEST, "%u.%u", &major, &minor) == 2);
	snprintf(facts.kernel, sizeof(facts.kernel), "%u.%u.1", major - 1, minor + 1);
	judge(&facts);
	CHECK(is(GPUOA_ACCESS_MODULE, GPUOA_ACCESS_GRANTED));
	strcpy(facts.kernel, "unknown");
	strcpy(facts.module_version, "0.1.0");
	judge(&facts);
	CHECK(is(GPUOA_ACCESS_MODULE, GPUOA_ACCESS_GRANTED));
	CHECK(says(GPUOA_ACCESS_MODULE, "gpuoa.ko 0.1.0 is loaded; tested"));
	facts.module = false;
	facts.module_version[0] = '\0';
	snprintf(facts.kernel, sizeof(facts.kernel), "%u.0", major + 1);
	judge(&facts);
	CHECK(says(GPUOA_ACCESS_MODULE, "gpuoa.ko is not loaded; GPUs of i915 and xe need"));
}

static void number_of_units_is_reported(void)
{
	struct access_facts facts = all_well();

	judge(&facts);
	CHECK_STRING(text(GPUOA_ACCESS_HOST), "1 OA unit");
	facts.units = 2;
	judge(&facts);
	CHECK_STRING(text(GPUOA_ACCESS_HOST), "2 OA units");
	facts.units = 0;
	facts.stock = true;
	judge(&facts);
	CHECK(is(GPUOA_ACCESS_HOST, GPUOA_ACCESS_LIMITED));
}

/* The mainline kernel wants CAP_PERFMON up to level 2. */
static void perfmon_suffices_up_to_level_2(void)
{
	struct access_facts facts = all_well();

	facts.sys_admin = facts.ipc_lock = false;
	judge(&facts);
	CHECK(is(GPUOA_ACCESS_PERF_PARANOID, GPUOA_ACCESS_GRANTED));
	CHECK(says(GPUOA_ACCESS_PERF_PARANOID, "is 2, and the capability for that is there"));
	CHECK(says(GPUOA_ACCESS_CAPABILITY, "this process has CAP_PERFMON"));
	CHECK(is(GPUOA_ACCESS_MEMORY, GPUOA_ACCESS_LIMITED));
	facts.perf = EACCES; /* of a security module */
	judge(&facts);
	CHECK(denied_for(GPUOA_ACCESS_PERF, "SELinux"));
	facts.perfmon = false;
	judge(&facts);
	CHECK(says(GPUOA_ACCESS_PERF_PARANOID, "events of a CPU, such as a unit's, take CAP_"));
	facts.perf_paranoid = 3;
	judge(&facts);
	CHECK(advises(GPUOA_ACCESS_PERF_PARANOID, "=2' and CAP_PERFMON"));
	facts = for_everybody();
	judge(&facts);
	CHECK_STRING(text(GPUOA_ACCESS_PERF_PARANOID), "kernel.perf_event_paranoid is 0");
	CHECK_STRING(text(GPUOA_ACCESS_PARANOID), "dev.gpuoa.paranoid is 0");
	facts.perf_paranoid = facts.paranoid = facts.sample_rate = ACCESS_UNKNOWN;
	judge(&facts);
	CHECK(!find(GPUOA_ACCESS_PERF_PARANOID) && !find(GPUOA_ACCESS_PARANOID));
	CHECK(!find(GPUOA_ACCESS_SAMPLE_RATE));
	CHECK(!says(GPUOA_ACCESS_MEMORY, "any memory"));
}

static void low_sysctls_allow_unprivileged_sampling(void)
{
	const struct access_facts facts = for_everybody();

	judge(&facts);
	CHECK(worst() == GPUOA_ACCESS_LIMITED);
	CHECK(is(GPUOA_ACCESS_CAPABILITY, GPUOA_ACCESS_LIMITED));
	CHECK(is(GPUOA_ACCESS_SAMPLE_RATE, GPUOA_ACCESS_LIMITED));
	CHECK(says(GPUOA_ACCESS_SAMPLE_RATE, "100000"));
	CHECK(is(GPUOA_ACCESS_MEMORY, GPUOA_ACCESS_LIMITED));
}

static void missing_module_is_reported(void)
{
	struct access_facts facts = all_well();

	facts.module = false;
	facts.units = 0;
	*facts.unit = '\0';
	facts.node_count = 0;
	facts.paranoid = facts.sample_rate = ACCESS_UNKNOWN;
	judge(&facts);
	CHECK(is(GPUOA_ACCESS_MODULE, GPUOA_ACCESS_GRANTED));
	CHECK(denied_for(GPUOA_ACCESS_GPU, "passed through"));
	CHECK(says(GPUOA_ACCESS_GPU, "no Intel GPU is on the PCI bus"));
	for (size_t i = 0; i < count; i++)
		CHECK(!strstr(found[i].remedy, "gpuoa_sim"));
	CHECK(!find(GPUOA_ACCESS_HOST) && !find(GPUOA_ACCESS_NODE) && !find(GPUOA_ACCESS_PARANOID));
	CHECK(is(GPUOA_ACCESS_LOCKDOWN, GPUOA_ACCESS_GRANTED));

	facts.lockdown = LOCKDOWN_INTEGRITY;
	judge(&facts);
	CHECK(is(GPUOA_ACCESS_LOCKDOWN, GPUOA_ACCESS_LIMITED));
	CHECK(says(GPUOA_ACCESS_LOCKDOWN, "signed modules only"));

	facts = all_well();
	facts.lockdown = LOCKDOWN_CONFIDENTIALITY;
	judge(&facts);
	CHECK(worst() == GPUOA_ACCESS_GRANTED);
}

static void module_without_gpu_is_reported(void)
{
	struct access_facts facts = all_well();

	facts.units = 0;
	*facts.unit = '\0';
	judge(&facts);
	CHECK(denied_for(GPUOA_ACCESS_HOST, "gpuoa_sim"));
}

static void unreadable_node_is_reported(void)
{
	struct access_facts facts = all_well();

	facts.nodes[0].error = ENOENT;
	judge(&facts);
	CHECK(denied_for(GPUOA_ACCESS_NODE, "--device /dev/gpuoa0"));
	facts.nodes[0].error = EACCES;
	judge(&facts);
	CHECK(denied_for(GPUOA_ACCESS_NODE, "chmod 666 /dev/gpuoa0"));
}

static void node_of_each_unit_is_checked(void)
{
	struct access_facts facts = all_well();
	const struct gpuoa_access *closed;

	facts.nodes[facts.node_count++] = (struct access_node){ "/dev/gpuoa1", EACCES };
	judge(&facts);
	CHECK(worst() == GPUOA_ACCESS_LIMITED);
	CHECK(says(GPUOA_ACCESS_NODE, "can be opened: /dev/gpuoa0"));
	closed = find(GPUOA_ACCESS_NODE) + 1;
	CHECK(closed->topic == GPUOA_ACCESS_NODE && closed->verdict == GPUOA_ACCESS_LIMITED);
	CHECK(!strncmp(closed->found, "/dev/gpuoa1 cannot be opened", 28));
}

static void each_sysctl_is_reported_separately(void)
{
	struct access_facts facts = for_everybody();

	facts.paranoid = 1;
	judge(&facts);
	CHECK(denied_for(GPUOA_ACCESS_PARANOID, "dev.gpuoa.paranoid=0"));

	facts = for_everybody();
	facts.perf_paranoid = 1;
	facts.perf = EACCES;
	judge(&facts);
	CHECK(denied_for(GPUOA_ACCESS_PERF_PARANOID, "kernel.perf_event_paranoid=0"));

	facts = for_everybody();
	facts.sample_rate = 1000;
	judge(&facts);
	CHECK(is(GPUOA_ACCESS_SAMPLE_RATE, GPUOA_ACCESS_LIMITED));
	facts.sample_rate = 999;
	judge(&facts);
	CHECK(denied_for(GPUOA_ACCESS_SAMPLE_RATE, "max_sample_rate"));
}

/*
 * At level 3 (Debian) and level 4 (Ubuntu), the kernels of these distributions require
 * CAP_SYS_ADMIN; others require CAP_PERFMON.
 */
static void paranoid_levels_above_2_require_sys_admin(void)
{
	struct access_facts facts = all_well();

	facts.perf_paranoid = 3;
	judge(&facts);
	CHECK(worst() == GPUOA_ACCESS_GRANTED);

	facts.sys_admin = false;
	facts.perf = EACCES;
	judge(&facts);
	CHECK(denied_for(GPUOA_ACCESS_PERF_PARANOID, "kernel.perf_event_paranoid=2"));
	CHECK(says(GPUOA_ACCESS_PERF_PARANOID, "CAP_PERFMON is not enough"));
	CHECK(!find(GPUOA_ACCESS_PERF));

	facts.perf_paranoid = 4;
	facts.perf = 0; /* a kernel without this level */
	judge(&facts);
	CHECK(worst() == GPUOA_ACCESS_GRANTED);
}

static void capabilities_in_user_namespace_are_ignored(void)
{
	struct access_facts facts = all_well();

	facts.user_namespace = true;
	facts.perf = EACCES;
	judge(&facts);
	CHECK(is(GPUOA_ACCESS_CAPABILITY, GPUOA_ACCESS_LIMITED));
	CHECK(says(GPUOA_ACCESS_CAPABILITY, "user namespace"));
	CHECK(is(GPUOA_ACCESS_PARANOID, GPUOA_ACCESS_DENIED));
	CHECK(is(GPUOA_ACCESS_PERF_PARANOID, GPUOA_ACCESS_DENIED));
	CHECK(is(GPUOA_ACCESS_MEMORY, GPUOA_ACCESS_LIMITED));
}

static void seccomp_failure_is_not_attributed_to_sysctls(void)
{
	struct access_facts facts = for_everybody();

	facts.perf = EPERM;
	judge(&facts);
	CHECK(denied_for(GPUOA_ACCESS_PERF, "seccomp"));
	facts.perf = EACCES; /* SELinux */
	judge(&facts);
	CHECK(denied_for(GPUOA_ACCESS_PERF, "SELinux"));
	facts.perf = ENOSYS;
	judge(&facts);
	CHECK(denied_for(GPUOA_ACCESS_PERF, "CONFIG_PERF_EVENTS"));
	facts.perf = ENOENT;
	judge(&facts);
	CHECK(denied_for(GPUOA_ACCESS_PERF, "CONFIG_PERF_EVENTS"));
}

static void memory_limit_is_the_sum_of_mlock_kb_and_rlimit(void)
{
	struct access_facts facts = for_everybody();

	facts.mlock_kib = 0;
	facts.memlock = (512 << 10) - 1;
	judge(&facts);
	CHECK(denied_for(GPUOA_ACCESS_MEMORY, "perf_event_mlock_kb"));
	facts.memlock++;
	judge(&facts);
	CHECK(is(GPUOA_ACCESS_MEMORY, GPUOA_ACCESS_LIMITED));
	facts.mlock_kib = 4096;
	facts.memlock = 0;
	judge(&facts); /* limit for all four CPUs */
	CHECK(is(GPUOA_ACCESS_MEMORY, GPUOA_ACCESS_GRANTED));
	facts.memlock = UINT64_MAX; /* unlimited */
	judge(&facts);
	CHECK(is(GPUOA_ACCESS_MEMORY, GPUOA_ACCESS_GRANTED));
	facts.mlock_kib = 0;
	facts.memlock = (16 << 20) - 1;
	judge(&facts);
	CHECK(is(GPUOA_ACCESS_MEMORY, GPUOA_ACCESS_LIMITED));
	CHECK(says(GPUOA_ACCESS_MEMORY, "this user may lock 16383 KiB"));
	facts.mlock_kib = facts.cpus = 1;
	facts.memlock = 1023;
	judge(&facts);
	CHECK(says(GPUOA_ACCESS_MEMORY, "this user may lock 1 KiB"));
	facts.mlock_kib = ACCESS_UNKNOWN;
	judge(&facts);
	CHECK(says(GPUOA_ACCESS_MEMORY, "this user may lock 0 KiB"));
	facts.mlock_kib = -1;
	judge(&facts);
	CHECK(says(GPUOA_ACCESS_MEMORY, "this user may lock 0 KiB"));
	facts.mlock_kib = 1;
	facts.cpus = -1;
	judge(&facts);
	CHECK(says(GPUOA_ACCESS_MEMORY, "this user may lock 0 KiB"));
	CHECK(denied_for(GPUOA_ACCESS_MEMORY,
			 "streams take 512 KiB and more, in AUX mode up to 16384 KiB"));
	facts.mlock_kib = 0;
	facts.memlock = 0;
	facts.perf_paranoid = -1;
	judge(&facts);
	CHECK(is(GPUOA_ACCESS_MEMORY, GPUOA_ACCESS_GRANTED));
}

static void access_collect_reads_files(void)
{
	struct access_facts facts;

	tree_begin();
	tree_file("sys/module/gpuoa/version", "1.2.3\n");
	tree_file("sys/kernel/security/lockdown", "none [integrity] confidentiality\n");
	tree_file("proc/sys/dev/gpuoa/paranoid", "1\n");
	tree_file("proc/sys/dev/gpuoa/max_sample_rate", "12345\n");
	tree_file("proc/sys/kernel/perf_event_paranoid", "-1\n");
	tree_file("proc/sys/kernel/perf_event_mlock_kb", "516\n");
	tree_file("proc/sys/kernel/osrelease", "6.12.1-amd64\n");
	tree_file("proc/self/uid_map", "         0       1000          1\n");
	CHECK(!access_collect(tree_root, NULL, &facts));
	CHECK(facts.module);
	CHECK_STRING(facts.module_version, "1.2.3");
	CHECK_STRING(facts.kernel, "6.12.1-amd64");
	CHECK(facts.lockdown == LOCKDOWN_INTEGRITY);
	CHECK(facts.paranoid == 1 && facts.sample_rate == 12345);
	CHECK(facts.perf_paranoid == -1 && facts.mlock_kib == 516);
	CHECK(facts.user_namespace);
	CHECK(facts.cpus > 0);

	tree_file("sys/kernel/security/lockdown", "none integrity [confidentiality]\n");
	tree_file("proc/self/uid_map", "         0          0 4294967295\n");
	CHECK(!access_collect(tree_root, NULL, &facts));
	CHECK(facts.lockdown == LOCKDOWN_CONFIDENTIALITY);
	CHECK(!facts.user_namespace);
	tree_end();
}

static void access_collect_marks_missing_files_unknown(void)
{
	struct access_facts facts;

	tree_begin();
	CHECK(!access_collect(tree_root, NULL, &facts));
	CHECK(!facts.module && !*facts.module_version);
	CHECK(facts.lockdown == LOCKDOWN_NONE && !facts.user_namespace);
	CHECK(facts.paranoid == ACCESS_UNKNOWN && facts.perf_paranoid == ACCESS_UNKNOWN);
	CHECK(facts.sample_rate == ACCESS_UNKNOWN && facts.mlock_kib == ACCESS_UNKNOWN);
	tree_end();
}

static void check_access_fills_at_most_count_entries(void)
{
	struct gpuoa_access some[2] = { { .topic = GPUOA_ACCESS_MEMORY } };
	struct gpuoa_access whole[ACCESS_MAX + 1];
	const int all = gpuoa_check_access(NULL, NULL, sizeof(some[0]), 0);
	struct {
		enum gpuoa_access_topic topic;
		enum gpuoa_access_verdict verdict;
	} old[ACCESS_MAX];

	REQUIRE(all >= 3);
	memset(&some[1], 0xee, sizeof(some[1]));
	CHECK(gpuoa_check_access(NULL, some, sizeof(some[0]), 1) == all);
	memset(whole, 0xee, sizeof(whole));
	CHECK(gpuoa_check_access(NULL, whole, sizeof(whole[0]), ACCESS_MAX + 1) == all);
	CHECK(((const uint8_t *)&whole[all])[0] == 0xee);
	CHECK(some[0].topic == GPUOA_ACCESS_LOCKDOWN);
	CHECK((unsigned int)some[1].topic == 0xeeeeeeee);
	CHECK(gpuoa_check_access(NULL, (void *)old, sizeof(old[0]), ACCESS_MAX) == all);
	CHECK(old[1].topic == GPUOA_ACCESS_MODULE);
}

/* A laptop with a stock kernel: gpuoa.ko is not loaded, and i915 drives the GPU. */
static struct access_facts stock(void)
{
	struct access_facts facts = all_well();

	facts.module = false;
	facts.units = 0;
	facts.stock = true;
	facts.gpus = 1;
	strcpy(facts.unit, "i915:0");
	strcpy(facts.i915_units, "i915:0");
	strcpy(facts.nodes[0].path, "/dev/dri/renderD128");
	facts.paranoid = facts.sample_rate = ACCESS_UNKNOWN;
	facts.i915_paranoid = 1;
	facts.i915_rate = 100000;
	return facts;
}

static void i915_alone_grants_access(void)
{
	struct access_facts facts = stock();

	judge(&facts);
	CHECK(worst() == GPUOA_ACCESS_GRANTED); /* no remedy is needed */
	CHECK(is(GPUOA_ACCESS_I915, GPUOA_ACCESS_GRANTED));
	CHECK(says(GPUOA_ACCESS_I915, "offers i915:0"));
	CHECK(is(GPUOA_ACCESS_PARANOID, GPUOA_ACCESS_GRANTED));
	CHECK(!find(GPUOA_ACCESS_PERF) && !find(GPUOA_ACCESS_MEMORY));

	facts.perfmon = facts.sys_admin = false;
	judge(&facts);
	CHECK(denied_for(GPUOA_ACCESS_PARANOID, "dev.i915.perf_stream_paranoid=0"));
	CHECK(!says(GPUOA_ACCESS_CAPABILITY, "configurations"));
	facts.i915_paranoid = 0;
	facts.i915_rate = 999;
	judge(&facts);
	CHECK(is(GPUOA_ACCESS_PARANOID, GPUOA_ACCESS_GRANTED));
	CHECK(is(GPUOA_ACCESS_CAPABILITY, GPUOA_ACCESS_GRANTED));
	CHECK(denied_for(GPUOA_ACCESS_SAMPLE_RATE, "dev.i915.oa_max_sample_rate"));

	facts = stock();
	facts.lockdown = LOCKDOWN_INTEGRITY;
	judge(&facts);
	CHECK(worst() == GPUOA_ACCESS_GRANTED);

	facts = stock();
	facts.nodes[0].error = EACCES;
	judge(&facts);
	CHECK(denied_for(GPUOA_ACCESS_NODE, "group that /dev/dri/renderD128"));
}

static void xe_alone_grants_access(void)
{
	struct access_facts facts = stock();

	facts.xe = true;
	facts.xe_paranoid = 1;
	*facts.i915_units = '\0';
	strcpy(facts.unit, "xe:1");
	strcpy(facts.xe_units, "xe:1, xe:1.1, xe:3");
	judge(&facts);
	CHECK(worst() == GPUOA_ACCESS_GRANTED);
	CHECK(says(GPUOA_ACCESS_XE, "xe offers xe:1, xe:1.1, xe:3"));
	CHECK(says(GPUOA_ACCESS_PARANOID, "dev.xe.observation_paranoid"));
	CHECK(!find(GPUOA_ACCESS_I915) && !find(GPUOA_ACCESS_SAMPLE_RATE));
	facts.perfmon = facts.sys_admin = false;
	judge(&facts);
	CHECK(denied_for(GPUOA_ACCESS_PARANOID, "dev.xe.observation_paranoid=0"));
}

/* A unit of gpuoa_i915.ko can be used only if the sysctls of both gpuoa and i915 grant access. */
static void i915_sysctls_limit_gpuoa_i915(void)
{
	struct access_facts facts = for_everybody();

	facts.i915_paranoid = 1;
	facts.i915_rate = 1000;
	judge(&facts);
	CHECK(is(GPUOA_ACCESS_PARANOID, GPUOA_ACCESS_GRANTED));
	CHECK(!says(GPUOA_ACCESS_SAMPLE_RATE, "dev.i915"));
	facts.i915_lease = true;
	facts.i915_paranoid = 0;
	judge(&facts);
	CHECK(says(GPUOA_ACCESS_PARANOID, "dev.gpuoa.paranoid is 0"));
	facts.i915_paranoid = 1;
	judge(&facts);
	CHECK(denied_for(GPUOA_ACCESS_PARANOID, "dev.i915.perf_stream_paranoid=0"));
	CHECK(says(GPUOA_ACCESS_SAMPLE_RATE, "dev.i915.oa_max_sample_rate is 1000"));
	facts.i915_rate = facts.sample_rate;
	judge(&facts);
	CHECK(says(GPUOA_ACCESS_SAMPLE_RATE, "dev.gpuoa.max_sample_rate is 100000"));
	facts.i915_rate = ACCESS_UNKNOWN;
	judge(&facts);
	CHECK(says(GPUOA_ACCESS_SAMPLE_RATE, "dev.gpuoa.max_sample_rate is 100000"));
	facts.paranoid = 1;
	judge(&facts);
	CHECK(denied_for(GPUOA_ACCESS_PARANOID, "dev.gpuoa.paranoid=0"));
}

/* A unit of gpuoa_xe.ko can be used only if the sysctls of both gpuoa and xe grant access. */
static void xe_sysctl_limits_gpuoa_xe(void)
{
	struct access_facts facts = for_everybody();

	facts.xe_paranoid = 1;
	judge(&facts);
	CHECK(is(GPUOA_ACCESS_PARANOID, GPUOA_ACCESS_GRANTED));
	facts.xe_lease = true;
	judge(&facts);
	CHECK(denied_for(GPUOA_ACCESS_PARANOID, "dev.xe.observation_paranoid=0"));
	facts.paranoid = 1;
	judge(&facts);
	CHECK(denied_for(GPUOA_ACCESS_PARANOID, "dev.gpuoa.paranoid=0"));
	facts.paranoid = facts.xe_paranoid = 0;
	judge(&facts);
	CHECK(is(GPUOA_ACCESS_PARANOID, GPUOA_ACCESS_GRANTED));
	CHECK(says(GPUOA_ACCESS_PARANOID, "dev.gpuoa.paranoid is 0"));
}

/* If both gpuoa_i915.ko and gpuoa_xe.ko are loaded, each unit has the sysctls of its driver. */
static void lease_is_that_of_the_unit(void)
{
	struct access_facts facts = { .unit = "gpuoa0" };

	tree_begin();
	tree_file("sys/module/gpuoa_i915/version", "");
	tree_file("sys/module/gpuoa_xe/version", "");
	tree_file("sys/bus/pci/drivers/i915/bind", "");
	tree_file("sys/bus/pci/drivers/xe/bind", "");
	tree_file("sys/bus/pci/drivers/gpuoa_sim/bind", "");
	tree_link("sys/class/gpuoa/gpuoa0/device/driver", "sys/bus/pci/drivers/i915");
	tree_link("sys/class/gpuoa/gpuoa1/device/driver", "sys/bus/pci/drivers/xe");
	tree_link("sys/class/gpuoa/gpuoa2/device/driver", "sys/bus/pci/drivers/gpuoa_sim");
	access_find_lease(tree_root, &facts);
	CHECK(facts.i915_lease && !facts.xe_lease);
	strcpy(facts.unit, "gpuoa1");
	access_find_lease(tree_root, &facts);
	CHECK(!facts.i915_lease && facts.xe_lease);
	strcpy(facts.unit, "gpuoa2");
	access_find_lease(tree_root, &facts);
	CHECK(!facts.i915_lease && !facts.xe_lease);
	/* Units of other drivers have no directory there. */
	strcpy(facts.unit, "xe:0");
	access_find_lease(tree_root, &facts);
	CHECK(!facts.i915_lease && !facts.xe_lease);
	tree_end();
}

static void gpu_without_units_is_reported_by_driver(void)
{
	struct access_facts facts = stock();

	facts.stock = false;
	facts.node_count = 0;
	*facts.unit = *facts.i915_units = '\0';
	strcpy(facts.gpu.name, "0000:00:02.0");
	judge(&facts);
	CHECK(denied_for(GPUOA_ACCESS_GPU, "modprobe i915"));
	CHECK(says(GPUOA_ACCESS_GPU, "0000:00:02.0: it has no driver"));
	strcpy(facts.gpu.driver, "i915");
	judge(&facts);
	CHECK(denied_for(GPUOA_ACCESS_GPU, "Haswell to Meteor Lake"));
	strcpy(facts.gpu.driver, "xe");
	judge(&facts);
	CHECK(denied_for(GPUOA_ACCESS_GPU, "6.12"));
	strcpy(facts.gpu.driver, "vfio-pci");
	judge(&facts);
	CHECK(denied_for(GPUOA_ACCESS_GPU, "vfio-pci is no graphics driver"));
}

/* Only gpuoa.ko restricts who can add configurations if every user can sample. */
static void remedy_without_capability_depends_on_driver(void)
{
	struct access_facts facts = stock();

	facts.perfmon = facts.sys_admin = facts.ipc_lock = false;
	facts.i915_paranoid = facts.xe_paranoid = 1;
	judge(&facts);
	REQUIRE(find(GPUOA_ACCESS_CAPABILITY));
	CHECK_STRING(find(GPUOA_ACCESS_CAPABILITY)->remedy,
		     "run as root, or 'setcap cap_perfmon+ep PROGRAM'");
	facts = for_everybody();
	judge(&facts);
	REQUIRE(find(GPUOA_ACCESS_CAPABILITY));
	CHECK(strstr(find(GPUOA_ACCESS_CAPABILITY)->remedy, "'gpuoa add-config -s SET'"));
}

static void topic_name_returns_names(void)
{
	CHECK_STRING(gpuoa_access_topic_name(GPUOA_ACCESS_MODULE), "module");
	CHECK_STRING(gpuoa_access_topic_name(GPUOA_ACCESS_MEMORY), "memory");
	CHECK(!gpuoa_access_topic_name((enum gpuoa_access_topic)ACCESS_MAX));
}

int main(void)
{
	RUN(check_access_grants_root_everything);
	RUN(kernel_newer_than_tested_is_limited);
	RUN(older_kernel_is_granted);
	RUN(number_of_units_is_reported);
	RUN(perfmon_suffices_up_to_level_2);
	RUN(low_sysctls_allow_unprivileged_sampling);
	RUN(missing_module_is_reported);
	RUN(module_without_gpu_is_reported);
	RUN(unreadable_node_is_reported);
	RUN(node_of_each_unit_is_checked);
	RUN(each_sysctl_is_reported_separately);
	RUN(paranoid_levels_above_2_require_sys_admin);
	RUN(capabilities_in_user_namespace_are_ignored);
	RUN(seccomp_failure_is_not_attributed_to_sysctls);
	RUN(memory_limit_is_the_sum_of_mlock_kb_and_rlimit);
	RUN(access_collect_reads_files);
	RUN(access_collect_marks_missing_files_unknown);
	RUN(check_access_fills_at_most_count_entries);
	RUN(i915_alone_grants_access);
	RUN(xe_alone_grants_access);
	RUN(i915_sysctls_limit_gpuoa_i915);
	RUN(xe_sysctl_limits_gpuoa_xe);
	RUN(lease_is_that_of_the_unit);
	RUN(gpu_without_units_is_reported_by_driver);
	RUN(remedy_without_capability_depends_on_driver);
	RUN(topic_name_returns_names);
	return tap_end();
}
