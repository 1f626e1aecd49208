/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * landing.h - which reports have landed in a buffer that the reader takes them from: pure logic, no
 * I/O, no locks.
 */
#ifndef _GPUOA_LANDING_H
#define _GPUOA_LANDING_H

#include <linux/types.h>

#include "oa/report.h"

/**
 * struct gpuoa_landing - a buffer whose reports stay where the hardware put them
 *
 * Times are those of the OA timestamp clock, in ticks, extended to 64 bits. Offsets are in bytes
 * from the start of the buffer.
 *
 * @pages: the buffer's pages as the CPU sees them
 * @format: format of the reports, whose size divides the buffer, or is written whole
 * @timestamp_mask: bits that a timestamp has
 * @size: bytes that hold reports: the buffer, less the rest at its end where none fits
 * @lag: the host's clock is late by less ticks than this
 * @clears: headers are cleared when the reader gives slots back
 * @tail: reports before it have been taken
 * @last: time of the last one that was taken, or when the unit was started
 * @cleared: up to here, the headers of slots that the hardware may write to are clear
 * @seen: so many reports from @tail on were announced at @seen_at, when one of them did not show
 * @seen_at: the time
 */
struct gpuoa_landing {
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

bool gpuoa_landing_ambiguous(const struct gpuoa_format_desc *format, u32 size, u64 period);
void gpuoa_landing_init(struct gpuoa_landing *landing, void *const *pages, u32 size,
			const struct gpuoa_format_desc *format, u64 lag, bool clears);
void gpuoa_landing_start(struct gpuoa_landing *landing, u32 tail, u64 now);
u32 gpuoa_landing_release(struct gpuoa_landing *landing, u32 reader);
u32 gpuoa_landing_ahead(u32 count);
u32 gpuoa_landing_announced(const struct gpuoa_landing *landing, u32 hw_tail);
u32 gpuoa_landing_update(const struct gpuoa_landing *landing, u32 hw_tail, u64 now);
u32 gpuoa_landing_update_all(const struct gpuoa_landing *landing, u32 hw_tail, u64 now);
u32 gpuoa_landing_update_idle(const struct gpuoa_landing *landing, u32 hw_tail, u64 now);
u32 gpuoa_landing_hole(struct gpuoa_landing *landing, u32 hw_tail, u64 now, u32 *before);
u32 gpuoa_landing_hole_idle(const struct gpuoa_landing *landing, u32 hw_tail, u64 now);
const void *gpuoa_landing_report(const struct gpuoa_landing *landing, u32 n);
bool gpuoa_landing_is_empty(const struct gpuoa_landing *landing, u32 n);
u64 gpuoa_landing_time(const struct gpuoa_landing *landing, u32 n, u64 now);
void gpuoa_landing_take(struct gpuoa_landing *landing, u32 count, u64 now);
void gpuoa_landing_skip(struct gpuoa_landing *landing, u32 count);

#endif /* _GPUOA_LANDING_H */
