/* SPDX-License-Identifier: GPL-2.0-only */
/* ids.h - supported GPUs by PCI device id. */
#ifndef _GPUOA_I915_IDS_H
#define _GPUOA_I915_IDS_H

#include <linux/types.h>

struct pte_layout;

/**
 * struct generation - properties of a GPU generation
 * @buffer: MMIO offset of OABUFFER
 * @control: MMIO offset of OACONTROL
 * @tail: MMIO offset of the register with the tail, a GPU address, in bits 31:6
 * @start_trigger: MMIO offset of OASTARTTRIG1
 * @format: enum gpuoa_format with the most counters
 * @pte: format of GGTT entries
 * @context_id: context id in reports of an i915-perf stream's context, without GuC; 0 if the
 *	hardware filters and OACONTROL holds the context id
 * @context_mask: bits of the context id in reports or in OACONTROL
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
 * struct platform - GPU platform
 * @name: name used by the metric definitions
 * @generation: properties of the generation
 * @low_power: low-power GPU without LLC, with some registers at other offsets
 * @threads_per_eu: hardware threads per execution unit
 */
struct platform {
	const char *name;
	const struct generation *generation;
	bool low_power;
	u8 threads_per_eu;
};

const struct platform *i915_platform_find(u16 device);

#endif /* _GPUOA_I915_IDS_H */
