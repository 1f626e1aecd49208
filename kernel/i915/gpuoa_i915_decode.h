/* SPDX-License-Identifier: GPL-2.0-only */
/* gpuoa_i915_decode.h - meaning of data read from the GPU. */
#ifndef _GPUOA_I915_DECODE_H
#define _GPUOA_I915_DECODE_H

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

/**
 * struct buffer_content - properties of a buffer that was cleared and then written by the unit
 * @from: unit's clock before the unit was enabled, lower 32 bits
 * @to: unit's clock after the unit was disabled, lower 32 bits
 * @report_size: size of a report, bytes; a power of two, at most the page size
 * @reports: minimum size of the written reports, from the start of the buffer, bytes
 */
struct buffer_content {
	u32 from;
	u32 to;
	u32 report_size;
	u32 reports;
};

int buffer_verify(const struct buffer_content *content, const void *buffer, u32 size);

#endif /* _GPUOA_I915_DECODE_H */
