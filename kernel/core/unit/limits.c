// SPDX-License-Identifier: GPL-2.0-only
/*
 * limits.c - what users may do, as the administrator says: sysctls dev.gpuoa.*.
 */
#include <linux/sysctl.h>

#include <gpuoa_compat.h>

#include "limits.h"

/* As i915's dev.i915.oa_max_sample_rate: what anybody may use of the memory bandwidth. */
static int max_sample_rate = 100000;

static struct ctl_table limits_table[] = {
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
