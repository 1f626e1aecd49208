// SPDX-License-Identifier: GPL-2.0-only
/*
 * clock.c - the GPU's clock in 64 bits, of which the hardware has the lower 32.
 */
#include <linux/math64.h>
#include <linux/time64.h>

#include "clock.h"

/**
 * clock_extend - add the bits that the hardware does not have
 * @anchor: a moment in the past
 * @frequency: of the GPU's clock, Hz, below 1 GHz
 * @low: the lower 32 bits now
 * @ns: the CPU's time now
 *
 * The CPU's clock says where the GPU's must be, give or take half a wrap, which is a minute or
 * more: two clocks that are 100 ppm apart need days for that. Nothing is kept: any context, any
 * CPU.
 *
 * Return: the GPU's clock; not before the anchor
 */
u64 clock_extend(const struct clock_anchor *anchor, u64 frequency, u32 low, u64 ns)
{
	u64 expected =
		anchor->ticks + mul_u64_u64_div_u64(ns - anchor->ns, frequency, NSEC_PER_SEC);
	s32 beyond = low - (u32)expected;
	u64 now = expected + beyond;

	/* Right after the anchor, two readings may have come the other way round. */
	return (s64)(now - anchor->ticks) < 0 ? anchor->ticks : now;
}
