// SPDX-License-Identifier: GPL-2.0-only
/*
 * main.c - gpuoa_sim.ko: module parameters, creation and removal of virtual GPUs.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <drm/drm_drv.h>
#include <drm/drm_managed.h>
#include <gpuoa_compat.h>
#include <linux/debugfs.h>
#include <linux/device.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/ktime.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "debugfs.h"
#include "drm.h"
#include "provider.h"
#include "instance.h"
#include "pm.h"
#include "vgpu/model/cs.h"
#include "vgpu/model/gpu.h"

static bool sim_interrupts = true;
module_param_named(interrupts, sim_interrupts, bool, 0644);
MODULE_PARM_DESC(interrupts, "GPUs made from now on interrupt for half-full buffers (default Y)");

/**
 * DOC: Instances
 *
 * The module parameter `platform` names the GPUs created at load time. Others are created and
 * removed by writing to files below /sys/bus/gpuoa_sim/:
 *
 * ========== ===================================================================================
 * new_device "PLATFORM" or "PLATFORM WORKLOAD", as in the module's parameters: create a GPU with
 *            the lowest free number. EINVAL: no such platform or workload (the kernel's log lists
 *            them), or not one or two words; ENOSPC: there are already 16
 * del_device "N": remove GPU number N at once, as if it were unplugged, even if it is in use.
 *            EINVAL: not a number; ENOENT: there is no such GPU
 * ========== ===================================================================================
 *
 * The module parameter `interrupts` can be changed at any time. It controls whether GPUs created
 * afterwards have the half-full interrupt, as real ones do if their driver forwards it.
 *
 * N is the number of the platform device gpuoa_sim.N, the parent of the GPU's DRM node and OA
 * units, and of its debugfs directory. No device is on this bus: DRM clients recognize platform
 * devices.
 */

/* Maximum number of GPUs */
#define SIM_MAX_GPUS 16

static LIST_HEAD(sim_gpus);
static DEFINE_MUTEX(sim_gpus_lock); /* protects sim_gpus */

/* Default workload of a new GPU */
static unsigned int sim_default_workload;

/* The virtual multiplexer switches at once, so a shorter delay than on hardware is sufficient. */
#define SIM_NOA_DELAY_US 100

static u64 sim_device_host_clock(const struct sim_gpu *gpu)
{
	return ktime_get_ns();
}

static void sim_device_host_unknown(struct sim_gpu *gpu, u32 reg)
{
	struct sim_instance *instance = sim_instance_of(gpu);

	WRITE_ONCE(instance->unknown, reg);
	irq_work_queue(&instance->notice);
}

static void sim_notice(struct irq_work *work)
{
	struct sim_instance *instance = container_of(work, struct sim_instance, notice);

	dev_notice_ratelimited(instance->drm.dev, "no register at %#x\n",
			       READ_ONCE(instance->unknown));
}

static const struct sim_device_host sim_device_host = {
	.clock = sim_device_host_clock,
	.memory = sim_ggtt_find,
	.half_full = sim_half_full_interrupt,
	.expect = sim_half_full_expect,
	.unknown = sim_device_host_unknown,
};

static void sim_fini(struct drm_device *drm, void *data)
{
	struct sim_instance *instance = data;
	unsigned int i;

	for (i = 0; i < instance->gpu.n_oa; i++)
		sim_half_full_exit(&instance->attached[i]);
	irq_work_sync(&instance->notice);
	sim_owners_fini(&instance->owners);
	sim_gpu_destroy(&instance->gpu);
}

/* Initialize everything that is released with the DRM device. */
static int sim_init(struct sim_instance *instance, const struct sim_platform *what,
		    unsigned int workload)
{
	struct sim_gpu *gpu = &instance->gpu;
	unsigned int i;
	int ret;

	init_irq_work(&instance->notice, sim_notice);
	sim_owners_init(&instance->owners);
	ret = drmm_mutex_init(&instance->drm, &instance->mutex);
	if (ret)
		return ret;
	ret = sim_gpu_create(gpu, what, &sim_device_host, workload);
	for (i = 0; i < SIM_MAX_UNITS; i++) {
		instance->attached[i].oa = &gpu->oa[i];
		sim_half_full_init(&instance->attached[i]);
	}
	if (ret)
		sim_fini(&instance->drm, instance);
	else
		ret = drmm_add_action_or_reset(&instance->drm, sim_fini, instance);
	if (!ret)
		ret = sim_ggtt_create(instance);
	if (!ret)
		ret = sim_exec_create(instance);

	return ret;
}

