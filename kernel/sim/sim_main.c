// SPDX-License-Identifier: GPL-2.0-only
/*
 * sim_main.c - gpuoa_sim.ko: the platforms it knows, and instances of them.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <drm/drm_drv.h>
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "sim.h"

/**
 * DOC: gpuoa_sim
 *
 * A GPU that is not there, for everybody who has none: tests, demonstrations, development of
 * profilers. It is a host driver of gpuoa.ko like any other, below the same interface as real
 * ones; all it adds is that the registers and what stands behind them are made up. So what runs
 * against it runs the real code, and since the load is known exactly, results can be checked and
 * not just looked at.
 */

/* GPUs that one load of the module makes at most. */
#define SIM_MAX_GPUS 16

static char *platform = "hsw_gt2";
module_param(platform, charp, 0444);
MODULE_PARM_DESC(platform,
		 "virtual GPUs to make, separated by commas: hsw_gt2, bdw_gt2, skl_gt2, icl_gt2, tgl_gt2, mtl_gt2, lnl or bmg (default hsw_gt2)");

static char *scene = "frames";
module_param(scene, charp, 0444);
MODULE_PARM_DESC(scene,
		 "first load of each: idle, steady, frames or compute (default frames)");

static LIST_HEAD(sim_gpus);

/* What one of the units says of itself. */
static void sim_describe(const struct sim_gpu *gpu, unsigned int i, struct gpuoa_unit_desc *desc)
{
	*desc = gpu->platform->desc;
	desc->unit_type = gpu->platform->units[i].type;
}

static void sim_unregister_units(struct sim_gpu *gpu)
{
	unsigned int i = gpu->n_oa;

	while (i--)
		if (gpu->oa[i].unit)
			gpuoa_unit_unregister(gpu->oa[i].unit);
}

static int sim_register_units(struct sim_gpu *gpu)
{
	struct gpuoa_unit_desc desc;
	struct gpuoa_unit *unit;
	unsigned int i;

	for (i = 0; i < gpu->n_oa; i++) {
		sim_describe(gpu, i, &desc);
		unit = gpuoa_unit_register(&gpu->parent->dev, &desc, &sim_host_ops, gpu,
					   THIS_MODULE);
		if (IS_ERR(unit)) {
			sim_unregister_units(gpu);
			return PTR_ERR(unit);
		}
		gpu->oa[i].unit = unit;
	}
	return 0;
}

static int sim_create(const struct sim_platform *what, unsigned int index, unsigned int which)
{
	struct platform_device *parent;
	struct sim_gpu *gpu;
	int err;

	parent = platform_device_register_simple(SIM_NAME, index, NULL, 0);
	if (IS_ERR(parent))
		return PTR_ERR(parent);
	if (!devres_open_group(&parent->dev, NULL, GFP_KERNEL)) {
		err = -ENOMEM;
		goto err_parent;
	}
	gpu = sim_drm_create(&parent->dev);
	if (IS_ERR(gpu)) {
		err = PTR_ERR(gpu);
		goto err_devres;
	}
	gpu->parent = parent;
	gpu->platform = what;
	gpu->index = index;
	err = sim_gpu_init(gpu, which);
	if (err)
		goto err_devres;

	err = drm_dev_register(&gpu->drm, 0);
	if (err)
		goto err_devres;
	err = sim_register_units(gpu);
	if (err)
		goto err_drm;
	sim_debugfs_add(gpu);
	list_add(&gpu->link, &sim_gpus);
	return 0;

err_drm:
	drm_dev_unplug(&gpu->drm);
err_devres:
	devres_release_group(&parent->dev, NULL);
err_parent:
	platform_device_unregister(parent);
	return err;
}

/* The instance's memory goes with the last open file of its DRM device. */
static void sim_destroy(struct sim_gpu *gpu)
{
	struct platform_device *parent = gpu->parent;

	list_del(&gpu->link);
	debugfs_remove_recursive(gpu->debugfs);
	sim_unregister_units(gpu);
	drm_dev_unplug(&gpu->drm);
	devres_release_group(&parent->dev, NULL);
	platform_device_unregister(parent);
}

static void sim_destroy_all(void)
{
	struct sim_gpu *gpu, *next;

	list_for_each_entry_safe(gpu, next, &sim_gpus, link)
		sim_destroy(gpu);
}

/* All names are looked up before anything is made: what is made can be used at once. */
static int sim_create_all(char *names, unsigned int which)
{
	const struct sim_platform *what[SIM_MAX_GPUS];
	unsigned int i, count = 0;
	char *name;
	int err;

	while ((name = strsep(&names, ","))) {
		if (count == ARRAY_SIZE(what)) {
			pr_err("more than %u GPUs\n", SIM_MAX_GPUS);
			return -EINVAL;
		}
		what[count] = sim_platform_find(name);
		if (!what[count++])
			return -EINVAL;
	}

	for (i = 0; i < count; i++) {
		err = sim_create(what[i], i, which);
		if (err) {
			sim_destroy_all();
			return err;
		}
	}
	return 0;
}

static int __init sim_module_init(void)
{
	int which = match_string(sim_scene_names, SIM_N_SCENES, scene);
	char *names;
	int err;

	if (which < 0) {
		pr_err("no scene \"%s\"; there are: idle, steady, frames, compute\n", scene);
		return -EINVAL;
	}
	names = kstrdup(platform, GFP_KERNEL);
	if (!names)
		return -ENOMEM;
	sim_debugfs_init();
	err = sim_create_all(names, which);
	if (err)
		sim_debugfs_exit();
	kfree(names);
	return err;
}

static void __exit sim_module_exit(void)
{
	sim_destroy_all();
	sim_debugfs_exit();
}

module_init(sim_module_init);
module_exit(sim_module_exit);

MODULE_AUTHOR("The gpuoa authors");
MODULE_DESCRIPTION("Virtual Intel GPUs with an OA unit");
MODULE_LICENSE("GPL");
