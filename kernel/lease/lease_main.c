// SPDX-License-Identifier: GPL-2.0-only
/*
 * lease_main.c - init and exit of the module, attaching gpuoa to GPUs of the stock driver, and
 * system sleep.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/pci.h>
#include <linux/slab.h>
#include <linux/suspend.h>
#include <linux/sysfs.h>

#include <drm/drm_device.h>
#include <drm/drm_drv.h>
#include <drm/drm_file.h>

#include "lease.h"
#include "lease_ioctl.h"

/* BAR with the registers in its lower half */
#define LEASE_BAR 0

static int find_drm(struct lease_gpu *gpu, const char **why)
{
	struct drm_device *drm = pci_get_drvdata(gpu->pdev);

	*why = "the driver has no DRM device for it";
	if (!drm || drm->dev != &gpu->pdev->dev || !drm->render)
		return -ENODEV;
	gpu->drm = drm;

	return 0;
}

static int make_thread(struct lease_gpu *gpu, const char **why)
{
	struct kthread_worker *worker =
		kthread_create_worker(0, KBUILD_MODNAME "/%s", pci_name(gpu->pdev));

	*why = "its thread cannot be created";
	if (IS_ERR(worker))
		return PTR_ERR(worker);
	gpu->worker = worker;

	return 0;
}

static int map_registers(struct lease_gpu *gpu, const char **why)
{
	resource_size_t start = pci_resource_start(gpu->pdev, LEASE_BAR);

	*why = "its registers cannot be mapped";
	if (!start || pci_resource_len(gpu->pdev, LEASE_BAR) / 2 < lease_driver.regs_size)
		return -ENODEV;
	gpu->regs = ioremap(start, lease_driver.regs_size);

	return gpu->regs ? 0 : -ENOMEM;
}

static int attach(struct lease_gpu *gpu, const char **why)
{
	int ret;

	ret = lease_driver.check(gpu, why);
	if (ret)
		return ret;
	ret = find_drm(gpu, why);
	if (ret)
		return ret;
	ret = make_thread(gpu, why);
	if (ret)
		return ret;
	ret = map_registers(gpu, why);
	if (ret)
		return ret;

	return lease_driver.attach(gpu, why);
}

/**
 * lease_unit_init() - Initialize a unit.
 * @unit: unit, zeroed except for members that the driver sets
 * @gpu: GPU
 */
void lease_unit_init(struct lease_unit *unit, struct lease_gpu *gpu)
{
	unit->gpu = gpu;
	mutex_init(&unit->lock);
}

/**
 * lease_register() - Register a unit with gpuoa. It is unregistered when the GPU is detached.
 * @unit: unit
 * @desc: description
 * @ops: callbacks, with LEASE_PROVIDER_OPS
 *
 * Context: may sleep
 * Return: 0; -ENODEV if gpuoa does not support the unit; or another -errno
 */
int lease_register(struct lease_unit *unit, const struct gpuoa_unit_desc *desc,
		   const struct gpuoa_provider_ops *ops)
{
	struct lease_gpu *gpu = unit->gpu;
	struct gpuoa_unit *registered;

	if (gpu->n_units == LEASE_UNITS)
		return -ENOSPC;
	registered = gpuoa_unit_register(&gpu->pdev->dev, desc, ops, unit, THIS_MODULE);
	if (IS_ERR(registered))
		return PTR_ERR(registered);
	unit->unit = registered;
	gpu->units[gpu->n_units++] = unit;

	return 0;
}

/**
 * gpu_detach() - Undo gpu_attach().
 * @gpu: GPU, which may be in use
 *
 * Context: may sleep
 */
static void gpu_detach(struct lease_gpu *gpu)
{
	while (gpu->n_units) {
		struct lease_unit *unit = gpu->units[--gpu->n_units];

		gpuoa_unit_unregister(unit->unit);
		mutex_destroy(&unit->lock);
	}
	if (gpu->worker)
		kthread_destroy_worker(gpu->worker);
	if (gpu->regs)
		iounmap(gpu->regs);
	pci_dev_put(gpu->pdev);
	kfree(gpu);
}

/**
 * gpu_attach() - Register the OA units of a GPU with gpuoa.
 * @pdev: PCI device, which stays bound to the driver during the call
 * @why: reason of a failure, output
 *
 * Context: may sleep
 * Return: the GPU, or an ERR_PTR
 */
static struct lease_gpu *gpu_attach(struct pci_dev *pdev, const char **why)
{
	struct lease_gpu *gpu = kzalloc(lease_driver.gpu_size, GFP_KERNEL);
	int ret;

	*why = "no memory";
	if (!gpu)
		return ERR_PTR(-ENOMEM);
	gpu->pdev = pci_dev_get(pdev);

