/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ids.h - GPUs that the lease knows, by their PCI device ids.
 */
#ifndef _GPUOA_I915_IDS_H
#define _GPUOA_I915_IDS_H

#include <linux/types.h>

struct pte_layout;

/**
 * struct generation - what GPUs of a generation have in common, as far as the lease is concerned
 * @buffer: MMIO offset of OABUFFER
 * @control: MMIO offset of OACONTROL
 * @tail: MMIO offset of the register that has the tail in bits 31:6, a GPU address
 * @start_trigger: MMIO offset of OASTARTTRIG1
 * @format: enum gpuoa_format: that with most counters
 * @pte: entries of the GGTT
 * @context_id: what reports of the context bear that an i915-perf stream is for, without GuC; 0:
 *	the hardware filters, and OACONTROL names the context
 * @context_mask: the bits that name a context in reports, or in OACONTROL
 */
struct generation {
	u32 buffer;
	u32 control;
	u32 tail;
	u32 start_trigger;
	u32 format;
	const struct pte_layout *pte;
	u32 context_id;
	u32 context_mask;
};

/**
 * struct platform - a GPU
 * @name: as in the metric definitions
 * @generation: what it has in common with others
 * @low_power: one of the small cores' line, which has some registers elsewhere, and no LLC
 */
struct platform {
	const char *name;
	const struct generation *generation;
	bool low_power;
};

const struct platform *platform_find(u16 device);

#endif /* _GPUOA_I915_IDS_H */
