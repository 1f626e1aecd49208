/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * oa_open.h - DRM_XE_OBSERVATION_OP_STREAM_OPEN.
 */
#ifndef _SIM_XE_OA_OPEN_H
#define _SIM_XE_OA_OPEN_H

#include <linux/types.h>

struct drm_file;
struct sim_xe;

int sim_xe_stream_open(struct sim_xe *xe, u64 param, struct drm_file *file);

#endif /* _SIM_XE_OA_OPEN_H */
