// SPDX-License-Identifier: GPL-2.0-only
/*
 * pm.c - suspend, resume and reset of a virtual GPU.
 */
#include <linux/device.h>
#include <linux/platform_device.h>
#include <linux/pm.h>
#include <linux/pm_domain.h>

#include <gpuoa_provider.h>

#include "instance.h"
#include "vgpu/model/gpu.h"
#include "pm.h"

/**
 * DOC: Suspend and reset
 *
 * An instance's device has no driver with PM callbacks on its bus, so it has a PM domain. A
 * suspended GPU is off: it reads as all ones, and has lost its configuration when it is resumed.
 */

static struct sim_instance *pm_instance(struct device *dev)
{
	return container_of(dev->pm_domain, struct sim_instance, pm);
}

/**
 * sim_pm_suspend() - Suspend a GPU.
 * @instance: the GPU
 *
 * Context: may sleep
 */
void sim_pm_suspend(struct sim_instance *instance)
{
	unsigned int i;

	mutex_lock(&instance->pm_lock);
	if (!instance->suspended) {
		instance->suspended = true;
		for (i = 0; i < instance->gpu.n_oa; i++)
			gpuoa_unit_suspend(instance->attached[i].unit);
		sim_gpu_set_dead(&instance->gpu, true);
	}
	mutex_unlock(&instance->pm_lock);
}

/**
 * sim_pm_resume() - Undo sim_pm_suspend().
 * @instance: the GPU
 *
 * Context: may sleep
 *
 * Return: 0, or the first error of one of its units
 */
int sim_pm_resume(struct sim_instance *instance)
{
	unsigned int i;
	int ret, first = 0;

	mutex_lock(&instance->pm_lock);
	if (instance->suspended) {
		instance->suspended = false;
		sim_gpu_set_dead(&instance->gpu, false);
		for (i = 0; i < instance->gpu.n_oa; i++) {
			ret = gpuoa_unit_resume(instance->attached[i].unit);
			first = first ?: ret;
		}
	}
	mutex_unlock(&instance->pm_lock);

	return first;
}

/**
 * sim_pm_reset() - Reset a GPU and notify its OA units, unless it is suspended.
 * @instance: the GPU
 *
 * Context: may sleep
 */
void sim_pm_reset(struct sim_instance *instance)
{
	unsigned int i;

	mutex_lock(&instance->pm_lock);
	if (!instance->suspended) {
		sim_gpu_reset(&instance->gpu);
		for (i = 0; i < instance->gpu.n_oa; i++)
			gpuoa_unit_reset(instance->attached[i].unit);
	}
	mutex_unlock(&instance->pm_lock);
}

static int pm_suspend(struct device *dev)
{
	sim_pm_suspend(pm_instance(dev));

	return 0;
}

static int pm_resume(struct device *dev)
{
	return sim_pm_resume(pm_instance(dev));
}

static const struct dev_pm_ops pm_ops = {
	SYSTEM_SLEEP_PM_OPS(pm_suspend, pm_resume)
};

/**
 * sim_pm_init() - Install the PM domain, so that a GPU is suspended with the system.
 * @instance: the GPU, with its OA units registered
 */
void sim_pm_init(struct sim_instance *instance)
{
	struct device *dev = &instance->parent->dev;

	mutex_init(&instance->pm_lock);
	instance->pm.ops = pm_ops;
	device_lock(dev);
	dev_pm_domain_set(dev, &instance->pm);
	device_unlock(dev);
}

/**
 * sim_pm_exit() - Undo sim_pm_init().
 * @instance: the GPU
 */
void sim_pm_exit(struct sim_instance *instance)
{
	struct device *dev = &instance->parent->dev;

	device_lock(dev);
	dev_pm_domain_set(dev, NULL);
	device_unlock(dev);
}
