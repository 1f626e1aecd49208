// SPDX-License-Identifier: GPL-2.0-only
/*
 * pace.c - when to look for reports next: exact arithmetic, no I/O.
 */
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>

#include "oa/exponent.h"
#include "pace.h"

/* A GPU that switches contexts more often than this does nothing else. */
#define GPUOA_PACE_SWITCH_NS (10 * NSEC_PER_USEC)

/*
 * Who watches reports as they come does not notice that some are so late; and no more come
 * meanwhile than a look hands on.
 */
#define GPUOA_PACE_LATENCY_NS (40 * NSEC_PER_MSEC)

/*
 * A report is in memory so soon, most of the time. Nothing relies on it: a poll that is too early
 * finds less.
 */
#define GPUOA_PACE_SETTLE_NS (100 * NSEC_PER_USEC)

/* What is not in memory by then is not on its way: the unit may be off. */
#define GPUOA_PACE_LATE_NS (5 * NSEC_PER_MSEC)

/**
 * gpuoa_pace_init - how fast do reports come?
 * @pace: out
 * @frequency: of the OA timestamp clock, Hz
 * @exponent: timer exponent
 * @timer_alone: nothing but the timer makes reports
 */
void gpuoa_pace_init(struct gpuoa_pace *pace, u64 frequency, u32 exponent, bool timer_alone)
{
	pace->frequency = frequency;
	pace->exponent = exponent;
	pace->period_ns = gpuoa_exponent_period_ns(frequency, exponent);
	pace->shortest_ns = timer_alone ? pace->period_ns :
					  min_t(u64, pace->period_ns, GPUOA_PACE_SWITCH_NS);
}

/**
 * gpuoa_pace_settle - how long does a report take to memory, most of the time?
 * @frequency: of the OA timestamp clock, Hz
 *
 * Return: ticks
 */
u64 gpuoa_pace_settle(u64 frequency)
{
	return mul_u64_u64_div_u64(frequency, GPUOA_PACE_SETTLE_NS, NSEC_PER_SEC) + 1;
}

/**
 * gpuoa_pace_ticks - a time in ticks
 * @pace: with the clock's frequency
 * @ns: the time
 *
 * Return: ticks, rounded down
 */
u64 gpuoa_pace_ticks(const struct gpuoa_pace *pace, u64 ns)
{
	return mul_u64_u64_div_u64(pace->frequency, ns, NSEC_PER_SEC);
}

/* When the timer made its last report until then: bit e of the time rises. */
static u64 pace_due(const struct gpuoa_pace *pace, u64 then)
{
	u64 phase = gpuoa_exponent_ticks(pace->exponent) / 2;

	return ((then - phase) & ~(2 * phase - 1)) + phase;
}

/* ns until the @count-th report of the timer after @from shows */
static u64 pace_wait(const struct gpuoa_pace *pace, u64 now, u64 from, u64 count)
{
	u64 shows = pace_due(pace, from) + count * gpuoa_exponent_ticks(pace->exponent) +
		    gpuoa_pace_settle(pace->frequency);

	if (shows <= now)
		return 0;

	return mul_u64_u64_div_u64(shows - now, NSEC_PER_SEC, pace->frequency) + 1;
}

/**
 * gpuoa_pace_until - how long until reports of the timer have landed?
 * @pace: how fast they come
 * @now: the time, ticks, at least a period after 0
 * @last: that of the last one that is known to have landed, or when the unit was started
 * @count: number of those behind it; if @last is long ago, of those that are still to come
 *
 * The last of them has landed when the one behind it shows. One that is a little late is expected
 * at once, not after its successors.
 *
 * Return: ns
 */
u64 gpuoa_pace_until(const struct gpuoa_pace *pace, u64 now, u64 last, u64 count)
{
	u64 late = 2 * gpuoa_exponent_ticks(pace->exponent) +
		   gpuoa_pace_ticks(pace, GPUOA_PACE_LATE_NS);

	return pace_wait(pace, now, now - last <= late ? last : now, count + 1);
}

/**
 * gpuoa_pace_next - how long until the timer's next report shows?
 * @pace: how fast they come
 * @now: the time, ticks; those that were written long enough ago show
 *
 * Return: ns, never 0
 */
u64 gpuoa_pace_next(const struct gpuoa_pace *pace, u64 now)
{
	return pace_wait(pace, now, now - gpuoa_pace_settle(pace->frequency), 1);
}

/**
 * gpuoa_pace_fill - how long do reports at least take to come?
 * @pace: how fast they come
 * @count: number of them
 *
 * Return: ns
 */
u64 gpuoa_pace_fill(const struct gpuoa_pace *pace, u32 count)
{
	return count * pace->shortest_ns;
}

/**
 * gpuoa_pace_latency - how long may reports wait that come when nobody expects them?
 * @pace: how fast they come
 *
 * Return: ns; U64_MAX if all come when expected
 */
u64 gpuoa_pace_latency(const struct gpuoa_pace *pace)
{
	return pace->shortest_ns < pace->period_ns ? GPUOA_PACE_LATENCY_NS : U64_MAX;
}