/* Describe one of the units. */
static void sim_describe(const struct sim_gpu *gpu, unsigned int i, struct gpuoa_unit_desc *desc)
{
	const struct sim_unit *unit = &gpu->platform->units[i];

	*desc = gpu->platform->desc;
	desc->unit_type = unit->type;
	desc->gt = unit->gt;
	desc->engines = unit->engines;
	desc->n_engines = unit->n_engines;
	desc->cs_timestamp_frequency = desc->timestamp_frequency >>
				       gpu->platform->cs_timestamp_shift;
	desc->cs_timestamp_bits = SIM_CS_TIMESTAMP_BITS;
	desc->noa_delay_us = SIM_NOA_DELAY_US;
	desc->batches_trigger = gpu->platform->mmio_trigger && desc->unit_type == GPUOA_UNIT_OA;
}

static void sim_unregister_units(struct sim_instance *instance)
{
	unsigned int i = instance->gpu.n_oa;

	while (i--)
		if (instance->attached[i].unit)
			gpuoa_unit_unregister(instance->attached[i].unit);
}

static int sim_register_units(struct sim_instance *instance)
{
	struct gpuoa_unit_desc desc;
	struct gpuoa_unit *unit;
	unsigned int i;

	for (i = 0; i < instance->gpu.n_oa; i++) {
		sim_describe(&instance->gpu, i, &desc);
		unit = gpuoa_unit_register(&instance->parent->dev, &desc, &sim_provider_ops,
					   instance, THIS_MODULE);
		if (IS_ERR(unit)) {
			sim_unregister_units(instance);
			return PTR_ERR(unit);
		}
		instance->attached[i].unit = unit;
	}

	return 0;
}

static int sim_create(const struct sim_platform *what, unsigned int index, unsigned int which)
{
	struct platform_device *parent;
	struct sim_instance *instance;
	int ret;

	parent = platform_device_register_simple(SIM_NAME, index, NULL, 0);
	if (IS_ERR(parent))
		return PTR_ERR(parent);
	if (!devres_open_group(&parent->dev, NULL, GFP_KERNEL)) {
		ret = -ENOMEM;
		goto err_parent;
	}
	instance = sim_drm_create(&parent->dev);
	if (IS_ERR(instance)) {
		ret = PTR_ERR(instance);
		goto err_devres;
	}
	instance->parent = parent;
	instance->index = index;
	instance->interrupts = READ_ONCE(sim_interrupts);
	ret = sim_init(instance, what, which);
	if (ret)
		goto err_devres;

	ret = drm_dev_register(&instance->drm, 0);
	if (ret)
		goto err_devres;
	ret = sim_register_units(instance);
	if (ret)
		goto err_drm;
	sim_pm_init(instance);
	sim_debugfs_add(instance);
	list_add(&instance->link, &sim_gpus);
	return 0;

err_drm:
	drm_dev_unplug(&instance->drm);
err_devres:
	devres_release_group(&parent->dev, NULL);
err_parent:
	platform_device_unregister(parent);
	return ret;
}

/* The instance's memory is freed when the last file of its DRM device is closed. */
static void sim_destroy(struct sim_instance *instance)
{
	struct platform_device *parent = instance->parent;

	list_del(&instance->link);
	debugfs_remove_recursive(instance->debugfs);
	sim_pm_exit(instance);
	sim_unregister_units(instance);
	drm_dev_unplug(&instance->drm);
	devres_release_group(&parent->dev, NULL);
	platform_device_unregister(parent);
}

static void sim_destroy_all(void)
{
	struct sim_instance *instance, *next;

	mutex_lock(&sim_gpus_lock);
	list_for_each_entry_safe(instance, next, &sim_gpus, link)
		sim_destroy(instance);
	mutex_unlock(&sim_gpus_lock);
}

static struct sim_instance *sim_find(unsigned int index)
{
	struct sim_instance *instance;

	list_for_each_entry(instance, &sim_gpus, link)
		if (instance->index == index)
			return instance;
	return NULL;
}

/* Add a GPU with the lowest free number. */
static int sim_add(const struct sim_platform *what, unsigned int workload)
{
	unsigned int index = 0;
	int ret = -ENOSPC;

	mutex_lock(&sim_gpus_lock);
	while (index < SIM_MAX_GPUS && sim_find(index))
		index++;
	if (index < SIM_MAX_GPUS)
		ret = sim_create(what, index, workload);
	mutex_unlock(&sim_gpus_lock);
	return ret;
}

