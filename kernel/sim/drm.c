// SPDX-License-Identifier: GPL-2.0-only
/*
 * drm.c - DRM driver of a virtual GPU: a render node and its per-file data.
 */
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <drm/drm_ioctl.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/xarray.h>

#include <gpuoa_compat.h>

#include "memory.h"
#include "context.h"
#include "drm.h"
#include "exec.h"
#include "instance.h"
#include "vgpu/model/cs.h"
#include "uapi/gpuoa_sim.h"

static int sim_open(struct drm_device *drm, struct drm_file *file)
{
	struct sim_instance *instance = container_of(drm, struct sim_instance, drm);
	struct sim_file *priv = kzalloc(sizeof(*priv), GFP_KERNEL);

	if (!priv)
		return -ENOMEM;
	priv->vm = sim_vm_create(instance->gpu.platform->cs->address_bits);
	if (!priv->vm) {
		kfree(priv);
		return -ENOMEM;
	}
	xa_init_flags(&priv->contexts, XA_FLAGS_ALLOC1);
	file->driver_priv = priv;
	return 0;
}

static void sim_postclose(struct drm_device *drm, struct drm_file *file)
{
	struct sim_file *priv = file->driver_priv;

	sim_context_close_all(priv);
	xa_destroy(&priv->contexts);
	sim_vm_put(priv->vm);
	kfree(priv);
}

static const struct drm_ioctl_desc sim_ioctls[] = {
	DRM_IOCTL_DEF_DRV(GPUOA_SIM_CONTEXT_CREATE, sim_context_create_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(GPUOA_SIM_CONTEXT_DESTROY, sim_context_destroy_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(GPUOA_SIM_GEM_CREATE, sim_gem_create_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(GPUOA_SIM_BIND, sim_bind_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(GPUOA_SIM_UNBIND, sim_unbind_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(GPUOA_SIM_EXEC, sim_exec_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(GPUOA_SIM_RESULT, sim_result_ioctl, DRM_RENDER_ALLOW),
};

/* clang-format off */
static const struct file_operations sim_fops = {
	.owner = THIS_MODULE,
	DRM_GEM_FOPS,
	GPUOA_DRM_SHOW_FDINFO
};

static const struct drm_driver sim_driver = {
	.driver_features = DRIVER_GEM | DRIVER_RENDER | DRIVER_SYNCOBJ,
	.open = sim_open,
	.postclose = sim_postclose,
	.ioctls = sim_ioctls,
	.num_ioctls = ARRAY_SIZE(sim_ioctls),
	.fops = &sim_fops,
	.name = SIM_NAME,
	.desc = "virtual Intel GPU with an OA unit",
	GPUOA_DRM_DATE("20250101")
	.major = 1,
	.minor = 0,
};

/* clang-format on */

/**
 * sim_drm_create() - Allocate an instance.
 * @parent: parent device
 *
 * Return: zeroed memory with an embedded DRM device, or an ERR_PTR. It is freed with the DRM
 * device, after @parent is released and the last file is closed.
 */
struct sim_instance *sim_drm_create(struct device *parent)
{
	return devm_drm_dev_alloc(parent, &sim_driver, struct sim_instance, drm);
}
