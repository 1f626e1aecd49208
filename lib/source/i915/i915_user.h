/* SPDX-License-Identifier: MIT */
/*
 * i915_user.h - which program has a stream of i915-perf, as far as /proc tells
 */
#ifndef GPUOA_LIB_SOURCE_I915_I915_USER_H
#define GPUOA_LIB_SOURCE_I915_I915_USER_H

#include "gpuoa-stream.h"

/*
 * Find a process that has a stream open: .process and .program. False: none that this process may
 * look at. Of which GPU a stream is, nobody tells.
 */
bool i915_user_find(struct gpuoa_unit_use *use);

#endif /* GPUOA_LIB_SOURCE_I915_I915_USER_H */
