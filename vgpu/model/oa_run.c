// SPDX-License-Identifier: GPL-2.0-only
/*
 * oa_run.c - an OA unit at work: writes the reports that are due.
 */
#include "gpu.h"
#include "oa_buffer.h"
#include "oa_counters.h"
#include "oa_expect.h"
#include "oa_report.h"
#include "oa_run.h"
#include "oa_selection.h"
#include "select.h"
#include "tick.h"

/**
 * DOC: A lazy unit
 *
 * Nothing runs between two register accesses. Each access to the unit first brings it up to the
 * present: all reports that were due since the last one are written, with the timestamps and
 * counter values of the moment that they stand for. To a driver this looks as if the unit had
 * worked all the time, no matter how late the host is.
 *
 * Where the driver breaks a rule of the hardware, the unit behaves as hardware that is treated so:
 *
 * - B and C counters stand still where the multiplexer is off or gated;
 * - buffer registers set up in the wrong order give a buffer overflow bit that means nothing;
 * - reports for an address where no memory is get lost.
 *
 * When a report does not fit between tail and head, the overflow bit goes up and nothing is
 * written any more until the driver sets up the buffer again. (Real hardware can also be told to
 * overwrite; no driver does.)
 *
 * When a report makes tail less head reach half of the buffer's size, the unit interrupts; not
 * again before the driver has moved the head so that it is less. A lazy unit would not notice while
 * nobody asks. So it tells its carrier how long that takes at least, and a carrier that wants the
 * interrupt comes back then.
 *
 * Status bits stay up until the driver writes them. The counter overflow bit goes up when a counter
 * of the report format wraps in its lower 32 bits.
 */

/**
 * sim_oa_init - a unit that does nothing yet
 * @oa: the unit, zeroed
 * @gpu: where it is
 * @ops: its kind
 */
void sim_oa_init(struct sim_oa *oa, struct sim_gpu *gpu, const struct sim_oa_ops *ops)
{
	oa->gpu = gpu;
	oa->index = oa - gpu->oa;
	oa->ops = ops;
	oa->mux = SIM_HASH_START;
	oa->run.format = ops->default_format;
	oa->run.stream = SIM_GLOBAL;
	oa->buffer.size = SIM_LINE;
	oa->buffer.length = SIM_LINE;
	oa->buffer.word = sizeof(u32);
	oa->stale = true;
}

/**
 * sim_oa_timestamp - the timestamp that can be seen now
 * @oa: the unit
 *
 * Return: ticks, with the visible offset
 */
u64 sim_oa_timestamp(const struct sim_oa *oa)
{
	u64 now = sim_now(oa->gpu);

	return now + sim_timeline_offset(&oa->gpu->timeline, now);
}

/* The timer's first tick from @tick on, in the cursor's stretch, for the one who is counted. */
static u64 oa_timer_due(const struct sim_oa *oa, u64 tick)
{
	unsigned int stream = oa->run.stream;

	if (!oa->run.timer || (stream != SIM_GLOBAL && stream != oa->cursor.slot))
		return U64_MAX;
	return sim_timer_due(tick, oa->cursor.offset, oa->run.exponent);
}

/* What happens where a stretch begins. */
static u32 oa_events(struct sim_oa *oa)
{
	const struct sim_cursor *cursor = &oa->cursor;
	u32 events = 0;

	if (oa->last_slot != SIM_UNKNOWN) {
		if (cursor->slot != oa->last_slot)
			events |= SIM_REASON_SWITCH;
		if (cursor->slot == SIM_NOBODY && oa->last_slot != SIM_NOBODY)
			events |= SIM_REASON_GO;
		if (cursor->mhz != oa->last_mhz)
			events |= SIM_REASON_RATIO;
	}
	oa->last_slot = cursor->slot;
	oa->last_mhz = cursor->mhz;
	return events & oa->ops->reasons(oa);
}

/* Reports that are due while nothing can be written: just count them. */
static void oa_skip(struct sim_oa *oa, u64 due, u64 end)
{
	u64 n;

	if (due >= end)
		return;
	n = ((end - 1 - due) >> (oa->run.exponent + 1)) + 1;
	oa->statistics.generated += n;
	oa->statistics.dropped += n;
}

/* All reports from oa->next on that are due before @end, which is in the cursor's stretch. */
static void oa_run_timer(struct sim_oa *oa, u64 end)
{
	const u64 period = 2ULL << oa->run.exponent;
	u64 due = oa_timer_due(oa, oa->next);

	for (; due < end && !oa->full; due += period)
		sim_oa_write_report(oa, due, SIM_REASON_TIMER, 0);
	oa_skip(oa, due, end);
	oa->next = end;
}

/* Enter the stretch that begins at oa->next; what happens there may coincide with the timer. */
static void oa_enter(struct sim_oa *oa)
{
	u32 events = oa_events(oa);

	if (!events)
		return;
	if (oa_timer_due(oa, oa->next) == oa->next)
		events |= SIM_REASON_TIMER;
	sim_oa_write_report(oa, oa->next, events, 0);
	oa->next++;
}

