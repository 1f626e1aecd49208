// SPDX-License-Identifier: GPL-2.0-only
/*
 * sim_instances.c - virtual GPUs come and go, with the module and at run time.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <drm/drm_drv.h>
#include <linux/debugfs.h>
#include <linux/device.h>
#include <linux/err.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/string.h>

#include <gpuoa_compat.h>

#include "sim.h"
#include "sim_instances.h"

static bool sim_interrupts = true;
module_param_named(interrupts, sim_interrupts, bool, 0644);
MODULE_PARM_DESC(interrupts,
		 "GPUs that are made from now on interrupt when a buffer becomes half full (default Y)");

/**
 * DOC: Instances
 *
 * The module parameter `platform` names the GPUs that come with the module. Others come and go by
 * writing to files below /sys/bus/gpuoa_sim/:
 *
 * ========== ===================================================================================
 * new_device "PLATFORM" or "PLATFORM SCENE", as in the module's parameters: make a GPU. It gets
 *            the lowest number that is free. EINVAL: there is no such platform or scene (the
 *            kernel's log has a list), or it is not one or two words; ENOSPC: there are 16
 * del_device "N": remove GPU number N at once, as if it were pulled out, whoever uses it. EINVAL:
 *            not a number; ENOENT: there is no such GPU
 * ========== ===================================================================================
 *
 * The module parameter `interrupts`, which can be changed at any time, says whether the GPUs that
 * are made from then on have the interrupt of a buffer that becomes half full, as real ones do if
 * their driver hands it on.
 *
 * N is the number of the platform device gpuoa_sim.N, on which the GPU's DRM node and OA units
 * hang, and of its debugfs directory. The bus has no devices of its own: platform devices are what
 * DRM clients know what to do with.
 */

/* GPUs that there are at most. */
#define SIM_MAX_GPUS 16

static LIST_HEAD(sim_gpus);
static DEFINE_MUTEX(sim_gpus_lock); /* sim_gpus */

/* First load of those that are not told otherwise. */
static unsigned int sim_default_scene;

/* The MUX of a virtual GPU switches at once: users need not wait as long as for real ones. */
#define SIM_NOA_DELAY_US 100

/* What one of the units says of itself. */
static void sim_describe(const struct sim_gpu *gpu, unsigned int i, struct gpuoa_unit_desc *desc)
{
	*desc = gpu->platform->desc;
	desc->unit_type = gpu->platform->units[i].type;
	desc->noa_delay_us = SIM_NOA_DELAY_US;
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
	gpu->interrupts = READ_ONCE(sim_interrupts);
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

	mutex_lock(&sim_gpus_lock);
	list_for_each_entry_safe(gpu, next, &sim_gpus, link)
		sim_destroy(gpu);
	mutex_unlock(&sim_gpus_lock);
}

static struct sim_gpu *sim_find(unsigned int index)
{
	struct sim_gpu *gpu;

	list_for_each_entry(gpu, &sim_gpus, link)
		if (gpu->index == index)
			return gpu;
	return NULL;
}

/* A GPU with the lowest free number. */
static int sim_add(const struct sim_platform *what, unsigned int scene)
{
	unsigned int index = 0;
	int err = -ENOSPC;

	mutex_lock(&sim_gpus_lock);
	while (index < SIM_MAX_GPUS && sim_find(index))
		index++;
	if (index < SIM_MAX_GPUS)
		err = sim_create(what, index, scene);
	mutex_unlock(&sim_gpus_lock);
	return err;
}

/* Number of a scene, or negative. */
int sim_scene_find(const char *name)
{
	int which = match_string(sim_scene_names, SIM_N_SCENES, name);

	if (which < 0)
		pr_err("no scene \"%s\"; there are: idle, steady, frames, compute\n", name);
	return which;
}

/* ---- at run time ---------------------------------------------------------------------------- */

static ssize_t new_device_store(GPUOA_BUS_TYPE *bus, const char *text, size_t count)
{
	char platform[32], scene[16], more;
	const struct sim_platform *what;
	int n, which, err;

	n = sscanf(text, "%31s %15s %c", platform, scene, &more);
	if (n != 1 && n != 2) {
		pr_err("new_device takes \"PLATFORM\" or \"PLATFORM SCENE\"\n");
		return -EINVAL;
	}
	what = sim_platform_find(platform);
	which = n == 2 ? sim_scene_find(scene) : sim_default_scene;
	if (!what || which < 0)
		return -EINVAL;
	err = sim_add(what, which);
	return err ?: count;
}
static BUS_ATTR_WO(new_device);

static ssize_t del_device_store(GPUOA_BUS_TYPE *bus, const char *text, size_t count)
{
	struct sim_gpu *gpu;
	unsigned int index;
	int err;

	err = kstrtouint(text, 10, &index);
	if (err)
		return err;
	mutex_lock(&sim_gpus_lock);
	gpu = sim_find(index);
	if (gpu)
		sim_destroy(gpu);
	mutex_unlock(&sim_gpus_lock);
	return gpu ? count : -ENOENT;
}
static BUS_ATTR_WO(del_device);

static struct attribute *sim_bus_attrs[] = {
	&bus_attr_new_device.attr,
	&bus_attr_del_device.attr,
	NULL,
};
ATTRIBUTE_GROUPS(sim_bus);

static GPUOA_BUS_TYPE sim_bus = {
	.name = SIM_NAME,
	.bus_groups = sim_bus_groups,
};

/* ---- with the module ------------------------------------------------------------------------ */

/* All names are looked up before anything is made: what is made can be used at once. */
static int sim_create_all(char *names)
{
	const struct sim_platform *what[SIM_MAX_GPUS];
	unsigned int i, count = 0;
	char *name;
	int err = 0;

	while ((name = strsep(&names, ","))) {
		if (count == ARRAY_SIZE(what)) {
			pr_err("more than %u GPUs\n", SIM_MAX_GPUS);
			return -EINVAL;
		}
		what[count] = sim_platform_find(name);
		if (!what[count++])
			return -EINVAL;
	}

	for (i = 0; i < count && !err; i++)
		err = sim_add(what[i], sim_default_scene);
	if (err)
		sim_destroy_all();
	return err;
}

int sim_instances_init(const char *platforms, unsigned int scene)
{
	char *names;
	int err;

	sim_default_scene = scene;
	names = kstrdup(platforms, GFP_KERNEL);
	if (!names)
		return -ENOMEM;
	err = sim_create_all(names);
	kfree(names);
	if (err)
		return err;

	err = bus_register(&sim_bus);
	if (err)
		sim_destroy_all();
	return err;
}

void sim_instances_exit(void)
{
	bus_unregister(&sim_bus);
	sim_destroy_all();
}
