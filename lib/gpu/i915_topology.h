/* SPDX-License-Identifier: MIT */
/*
 * i915_topology.h - slices, subslices and EUs as i915 tells of them (DRM_I915_QUERY_TOPOLOGY_INFO)
 */
#ifndef GPUOA_LIB_GPU_I915_TOPOLOGY_H
#define GPUOA_LIB_GPU_I915_TOPOLOGY_H

#include "gpuoa.h"

/*
 * Take what i915 says of a GPU of desc->platform: masks, counts and the stride of subslices. Of
 * threads and compute engines it does not tell: they are as usual on the platform.
 *
 * @topology: @size bytes, struct drm_i915_query_topology_info; need not be aligned
 *
 * -EBADMSG: it contradicts itself.
 */
int i915_topology_take(const void *topology, size_t size, struct gpuoa_unit_desc *desc);

/*
 * The other way round: what i915 would say. How EUs are distributed over subslices, @desc does not
 * tell: they are evenly.
 *
 * @topology: room for @room bytes, which are set
 *
 * Returns the size, a multiple of 8. -EINVAL: @desc contradicts itself. -ENOBUFS: there is not
 * room.
 */
int i915_topology_make(const struct gpuoa_unit_desc *desc, void *topology, size_t room);

#endif /* GPUOA_LIB_GPU_I915_TOPOLOGY_H */
