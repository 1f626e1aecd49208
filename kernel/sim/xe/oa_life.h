/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * oa_life.h - creates streams of OA units and detaches them from closed DRM files.
 */
#ifndef _SIM_XE_OA_LIFE_H
#define _SIM_XE_OA_LIFE_H

struct drm_file;
struct sim_xe;
struct sim_xe_open;

void sim_xe_streams_orphan(struct sim_xe *xe, const struct drm_file *file);
int sim_xe_stream_create(struct sim_xe *xe, struct sim_xe_open *open, struct drm_file *file);

#endif /* _SIM_XE_OA_LIFE_H */
