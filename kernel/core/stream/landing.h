/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * landing.h - which reports have landed in a buffer that nobody clears: pure logic, no I/O, no
 * locks.
 */
#ifndef _GPUOA_LANDING_H
#define _GPUOA_LANDING_H

#include <linux/types.h>

#include "oa/report.h"

/**
 * struct gpuoa_landing - a buffer that the CPU only reads
 *
 * Times are those of the OA timestamp clock, in ticks, extended to 64 bits. Offsets are in bytes
 * from the start of the buffer.
 *
 * @pages: the buffer's pages as the CPU sees them
 * @format: format of the reports, whose size divides the buffer, or is written whole
 * @timestamp_mask: bits that a timestamp has
 * @size: bytes that hold reports: the buffer, less the rest at its end where none fits
 * @settle: after so many ticks a report is in memory, whatever the memory is busy with
 * @tail: reports before it have been taken
 * @last: time of the last one that was taken, or when the unit was started
 * @lap: the slots before @tail were written at this time or later
 * @oldest: and those behind it at this one or later, if ever
 * @seen: so many reports from @tail on were announced at @seen_at
 * @seen_at: a time that lies at least @settle after the one before
 */
struct gpuoa_landing {
	void *const *pages;
	const struct gpuoa_format_desc *format;
	u64 timestamp_mask;
	u32 size;
	u64 settle;
	u32 tail;
	u64 last;
	u64 lap;
	u64 oldest;
	u32 seen;
	u64 seen_at;
};

void gpuoa_landing_init(struct gpuoa_landing *landing, void *const *pages, u32 size,
			const struct gpuoa_format_desc *format, u64 settle, u64 now);
void gpuoa_landing_start(struct gpuoa_landing *landing, u32 tail, u64 now);
u32 gpuoa_landing_update(struct gpuoa_landing *landing, u32 hw_tail, u64 now);
u32 gpuoa_landing_update_idle(struct gpuoa_landing *landing, u32 hw_tail, u64 now);
const void *gpuoa_landing_report(const struct gpuoa_landing *landing, u32 n);
u64 gpuoa_landing_time(const struct gpuoa_landing *landing, u32 n, u64 now);
void gpuoa_landing_take(struct gpuoa_landing *landing, u32 count, u64 now);

#endif /* _GPUOA_LANDING_H */
