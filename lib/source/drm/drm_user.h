/* SPDX-License-Identifier: MIT */
/*
 * drm_user.h - which program has a stream of a stock driver, as far as /proc tells
 */
#ifndef GPUOA_LIB_SOURCE_DRM_DRM_USER_H
#define GPUOA_LIB_SOURCE_DRM_DRM_USER_H

#include "gpuoa-stream.h"

/*
 * Find a process that has a stream open: .process and .program. @stream: what the kernel calls its
 * file, "anon_inode:[i915_perf]". False: none that this process may look at. Of which GPU or unit a
 * stream is, nobody tells.
 */
bool drm_user_find(const char *stream, struct gpuoa_unit_use *use);

#endif /* GPUOA_LIB_SOURCE_DRM_DRM_USER_H */
