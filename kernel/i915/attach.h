/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * attach.h - gpuoa is attached to a GPU that i915 drives.
 */
#ifndef _GPUOA_I915_ATTACH_H
#define _GPUOA_I915_ATTACH_H

struct gpu;
struct pci_dev;

struct gpu *gpu_attach(struct pci_dev *pdev, const char **why);
void gpu_detach(struct gpu *gpu);

#endif /* _GPUOA_I915_ATTACH_H */
