/* SPDX-License-Identifier: GPL-2.0-only */
/* gpuoa_poll_interval.h - expected times of reports, used to compute poll intervals. */
#ifndef _GPUOA_POLL_INTERVAL_H
#define _GPUOA_POLL_INTERVAL_H

#include <linux/types.h>

/**
 * struct gpuoa_poll_interval - rate of reports
 *
 * @frequency: frequency of the OA timestamp, Hz
 * @exponent: timer exponent
 * @period_ns: period of the timer, ns
 * @shortest_ns: minimum time between two reports, ns; shorter than @period_ns if context switches
 *	cause reports as well
 */
struct gpuoa_poll_interval {
	u64 frequency;
	u32 exponent;
	u64 period_ns;
	u64 shortest_ns;
};

void gpuoa_poll_interval_init(struct gpuoa_poll_interval *interval, u64 frequency, u32 exponent,
			      bool timer_alone);
u64 gpuoa_poll_interval_settle(u64 frequency);
u64 gpuoa_poll_interval_ticks(const struct gpuoa_poll_interval *interval, u64 ns);
u64 gpuoa_poll_interval_until(const struct gpuoa_poll_interval *interval, u64 now, u64 last,
			      u64 count);
u64 gpuoa_poll_interval_next(const struct gpuoa_poll_interval *interval, u64 now);
u64 gpuoa_poll_interval_fill(const struct gpuoa_poll_interval *interval, u32 count);
u64 gpuoa_poll_interval_latency(const struct gpuoa_poll_interval *interval);

#endif /* _GPUOA_POLL_INTERVAL_H */
