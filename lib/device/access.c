// SPDX-License-Identifier: MIT
/*
 * access.c - conditions that prevent a process from sampling, and their remedies
 *
 * The rules are those of perf core (perf_allow_cpu(), perf_mmap() in kernel/events/core.c) and of
 * gpuoa.ko (unit/limits.c, stream/request.c), or of i915-perf for its units. Values of
 * kernel.perf_event_paranoid above 2 exist only in distributions' kernels, which then require
 * CAP_SYS_ADMIN; mainline treats them as 2. Only opening an event shows which of these kernels is
 * running.
 */
#include "device/access.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/sized.h"

/* Default sizes in bytes of a stream's buffer in RAW mode and in AUX mode */
#define RING_USUAL (UINT64_C(512) << 10)
#define AREA_USUAL (UINT64_C(16) << 20)
#define RATE_USUAL 1000 /* Hz */

/* List of conditions under construction. */
struct findings {
	struct gpuoa_access *access;
	size_t count;
};

__attribute__((format(printf, 4, 5))) static struct gpuoa_access *
find(struct findings *findings, enum gpuoa_access_topic topic, enum gpuoa_access_verdict verdict,
     const char *format, ...)
{
	struct gpuoa_access *access = &findings->access[findings->count++];
	va_list arguments;

	*access = (struct gpuoa_access){ .topic = topic, .verdict = verdict };
	va_start(arguments, format);
	vsnprintf(access->found, sizeof(access->found), format, arguments);
	va_end(arguments);
	return access;
}

__attribute__((format(printf, 2, 3))) static void remedy(struct gpuoa_access *access,
							 const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(access->remedy, sizeof(access->remedy), format, arguments);
	va_end(arguments);
}

/* Name of the driver that provides the unit */
static const char *driver(const struct access_facts *facts)
{
	return facts->xe ? "xe" : "i915";
}

/* Returns whether the running kernel is newer than the kernels on which gpuoa.ko was tested. */
static bool kernel_is_new(const struct access_facts *facts)
{
	unsigned int version[2], newest[2];

	if (sscanf(facts->kernel, "%u.%u", &version[0], &version[1]) != 2 ||
	    sscanf(GPUOA_LINUX_NEWEST, "%u.%u", &newest[0], &newest[1]) != 2)
		return false;
	return version[0] > newest[0] || (version[0] == newest[0] && version[1] > newest[1]);
}

static void judge_module(const struct access_facts *facts, struct findings *findings)
{
	if (facts->module && kernel_is_new(facts))
		remedy(find(findings, GPUOA_ACCESS_MODULE, GPUOA_ACCESS_LIMITED,
			    "gpuoa.ko%s%s is loaded; this is Linux %s, and it was tested on " GPUOA_LINUX_OLDEST
			    " to " GPUOA_LINUX_NEWEST,
			    *facts->module_version ? " " : "", facts->module_version,
			    facts->kernel),
		       "update gpuoa, or run 'make modules-matrix' in its sources on that kernel; i915 and "
		       "xe need no module");
	else if (facts->module)
		find(findings, GPUOA_ACCESS_MODULE, GPUOA_ACCESS_GRANTED,
		     "gpuoa.ko%s%s is loaded; tested on Linux " GPUOA_LINUX_OLDEST
		     " to " GPUOA_LINUX_NEWEST,
		     *facts->module_version ? " " : "", facts->module_version);
	else if (facts->stock)
		find(findings, GPUOA_ACCESS_MODULE, GPUOA_ACCESS_GRANTED,
		     "gpuoa.ko is not loaded; %s by %s needs no module", facts->unit,
		     driver(facts));
	else
		find(findings, GPUOA_ACCESS_MODULE, GPUOA_ACCESS_GRANTED,
		     "gpuoa.ko is not loaded; GPUs of i915 and xe need no module");
}

