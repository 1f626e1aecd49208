// SPDX-License-Identifier: GPL-2.0-only
/*
 * bench_main.c - gpuoa_bench.ko: compares the cost of reports through gpuoa.ko and through read().
 */
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/module.h>
#include <linux/platform_device.h>

#include "bench.h"

/**
 * DOC: gpuoa_bench
 *
 * For measurements only. The module registers an emulated unit with gpuoa.ko. Reports of this unit
 * cost nothing, so that only the cost of gpuoa.ko and perf remains. The same unit has a read()
 * interface like i915's. No GPU, real or virtual, is needed. Files in debugfs directory
 * gpuoa_bench/:
 *
 * ========= ====================================================================================
 * cost_ns   time spent on reports in interrupts, see bench_cost.c
 * reader    TGID of the process during which interrupts are excluded from cost_ns
 * copy      read() returns reports with headers, written since open(); see bench_copy.c
 * exponent  timer exponent of the reports of copy
 * ========= ====================================================================================
 */

static struct platform_device *bench_device;
static struct dentry *bench_debugfs;

static int __init bench_init(void)
{
	int ret;

	bench_device = platform_device_register_simple(BENCH_NAME, PLATFORM_DEVID_NONE, NULL, 0);
	if (IS_ERR(bench_device))
		return PTR_ERR(bench_device);

	bench_debugfs = debugfs_create_dir(BENCH_NAME, NULL);
	bench_copy_init(bench_debugfs);
	ret = bench_cost_init(bench_debugfs);
	if (ret)
		goto err_debugfs;
	ret = bench_host_init(&bench_device->dev);
	if (ret)
		goto err_cost;

	return 0;

err_cost:
	bench_cost_exit();
err_debugfs:
	debugfs_remove_recursive(bench_debugfs);
	platform_device_unregister(bench_device);

	return ret;
}

static void __exit bench_exit(void)
{
	bench_host_exit();
	bench_cost_exit();
	debugfs_remove_recursive(bench_debugfs);
	platform_device_unregister(bench_device);
}

module_init(bench_init);
module_exit(bench_exit);

MODULE_AUTHOR("The gpuoa authors");
MODULE_DESCRIPTION("What reports cost on their way through gpuoa; for measurements only");
MODULE_LICENSE("GPL");
