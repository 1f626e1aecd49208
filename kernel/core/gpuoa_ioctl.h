/* SPDX-License-Identifier: GPL-2.0-only */
/* gpuoa_ioctl.h - file operations of /dev/gpuoa<N>. */
#ifndef _GPUOA_IOCTL_H
#define _GPUOA_IOCTL_H

#include <linux/fs.h>

extern const struct file_operations gpuoa_unit_fops;

#endif /* _GPUOA_IOCTL_H */