	ret = attach(gpu, why);
	if (ret) {
		gpu_detach(gpu);
		return ERR_PTR(ret);
	}
	*why = NULL;

	return gpu;
}

/**
 * struct candidate - GPU of the stock driver
 * @node: entry in candidates
 * @pdev: PCI device, with a reference
 * @gpu: attached GPU; NULL if not attached
 * @error: error that prevented the attachment, -errno
 * @why: reason of @error
 */
struct candidate {
	struct list_head node;
	struct pci_dev *pdev;
	struct lease_gpu *gpu;
	int error;
	const char *why;
};

static DEFINE_MUTEX(candidates_lock); /* candidates, their members, and exiting */
static LIST_HEAD(candidates);
static bool exiting; /* the module is removed: no GPU is added any more */

static char *only = "";
module_param(only, charp, 0444);
MODULE_PARM_DESC(only, "PCI name of the GPU to attach to (0000:00:02.0); empty: all");

/*
 * Print one line per GPU, with its PCI name, and "attached" or the reason why it is not attached.
 */
static int show_gpus(char *buffer, const struct kernel_param *param)
{
	const struct candidate *candidate;
	int size = 0;

	mutex_lock(&candidates_lock);
	list_for_each_entry(candidate, &candidates, node)
		size += candidate->gpu ? sysfs_emit_at(buffer, size, "%s: attached\n",
						       pci_name(candidate->pdev)) :
					 sysfs_emit_at(buffer, size, "%s: not attached: %s (%d)\n",
						       pci_name(candidate->pdev), candidate->why,
						       candidate->error);
	mutex_unlock(&candidates_lock);

	return size;
}

static const struct kernel_param_ops gpus_ops = { .get = show_gpus };
module_param_cb(gpus, &gpus_ops, NULL, 0444);
MODULE_PARM_DESC(gpus, "GPUs of the driver, and whether gpuoa is attached to them");

static bool is_candidate(const struct pci_dev *pdev)
{
	return pdev->vendor == PCI_VENDOR_ID_INTEL && pdev->driver &&
	       !strcmp(pdev->driver->name, lease_driver.name);
}

static void try_attach(struct candidate *candidate)
{
	struct pci_dev *pdev = candidate->pdev;
	struct lease_gpu *gpu;

	if (*only && strcmp(only, pci_name(pdev))) {
		candidate->error = -EPERM;
		candidate->why = "the parameter only names another one";
		return;
	}
	gpu = gpu_attach(pdev, &candidate->why);
	if (IS_ERR(gpu)) {
		candidate->error = PTR_ERR(gpu);
		pci_warn(pdev, "gpuoa is not attached: %s (%d)\n", candidate->why,
			 candidate->error);
		return;
	}
	candidate->gpu = gpu;
	pci_info(pdev, "gpuoa is attached\n");
}

static bool is_known(const struct pci_dev *pdev)
{
	const struct candidate *candidate;
	bool known = false;

	mutex_lock(&candidates_lock);
	list_for_each_entry(candidate, &candidates, node)
		known |= candidate->pdev == pdev;
	mutex_unlock(&candidates_lock);

	return known;
}

/* Detach and forget a GPU. Called with the device locked, as add_candidate(). */
static void drop_candidate(struct candidate *candidate)
{
	if (candidate->gpu) {
		gpu_detach(candidate->gpu);
		pci_info(candidate->pdev, "gpuoa is detached\n");
	}
	pci_dev_put(candidate->pdev);
	kfree(candidate);
}

/*
 * Add a GPU that is bound to the driver, unless it is known: the notifier and add_all() may both
 * find it while the module is loaded. Called with the device locked, so that the driver is neither
 * bound nor unbound meanwhile.
 */
static void add_candidate(struct pci_dev *pdev)
{
	struct candidate *candidate;
	bool late;

	if (is_known(pdev))
		return;
	candidate = kzalloc(sizeof(*candidate), GFP_KERNEL);
	if (!candidate) {
		pci_warn(pdev, "gpuoa is not attached: no memory\n");
		return;
	}
	candidate->pdev = pci_dev_get(pdev);
	try_attach(candidate);
	mutex_lock(&candidates_lock);
	late = exiting;
	if (!late)
		list_add_tail(&candidate->node, &candidates);
	mutex_unlock(&candidates_lock);
	if (late)
		drop_candidate(candidate);
}

/* Take a GPU off the list; the caller drops it. Called with the device locked. */
static struct candidate *take_candidate(const struct pci_dev *pdev)
{
	struct candidate *candidate, *found = NULL;