/* Report why there is no unit to check. */
static void judge_gpu(const struct access_facts *facts, struct findings *findings)
{
	const struct gpuoa_device_desc *gpu = &facts->gpu;
	struct gpuoa_access *access;

	if (facts->module || facts->stock)
		return;
	if (!facts->gpus) {
		remedy(find(findings, GPUOA_ACCESS_GPU, GPUOA_ACCESS_DENIED,
			    "no Intel GPU is on the PCI bus"),
		       "a virtual machine or a container has one only if the GPU is passed through to it; "
		       "'make vm' in the sources of gpuoa shows a virtual one");
		return;
	}
	access = find(findings, GPUOA_ACCESS_GPU, GPUOA_ACCESS_DENIED, "%s%s%s: %s%s", gpu->name,
		      *gpu->title ? ", " : "", gpu->title,
		      *gpu->driver ? gpu->driver : "it has no driver",
		      *gpu->driver ? " offers no OA unit of it" : "");
	if (!*gpu->driver)
		remedy(access,
		       "load the driver: 'modprobe i915' for Haswell to Meteor Lake, 'modprobe xe' for "
		       "Lunar Lake and later");
	else if (!strcmp(gpu->driver, "i915"))
		remedy(access,
		       "i915 offers OA units from Haswell to Meteor Lake; if this is one, 'dmesg | grep i915' says "
		       "why it does not");
	else if (!strcmp(gpu->driver, "xe"))
		remedy(access, "xe offers OA units from Linux 6.12 on, of Lunar Lake and later");
	else
		remedy(access, "bind it to i915 or xe: %s is no graphics driver", gpu->driver);
}

static void judge_i915(const struct access_facts *facts, struct findings *findings)
{
	if (*facts->i915_units)
		find(findings, GPUOA_ACCESS_I915, GPUOA_ACCESS_GRANTED, "i915 offers %s",
		     facts->i915_units);
}

static void judge_xe(const struct access_facts *facts, struct findings *findings)
{
	if (*facts->xe_units)
		find(findings, GPUOA_ACCESS_XE, GPUOA_ACCESS_GRANTED, "xe offers %s",
		     facts->xe_units);
}

static void judge_lockdown(const struct access_facts *facts, struct findings *findings)
{
	const char *how = facts->lockdown == LOCKDOWN_INTEGRITY ? "integrity" : "confidentiality";

	if (facts->lockdown == LOCKDOWN_NONE)
		find(findings, GPUOA_ACCESS_LOCKDOWN, GPUOA_ACCESS_GRANTED,
		     "the kernel is not locked down");
	else if (facts->module || facts->stock)
		find(findings, GPUOA_ACCESS_LOCKDOWN, GPUOA_ACCESS_GRANTED,
		     "the kernel is locked down (%s), which does not keep from sampling", how);
	else
		remedy(find(findings, GPUOA_ACCESS_LOCKDOWN, GPUOA_ACCESS_LIMITED,
			    "the kernel is locked down (%s): it loads signed modules only", how),
		       "sign the modules with a key that the kernel trusts ('mokutil --import'), or switch "
		       "Secure Boot off");
}

static void judge_host(const struct access_facts *facts, struct findings *findings)
{
	if (!facts->module)
		return;
	if (facts->units)
		find(findings, GPUOA_ACCESS_HOST, GPUOA_ACCESS_GRANTED, "%u OA unit%s",
		     facts->units, facts->units == 1 ? "" : "s");
	else
		remedy(find(findings, GPUOA_ACCESS_HOST,
			    facts->stock ? GPUOA_ACCESS_LIMITED : GPUOA_ACCESS_DENIED,
			    "no driver has given a GPU to gpuoa.ko"),
		       "'modprobe gpuoa_i915' attaches it to GPUs of i915, 'modprobe gpuoa_xe' to those of xe, "
		       "'modprobe gpuoa_sim' makes virtual ones");
}

/* List the nodes that can be opened, in one line. Returns whether there are any. */
static bool judge_open_nodes(const struct access_facts *facts, struct findings *findings)
{
	struct gpuoa_access *access = NULL;
	size_t length;

	for (size_t i = 0; i < facts->node_count; i++) {
		if (facts->nodes[i].error)
			continue;
		if (!access)
			access = find(findings, GPUOA_ACCESS_NODE, GPUOA_ACCESS_GRANTED,
				      "can be opened:");
		length = strlen(access->found);
		snprintf(access->found + length, sizeof(access->found) - length, " %s",
			 facts->nodes[i].path);
	}
	return access;
}

static void judge_closed_node(const struct access_facts *facts, const struct access_node *node,
			      enum gpuoa_access_verdict verdict, struct findings *findings)
{
	struct gpuoa_access *access = find(findings, GPUOA_ACCESS_NODE, verdict,
					   "%s cannot be opened: %s", node->path,
					   strerror(node->error));

