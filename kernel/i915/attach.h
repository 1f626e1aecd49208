/* SPDX-License-Identifier: GPL-2.0-only */
/* attach.h - attaching gpuoa to a GPU driven by i915. */
#ifndef _GPUOA_I915_ATTACH_H
#define _GPUOA_I915_ATTACH_H

struct gpu;
struct pci_dev;

struct gpu *gpu_attach(struct pci_dev *pdev, const char **why);
void gpu_detach(struct gpu *gpu);

#endif /* _GPUOA_I915_ATTACH_H */
