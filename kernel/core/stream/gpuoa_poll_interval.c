// SPDX-License-Identifier: GPL-2.0-only
/* gpuoa_poll_interval.c - expected times of reports, used to compute poll intervals. */
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>

#include "gpuoa_poll_interval.h"
#include "oa/gpuoa_report.h"

/* Minimum time between context switches; a GPU that switches more often does no other work. */
#define GPUOA_INTERVAL_SWITCH_NS (10 * NSEC_PER_USEC)

/*
 * Maximum latency of context switch reports. Users who watch the reports do not notice it, and one
 * poll can publish all reports that arrive within it.
 */
#define GPUOA_INTERVAL_LATENCY_NS (40 * NSEC_PER_MSEC)

/*
 * Typical time until a report is visible in memory. It is an estimate only: a poll that is too
 * early finds fewer reports.
 */
#define GPUOA_INTERVAL_SETTLE_NS (100 * NSEC_PER_USEC)

/* Reports that are not visible after this time are not expected any more: the unit may be off. */
#define GPUOA_INTERVAL_LATE_NS (5 * NSEC_PER_MSEC)

/**
 * gpuoa_poll_interval_init() - Initialize the rate of reports.
 * @interval: rate, output
 * @frequency: frequency of the OA timestamp, Hz
 * @exponent: timer exponent
 * @timer_alone: only the timer causes reports
 */
void gpuoa_poll_interval_init(struct gpuoa_poll_interval *interval, u64 frequency, u32 exponent,
			      bool timer_alone)
{
	interval->frequency = frequency;
	interval->exponent = exponent;
	interval->period_ns = gpuoa_exponent_period_ns(frequency, exponent);
	interval->shortest_ns = timer_alone ?
					interval->period_ns :
					min_t(u64, interval->period_ns, GPUOA_INTERVAL_SWITCH_NS);
}

/**
 * gpuoa_poll_interval_settle() - Get the typical time until a report is visible in memory.
 * @frequency: frequency of the OA timestamp, Hz
 *
 * Return: time, ticks
 */
u64 gpuoa_poll_interval_settle(u64 frequency)
{
	return mul_u64_u64_div_u64(frequency, GPUOA_INTERVAL_SETTLE_NS, NSEC_PER_SEC) + 1;
}

/**
 * gpuoa_poll_interval_ticks() - Convert a time to ticks.
 * @interval: rate, with the clock's frequency
 * @ns: time, ns
 *
 * Return: ticks, rounded down
 */
u64 gpuoa_poll_interval_ticks(const struct gpuoa_poll_interval *interval, u64 ns)
{
	return mul_u64_u64_div_u64(interval->frequency, ns, NSEC_PER_SEC);
}

/*
 * Get the time of the last timer report at or before @then. The timer fires when bit e of the time
 * rises.
 */
static u64 last_due(const struct gpuoa_poll_interval *interval, u64 then)
{
	u64 phase = gpuoa_exponent_ticks(interval->exponent) / 2;

	return ((then - phase) & ~(2 * phase - 1)) + phase;
}

/* Get the time until the @count-th timer report after @from is visible, ns. */
static u64 time_until(const struct gpuoa_poll_interval *interval, u64 now, u64 from, u64 count)
{
	u64 shows = last_due(interval, from) + count * gpuoa_exponent_ticks(interval->exponent) +
		    gpuoa_poll_interval_settle(interval->frequency);

	if (shows <= now)
		return 0;

	return mul_u64_u64_div_u64(shows - now, NSEC_PER_SEC, interval->frequency) + 1;
}

/**
 * gpuoa_poll_interval_until() - Get the time until timer reports have landed.
 * @interval: rate
 * @now: current time, ticks, at least one period after 0
 * @last: time of the last report known to have landed, or of the unit's start, ticks
 * @count: number of reports after @last; if @last is long ago, number of reports after @now
 *
 * The last report has landed when its successor is visible. A slightly late report is expected at
 * once instead of after its successors.
 *
 * Return: time, ns
 */
u64 gpuoa_poll_interval_until(const struct gpuoa_poll_interval *interval, u64 now, u64 last,
			      u64 count)
{
	u64 late = 2 * gpuoa_exponent_ticks(interval->exponent) +
		   gpuoa_poll_interval_ticks(interval, GPUOA_INTERVAL_LATE_NS);

	return time_until(interval, now, now - last <= late ? last : now, count + 1);
}

/**
 * gpuoa_poll_interval_next() - Get the time until the next timer report is visible.
 * @interval: rate
 * @now: current time, ticks
 *
 * Return: time, ns, never 0
 */
u64 gpuoa_poll_interval_next(const struct gpuoa_poll_interval *interval, u64 now)
{
	return time_until(interval, now, now - gpuoa_poll_interval_settle(interval->frequency), 1);
}

/**
 * gpuoa_poll_interval_fill() - Get the minimum time for a number of reports.
 * @interval: rate
 * @count: number of reports
 *
 * Return: time, ns
 */
u64 gpuoa_poll_interval_fill(const struct gpuoa_poll_interval *interval, u32 count)
{
	return count * interval->shortest_ns;
}

/**
 * gpuoa_poll_interval_latency() - Get the maximum latency of reports that the timer does not cause.
 * @interval: rate
 *
 * Return: time, ns; U64_MAX if only the timer causes reports
 */
u64 gpuoa_poll_interval_latency(const struct gpuoa_poll_interval *interval)
{
	return interval->shortest_ns < interval->period_ns ? GPUOA_INTERVAL_LATENCY_NS : U64_MAX;
}
