// SPDX-License-Identifier: GPL-2.0-only
/*
 * oa_expect.c - when a carrier should look at an OA unit again: for its half-full interrupt, and
 * for reports that land late.
 */
#include "gpu.h"
#include "oa_expect.h"
#include "tick.h"

/* A load changes contexts, or the clock, less often than this. */
#define CHANGES_HZ 2000

/* So soon the carrier comes back at the earliest: when reports come slowly, and when fast. */
#define SLOW_NS NSEC_PER_MSEC
#define FAST_NS (10 * NSEC_PER_USEC)

/* How long do @reports take at least, when so many come in a second? In ns of the CPU's time */
static u64 reports_ns(const struct sim_gpu *gpu, u64 reports, u64 hz)
{
	return sim_clock_wait(&gpu->clock, div64_u64(reports * gpu->world.frequency, hz));
}

/**
 * sim_oa_half_full_ns - how long until the buffer can be half full?
 * @oa: the unit
 *
 * By what the timer of the unit and the load can write. A burst of batches may be ahead of that.
 *
 * Return: ns of the CPU's time; U64_MAX: it is half full, or nothing is written
 */
u64 sim_oa_half_full_ns(const struct sim_oa *oa)
{
	u32 used = sim_buffer_used(&oa->buffer), half = oa->buffer.size / 2;
	const struct sim_gpu *gpu = oa->gpu;
	u64 hz = 1, reports, ns;

	if (!oa->running || oa->full || used >= half)
		return U64_MAX;
	reports = DIV_ROUND_UP(half - used, oa->run.format->size);
	if (oa->run.timer)
		hz += gpu->world.frequency >> (oa->run.exponent + 1);
	ns = clamp_t(u64, reports_ns(gpu, 1, hz), FAST_NS, SLOW_NS);
	if (oa->ops->reasons(oa))
		hz += CHANGES_HZ;

	return max(ns, reports_ns(gpu, reports, hz));
}

/**
 * sim_oa_landing_ns - how long until a late report arrives in memory?
 * @oa: the unit
 *
 * Return: ns of the CPU's time; U64_MAX: none is on the way
 */
u64 sim_oa_landing_ns(const struct sim_oa *oa)
{
	u64 now = sim_now(oa->gpu), lands = sim_buffer_lands(&oa->buffer);

	if (lands == U64_MAX)
		return U64_MAX;

	return lands > now ? sim_clock_wait(&oa->gpu->clock, lands - now) : 0;
}

/**
 * sim_oa_expect - tell the carrier that sim_oa_half_full_ns() or sim_oa_landing_ns() has changed
 * @oa: the unit
 */
void sim_oa_expect(struct sim_oa *oa)
{
	if (oa->gpu->carrier->expect)
		oa->gpu->carrier->expect(oa);
}
