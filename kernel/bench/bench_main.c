// SPDX-License-Identifier: GPL-2.0-only
/*
 * bench_main.c - gpuoa_bench.ko: what reports cost on their way through gpuoa.ko, beside what they
 * cost when they are copied out by read().
 */
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/module.h>
#include <linux/platform_device.h>

#include "bench.h"

/**
 * DOC: gpuoa_bench
 *
 * For measurements only: a host of gpuoa.ko whose unit costs nothing, so that what is left is the
 * code of gpuoa.ko and perf; and a reader's interface of the kind that i915 has, on top of the same
 * unit. No GPU, real or virtual, is needed. In debugfs, gpuoa_bench/ has:
 *
 * ========= ====================================================================================
 * cost_ns   time spent in interrupts because of reports, see bench_cost.c
 * reader    process whose own time is not in it
 * copy      read() gives reports, with headers, from its open() on; see bench_copy.c
 * exponent  timer exponent for those
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
