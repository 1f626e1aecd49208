/* SPDX-License-Identifier: MIT */
/* xe_observe.h - call xe's observation ioctl */
#ifndef GPUOA_LIB_READER_XE_XE_OBSERVE_H
#define GPUOA_LIB_READER_XE_XE_OBSERVE_H

#include <stdint.h>

/* Perform DRM_XE_OBSERVATION_OP_* on DRM file @fd. Returns the ioctl's result, or -errno */
int xe_observe(int fd, uint64_t operation, const void *param);

#endif /* GPUOA_LIB_READER_XE_XE_OBSERVE_H */
