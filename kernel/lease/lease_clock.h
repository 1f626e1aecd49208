/* SPDX-License-Identifier: GPL-2.0-only */
/* lease_clock.h - clock of a GPU, extended to 64 bits. */
#ifndef _GPUOA_LEASE_CLOCK_H
#define _GPUOA_LEASE_CLOCK_H

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

#endif /* _GPUOA_LEASE_CLOCK_H */
