// SPDX-License-Identifier: GPL-2.0-only
/*
 * drm.c - the DRM device of the emulated xe device, and its open files.
 */
#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <drm/drm_ioctl.h>
#include <drm/drm_managed.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/slab.h>

#include <gpuoa_compat.h>

#include "../instance.h"
#include "bind.h"
#include "exec.h"
#include "file.h"
#include "gpus.h"
#include "metrics.h"
#include "oa_life.h"
#include "oa_unit.h"
#include "observation.h"
#include "query.h"
#include "queue.h"
#include "vm.h"
#include "xe.h"

static int xe_open(struct drm_device *drm, struct drm_file *file)
{
	struct sim_xe_file *priv = kzalloc(sizeof(*priv), GFP_KERNEL);

	if (!priv)
		return -ENOMEM;
	xa_init_flags(&priv->vms, XA_FLAGS_ALLOC1);
	xa_init_flags(&priv->queues, XA_FLAGS_ALLOC1);
	file->driver_priv = priv;
	return 0;
}

static void xe_postclose(struct drm_device *drm, struct drm_file *file)
{
	struct sim_xe_file *priv = file->driver_priv;
	struct sim_xe_queue *queue;
	struct sim_xe_vm *vm;
	unsigned long id;

	sim_xe_streams_orphan(sim_xe_of(drm), file);
	xa_for_each(&priv->queues, id, queue)
		sim_xe_queue_close(queue);
	xa_for_each(&priv->vms, id, vm)
		sim_xe_vm_put(vm);
	xa_destroy(&priv->queues);
	xa_destroy(&priv->vms);
	kfree(priv);
}

static const struct drm_ioctl_desc xe_ioctls[] = {
	DRM_IOCTL_DEF_DRV(XE_DEVICE_QUERY, sim_xe_query_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(XE_GEM_CREATE, sim_xe_gem_create_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(XE_GEM_MMAP_OFFSET, sim_xe_gem_mmap_offset_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(XE_VM_CREATE, sim_xe_vm_create_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(XE_VM_DESTROY, sim_xe_vm_destroy_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(XE_VM_BIND, sim_xe_vm_bind_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(XE_EXEC_QUEUE_CREATE, sim_xe_queue_create_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(XE_EXEC_QUEUE_DESTROY, sim_xe_queue_destroy_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(XE_EXEC_QUEUE_GET_PROPERTY, sim_xe_queue_get_property_ioctl,
			  DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(XE_EXEC, sim_xe_exec_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(XE_WAIT_USER_FENCE, sim_xe_wait_user_fence_ioctl, DRM_RENDER_ALLOW),
	DRM_IOCTL_DEF_DRV(XE_OBSERVATION, sim_xe_observation_ioctl, DRM_RENDER_ALLOW),
};

DEFINE_DRM_GEM_FOPS(xe_fops);

/* clang-format off */
static const struct drm_driver xe_driver = {
	.driver_features = DRIVER_GEM | DRIVER_RENDER | DRIVER_SYNCOBJ | DRIVER_SYNCOBJ_TIMELINE,
	.open = xe_open,
	.postclose = xe_postclose,
	.ioctls = xe_ioctls,
	.num_ioctls = ARRAY_SIZE(xe_ioctls),
	.fops = &xe_fops,
	.name = SIM_XE_NAME,
	.desc = "Intel Xe Graphics, virtual",
	GPUOA_DRM_DATE("20201103")
	.major = 1,
	.minor = 1,
};

/* clang-format on */

/* Called after the last file was closed. Batches may still be queued, so drain them first. */
static void xe_release(struct drm_device *drm, void *data)
{
	struct sim_xe *xe = data;

	if (xe->workqueue) {
		destroy_workqueue(xe->workqueue);
		flush_workqueue(xe->instance->exec.queue);
	}
	xa_destroy(&xe->metrics);
	mutex_destroy(&xe->metrics_lock);
	mutex_destroy(&xe->oa_lock);
	drm_dev_put(&xe->instance->drm);
}

static int xe_init(struct sim_xe *xe, struct sim_instance *instance)
{
	int ret;

	drm_dev_get(&instance->drm);
	xe->instance = instance;
	xe->gpu = sim_xe_gpu_find(instance->gpu.platform->name);
	mutex_init(&xe->oa_lock);
	mutex_init(&xe->metrics_lock);
	xa_init_flags(&xe->metrics, XA_FLAGS_ALLOC1);
	init_waitqueue_head(&xe->ufence_wait);
	xe->units[0] = (struct sim_xe_unit){
		.type = DRM_XE_OA_UNIT_TYPE_OAG,
		.registers = &sim_xe_oag,
	};
	xe->units[1] = (struct sim_xe_unit){
		.type = DRM_XE_OA_UNIT_TYPE_OAM,
		.gt = 1,
		.registers = &sim_xe_oam,
	};
	xe->workqueue =
		alloc_workqueue("%s", WQ_UNBOUND | WQ_MEM_RECLAIM, 0, dev_name(xe->drm.dev));
	ret = drmm_add_action_or_reset(&xe->drm, xe_release, xe);
	return ret ?: xe->workqueue ? 0 : -ENOMEM;
}

/**
 * sim_xe_drm_create() - Create and register an emulated xe device.
 * @parent: parent device
 * @instance: the GPU; the device holds a reference to its DRM device
 *
 * Return: the device, or an ERR_PTR
 */
struct sim_xe *sim_xe_drm_create(struct device *parent, struct sim_instance *instance)
{
	struct sim_xe *xe = devm_drm_dev_alloc(parent, &xe_driver, struct sim_xe, drm);
	int ret;

	if (IS_ERR(xe))
		return xe;
	ret = xe_init(xe, instance);
	if (!ret)
		ret = drm_dev_register(&xe->drm, 0);
	if (ret)
		return ERR_PTR(ret);
	ret = sim_xe_metrics_init(xe);
	if (ret) {
		drm_dev_unplug(&xe->drm);
		return ERR_PTR(ret);
	}
	return xe;
}

/**
 * sim_xe_drm_remove() - Unplug the DRM device; open files remain but operations on them fail.
 * @xe: the emulated xe device
 */
void sim_xe_drm_remove(struct sim_xe *xe)
{
	sim_xe_metrics_exit(xe);
	drm_dev_unplug(&xe->drm);
}
