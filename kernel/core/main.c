// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - gpuoa.ko: loading and unloading.
 */
#include <linux/module.h>

#include "host.h"
#include "pmu/register.h"
#include "unit/limits.h"

static int __init gpuoa_init(void)
{
	int ret;

	ret = gpuoa_limits_init();
	if (ret)
		return ret;

	ret = gpuoa_class_init();
	if (ret)
		goto err_limits;

	ret = gpuoa_pmu_init();
	if (ret)
		goto err_class;

	return 0;

err_class:
	gpuoa_class_exit();
err_limits:
	gpuoa_limits_exit();

	return ret;
}

static void __exit gpuoa_exit(void)
{
	gpuoa_pmu_exit();
	gpuoa_class_exit();
	gpuoa_limits_exit();
}

module_init(gpuoa_init);
module_exit(gpuoa_exit);

MODULE_DESCRIPTION("Hardware metrics of Intel GPUs: the Observation Architecture as a perf PMU");
MODULE_LICENSE("GPL");
