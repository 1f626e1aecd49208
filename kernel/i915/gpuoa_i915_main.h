/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gpuoa_i915_main.h - gpuoa_i915.ko: binding of i915 to GPUs, attaching gpuoa to them, and system sleep.
 */
#ifndef _GPUOA_I915_MAIN_H
#define _GPUOA_I915_MAIN_H

struct gpu;
struct pci_dev;

#endif /* _GPUOA_I915_MAIN_H */