	if (node->error == ENOENT)
		remedy(access,
		       "if this is a container, hand the device to it ('--device %s'); else udev has to make the node",
		       node->path);
	else if (facts->stock)
		remedy(access, "be in the group that %s belongs to, such as 'render'", node->path);
	else
		remedy(access,
		       "'chmod 666 %s': the kernel makes it so, and a udev rule has changed that; it may be "
		       "opened by anybody, since what needs a right is checked for it",
		       node->path);
}

/* Check the nodes of all units. If one of them can be opened, its unit can be measured. */
static void judge_nodes(const struct access_facts *facts, struct findings *findings)
{
	const enum gpuoa_access_verdict verdict =
		judge_open_nodes(facts, findings) ? GPUOA_ACCESS_LIMITED : GPUOA_ACCESS_DENIED;

	for (size_t i = 0; i < facts->node_count; i++)
		if (facts->nodes[i].error)
			judge_closed_node(facts, &facts->nodes[i], verdict, findings);
}

/*
 * True if the process has CAP_PERFMON in the initial user namespace; capabilities in other
 * namespaces do not count.
 */
static bool is_perfmon(const struct access_facts *facts)
{
	return facts->perfmon && !facts->user_namespace;
}

static bool is_admin(const struct access_facts *facts)
{
	return facts->sys_admin && !facts->user_namespace;
}

/* Return the sysctl that allows every user to sample a unit, and its value. */
static const char *paranoid_sysctl(const struct access_facts *facts, int64_t *value)
{
	if (facts->xe || (facts->xe_lease && !facts->paranoid && facts->xe_paranoid > 0)) {
		*value = facts->xe_paranoid;
		return "dev.xe.observation_paranoid";
	}
	if (facts->stock || (facts->i915_lease && !facts->paranoid && facts->i915_paranoid > 0)) {
		*value = facts->i915_paranoid;
		return "dev.i915.perf_stream_paranoid";
	}
	*value = facts->paranoid;
	return "dev.gpuoa.paranoid";
}

/*
 * Check the privilege to add configurations. If their paranoid sysctl is 0, i915 and xe allow this
 * for every user; gpuoa.ko does not.
 */
static void judge_capability(const struct access_facts *facts, struct findings *findings)
{
	struct gpuoa_access *access;
	int64_t paranoid;
	const char *sysctl = paranoid_sysctl(facts, &paranoid);

	if (is_perfmon(facts)) {
		find(findings, GPUOA_ACCESS_CAPABILITY, GPUOA_ACCESS_GRANTED, "this process has %s",
		     facts->sys_admin ? "CAP_SYS_ADMIN" : "CAP_PERFMON");
		return;
	}
	if (facts->stock && !paranoid) {
		find(findings, GPUOA_ACCESS_CAPABILITY, GPUOA_ACCESS_GRANTED,
		     "this process has no CAP_PERFMON, and needs none: %s is 0", sysctl);
		return;
	}
	access = find(
		findings, GPUOA_ACCESS_CAPABILITY, GPUOA_ACCESS_LIMITED, "%s",
		facts->perfmon ?
			"this process has CAP_PERFMON in a user namespace only, where it counts for nothing" :
		facts->stock ?
			"this process has no CAP_PERFMON: sysctls limit it" :
			"this process has no CAP_PERFMON: it cannot add configurations, and sysctls limit it");
	if (facts->stock)
		remedy(access, "run as root, or 'setcap cap_perfmon+ep PROGRAM'");
	else
		remedy(access,
		       "run as root, or 'setcap cap_perfmon+ep PROGRAM'; without it, only sets work that root has made "
		       "known ('gpuoa add-config -s SET')");
}

static void judge_paranoid(const struct access_facts *facts, struct findings *findings)
{
	int64_t paranoid;
	const char *sysctl = paranoid_sysctl(facts, &paranoid);

	if (paranoid == ACCESS_UNKNOWN)
		return;
	if (!paranoid || is_perfmon(facts))
		find(findings, GPUOA_ACCESS_PARANOID, GPUOA_ACCESS_GRANTED, "%s is %" PRId64 "%s",
		     sysctl, paranoid, paranoid ? ", and CAP_PERFMON is there" : "");
	else
		remedy(find(findings, GPUOA_ACCESS_PARANOID, GPUOA_ACCESS_DENIED,
			    "%s is %" PRId64 ": it takes CAP_PERFMON to sample", sysctl, paranoid),
		       "'sysctl %s=0', or CAP_PERFMON", sysctl);
}

