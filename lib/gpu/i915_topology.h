/* SPDX-License-Identifier: MIT */
/* i915_topology.h - slices, subslices and EUs in i915's format (DRM_I915_QUERY_TOPOLOGY_INFO) */
#ifndef GPUOA_LIB_GPU_I915_TOPOLOGY_H
#define GPUOA_LIB_GPU_I915_TOPOLOGY_H

#include "gpuoa.h"

/*
 * Set the masks, counts and subslice stride of @desc from i915's topology. i915 does not report
 * threads and compute engines: they are those usual for desc->platform.
 *
 * @topology: @size bytes, struct drm_i915_query_topology_info; need not be aligned
 *
 * Returns 0, or -EBADMSG if it is inconsistent.
 */
int i915_topology_take(const void *topology, size_t size, struct gpuoa_unit_desc *desc);

/*
 * Create i915's topology from @desc. EUs are distributed evenly over subslices, because @desc does
 * not have their distribution.
 *
 * @topology: buffer of @room bytes, overwritten
 *
 * Returns the size, a multiple of 8. -EINVAL: @desc is inconsistent. -ENOBUFS: the buffer is too
 * small.
 */
int i915_topology_make(const struct gpuoa_unit_desc *desc, void *topology, size_t room);

#endif /* GPUOA_LIB_GPU_I915_TOPOLOGY_H */
