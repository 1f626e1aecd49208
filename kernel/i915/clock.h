/* SPDX-License-Identifier: GPL-2.0-only */
/* clock.h - extension of the 32-bit GPU clock to 64 bits. */
#ifndef _GPUOA_I915_CLOCK_H
#define _GPUOA_I915_CLOCK_H

#include <linux/types.h>

/**
 * struct clock_anchor - time base: a time at which both clocks are known
 * @ticks: GPU clock, ticks
 * @ns: CPU clock, ns
 */
struct clock_anchor {
	u64 ticks;
	u64 ns;
};

u64 clock_extend(const struct clock_anchor *anchor, u64 frequency, u32 low, u64 ns);

#endif /* _GPUOA_I915_CLOCK_H */
