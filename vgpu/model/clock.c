// SPDX-License-Identifier: GPL-2.0-only
/*
 * clock.c - a GPU's timestamp clock by the CPU's: pure arithmetic.
 */
#include "clock.h"

/**
 * sim_clock_init - start a clock, as old as the CPU's, at full speed
 * @clock: the clock
 * @frequency: Hz
 */
void sim_clock_init(struct sim_clock *clock, u64 frequency)
{
	*clock = (struct sim_clock){
		.frequency = frequency,
		.slowdown = 1,
	};
}

/**
 * sim_clock_tick - what a clock shows
 * @clock: the clock
 * @ns: the CPU's time, not before the last change of speed
 *
 * Return: ticks
 */
u64 sim_clock_tick(const struct sim_clock *clock, u64 ns)
{
	return clock->tick + mul_u64_u64_div_u64(ns - clock->ns, clock->frequency,
						 NSEC_PER_SEC * clock->slowdown);
}

/**
 * sim_clock_wait - how long do ticks take?
 * @clock: the clock
 * @ticks: how many
 *
 * Return: ns of the CPU's time after which they have certainly passed
 */
u64 sim_clock_wait(const struct sim_clock *clock, u64 ticks)
{
	return mul_u64_u64_div_u64(ticks, NSEC_PER_SEC * clock->slowdown, clock->frequency) + 1;
}

/**
 * sim_clock_slow - change the speed of a clock, which does not leap
 * @clock: the clock
 * @ns: the CPU's time from which on it runs so
 * @slowdown: times slower than the CPU's
 */
void sim_clock_slow(struct sim_clock *clock, u64 ns, u64 slowdown)
{
	clock->tick = sim_clock_tick(clock, ns);
	clock->ns = ns;
	clock->slowdown = slowdown;
}
