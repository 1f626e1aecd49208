/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * env.h - all that the device model needs of the system below it: the kernel, or a user-space
 * process.
 *
 * No file of the model includes another header of the kernel but the register definitions of
 * kernel/include and those of uapi, and none of DRM, of the driver core or of a file system. So the
 * same files also run where host/ provides the names that these headers provide in the kernel.
 */
#ifndef _SIM_ENV_H
#define _SIM_ENV_H

#ifdef __KERNEL__
#include <asm/barrier.h>
#include <linux/bitfield.h>
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/lockdep.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/mm.h> /* kvcalloc() */
#include <linux/printk.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/types.h>
#include <linux/units.h>
#else
#include "vgpu/shim/env.h"
#endif

#endif /* _SIM_ENV_H */
