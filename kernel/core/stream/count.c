// SPDX-License-Identifier: GPL-2.0-only
/*
 * count.c - counters of reports extended to 64 bits: pure logic, no I/O, no locks.
 */
#include <linux/bits.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>

#include "count.h"
#include "uapi/gpuoa.h"

/**
 * DOC: Counters that wrap
 *
 * A counter of 32 bits wraps within a fraction of a second where many EUs add to it. It is known
 * how often it did if it is looked at before it can do so twice: each EU of the unit may count
 * twice in each clock, so half as long as 2^32 such events take is safe. Reports that are closer to
 * each other need not all be looked at.
 *
 * While a unit is off, nobody knows what its counters do. So what it shows when it is on again is
 * where counting goes on from, and adds nothing.
 */

/* What a counter of 32 bits may count between two looks. */
#define COUNT_SAFE_EVENTS BIT_ULL(31)

/* A host that does not tell of its EUs. */
#define COUNT_PERIOD_MAX_UNKNOWN_NS NSEC_PER_MSEC

/**
 * gpuoa_count_take - look at a report
 * @count: the sum
 * @report: a report that was written after all that it has looked at
 */
void gpuoa_count_take(struct gpuoa_count *count, const void *report)
{
	u64 now = gpuoa_report_count(&count->place, report);

	if (count->based)
		count->value += (now - count->last) & GENMASK_ULL(count->place.bits - 1, 0);
	count->last = now;
	count->based = true;
}

/**
 * gpuoa_counts_take - look at reports that stand in one piece
 * @counts: list of struct gpuoa_count
 * @reports: the first report
 * @report_size: bytes of each
 * @n: how many, not 0
 * @stride: look at each one of so many, and at the last
 *
 * Where a sum has to begin, it begins at the first.
 */
void gpuoa_counts_take(struct list_head *counts, const void *reports, u32 report_size, u32 n,
		       u32 stride)
{
	struct gpuoa_count *count;
	u32 i;

	list_for_each_entry(count, counts, node) {
		if (!count->based)
			gpuoa_count_take(count, reports);
		for (i = stride; i < n; i += stride)
			gpuoa_count_take(count, reports + (size_t)(i - 1) * report_size);
		gpuoa_count_take(count, reports + (size_t)(n - 1) * report_size);
	}
}

/**
 * gpuoa_counts_rebase - what comes next does not follow what was
 * @counts: list of struct gpuoa_count
 */
void gpuoa_counts_rebase(struct list_head *counts)
{
	struct gpuoa_count *count;

	list_for_each_entry(count, counts, node)
		count->based = false;
}

/**
 * gpuoa_count_period_max - how long can a counter be left alone?
 * @info: the unit
 *
 * Return: ns
 */
u64 gpuoa_count_period_max(const struct gpuoa_unit_info *info)
{
	u64 rate = info->gt_max_frequency * info->n_eus;

	return rate ? mul_u64_u64_div_u64(COUNT_SAFE_EVENTS / 2, NSEC_PER_SEC, rate) :
		      COUNT_PERIOD_MAX_UNKNOWN_NS;
}

/**
 * gpuoa_count_stride - how many reports further is a counter to be looked at again?
 * @info: the unit
 * @period_ns: of the timer
 *
 * Return: number of reports, at least 1
 */
u32 gpuoa_count_stride(const struct gpuoa_unit_info *info, u64 period_ns)
{
	return clamp_t(u64, div64_u64(gpuoa_count_period_max(info), period_ns), 1, U32_MAX);
}
