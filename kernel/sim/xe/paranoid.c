// SPDX-License-Identifier: GPL-2.0-only
/*
 * paranoid.c - permission to observe other processes on the GPU: sysctl
 * dev.xe.observation_paranoid.
 */
#include <linux/capability.h>
#include <linux/errno.h>
#include <linux/sysctl.h>

#include <gpuoa_compat.h>

#include "paranoid.h"

static unsigned int observation_paranoid = 1;

static struct ctl_table paranoid_table[] = {
	{
		.procname = "observation_paranoid",
		.data = &observation_paranoid,
		.maxlen = sizeof(observation_paranoid),
		.mode = 0644,
		.proc_handler = proc_dointvec_minmax,
		.extra1 = SYSCTL_ZERO,
		.extra2 = SYSCTL_ONE,
	},
	{}
};

static struct ctl_table_header *paranoid_header;

/**
 * sim_xe_paranoid_init() - Register the sysctl.
 *
 * Return: 0 or -ENOMEM
 */
int sim_xe_paranoid_init(void)
{
	paranoid_header = gpuoa_compat_register_sysctl("dev/xe", paranoid_table);

	return paranoid_header ? 0 : -ENOMEM;
}

/**
 * sim_xe_paranoid_exit() - Unregister the sysctl.
 */
void sim_xe_paranoid_exit(void)
{
	unregister_sysctl_table(paranoid_header);
}

/**
 * sim_xe_may_observe() - Check whether the current task may observe other processes on the GPU.
 *
 * Return: true with CAP_PERFMON, or if sysctl dev.xe.observation_paranoid is 0
 */
bool sim_xe_may_observe(void)
{
	return !READ_ONCE(observation_paranoid) || perfmon_capable();
}
