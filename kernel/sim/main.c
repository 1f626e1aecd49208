// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - gpuoa_sim.ko: loading, unloading, and the module's parameters.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/errno.h>
#include <linux/module.h>

#include "debugfs.h"
#include "instances.h"

/**
 * DOC: gpuoa_sim
 *
 * A GPU that is not there, for everybody who has none: tests, demonstrations, development of
 * profilers. It is a host driver of gpuoa.ko like any other, below the same interface as real
 * ones; all it adds is that the registers and what stands behind them are made up. So what runs
 * against it runs the real code, and since the load is known exactly, results can be checked and
 * not just looked at.
 */

static char *platform = "hsw_gt2";
module_param(platform, charp, 0444);
MODULE_PARM_DESC(platform,
		 "virtual GPUs to make, separated by commas: hsw_gt2, bdw_gt2, skl_gt2, icl_gt2, tgl_gt2, rkl_gt1, mtl_gt2, lnl or bmg (default hsw_gt2)");

static char *scene = "frames";
module_param(scene, charp, 0444);
MODULE_PARM_DESC(scene,
		 "first load of each: idle, steady, frames or compute (default frames)");

static int __init sim_module_init(void)
{
	int which = sim_scene_find(scene);
	int ret;

	if (which < 0)
		return -EINVAL;
	sim_debugfs_init();
	ret = sim_instances_init(platform, which);
	if (ret)
		sim_debugfs_exit();
	return ret;
}

static void __exit sim_module_exit(void)
{
	sim_instances_exit();
	sim_debugfs_exit();
}

module_init(sim_module_init);
module_exit(sim_module_exit);

MODULE_AUTHOR("The gpuoa authors");
MODULE_DESCRIPTION("Virtual Intel GPUs with an OA unit");
MODULE_LICENSE("GPL");
