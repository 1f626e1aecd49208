// SPDX-License-Identifier: GPL-2.0-only
/*
 * limits.c - what users may do, as the administrator says: sysctls dev.gpuoa.*.
 */
#include <linux/capability.h>
#include <linux/sysctl.h>

#include <gpuoa_compat.h>

#include "limits.h"

/* As i915's dev.i915.oa_max_sample_rate: what anybody may use of the memory bandwidth. */
static int max_sample_rate = 100000;

/*
 * As i915's and xe's perf_stream_paranoid and observation_paranoid; and 2: users without
 * CAP_PERFMON see nothing at all.
 */
static int paranoid = 1;

static struct ctl_table limits_table[] = {
	{
		.procname = "paranoid",
		.data = &paranoid,
		.maxlen = sizeof(paranoid),
		.mode = 0644,
		.proc_handler = proc_dointvec_minmax,
		.extra1 = SYSCTL_ZERO,
		.extra2 = SYSCTL_TWO,
	},
	{
		.procname = "max_sample_rate",
		.data = &max_sample_rate,
		.maxlen = sizeof(max_sample_rate),
		.mode = 0644,
		.proc_handler = proc_dointvec_minmax,
		.extra1 = SYSCTL_ZERO,
	},
	GPUOA_SYSCTL_SENTINEL
};

static struct ctl_table_header *limits_header;

/**
 * gpuoa_may_observe - may this task see what others do on the GPU?
 *
 * Core's own sysctl perf_event_paranoid is asked only after event_init(), and is not exported: this
 * one keeps those out that core would refuse when the unit has been acquired already.
 *
 * Return: true with CAP_PERFMON, or if sysctl dev.gpuoa.paranoid is 0
 */
bool gpuoa_may_observe(void)
{
	return !READ_ONCE(paranoid) || perfmon_capable();
}

/**
 * gpuoa_may_observe_own - may this task see what its own contexts do on the GPU?
 *
 * For those whom gpuoa_may_observe() refuses, and where nothing of others can be seen.
 *
 * Return: true with CAP_PERFMON, or if sysctl dev.gpuoa.paranoid is less than 2
 */
bool gpuoa_may_observe_own(void)
{
	return READ_ONCE(paranoid) < 2 || perfmon_capable();
}

/**
 * gpuoa_max_sample_rate - sysctl dev.gpuoa.max_sample_rate
 *
 * Return: reports per second above which CAP_PERFMON is needed
 */
unsigned int gpuoa_max_sample_rate(void)
{
	return READ_ONCE(max_sample_rate);
}

/**
 * gpuoa_limits_init - make the sysctls
 *
 * Return: 0 or -ENOMEM
 */
int gpuoa_limits_init(void)
{
	limits_header = register_sysctl("dev/gpuoa", limits_table);

	return limits_header ? 0 : -ENOMEM;
}

/**
 * gpuoa_limits_exit - undo gpuoa_limits_init()
 */
void gpuoa_limits_exit(void)
{
	unregister_sysctl_table(limits_header);
}
