/* SPDX-License-Identifier: MIT */
/*
 * xe_format.h - report formats, as xe calls them
 */
#ifndef GPUOA_LIB_SOURCE_XE_XE_FORMAT_H
#define GPUOA_LIB_SOURCE_XE_XE_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

/* Bits of enum gpuoa_report_format that a unit has: of the media GT, or not. */
uint64_t xe_formats(bool media);

/* Value of DRM_XE_OA_PROPERTY_OA_FORMAT. False: xe has no such format. */
bool xe_format(uint32_t format, uint64_t *value);

#endif /* GPUOA_LIB_SOURCE_XE_XE_FORMAT_H */
