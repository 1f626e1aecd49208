/* SPDX-License-Identifier: GPL-2.0-only */
/* gpuoa_poll_interval.h - expected times of reports, used to compute poll intervals. */
#ifndef _GPUOA_POLL_INTERVAL_H
#define _GPUOA_POLL_INTERVAL_H

#include <linux/types.h>

/**
 * struct gpuoa_pace - rate of reports
 *
 * @frequency: frequency of the OA timestamp, Hz
 * @exponent: timer exponent
 * @period_ns: period of the timer, ns
 * @shortest_ns: minimum time between two reports, ns; shorter than @period_ns if context switches
 *	cause reports as well
 */
struct gpuoa_pace {
	u64 frequency;
	u32 exponent;
	u64 period_ns;
	u64 shortest_ns;
};

void gpuoa_pace_init(struct gpuoa_pace *pace, u64 frequency, u32 exponent, bool timer_alone);
u64 gpuoa_pace_settle(u64 frequency);
u64 gpuoa_pace_ticks(const struct gpuoa_pace *pace, u64 ns);
u64 gpuoa_pace_until(const struct gpuoa_pace *pace, u64 now, u64 last, u64 count);
u64 gpuoa_pace_next(const struct gpuoa_pace *pace, u64 now);
u64 gpuoa_pace_fill(const struct gpuoa_pace *pace, u32 count);
u64 gpuoa_pace_latency(const struct gpuoa_pace *pace);

#endif /* _GPUOA_POLL_INTERVAL_H */
