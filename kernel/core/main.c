// SPDX-License-Identifier: GPL-2.0-only
/* main.c - init and exit of gpuoa.ko. */
#include <linux/module.h>

#include "pmu/gpuoa_pmu.h"
#include "provider.h"
#include "unit/gpuoa_limits.h"

/* Reports are read as little-endian words, and u64 are read without locks. */
#if !defined(CONFIG_64BIT) || defined(__BIG_ENDIAN)
#error "gpuoa needs a little-endian kernel of 64 bits"
#endif
/* Samples are written by perf_tp_event(). */
#if !defined(CONFIG_PERF_EVENTS) || !defined(CONFIG_EVENT_TRACING)
#error "gpuoa needs CONFIG_PERF_EVENTS and CONFIG_EVENT_TRACING"
#endif

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
MODULE_VERSION(GPUOA_VERSION);