static void oa_run(struct sim_oa *oa, u64 now)
{
	if (oa->next < oa->cursor.from || oa->next > oa->cursor.to) {
		sim_oa_seek(oa, oa->next);
	} else if (oa->next == oa->cursor.to) {
		sim_cursor_next(&oa->gpu->timeline, &oa->cursor);
		sim_oa_settle(oa);
	}
	if (oa->next == oa->cursor.from)
		oa_enter(oa);
	oa_run_timer(oa, min(oa->cursor.to, now + 1));
}

/**
 * sim_oa_advance - bring a unit up to the present
 * @oa: the unit
 * @now: the present tick
 */
void sim_oa_advance(struct sim_oa *oa, u64 now)
{
	u32 last[ARRAY_SIZE(oa->report)];
	unsigned int i, first;

	sim_buffer_land(&oa->buffer, now);
	if (!oa->running || oa->next > now)
		return;

	sim_oa_selection(oa);
	memcpy(last, oa->report, sizeof(last));
	while (oa->next <= now)
		oa_run(oa, now);
	first = oa->run.format->runs[0].offset / sizeof(u32);
	for (i = first; i < oa->run.format->size / sizeof(u32); i++)
		if (oa->report[i] < last[i])
			oa->status |= SIM_STATUS_COUNTER_OVERFLOW;
	sim_buffer_land_late(&oa->buffer, now);
	if (oa->buffer.n_pending)
		sim_oa_expect(oa);
}

/**
 * sim_oa_start - write reports from the next tick on
 * @oa: the unit
 * @run: which reports
 */
void sim_oa_start(struct sim_oa *oa, const struct sim_oa_run *run)
{
	sim_buffer_land(&oa->buffer, sim_now(oa->gpu));
	oa->run = *run;
	oa->running = true;
	oa->next = sim_now(oa->gpu) + 1;
	oa->last_slot = SIM_UNKNOWN;
	oa->cursor.to = 0;
	memset(oa->report, 0, sizeof(oa->report));
	sim_oa_attach(oa);
	sim_oa_expect(oa);
}

/**
 * sim_oa_stop - write no reports from now on
 * @oa: the unit
 */
void sim_oa_stop(struct sim_oa *oa)
{
	sim_buffer_land(&oa->buffer, sim_now(oa->gpu));
	oa->running = false;
}

/**
 * sim_oa_sleep - registers of the unit have lost their values
 * @oa: the unit
 */
void sim_oa_sleep(struct sim_oa *oa)
{
	sim_oa_stop(oa);
	sim_oa_place(oa, &(struct sim_oa_buffer){ .size = SIM_LINE });
	oa->head = 0;
	oa->buffer.head = 0;
	oa->buffer.tail = 0;
	oa->setup = SIM_SETUP_NONE;
	oa->status = 0;
	oa->wraps = 0;
	oa->full = false;
	oa->frozen_until = 0;
	oa->stale = true;
}

/**
 * sim_oa_reset - forget what was programmed
 * @oa: the unit, which has been advanced; its registers have been reset
 *
 * What was on its way to memory is lost.
 */
void sim_oa_reset(struct sim_oa *oa)
{
	oa->buffer.n_pending = 0;
	sim_oa_sleep(oa);
	oa->mux = SIM_HASH_START;
}

/**
 * sim_oa_slot_changed - another context has a slot from now on
 * @oa: the unit, which has been advanced
 * @slot: the slot
 *
 * A filter on the context before waits for ever.
 */
void sim_oa_slot_changed(struct sim_oa *oa, unsigned int slot)
{
	if (oa->run.stream == slot) {
		oa->run.stream = SIM_NOBODY;
		oa->run.timer = false;
	}
	if (oa->last_slot != slot)
		return;
	oa->last_slot = SIM_GLOBAL;
	oa->cursor.to = 0;
}

/**
 * sim_oa_retime - the timeline has changed
 * @oa: the unit, which has been advanced to where it did
 */
void sim_oa_retime(struct sim_oa *oa)
{
	oa->cursor.to = 0;
}

/**
 * sim_oa_trigger - write a report, as of the tick up to which the unit has been advanced
 * @oa: the unit
 * @reason: why, SIM_REASON_*
 * @value: goes into its context id if the reason is SIM_REASON_MMIO
 */
void sim_oa_trigger(struct sim_oa *oa, u32 reason, u32 value)
{
	u64 now = oa->next - 1;

	if (!oa->running)
		return;
	sim_oa_selection(oa);
	sim_oa_seek(oa, now);
	sim_oa_write_report(oa, now, reason, value);
	oa->cursor.to = 0;
	sim_oa_expect(oa);
}

/**
 * sim_oa_report_for - what MI_REPORT_PERF_COUNT writes now
 * @oa: the unit
 * @slot: of the context whose batch asks
 * @id: report id that it asks for
 * @report: room for SIM_MAX_REPORT bytes
 *
 * Return: bytes of the report
 */
u32 sim_oa_report_for(struct sim_oa *oa, unsigned int slot, u32 id, u32 *report)
{
	const struct sim_format *format = oa->ops->batch_format ?: oa->run.format;
	u64 now = sim_now(oa->gpu);

	sim_oa_advance(oa, now);
	sim_oa_selection(oa);
	sim_oa_fill_for(oa, slot, format, now, report);
	report[0] = id;
	return format->size;
}
