// SPDX-License-Identifier: GPL-2.0-only
/* attach.c - attaching gpuoa to a GPU driven by i915. */
#include <linux/err.h>
#include <linux/iommu.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/slab.h>

#include <drm/drm_device.h>
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <gpuoa_provider.h>

#include "attach.h"
#include "describe.h"
#include "gpu.h"
#include "provider.h"
#include "ids.h"
#include "trial.h"

/* BAR with the registers in its lower half and the GGTT in its upper half */
#define GPU_BAR 0

/* Size of the register range used by this module */
#define GPU_REGS SZ_2M

static int find_drm(struct gpu *gpu, const char **why)
{
	struct drm_device *drm = pci_get_drvdata(gpu->pdev);

	*why = "i915 has no DRM device for it";
	if (!drm || drm->dev != &gpu->pdev->dev || !drm->render)
		return -ENODEV;
	gpu->drm = drm;

	return 0;
}

static int make_thread(struct gpu *gpu, const char **why)
{
	struct kthread_worker *worker =
		kthread_create_worker(0, "gpuoa_i915/%s", pci_name(gpu->pdev));

	*why = "its thread cannot be created";
	if (IS_ERR(worker))
		return PTR_ERR(worker);
	gpu->worker = worker;

	return 0;
}

static int check_platform(struct gpu *gpu, const char **why)
{
	struct device *dev = &gpu->pdev->dev;

	*why = "the lease does not know this GPU";
	gpu->platform = platform_find(gpu->pdev->device);
	if (!gpu->platform)
		return -ENODEV;
	/* i915 does so on this platform; see ids.c about Cherryview. */
	*why = "behind an IOMMU, i915 stops all CPUs to write its page table";
	if (!strcmp(gpu->platform->name, "bxt") && iommu_get_domain_for_dev(dev))
		return -ENODEV;

	return 0;
}

static int map_registers(struct gpu *gpu, const char **why)
{
	resource_size_t start = pci_resource_start(gpu->pdev, GPU_BAR);
	resource_size_t half = pci_resource_len(gpu->pdev, GPU_BAR) / 2;

	*why = "its registers cannot be mapped";
	if (!start || half < GPU_REGS)
		return -ENODEV;
	gpu->gtt = start + half;
	gpu->gtt_size = half;
	gpu->regs = ioremap(start, GPU_REGS);

	return gpu->regs ? 0 : -ENOMEM;
}

/* If the unit is in use, the probe write is done before its first use by gpuoa. */
static int try_unit(struct gpu *gpu, const char **why)
{
	int ret;

	mutex_lock(&gpu->lock);
	ret = trial_run(gpu, why);
	mutex_unlock(&gpu->lock);

	return ret == -EBUSY ? 0 : ret;
}

static int attach(struct gpu *gpu, const char **why)
{
	struct gpuoa_unit_desc desc;
	int ret;

	ret = check_platform(gpu, why);
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
	ret = describe_gpu(gpu, &desc, why);
	if (ret)
		return ret;
	ret = try_unit(gpu, why);
	if (ret)
		return ret;

	*why = "gpuoa does not take it";
	gpu->unit = gpuoa_unit_register(&gpu->pdev->dev, &desc, &lease_provider_ops, gpu,
					THIS_MODULE);

	return PTR_ERR_OR_ZERO(gpu->unit);
}

static void free_gpu(struct gpu *gpu)
{
	if (gpu->worker)
		kthread_destroy_worker(gpu->worker);
	if (gpu->regs)
		iounmap(gpu->regs);
	mutex_destroy(&gpu->lock);
	pci_dev_put(gpu->pdev);
	kfree(gpu);
}

/**
 * gpu_attach() - Register the OA unit of a GPU with gpuoa.
 * @pdev: PCI device, which stays bound to i915 during the call
 * @why: reason of a failure, output
 *
 * Context: may sleep
 * Return: the GPU, or an ERR_PTR
 */
struct gpu *gpu_attach(struct pci_dev *pdev, const char **why)
{
	struct gpu *gpu = kzalloc(sizeof(*gpu), GFP_KERNEL);
	int ret;

	*why = "no memory";
	if (!gpu)
		return ERR_PTR(-ENOMEM);
	gpu->pdev = pci_dev_get(pdev);
	mutex_init(&gpu->lock);
	INIT_LIST_HEAD(&gpu->contexts);

	ret = attach(gpu, why);
	if (ret) {
		free_gpu(gpu);
		return ERR_PTR(ret);
	}
	*why = NULL;

	return gpu;
}

/**
 * gpu_detach() - Undo gpu_attach().
 * @gpu: GPU, which may be in use
 *
 * Context: may sleep
 */
void gpu_detach(struct gpu *gpu)
{
	gpuoa_unit_unregister(gpu->unit);
	free_gpu(gpu);
}
