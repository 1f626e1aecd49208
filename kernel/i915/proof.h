/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * proof.h - is this memory the buffer that a unit has just written to? Pure logic.
 */
#ifndef _GPUOA_I915_PROOF_H
#define _GPUOA_I915_PROOF_H

#include <linux/types.h>

/**
 * struct proof - what is known of a buffer that was cleared, and then written to by a unit
 * @from: the unit's clock before it was switched on, lower 32 bits
 * @to: and after it was switched off
 * @report_size: bytes of a report, a power of two up to that of a page
 * @reports: bytes of reports that it wrote at least, from the beginning of the buffer
 */
struct proof {
	u32 from;
	u32 to;
	u32 report_size;
	u32 reports;
};

int proof_check(const struct proof *proof, const void *buffer, u32 size);

#endif /* _GPUOA_I915_PROOF_H */
