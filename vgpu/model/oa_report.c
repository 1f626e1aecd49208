// SPDX-License-Identifier: GPL-2.0-only
/*
 * oa_report.c - reports of an OA unit: filled in, and sent to its buffer.
 */
#include "gpu.h"
#include "oa_counters.h"
#include "oa_report.h"
#include "tick.h"

static void fill_timestamp(struct sim_oa *oa, u64 timestamp)
{
	if (oa->run.format->word == sizeof(u64))
		*(u64 *)&oa->report[2] = timestamp & GENMASK_ULL(55, 0);
	else
		oa->report[1] = timestamp;
}

static void oa_fill(struct sim_oa *oa, u64 tick, u32 reasons, u32 context)
{
	u64 ticks = tick - oa->cursor.from;

	if (oa->wrap)
		sim_oa_wrap_counters(oa, ticks);
	fill_timestamp(oa, tick + oa->cursor.offset);
	oa->ops->fill_header(oa, reasons, context);
	sim_oa_fill_counters(oa, ticks);
}

static void oa_drop(struct sim_oa *oa, u32 status)
{
	oa->status |= status;
	oa->statistics.dropped++;
}

static void oa_half_full(struct sim_oa *oa)
{
	oa->statistics.half_full++;
	if (oa->faults.lose_interrupts)
		oa->faults.lose_interrupts--;
	else if (oa->gpu->carrier->half_full)
		oa->gpu->carrier->half_full(oa);
}

/* The report moves the tail, and goes to memory. */
static void oa_send(struct sim_oa *oa, u64 tick)
{
	struct sim_faults *faults = &oa->faults;
	u32 size = oa->run.format->size;
	u32 before = oa->buffer.tail;

	/* What is due in memory before this report gets there before it. */
	sim_buffer_land_late(&oa->buffer, tick);
	if (faults->zero_ids) {
		faults->zero_ids--;
		memset(oa->report, 0, oa->run.format->word);
	}
	if (!oa->buffer.memory)
		oa->statistics.ggtt_faults++;
	if (faults->holes) {
		faults->holes--;
		sim_buffer_skip(&oa->buffer, size);
		oa->statistics.dropped++;
	} else {
		if (faults->land_late_us)
			sim_buffer_write_late(&oa->buffer, oa->report, size,
					      tick + sim_us_to_ticks(oa->gpu, faults->land_late_us),
					      false);
		else if (faults->torn_us)
			sim_buffer_write_late(&oa->buffer, oa->report, size,
					      tick + sim_us_to_ticks(oa->gpu, faults->torn_us),
					      true);
		else
			sim_buffer_write(&oa->buffer, oa->report, size, faults->tail_ahead);
		oa->statistics.written++;
	}
	if (oa->buffer.tail < before)
		oa->wraps |= SIM_WRAP_TAIL;
}

/**
 * sim_oa_write_report - a report is due
 * @oa: the unit, whose cursor is in the report's stretch
 * @tick: when
 * @reasons: why, SIM_REASON_*
 * @context: replaces the context id if @reasons has SIM_REASON_MMIO
 */
void sim_oa_write_report(struct sim_oa *oa, u64 tick, u32 reasons, u32 context)
{
	u32 size = oa->run.format->size, used;

	oa->statistics.generated++;
	if (oa->faults.lose_reports) {
		oa->faults.lose_reports--;
		oa_drop(oa, SIM_STATUS_REPORT_LOST);
		return;
	}
	if (oa->full || !sim_buffer_has_room(&oa->buffer, size)) {
		oa->full = true;
		oa_drop(oa, SIM_STATUS_BUFFER_OVERFLOW);
		return;
	}
	oa_fill(oa, tick, reasons, context);
	used = sim_buffer_used(&oa->buffer);
	oa_send(oa, tick);
	if (used < oa->buffer.size / 2 && sim_buffer_used(&oa->buffer) >= oa->buffer.size / 2)
		oa_half_full(oa);
}

/**
 * sim_oa_fill_for - fill in a report for the context in a slot
 * @oa: the unit, of which nothing but the cursor is left changed
 * @slot: the slot
 * @format: of the report
 * @now: the present tick
 * @report: gets the report
 */
void sim_oa_fill_for(struct sim_oa *oa, unsigned int slot, const struct sim_format *format, u64 now,
		     u32 *report)
{
	const struct sim_format *own = oa->run.format;
	u32 last[ARRAY_SIZE(oa->report)];
	u32 wrap = oa->wrap;

	memcpy(last, oa->report, sizeof(last));
	memset(oa->report, 0, sizeof(oa->report));
	oa->run.format = format;
	oa->wrap = 0;
	sim_cursor_seek(&oa->gpu->timeline, oa->ops->per_context ? slot : oa->run.stream, now,
			&oa->cursor);
	oa->cursor.slot = slot;
	sim_oa_settle(oa);
	oa_fill(oa, now, 0, 0);
	oa->cursor.to = 0;
	oa->wrap = wrap;
	oa->run.format = own;
	memcpy(report, oa->report, format->size);
	memcpy(oa->report, last, sizeof(last));
}
