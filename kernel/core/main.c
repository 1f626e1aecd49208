// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - gpuoa.ko: loading, unloading, and the sysctl.
 */
#include <linux/module.h>
#include <linux/sysctl.h>

#include <gpuoa_compat.h>

#include "unit/unit.h"

/* As i915's dev.i915.oa_max_sample_rate: what anybody may use of the memory bandwidth. */
static int max_sample_rate = 100000;

static struct ctl_table sysctl_table[] = {
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

static struct ctl_table_header *sysctl_header;

/**
 * gpuoa_max_sample_rate - sysctl dev.gpuoa.max_sample_rate
 *
 * Return: reports per second above which CAP_PERFMON is needed
 */
unsigned int gpuoa_max_sample_rate(void)
{
	return READ_ONCE(max_sample_rate);
}

static int __init gpuoa_init(void)
{
	int ret;

	sysctl_header = register_sysctl("dev/gpuoa", sysctl_table);
	if (!sysctl_header)
		return -ENOMEM;

	ret = gpuoa_class_init();
	if (ret)
		goto err_sysctl;

	ret = gpuoa_pmu_init();
	if (ret)
		goto err_class;

	return 0;

err_class:
	gpuoa_class_exit();
err_sysctl:
	unregister_sysctl_table(sysctl_header);

	return ret;
}

static void __exit gpuoa_exit(void)
{
	gpuoa_pmu_exit();
	gpuoa_class_exit();
	unregister_sysctl_table(sysctl_header);
}

module_init(gpuoa_init);
module_exit(gpuoa_exit);

MODULE_DESCRIPTION("Hardware metrics of Intel GPUs: the Observation Architecture as a perf PMU");
MODULE_LICENSE("GPL");
