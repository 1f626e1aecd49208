// SPDX-License-Identifier: GPL-2.0-only
/*
 * clock.c - a GPU's timestamp clock by the CPU's: pure arithmetic.
 */
#include "clock.h"

/* As fast as the GPU's, and as old as the CPU's clock */
void sim_clock_init(struct sim_clock *clock, u64 frequency)
{
	*clock = (struct sim_clock){
		.frequency = frequency,
		.slowdown = 1,
	};
}

/* What it shows when the CPU's clock shows @ns, which does not lie before the last change. */
u64 sim_clock_tick(const struct sim_clock *clock, u64 ns)
{
	return clock->tick + mul_u64_u64_div_u64(ns - clock->ns, clock->frequency,
						 NSEC_PER_SEC * clock->slowdown);
}

/* ns of the CPU's time after which so many ticks have certainly passed. */
u64 sim_clock_wait(const struct sim_clock *clock, u64 ticks)
{
	return mul_u64_u64_div_u64(ticks, NSEC_PER_SEC * clock->slowdown, clock->frequency) + 1;
}

/* From @ns on it runs at another speed. It is not set back, and does not leap. */
void sim_clock_slow(struct sim_clock *clock, u64 ns, u64 slowdown)
{
	clock->tick = sim_clock_tick(clock, ns);
	clock->ns = ns;
	clock->slowdown = slowdown;
}
