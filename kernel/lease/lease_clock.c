// SPDX-License-Identifier: GPL-2.0-only
/* lease_clock.c - clock of a GPU, extended to 64 bits. */
#include <linux/bits.h>
#include <linux/math64.h>
#include <linux/time64.h>

#include "lease_clock.h"

/**
 * clock_extend() - Add the upper 32 bits to a GPU clock value.
 * @anchor: time base, in the past
 * @frequency: frequency of the GPU clock, Hz, below 1 GHz
 * @low: lower 32 bits of the current GPU clock
 * @ns: current CPU clock, ns
 *
 * The CPU clock predicts the GPU clock. The prediction may be wrong by up to half of the wrap
 * period, which is over a minute; two clocks that differ by 100 ppm take days to drift that far.
 * The function has no state, so it may be called in any context and on any CPU.
 *
 * If the GPU clock has restarted after a loss of power, the result still has its lower bits.
 *
 * Return: GPU clock, ticks; not before @anchor
 */
u64 clock_extend(const struct clock_anchor *anchor, u64 frequency, u32 low, u64 ns)
{
	u64 expected =
		anchor->ticks + mul_u64_u64_div_u64(ns - anchor->ns, frequency, NSEC_PER_SEC);
	s32 beyond = low - (u32)expected;
	u64 now = expected + beyond;

	if ((s64)(now - anchor->ticks) >= 0)
		return now;
	/* Shortly after the time base was set, @low may be older than it. */
	if (anchor->ticks - now < frequency)
		return anchor->ticks;

	/* The GPU clock has restarted. Reports have its lower bits. */
	return now + BIT_ULL(32);
}