	mutex_lock(&candidates_lock);
	list_for_each_entry(candidate, &candidates, node)
		if (candidate->pdev == pdev) {
			found = candidate;
			list_del(&found->node);
			break;
		}
	mutex_unlock(&candidates_lock);

	return found;
}

/* Detach a GPU if it is on the list. Called with the device locked. */
static void remove_candidate(const struct pci_dev *pdev)
{
	struct candidate *candidate = take_candidate(pdev);

	if (candidate)
		drop_candidate(candidate);
}

static int on_bus(struct notifier_block *block, unsigned long action, void *data)
{
	struct pci_dev *pdev = to_pci_dev(data);

	if (action == BUS_NOTIFY_BOUND_DRIVER && is_candidate(pdev))
		add_candidate(pdev);
	else if (action == BUS_NOTIFY_UNBIND_DRIVER)
		remove_candidate(pdev);

	return NOTIFY_OK;
}

static struct notifier_block bus_notifier = { .notifier_call = on_bus };

static void sleep_all(void)
{
	struct candidate *candidate;
	unsigned int i;

	mutex_lock(&candidates_lock);
	list_for_each_entry(candidate, &candidates, node)
		for (i = 0; candidate->gpu && i < candidate->gpu->n_units; i++)
			gpuoa_unit_suspend(candidate->gpu->units[i]->unit);
	mutex_unlock(&candidates_lock);
}

static void wake_all(void)
{
	struct candidate *candidate;
	unsigned int i;

	mutex_lock(&candidates_lock);
	list_for_each_entry(candidate, &candidates, node)
		for (i = 0; candidate->gpu && i < candidate->gpu->n_units; i++)
			gpuoa_unit_resume(candidate->gpu->units[i]->unit);
	mutex_unlock(&candidates_lock);
}

/*
 * Suspend all OA units before the driver is suspended, because it waits until the GPU is not kept
 * awake any more.
 */
static int on_sleep(struct notifier_block *block, unsigned long action, void *data)
{
	switch (action) {
	case PM_SUSPEND_PREPARE:
	case PM_HIBERNATION_PREPARE:
	case PM_RESTORE_PREPARE:
		sleep_all();
		break;
	case PM_POST_SUSPEND:
	case PM_POST_HIBERNATION:
	case PM_POST_RESTORE:
		wake_all();
		break;
	}

	return NOTIFY_OK;
}

static struct notifier_block sleep_notifier = { .notifier_call = on_sleep };

static void add_all(void)
{
	struct pci_dev *pdev = NULL;

	for_each_pci_dev(pdev) {
		if (pdev->vendor != PCI_VENDOR_ID_INTEL)
			continue;
		device_lock(&pdev->dev);
		if (is_candidate(pdev))
			add_candidate(pdev);
		device_unlock(&pdev->dev);
	}
}

/* Get a GPU on the list with a reference, or NULL. From the first call on, none is added. */
static struct pci_dev *next_to_drop(void)
{
	struct candidate *candidate;
	struct pci_dev *pdev = NULL;

	mutex_lock(&candidates_lock);
	exiting = true;
	candidate = list_first_entry_or_null(&candidates, struct candidate, node);
	if (candidate)
		pdev = pci_dev_get(candidate->pdev);
	mutex_unlock(&candidates_lock);

	return pdev;
}

/*
 * Each GPU stays on the list until its device is locked, so that the notifier detaches it if the
 * driver is unbound first.
 */
static void drop_all(void)
{
	struct pci_dev *pdev;

	while ((pdev = next_to_drop())) {
		device_lock(&pdev->dev);
		remove_candidate(pdev);
		device_unlock(&pdev->dev);
		pci_dev_put(pdev);
	}
}

static int __init lease_init(void)
{
	int ret;

	ret = ioctl_init();
	if (ret)
		return ret;
	ret = register_pm_notifier(&sleep_notifier);
	if (ret)
		goto err_call;
	/* Register before add_all(), so that no GPU bound to the driver in between is missed. */
	ret = bus_register_notifier(&pci_bus_type, &bus_notifier);
	if (ret)
		goto err_sleep;
	pr_info("drives the OA registers of GPUs alongside %s, which does not know of it\n",
		lease_driver.name);
	add_all();

	return 0;

err_sleep:
	unregister_pm_notifier(&sleep_notifier);
err_call:
	ioctl_exit();

	return ret;
}

static void __exit lease_exit(void)
{
	/* The notifier detaches GPUs that the driver is unbound from until all are detached. */
	drop_all();
	bus_unregister_notifier(&pci_bus_type, &bus_notifier);
	unregister_pm_notifier(&sleep_notifier);
	ioctl_exit();
}

module_init(lease_init);
module_exit(lease_exit);
