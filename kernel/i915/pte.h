/* SPDX-License-Identifier: GPL-2.0-only */
/* pte.h - entries of the GPU's global page table (GGTT). */
#ifndef _GPUOA_I915_PTE_H
#define _GPUOA_I915_PTE_H

#include <linux/types.h>

/**
 * struct pte_layout - format of the entries of a generation
 * @size: size of an entry: 4 or 8 bytes
 */
struct pte_layout {
	u32 size;
	/**
	 * @decode: get the DMA address of the page; -ENXIO if not present; -EREMOTE for local
	 * memory
	 */
	s64 (*decode)(u64 pte);
};

extern const struct pte_layout pte_hsw;
extern const struct pte_layout pte_gen8;
extern const struct pte_layout pte_gen12;

#endif /* _GPUOA_I915_PTE_H */
