/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * clock.h - the GPU's clock in 64 bits, of which the hardware has the lower 32: pure logic.
 */
#ifndef _GPUOA_I915_CLOCK_H
#define _GPUOA_I915_CLOCK_H

#include <linux/types.h>

/**
 * struct clock_anchor - a moment at which all bits were known
 * @ticks: the GPU's clock
 * @ns: the CPU's
 */
struct clock_anchor {
	u64 ticks;
	u64 ns;
};

u64 clock_extend(const struct clock_anchor *anchor, u64 frequency, u32 low, u64 ns);

#endif /* _GPUOA_I915_CLOCK_H */
