/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * file.h - an open file of the xe face: its address spaces and its queues.
 */
#ifndef _SIM_XE_FILE_H
#define _SIM_XE_FILE_H

#include <linux/xarray.h>

/**
 * struct sim_xe_file - an open file
 * @vms: its address spaces, &struct sim_xe_vm, by id
 * @queues: its queues, &struct sim_xe_queue, by id
 */
struct sim_xe_file {
	struct xarray vms;
	struct xarray queues;
};

#endif /* _SIM_XE_FILE_H */
