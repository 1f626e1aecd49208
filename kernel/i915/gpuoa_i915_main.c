// SPDX-License-Identifier: GPL-2.0-only
/* gpuoa_i915_main.c - the driver i915 for kernel/lease. */
#include <linux/iommu.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/sizes.h>
#include <linux/string.h>

#include <gen7_regs.h>
#include <gpuoa_provider.h>

#include "gpu.h"
#include "gpuoa_i915_buffer.h"
#include "gpuoa_i915_provider.h"
#include "gpuoa_i915_query.h"
#include "ids.h"

static struct gpu *gpu_at(struct lease_gpu *lease)
{
	return container_of(lease, struct gpu, lease);
}

static int i915_check(struct lease_gpu *lease, const char **why)
{
	struct device *dev = &lease->pdev->dev;
	struct gpu *gpu = gpu_at(lease);

	*why = "gpuoa does not support this GPU";
	gpu->platform = i915_platform_find(lease->pdev->device);
	if (!gpu->platform)
		return -ENODEV;
	/*
	 * Reject Broxton with an IOMMU, because a wait for all CPUs could deadlock with CPU
	 * hotplug. ids.c excludes Cherryview for the same reason.
	 */
	*why = "with an IOMMU, i915 stops all CPUs to write its page table";
	if (!strcmp(gpu->platform->name, "bxt") && iommu_get_domain_for_dev(dev))
		return -ENODEV;

	return 0;
}

/* If the unit is in use, the probe write is done before its first use by gpuoa. */
static int try_unit(struct gpu *gpu, const char **why)
{
	int ret;

	mutex_lock(&gpu->unit.lock);
	ret = probe_write(gpu, why);
	mutex_unlock(&gpu->unit.lock);

	return ret == -EBUSY ? 0 : ret;
}

static int i915_attach(struct lease_gpu *lease, const char **why)
{
	struct gpu *gpu = gpu_at(lease);
	struct gpuoa_unit_desc desc;
	int ret;

	/* The GGTT is in the upper half of the BAR. */
	gpu->gtt_size = pci_resource_len(lease->pdev, 0) / 2;
	gpu->gtt = pci_resource_start(lease->pdev, 0) + gpu->gtt_size;
	gpu->unit.clock = RCS_TIMESTAMP;
	INIT_LIST_HEAD(&gpu->contexts);
	lease_unit_init(&gpu->unit, lease);
	ret = describe_gpu(gpu, &desc, why);
	if (ret)
		return ret;
	ret = try_unit(gpu, why);
	if (ret)
		return ret;

	*why = "gpuoa does not take it";

	return lease_register(&gpu->unit, &desc,
			      gpu->guc ? &i915_guc_provider_ops : &i915_provider_ops);
}

static int i915_read_clock(struct lease_unit *unit, u64 *clock)
{
	u32 low = 0;
	int ret = query_clock(gpu_of(unit), &low);

	*clock = low;

	return ret;
}

static int i915_find_buffer(struct lease_unit *unit, struct page **pages, unsigned int n_pages)
{
	return buffer_find(gpu_of(unit), pages, n_pages);
}

const struct lease_driver lease_driver = {
	.name = "i915",
	.regs_size = SZ_2M,
	.gpu_size = sizeof(struct gpu),
	.check = i915_check,
	.attach = i915_attach,
	.read_clock = i915_read_clock,
	.open = i915_unit_open,
	.permits = i915_unit_permits,
	.add_config = i915_add_config,
	.remove_config = i915_remove_config,
	.open_stream = i915_open_stream,
	.try_stream = i915_try_stream,
	.run_once = i915_run_once,
	.find_buffer = i915_find_buffer,
};

MODULE_DESCRIPTION("gpuoa on GPUs that i915 drives: drives their OA registers alongside i915");
MODULE_AUTHOR("The gpuoa authors");
MODULE_LICENSE("GPL");
