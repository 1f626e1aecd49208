/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pte.h - entries of a GPU's global page table (GGTT): pure logic.
 */
#ifndef _GPUOA_I915_PTE_H
#define _GPUOA_I915_PTE_H

#include <linux/types.h>

/**
 * struct pte_layout - how a generation writes the entries
 * @size: bytes of an entry: 4 or 8
 */
struct pte_layout {
	u32 size;
	/** @decode: the DMA address of the page; -ENXIO: none is there; -EREMOTE: local memory */
	s64 (*decode)(u64 pte);
};

extern const struct pte_layout pte_hsw;
extern const struct pte_layout pte_gen8;
extern const struct pte_layout pte_gen12;

#endif /* _GPUOA_I915_PTE_H */
