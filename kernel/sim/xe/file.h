/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * file.h - an open file of the xe face: its address spaces and its queues.
 */
#ifndef _SIM_XE_FILE_H
#define _SIM_XE_FILE_H

#include <linux/xarray.h>

struct drm_device;
struct drm_file;

/**
 * struct sim_xe_file - an open file
 * @vms: its address spaces, &struct sim_xe_vm, by id
 * @queues: its queues, &struct sim_xe_queue, by id
 */
struct sim_xe_file {
	struct xarray vms;
	struct xarray queues;
};

int sim_xe_file_open(struct drm_device *drm, struct drm_file *file);
void sim_xe_file_close(struct drm_device *drm, struct drm_file *file);

#endif /* _SIM_XE_FILE_H */
