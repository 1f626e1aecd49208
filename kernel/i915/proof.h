/* SPDX-License-Identifier: GPL-2.0-only */
/* proof.h - verification of the OABUFFER's pages. */
#ifndef _GPUOA_I915_PROOF_H
#define _GPUOA_I915_PROOF_H

#include <linux/types.h>

/**
 * struct proof - properties of a buffer that was cleared and then written by the unit
 * @from: unit's clock before the unit was enabled, lower 32 bits
 * @to: unit's clock after the unit was disabled, lower 32 bits
 * @report_size: size of a report, bytes; a power of two, at most the page size
 * @reports: minimum size of the written reports, from the start of the buffer, bytes
 */
struct proof {
	u32 from;
	u32 to;
	u32 report_size;
	u32 reports;
};

int proof_check(const struct proof *proof, const void *buffer, u32 size);

#endif /* _GPUOA_I915_PROOF_H */
