/* SPDX-License-Identifier: MIT */
/* xe_format.h - report formats in xe's encoding */
#ifndef GPUOA_LIB_READER_XE_XE_FORMAT_H
#define GPUOA_LIB_READER_XE_XE_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Returns the formats of a unit as a mask of enum gpuoa_report_format. @media: it is on the media
 * GT.
 */
uint64_t xe_formats(bool media);

/*
 * Get the value of DRM_XE_OA_PROPERTY_OA_FORMAT. Returns false if xe does not support the format.
 */
bool xe_format(uint32_t format, uint64_t *value);

#endif /* GPUOA_LIB_READER_XE_XE_FORMAT_H */
