/* SPDX-License-Identifier: GPL-2.0-only */
/* ids.h - supported GPUs by PCI device id. */
#ifndef _GPUOA_XE_IDS_H
#define _GPUOA_XE_IDS_H

#include <linux/types.h>

/**
 * struct platform - GPU platform
 * @name: name used by the metric definitions
 * @subslice_stride: number of bits per slice in masks of Xe cores
 * @threads_per_eu: hardware threads per execution unit
 */
struct platform {
	const char *name;
	u8 subslice_stride;
	u8 threads_per_eu;
};

const struct platform *xe_platform_find(u16 device);

#endif /* _GPUOA_XE_IDS_H */
