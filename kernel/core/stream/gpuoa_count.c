// SPDX-License-Identifier: GPL-2.0-only
/* gpuoa_count.c - extension of report counters to 64 bits. */
#include <linux/bits.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/time64.h>

#include "gpuoa_count.h"
#include "uapi/gpuoa.h"

/**
 * DOC: Counter wraparound
 *
 * A 32-bit counter can wrap within a fraction of a second if many EUs increment it. To detect each
 * wrap, it must be read before it can wrap twice. Each EU may increment it twice per clock, so
 * reading it after half the time that 2^32 such events take is safe. Reports in between need not be
 * read.
 *
 * The value of a counter while the unit is off is unknown. Counting therefore restarts from the
 * first report after the unit is enabled again, and that report adds nothing.
 */

/* Maximum number of events of a 32-bit counter between two reads. */
#define COUNT_SAFE_EVENTS BIT_ULL(31)

/* Number of EUs that is assumed if the provider reports none. */
#define COUNT_PERIOD_MAX_UNKNOWN_NS NSEC_PER_MSEC

/**
 * gpuoa_count_take() - Update a sum from a report.
 * @count: sum
 * @report: report, later than all reports used before
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
 * gpuoa_counts_take() - Update sums from contiguous reports.
 * @counts: list of struct gpuoa_count
 * @reports: first report
 * @report_size: size of a report, bytes
 * @n: number of reports, not 0
 * @stride: use every @stride-th report and the last one
 *
 * A sum without a base value starts at the first report.
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
 * gpuoa_counts_rebase() - Handle a discontinuity before the next report.
 * @counts: list of struct gpuoa_count
 */
void gpuoa_counts_rebase(struct list_head *counts)
{
	struct gpuoa_count *count;

	list_for_each_entry(count, counts, node)
		count->based = false;
}

/**
 * gpuoa_count_period_max() - Get the maximum time between two reads of a counter.
 * @info: description of the unit
 *
 * Return: time, ns
 */
u64 gpuoa_count_period_max(const struct gpuoa_unit_info *info)
{
	u64 rate = info->gt_max_frequency * info->n_eus;

	return rate ? mul_u64_u64_div_u64(COUNT_SAFE_EVENTS / 2, NSEC_PER_SEC, rate) :
		      COUNT_PERIOD_MAX_UNKNOWN_NS;
}

/**
 * gpuoa_count_stride() - Get the maximum distance between two reports to read.
 * @info: description of the unit
 * @period_ns: period of the timer, ns
 *
 * Return: number of reports, at least 1
 */
u32 gpuoa_count_stride(const struct gpuoa_unit_info *info, u64 period_ns)
{
	return clamp_t(u64, div64_u64(gpuoa_count_period_max(info), period_ns), 1, U32_MAX);
}
