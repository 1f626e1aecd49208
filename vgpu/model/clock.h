/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * clock.h - a GPU's timestamp clock by the CPU's: pure arithmetic.
 */
#ifndef _SIM_CLOCK_H
#define _SIM_CLOCK_H

#include "env.h"

/* Slower than this, a GPU does next to nothing. */
#define SIM_MAX_SLOWDOWN 1000

/**
 * struct sim_clock - what the clock shows, and how fast it runs
 * @frequency: of the clock, Hz
 * @slowdown: GPU time passes so many times slower than the CPU's
 * @ns: the CPU's time, CLOCK_MONOTONIC, since when that is so
 * @tick: what the clock showed then
 */
struct sim_clock {
	u64 frequency;
	u64 slowdown;
	u64 ns;
	u64 tick;
};

void sim_clock_init(struct sim_clock *clock, u64 frequency);
u64 sim_clock_tick(const struct sim_clock *clock, u64 ns);
u64 sim_clock_wait(const struct sim_clock *clock, u64 ticks);
void sim_clock_slow(struct sim_clock *clock, u64 ns, u64 slowdown);

#endif /* _SIM_CLOCK_H */