/* Find a platform; if there is none of this name, list all platforms in the log. */
static const struct sim_platform *sim_platform_named(const char *name)
{
	const struct sim_platform *what = sim_platform_find(name);
	const char *other;
	unsigned int i;

	if (what)
		return what;
	pr_err("no platform \"%s\"; there are:\n", name);
	for (i = 0; (other = sim_platform_name(i)); i++)
		pr_err("  %s\n", other);

	return NULL;
}

/**
 * sim_workload_find() - Find a workload by name; list all in the log if there is none.
 * @name: name of the workload
 *
 * Return: its index, or a negative errno
 */
static int sim_workload_find(const char *name)
{
	int which = match_string(sim_workload_names, SIM_N_WORKLOADS, name);

	if (which < 0)
		pr_err("no workload \"%s\"; there are: idle, steady, frames, compute\n", name);
	return which;
}

static ssize_t new_device_store(GPUOA_BUS_TYPE *bus, const char *text, size_t count)
{
	char platform[32], workload[16], more;
	const struct sim_platform *what;
	int n, which, ret;

	n = sscanf(text, "%31s %15s %c", platform, workload, &more);
	if (n != 1 && n != 2) {
		pr_err("new_device takes \"PLATFORM\" or \"PLATFORM WORKLOAD\"\n");
		return -EINVAL;
	}
	what = sim_platform_named(platform);
	which = n == 2 ? sim_workload_find(workload) : sim_default_workload;
	if (!what || which < 0)
		return -EINVAL;
	ret = sim_add(what, which);
	return ret ?: count;
}
static BUS_ATTR_WO(new_device);

static ssize_t del_device_store(GPUOA_BUS_TYPE *bus, const char *text, size_t count)
{
	struct sim_instance *instance;
	unsigned int index;
	int ret;

	ret = kstrtouint(text, 10, &index);
	if (ret)
		return ret;
	mutex_lock(&sim_gpus_lock);
	instance = sim_find(index);
	if (instance)
		sim_destroy(instance);
	mutex_unlock(&sim_gpus_lock);
	return instance ? count : -ENOENT;
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

/* All names are checked before any GPU is created, because a new GPU is usable at once. */
static int sim_create_all(char *names)
{
	const struct sim_platform *what[SIM_MAX_GPUS];
	unsigned int i, count = 0;
	char *name;
	int ret = 0;

	while ((name = strsep(&names, ","))) {
		if (count == ARRAY_SIZE(what)) {
			pr_err("more than %u GPUs\n", SIM_MAX_GPUS);
			return -EINVAL;
		}
		what[count] = sim_platform_named(name);
		if (!what[count++])
			return -EINVAL;
	}

	for (i = 0; i < count && !ret; i++)
		ret = sim_add(what[i], sim_default_workload);
	if (ret)
		sim_destroy_all();
	return ret;
}

/**
 * sim_instances_init() - Create the first GPUs, and the bus files that create others.
 * @platforms: comma-separated names of platforms
 * @workload: index of the default workload
 *
 * Return: 0, or a negative errno
 */
static int sim_instances_init(const char *platforms, unsigned int workload)
{
	char *names;
	int ret;

	sim_default_workload = workload;
	names = kstrdup(platforms, GFP_KERNEL);
	if (!names)
		return -ENOMEM;
	ret = sim_create_all(names);
	kfree(names);
	if (!ret) {
		ret = bus_register(&sim_bus);
		if (ret)
			sim_destroy_all();
	}
	return ret;
}

/**
 * sim_instances_exit() - Remove all GPUs.
 */
static void sim_instances_exit(void)
{
	bus_unregister(&sim_bus);
	sim_destroy_all();
}

/**
 * DOC: gpuoa_sim
 *
 * A simulated GPU for machines without an Intel one: for tests, demonstrations and the development
 * of profilers. It registers with gpuoa.ko like any other provider; only the registers and the
 * hardware are simulated. So clients exercise the real code, and because the workload is known
 * exactly, results can be checked against exact counts.
 */

static char *platform = "hsw_gt2";
module_param(platform, charp, 0444);
MODULE_PARM_DESC(platform,
		 "virtual GPUs to make, separated by commas: hsw_gt2, bdw_gt2, skl_gt2, icl_gt2, tgl_gt2, rkl_gt1, adls, adln, mtl_gt2, lnl or bmg (default hsw_gt2)");

static char *workload = "frames";
module_param(workload, charp, 0444);
MODULE_PARM_DESC(workload, "first load of each: idle, steady, frames or compute (default frames)");

static int __init sim_module_init(void)
{
	int which = sim_workload_find(workload);
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
