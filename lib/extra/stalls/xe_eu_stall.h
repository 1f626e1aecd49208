/* SPDX-License-Identifier: MIT */
/*
 * xe_eu_stall.h - xe's interface to EU stall sampling, from include/uapi/drm/xe_drm.h of Linux
 * 6.15 and later
 *
 * third_party/drm/xe_drm.h is that of Linux 6.12, which does not have it. The names differ from
 * those of the kernel, so that a newer header does not define them twice.
 */
#ifndef GPUOA_LIB_EXTRA_STALLS_XE_EU_STALL_H
#define GPUOA_LIB_EXTRA_STALLS_XE_EU_STALL_H

#include <xe_drm.h>

#define XE_QUERY_EU_STALL 10 /* DRM_XE_DEVICE_QUERY_EU_STALL */
#define XE_OBSERVATION_EU_STALL 1 /* DRM_XE_OBSERVATION_TYPE_EU_STALL */

/* DRM_XE_EU_STALL_EXTENSION_SET_PROPERTY and enum drm_xe_eu_stall_property_id */
#define XE_EU_STALL_SET_PROPERTY 0
#define XE_EU_STALL_GT_ID 1
#define XE_EU_STALL_SAMPLE_RATE 2 /* period in GPU clocks */
#define XE_EU_STALL_WAIT_NUM_REPORTS 3

/* struct drm_xe_query_eu_stall */
struct xe_eu_stall_info {
	uint64_t extensions;
	uint64_t capabilities;
	uint64_t record_size; /* bytes */
	uint64_t buffer_size; /* bytes for each Xe core */
	uint64_t reserved[5];
	uint64_t period_count;
	uint64_t periods[]; /* GPU clocks, ascending */
};

#endif /* GPUOA_LIB_EXTRA_STALLS_XE_EU_STALL_H */