/*
 * Returns whether the value of perf_event_paranoid allows sampling. For values above 2, only an
 * attempt shows which privileges the kernel requires.
 */
static bool perf_paranoid_lets(const struct access_facts *facts)
{
	if (facts->perf_paranoid <= 0 || is_admin(facts))
		return true;
	return is_perfmon(facts) && (facts->perf_paranoid <= 2 || facts->perf != EACCES);
}

static void judge_perf_paranoid(const struct access_facts *facts, struct findings *findings)
{
	struct gpuoa_access *access;

	if (facts->perf_paranoid == ACCESS_UNKNOWN)
		return;
	if (perf_paranoid_lets(facts)) {
		find(findings, GPUOA_ACCESS_PERF_PARANOID, GPUOA_ACCESS_GRANTED,
		     "kernel.perf_event_paranoid is %" PRId64 "%s", facts->perf_paranoid,
		     facts->perf_paranoid <= 0 ? "" : ", and the capability for that is there");
	} else if (facts->perf_paranoid > 2) {
		access = find(
			findings, GPUOA_ACCESS_PERF_PARANOID, GPUOA_ACCESS_DENIED,
			"kernel.perf_event_paranoid is %" PRId64
			": kernels of distributions want CAP_SYS_ADMIN from 3 on, CAP_PERFMON is not enough",
			facts->perf_paranoid);
		remedy(access,
		       is_perfmon(facts) ?
			       "'sysctl kernel.perf_event_paranoid=2', or run as root" :
			       "'sysctl kernel.perf_event_paranoid=2' and CAP_PERFMON, or 0 instead of 2, or run "
			       "as root");
	} else {
		remedy(find(findings, GPUOA_ACCESS_PERF_PARANOID, GPUOA_ACCESS_DENIED,
			    "kernel.perf_event_paranoid is %" PRId64
			    ": events of a CPU, such as a unit's, take CAP_PERFMON",
			    facts->perf_paranoid),
		       "'sysctl kernel.perf_event_paranoid=0', or CAP_PERFMON");
	}
}

static void judge_perf(const struct access_facts *facts, struct findings *findings)
{
	/* Already reported by judge_perf_paranoid(). */
	if (facts->perf == EACCES && !perf_paranoid_lets(facts))
		return;
	if (!facts->perf)
		find(findings, GPUOA_ACCESS_PERF, GPUOA_ACCESS_GRANTED, "perf_event_open works");
	else
		remedy(find(findings, GPUOA_ACCESS_PERF, GPUOA_ACCESS_DENIED,
			    "perf_event_open fails, though capabilities and sysctls allow it: %s",
			    strerror(facts->perf)),
		       facts->perf == ENOENT || facts->perf == ENOSYS ?
			       "a kernel with CONFIG_PERF_EVENTS, or a seccomp filter that lets perf_event_open pass" :
			       "a seccomp filter of a container ('--security-opt seccomp=FILE'), or a policy of a security "
			       "module (SELinux: class perf_event), has to let perf_event_open pass");
}

static void judge_sample_rate(const struct access_facts *facts, struct findings *findings)
{
	const bool by_i915 = facts->stock ||
			     (facts->i915_lease && facts->i915_rate != ACCESS_UNKNOWN &&
			      facts->i915_rate < facts->sample_rate);
	const char *sysctl = by_i915 ? "dev.i915.oa_max_sample_rate" : "dev.gpuoa.max_sample_rate";
	const int64_t rate = by_i915 ? facts->i915_rate : facts->sample_rate;

	if (rate == ACCESS_UNKNOWN)
		return;
	if (is_perfmon(facts))
		find(findings, GPUOA_ACCESS_SAMPLE_RATE, GPUOA_ACCESS_GRANTED,
		     "%s does not hold with CAP_PERFMON", sysctl);
	else
		remedy(find(findings, GPUOA_ACCESS_SAMPLE_RATE,
			    rate < RATE_USUAL ? GPUOA_ACCESS_DENIED : GPUOA_ACCESS_LIMITED,
			    "%s is %" PRId64 ": more reports per second take CAP_PERFMON", sysctl,
			    rate),
		       "'sysctl %s=N', CAP_PERFMON, or a longer period", sysctl);
}

