// SPDX-License-Identifier: GPL-2.0-only
/* gpuoa_xe_main.c - the driver xe for kernel/lease. */
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/sizes.h>

#include "gpu.h"
#include "gpuoa_xe_query.h"
#include "gpuoa_xe_stream.h"
#include "ids.h"

/*
 * The callbacks for contexts are missing: the GuC assigns the context ids in reports, and xe does
 * not publish them.
 */
static const struct gpuoa_provider_ops xe_provider_ops = { LEASE_PROVIDER_OPS };

static struct gpu *gpu_at(struct lease_gpu *lease)
{
	return container_of(lease, struct gpu, lease);
}

static int xe_check(struct lease_gpu *lease, const char **why)
{
	struct gpu *gpu = gpu_at(lease);

	*why = "gpuoa does not support this GPU";
	gpu->platform = xe_platform_find(lease->pdev->device);

	return gpu->platform ? 0 : -ENODEV;
}

/* Units that gpuoa does not support are skipped. */
static int register_unit(struct gpu *gpu, unsigned int i, struct gpuoa_unit_desc *desc,
			 const char **why)
{
	int ret;

	*why = "its frequencies cannot be read";
	ret = describe_unit(gpu, i, desc);
	if (ret)
		return ret;
	*why = "gpuoa does not take it";
	ret = lease_register(&gpu->units[i].lease, desc, &xe_provider_ops);

	return ret == -ENODEV ? 0 : ret;
}

static int xe_attach(struct lease_gpu *lease, const char **why)
{
	struct gpu *gpu = gpu_at(lease);
	struct gpuoa_unit_desc desc;
	unsigned int i;
	int ret;

	ret = describe_gpu(gpu, &desc, why);
	for (i = 0; i < gpu->n_units && !ret; i++)
		ret = register_unit(gpu, i, &desc, why);

	return ret;
}

const struct lease_driver lease_driver = {
	.name = "xe",
	.regs_size = SZ_4M,
	.gpu_size = sizeof(struct gpu),
	.check = xe_check,
	.attach = xe_attach,
	.read_clock = query_clock,
	.open = xe_stream_open,
	.permits = xe_stream_permits,
	.add_config = xe_add_config,
	.remove_config = xe_remove_config,
	.open_stream = xe_open_stream,
	.try_stream = xe_try_stream,
	.run_once = xe_run_once,
	.change_stream = xe_change_stream,
	.find_buffer = xe_stream_pages,
};

MODULE_DESCRIPTION("gpuoa on GPUs that xe drives: drives their OA registers alongside xe");
MODULE_AUTHOR("The gpuoa authors");
MODULE_LICENSE("GPL");
