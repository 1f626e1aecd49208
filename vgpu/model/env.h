/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * env.h - the device model's only interface to its environment: the kernel or a user-space process.
 *
 * Apart from this header, the model only includes the register definitions in kernel/include and
 * uapi headers, and uses no DRM, driver core or file system. So it also builds in user space, where
 * vgpu/shim provides the kernel's names.
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