/* Return the number of bytes that perf allows a user to lock, computed as in perf_mmap(). */
static uint64_t lockable(const struct access_facts *facts)
{
	const uint64_t free = facts->mlock_kib > 0 && facts->cpus > 0 ?
				      ((uint64_t)facts->mlock_kib << 10) * (uint64_t)facts->cpus :
				      0;

	return free + facts->memlock < free ? UINT64_MAX : free + facts->memlock;
}

static void judge_memory(const struct access_facts *facts, struct findings *findings)
{
	const uint64_t bytes = lockable(facts);
	struct gpuoa_access *access;

	if (facts->perf_paranoid < 0 && facts->perf_paranoid != ACCESS_UNKNOWN) {
		find(findings, GPUOA_ACCESS_MEMORY, GPUOA_ACCESS_GRANTED,
		     "kernel.perf_event_paranoid is %" PRId64 ": any memory may be locked",
		     facts->perf_paranoid);
		return;
	}
	if (facts->ipc_lock && !facts->user_namespace) {
		find(findings, GPUOA_ACCESS_MEMORY, GPUOA_ACCESS_GRANTED,
		     "CAP_IPC_LOCK: any memory may be locked");
		return;
	}
	access = find(findings, GPUOA_ACCESS_MEMORY,
		      bytes < RING_USUAL ? GPUOA_ACCESS_DENIED :
		      bytes < AREA_USUAL ? GPUOA_ACCESS_LIMITED :
					   GPUOA_ACCESS_GRANTED,
		      "this user may lock %" PRIu64
		      " KiB for perf, less what his other programs have locked",
		      bytes >> 10);
	if (access->verdict != GPUOA_ACCESS_GRANTED)
		remedy(access,
		       "'sysctl kernel.perf_event_mlock_kb=N' (for each CPU), a higher 'ulimit -l', or CAP_IPC_LOCK: "
		       "streams take %" PRIu64 " KiB and more, in AUX mode up to %" PRIu64 " KiB",
		       RING_USUAL >> 10, AREA_USUAL >> 10);
}

size_t access_judge(const struct access_facts *facts, struct gpuoa_access access[ACCESS_MAX])
{
	struct findings findings = { .access = access };

	judge_lockdown(facts, &findings);
	judge_module(facts, &findings);
	judge_gpu(facts, &findings);
	judge_host(facts, &findings);
	judge_i915(facts, &findings);
	judge_xe(facts, &findings);
	judge_nodes(facts, &findings);
	judge_capability(facts, &findings);
	judge_paranoid(facts, &findings);
	/*
	 * Conditions of perf do not apply to streams of i915 and xe, because these are not perf
	 * events.
	 */
	if (!facts->stock) {
		judge_perf_paranoid(facts, &findings);
		judge_perf(facts, &findings);
	}
	/* xe has no limit of the sample rate. */
	if (!facts->xe)
		judge_sample_rate(facts, &findings);
	if (!facts->stock)
		judge_memory(facts, &findings);
	return findings.count;
}

int gpuoa_check_access(const char *unit, struct gpuoa_access *access, size_t size, size_t max)
{
	struct gpuoa_access found[ACCESS_MAX];
	struct access_facts facts;
	size_t count;
	int err;

	err = access_collect("", unit, &facts);
	if (err)
		return err;
	count = access_judge(&facts, found);
	for (size_t i = 0; i < count && i < max; i++)
		sized_give((char *)access + i * size, size, &found[i], sizeof(found[i]));
	return (int)count;
}

const char *gpuoa_access_topic_name(enum gpuoa_access_topic topic)
{
	static const char *const names[] = {
		[GPUOA_ACCESS_MODULE] = "module",
		[GPUOA_ACCESS_HOST] = "host",
		[GPUOA_ACCESS_NODE] = "node",
		[GPUOA_ACCESS_LOCKDOWN] = "lockdown",
		[GPUOA_ACCESS_CAPABILITY] = "capability",
		[GPUOA_ACCESS_PARANOID] = "paranoid",
		[GPUOA_ACCESS_PERF_PARANOID] = "perf_paranoid",
		[GPUOA_ACCESS_PERF] = "perf",
		[GPUOA_ACCESS_SAMPLE_RATE] = "sample_rate",
		[GPUOA_ACCESS_MEMORY] = "memory",
		[GPUOA_ACCESS_I915] = "i915",
		[GPUOA_ACCESS_XE] = "xe",
		[GPUOA_ACCESS_GPU] = "gpu",
	};

	return (size_t)topic < sizeof(names) / sizeof(names[0]) ? names[topic] : NULL;
}
