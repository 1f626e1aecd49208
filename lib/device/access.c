// SPDX-License-Identifier: MIT
/*
 * access.c - what keeps a process from sampling, and how to get it
 *
 * The rules are those of perf core (perf_allow_cpu(), perf_mmap() of kernel/events/core.c) and of
 * gpuoa.ko (unit/limits.c, stream/request.c), or of i915-perf for units of that one. From level 3
 * of kernel.perf_event_paranoid on, which only distributions' kernels know, theirs ask for
 * CAP_SYS_ADMIN; others take it as 2. Which one runs shows when an event is opened.
 */
#include "device/access.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/sized.h"

/* What a stream takes if nothing else is asked for, in RAW mode and in AUX mode. */
#define RING_USUAL (UINT64_C(512) << 10)
#define AREA_USUAL (UINT64_C(16) << 20)
#define RATE_USUAL 1000 /* Hz */

/* What has been said so far. */
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

static void judge_module(const struct access_facts *facts, struct findings *findings)
{
	if (facts->module)
		find(findings, GPUOA_ACCESS_MODULE, GPUOA_ACCESS_GRANTED, "gpuoa.ko%s%s is loaded",
		     *facts->module_version ? " " : "", facts->module_version);
	else if (facts->stock)
		remedy(find(findings, GPUOA_ACCESS_MODULE, GPUOA_ACCESS_LIMITED,
			    "gpuoa.ko is not loaded: %s does, with less (one program at a time)",
			    facts->xe ? "xe's observation" : "i915-perf"),
		       "if you want all that gpuoa can do, load gpuoa.ko and a driver that gives it the GPU");
	else
		remedy(find(findings, GPUOA_ACCESS_MODULE, GPUOA_ACCESS_DENIED,
			    "gpuoa.ko is not loaded"),
		       "load it with the driver of the GPU that it serves, such as 'modprobe gpuoa_sim'");
}

/* Where gpuoa.ko or xe has units, i915-perf need not be there. */
static void judge_i915(const struct access_facts *facts, struct findings *findings)
{
	if (facts->xe)
		return;
	if (*facts->i915_unit)
		find(findings, GPUOA_ACCESS_I915, GPUOA_ACCESS_GRANTED, "i915-perf offers %s%s",
		     facts->i915_unit, facts->stock ? "" : ", which is not used");
	else if (facts->i915 && !facts->units)
		remedy(find(findings, GPUOA_ACCESS_I915, GPUOA_ACCESS_LIMITED,
			    "i915 is loaded, and offers no OA unit"),
		       "i915-perf has GPUs from Haswell to Meteor Lake; newer ones are xe's");
	else if (!facts->units)
		remedy(find(findings, GPUOA_ACCESS_I915, GPUOA_ACCESS_LIMITED,
			    "i915 is not loaded: there is no i915-perf either"),
		       "'modprobe i915', if there is a GPU from Haswell to Meteor Lake");
}

static void judge_lockdown(const struct access_facts *facts, struct findings *findings)
{
	const char *how = facts->lockdown == LOCKDOWN_INTEGRITY ? "integrity" : "confidentiality";

	if (facts->lockdown == LOCKDOWN_NONE)
		find(findings, GPUOA_ACCESS_LOCKDOWN, GPUOA_ACCESS_GRANTED,
		     "the kernel is not locked down");
	else if (facts->module)
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
		       "load a driver that does: 'modprobe gpuoa_sim' makes virtual GPUs");
}

static void judge_node(const struct access_facts *facts, struct findings *findings)
{
	struct gpuoa_access *access;

	if (!*facts->unit)
		return;
	if (!facts->node) {
		find(findings, GPUOA_ACCESS_NODE, GPUOA_ACCESS_GRANTED, "%s can be opened",
		     facts->path);
		return;
	}
	access = find(findings, GPUOA_ACCESS_NODE, GPUOA_ACCESS_DENIED, "%s cannot be opened: %s",
		      facts->path, strerror(facts->node));
	if (facts->node == ENOENT)
		remedy(access,
		       "if this is a container, hand the device to it ('--device %s'); else udev has to make the node",
		       facts->path);
	else if (facts->stock)
		remedy(access, "be in the group that %s belongs to, such as 'render'", facts->path);
	else
		remedy(access,
		       "'chmod 666 %s': the kernel makes it so, and a udev rule has changed that; it may be "
		       "opened by anybody, since what needs a right is checked for it",
		       facts->path);
}

static void judge_capability(const struct access_facts *facts, struct findings *findings)
{
	struct gpuoa_access *access;

	if (facts->perfmon && !facts->user_namespace) {
		find(findings, GPUOA_ACCESS_CAPABILITY, GPUOA_ACCESS_GRANTED, "this process has %s",
		     facts->sys_admin ? "CAP_SYS_ADMIN" : "CAP_PERFMON");
		return;
	}
	access = find(
		findings, GPUOA_ACCESS_CAPABILITY, GPUOA_ACCESS_LIMITED, "%s",
		facts->perfmon ?
			"this process has CAP_PERFMON in a user namespace only, where it counts for nothing" :
			"this process has no CAP_PERFMON: it cannot add configurations, and sysctls limit it");
	remedy(access,
	       "run as root, or 'setcap cap_perfmon+ep PROGRAM'; without it, only sets work that root has made "
	       "known ('gpuoa upload -s SET')");
}

/* Capabilities that the kernel counts */
static bool is_perfmon(const struct access_facts *facts)
{
	return facts->perfmon && !facts->user_namespace;
}

static bool is_admin(const struct access_facts *facts)
{
	return facts->sys_admin && !facts->user_namespace;
}

static void judge_paranoid(const struct access_facts *facts, struct findings *findings)
{
	const char *sysctl = "dev.gpuoa.paranoid";
	int64_t paranoid = facts->paranoid;

	if (facts->xe) {
		sysctl = "dev.xe.observation_paranoid";
		paranoid = facts->xe_paranoid;
	} else if (facts->stock) {
		sysctl = "dev.i915.perf_stream_paranoid";
		paranoid = facts->i915_paranoid;
	}

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

/* From 3 on nobody can know what the kernel wants but by trying. */
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
	/* That has been said. */
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
	const char *sysctl = facts->stock ? "dev.i915.oa_max_sample_rate" :
					    "dev.gpuoa.max_sample_rate";
	const int64_t rate = facts->stock ? facts->i915_rate : facts->sample_rate;

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

/* Bytes that perf lets a user lock, as perf_mmap() counts. */
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
	judge_host(facts, &findings);
	judge_i915(facts, &findings);
	judge_node(facts, &findings);
	judge_capability(facts, &findings);
	judge_paranoid(facts, &findings);
	/* Streams of i915 and xe are no perf events. */
	if (!facts->stock) {
		judge_perf_paranoid(facts, &findings);
		judge_perf(facts, &findings);
	}
	/* xe limits no rate. */
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
	};

	return (size_t)topic < sizeof(names) / sizeof(names[0]) ? names[topic] : NULL;
}
