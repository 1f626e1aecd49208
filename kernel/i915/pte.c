// SPDX-License-Identifier: GPL-2.0-only
/* pte.c - entries of the GPU's global page table (GGTT), as in the PRMs and i915's intel_gtt.h. */
#include <linux/bits.h>
#include <linux/errno.h>

#include "pte.h"

#define PTE_PRESENT BIT_ULL(0)

/* Haswell: 39-bit address, with bits 38:32 in bits 10:4 of the entry */
#define HSW_PTE_LOW GENMASK_ULL(31, 12)
#define HSW_PTE_HIGH GENMASK_ULL(10, 4)
#define HSW_PTE_HIGH_SHIFT (32 - 4)

#define GEN8_PTE_ADDRESS GENMASK_ULL(38, 12)

#define GEN12_PTE_ADDRESS GENMASK_ULL(45, 12)
#define GEN12_PTE_LOCAL BIT_ULL(1)

static s64 decode_hsw(u64 pte)
{
	if (!(pte & PTE_PRESENT))
		return -ENXIO;

	return (pte & HSW_PTE_LOW) | (pte & HSW_PTE_HIGH) << HSW_PTE_HIGH_SHIFT;
}

static s64 decode_gen8(u64 pte)
{
	return pte & PTE_PRESENT ? (s64)(pte & GEN8_PTE_ADDRESS) : -ENXIO;
}

static s64 decode_gen12(u64 pte)
{
	if (!(pte & PTE_PRESENT))
		return -ENXIO;

	return pte & GEN12_PTE_LOCAL ? -EREMOTE : (s64)(pte & GEN12_PTE_ADDRESS);
}

const struct pte_layout pte_hsw = { sizeof(u32), decode_hsw };
const struct pte_layout pte_gen8 = { sizeof(u64), decode_gen8 };
const struct pte_layout pte_gen12 = { sizeof(u64), decode_gen12 };
