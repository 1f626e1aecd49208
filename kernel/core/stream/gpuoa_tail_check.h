/* SPDX-License-Identifier: GPL-2.0-only */
/* gpuoa_tail_check.h - detection of complete reports in an AUX area. */
#ifndef _GPUOA_TAIL_CHECK_H
#define _GPUOA_TAIL_CHECK_H

#include <linux/types.h>

#include "oa/gpuoa_report.h"

/**
 * struct gpuoa_tail_check - state of a buffer with zero-copy delivery
 *
 * Times are in ticks of the OA timestamp, extended to 64 bits. Offsets are in bytes from the start
 * of the buffer.
 *
 * @pages: CPU mapping of the buffer's pages
 * @format: report format
 * @timestamp_mask: valid bits of a timestamp
 * @size: size of the area used for reports, bytes: the buffer, without the rest at its end unless
 *	reports are split
 * @lag: upper bound of the lag of the provider's clock, ticks
 * @clears: headers are cleared when the reader releases slots
 * @tail: offset after the last consumed report
 * @last: time of the last consumed report, or of the unit's start
 * @cleared: offset up to which the headers of free slots are cleared
 * @seen: number of reports after @tail that were announced at @seen_at while one was missing
 * @seen_at: time of @seen
 */
struct gpuoa_tail_check {
	void *const *pages;
	const struct gpuoa_format_desc *format;
	u64 timestamp_mask;
	u32 size;
	u64 lag;
	bool clears;
	u32 tail;
	u64 last;
	u32 cleared;
	u32 seen;
	u64 seen_at;
};

bool gpuoa_tail_check_ambiguous(const struct gpuoa_format_desc *format, u32 size, u64 period);
void gpuoa_tail_check_init(struct gpuoa_tail_check *check, void *const *pages, u32 size,
			   const struct gpuoa_format_desc *format, bool split, u64 lag,
			   bool clears);
void gpuoa_tail_check_start(struct gpuoa_tail_check *check, u32 tail, u64 now);
u32 gpuoa_tail_check_release(struct gpuoa_tail_check *check, u32 reader);
u32 gpuoa_tail_check_needed(u32 count);
u32 gpuoa_tail_check_announced(const struct gpuoa_tail_check *check, u32 hw_tail);
u32 gpuoa_tail_check_update(const struct gpuoa_tail_check *check, u32 hw_tail, u64 now);
u32 gpuoa_tail_check_update_all(const struct gpuoa_tail_check *check, u32 hw_tail, u64 now);
u32 gpuoa_tail_check_update_idle(const struct gpuoa_tail_check *check, u32 hw_tail, u64 now);
u32 gpuoa_tail_check_missing(struct gpuoa_tail_check *check, u32 hw_tail, u64 now, u32 *before);
u32 gpuoa_tail_check_missing_idle(const struct gpuoa_tail_check *check, u32 hw_tail, u64 now);
const void *gpuoa_tail_check_report(const struct gpuoa_tail_check *check, u32 n);
bool gpuoa_tail_check_is_empty(const struct gpuoa_tail_check *check, u32 n);
u64 gpuoa_tail_check_time(const struct gpuoa_tail_check *check, u32 n, u64 now);
void gpuoa_tail_check_consume(struct gpuoa_tail_check *check, u32 count, u64 now);
void gpuoa_tail_check_skip(struct gpuoa_tail_check *check, u32 count);

#endif /* _GPUOA_TAIL_CHECK_H */
