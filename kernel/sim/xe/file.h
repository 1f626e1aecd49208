/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * file.h - an open file of the emulated xe device: its address spaces and exec queues.
 */
#ifndef _SIM_XE_FILE_H
#define _SIM_XE_FILE_H

#include <linux/xarray.h>

/**
 * struct sim_xe_file - an open file
 * @vms: address spaces, &struct sim_xe_vm, by ID
 * @queues: exec queues, &struct sim_xe_queue, by ID
 */
struct sim_xe_file {
	struct xarray vms;
	struct xarray queues;
};

#endif /* _SIM_XE_FILE_H */
