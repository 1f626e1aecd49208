/* SPDX-License-Identifier: MIT */
/* drm_user.h - find the process that uses a stream of a stock driver, by means of /proc */
#ifndef GPUOA_LIB_READER_DRM_DRM_USER_H
#define GPUOA_LIB_READER_DRM_DRM_USER_H

#include "gpuoa-stream.h"

/*
 * Find a process with an open stream, and set .process and .program. @stream: the kernel's name of
 * such files, "anon_inode:[i915_perf]". Returns false if there is none that this process may
 * inspect. The GPU and unit of a stream cannot be determined.
 */
bool drm_user_find(const char *stream, struct gpuoa_unit_user *use);

#endif /* GPUOA_LIB_READER_DRM_DRM_USER_H */
