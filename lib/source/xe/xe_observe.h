/* SPDX-License-Identifier: MIT */
/*
 * xe_observe.h - operations of xe's observation
 */
#ifndef GPUOA_LIB_SOURCE_XE_XE_OBSERVE_H
#define GPUOA_LIB_SOURCE_XE_XE_OBSERVE_H

#include <stdint.h>

/* DRM_XE_OBSERVATION_OP_*, by the DRM file @fd. Its result, or -errno */
int xe_observe(int fd, uint64_t operation, const void *param);

#endif /* GPUOA_LIB_SOURCE_XE_XE_OBSERVE_H */
