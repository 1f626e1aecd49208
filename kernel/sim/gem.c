// SPDX-License-Identifier: GPL-2.0-only
/*
 * gem.c - memory objects, which programs make and bind.
 */
#include <drm/drm_file.h>
#include <drm/drm_gem.h>
#include <drm/drm_gem_shmem_helper.h>
#include <linux/sizes.h>

#include "address_space.h"
#include "context.h"
#include "gem.h"
#include "uapi/gpuoa_sim.h"

/**
 * DOC: Memory
 *
 * Programs choose the addresses of their objects and bind them, once, with an ioctl. So there are
 * no relocations, no lists of objects beside each batch, and commands, results and whatever a
 * profiler notes agree on addresses. This is what xe has and what i915 does for softpinned objects.
 *
 * The CPU mapping of an object lives as long as its binding: the GPU is the CPU here.
 */

/**
 * sim_gem_create_ioctl - DRM_IOCTL_GPUOA_SIM_GEM_CREATE
 * @drm: the DRM device
 * @data: struct drm_gpuoa_sim_gem_create
 * @file: who asks
 *
 * Return: 0, or an errno as uapi/gpuoa_sim.h says
 */
int sim_gem_create_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct drm_gpuoa_sim_gem_create *args = data;
	struct drm_gem_shmem_object *object;
	int ret;

	if (args->pad || !args->size || args->size > GPUOA_SIM_GEM_MAX_SIZE)
		return -EINVAL;
	object = drm_gem_shmem_create(drm, PAGE_ALIGN(args->size));
	if (IS_ERR(object))
		return PTR_ERR(object);
	args->size = object->base.size;
	args->offset = drm_vma_node_offset_addr(&object->base.vma_node);
	/* The handle keeps it from now on. */
	ret = drm_gem_handle_create(file, &object->base, &args->handle);
	drm_gem_object_put(&object->base);
	return ret;
}

/**
 * sim_bind_ioctl - DRM_IOCTL_GPUOA_SIM_BIND
 * @drm: the DRM device
 * @data: struct drm_gpuoa_sim_bind
 * @file: who asks
 *
 * Return: 0, or an errno as uapi/gpuoa_sim.h says
 */
int sim_bind_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct sim_file *priv = file->driver_priv;
	struct drm_gpuoa_sim_bind *args = data;
	struct drm_gem_object *object;
	int ret;

	if (args->pad || !IS_ALIGNED(args->address, SZ_4K))
		return -EINVAL;
	object = drm_gem_object_lookup(file, args->handle);
	if (!object)
		return -ENOENT;
	ret = sim_vm_bind(priv->vm, object, args->address);
	drm_gem_object_put(object);
	return ret;
}

/**
 * sim_unbind_ioctl - DRM_IOCTL_GPUOA_SIM_UNBIND
 * @drm: the DRM device
 * @data: struct drm_gpuoa_sim_bind
 * @file: who asks
 *
 * Return: 0, or an errno as uapi/gpuoa_sim.h says
 */
int sim_unbind_ioctl(struct drm_device *drm, void *data, struct drm_file *file)
{
	struct sim_file *priv = file->driver_priv;
	struct drm_gpuoa_sim_bind *args = data;

	if (args->pad || args->handle)
		return -EINVAL;
	return sim_vm_unbind(priv->vm, args->address);
}
