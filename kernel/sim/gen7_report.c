// SPDX-License-Identifier: GPL-2.0-only
/*
 * gen7_report.c - Haswell's OA unit at work: writes the reports that its timer has demanded.
 */
#include <linux/bits.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/string.h>

#include "gen7_oa.h"

/* Timer reports carry some id that is not 0; the hardware does not tell a reason in it. */
#define REPORT_ID 0x00080000

/* Find out what the registers make the B and C counters count. */
void gen7_reselect(struct sim_oa *oa)
{
	struct sim_gpu *gpu = oa->gpu;
	struct gen7_boolean boolean;
	unsigned int i;

	oa->stale = false;
	oa->cursor.to = 0;
	if (sim_mmio_peek(gpu, MISCCPCTL) & DOP_CLOCK_GATE_ENABLE ||
	    !(sim_mmio_peek(gpu, UCGCTL1) & CS_UNIT_CLOCK_GATE_DISABLE) || !oa->mux) {
		oa->selection = (struct gen7_selection) {};
		return;
	}

	boolean.starttrig2 = sim_mmio_peek(gpu, OASTARTTRIG2);
	boolean.starttrig6 = sim_mmio_peek(gpu, OASTARTTRIG6);
	for (i = 0; i < ARRAY_SIZE(boolean.cec); i++)
		boolean.cec[i] = sim_mmio_peek(gpu, CEC0_0 + i * sizeof(u32));
	gen7_select(oa->mux, &boolean, &oa->selection);
	if (oa->selection.set || oa->selection.compared)
		oa->known = oa->selection;
}

static void gen7_seek(struct sim_oa *oa, u64 tick)
{
	struct sim_cursor *cursor = &oa->cursor;
	unsigned int i;

	sim_timeline_seek(&oa->gpu->timeline, oa->stream, tick, cursor);
	for (i = 0; i < GEN7_N_COUNTERS; i++) {
		struct gen7_source source = gen7_source(&oa->selection, i);

		oa->base[i] = (u64)cursor->sum[source.signal] * source.scale +
			      ((u64)oa->offset[i] << 32);
		oa->rate[i] = cursor->rate[source.signal] * source.scale;
	}
}

/* B counters that count comparisons: an exact function of the number of clocks. */
static u32 gen7_comparisons(const struct sim_oa *oa, unsigned int b, u64 ticks)
{
	const struct sim_cursor *cursor = &oa->cursor;
	__uint128_t sum = cursor->sum[SIM_CLOCK] + (__uint128_t)cursor->rate[SIM_CLOCK] * ticks;

	return sim_cec_count(oa->selection.patterns[b], sum >> SIM_FRACTION_BITS);
}

/* Counters as a report shows them @ticks after the cursor's start. */
static void gen7_fill_run(const struct sim_oa *oa, const struct gen7_run *run, u64 ticks,
			  u32 *report)
{
	const u64 *base = oa->base + run->first, *rate = oa->rate + run->first;
	u32 *value = report + run->dword;
	unsigned int i, n = run->n;

	for (i = 0; i < n; i++)
		value[i] = (base[i] + rate[i] * ticks) >> 32;
	if (run->first != GEN7_B || !oa->selection.compared)
		return;
	for (i = 0; i < n; i++)
		if (oa->selection.compared & BIT(i))
			value[i] = gen7_comparisons(oa, i, ticks) + oa->offset[GEN7_B + i];
}

/* Undocumented counters wrap too; those that stand still just stand somewhere else. */
static void gen7_wrap_counters(struct sim_oa *oa, u64 ticks)
{
	static const struct gen7_run all[] = {
		{ GEN7_A, GEN7_N_A, GEN7_A },
		{ GEN7_B, GEN7_N_B, GEN7_B },
		{ GEN7_C, GEN7_N_C, GEN7_C },
	};
	u32 values[GEN7_N_COUNTERS];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(all); i++)
		gen7_fill_run(oa, &all[i], ticks, values);
	for (i = 0; i < GEN7_N_COUNTERS; i++) {
		oa->offset[i] -= values[i] + oa->wrap;
		oa->base[i] -= (u64)(values[i] + oa->wrap) << 32;
	}
	oa->wrap = 0;
}

static void gen7_fill_report(struct sim_oa *oa, u64 tick)
{
	u64 ticks = tick - oa->cursor.from;
	unsigned int i;

	if (oa->wrap)
		gen7_wrap_counters(oa, ticks);
	oa->report[0] = REPORT_ID;
	oa->report[1] = tick + sim_timeline_present(&oa->gpu->timeline)->offset;
	for (i = 0; i < ARRAY_SIZE(oa->format->runs); i++)
		gen7_fill_run(oa, &oa->format->runs[i], ticks, oa->report);
}

static void gen7_report(struct sim_oa *oa, u64 tick)
{
	struct sim_statistics *statistics = &oa->gpu->statistics;
	struct sim_faults *faults = &oa->gpu->faults;
	u32 size = oa->format->size;

	statistics->generated++;
	if (faults->lose_reports) {
		faults->lose_reports--;
		oa->status |= OASTATUS1_REPORT_LOST;
		statistics->dropped++;
		return;
	}
	if (!sim_buffer_has_room(&oa->buffer, size)) {
		oa->full = true;
		oa->status |= OASTATUS1_BUFFER_OVERFLOW;
		statistics->dropped++;
		return;
	}
	gen7_fill_report(oa, tick);
	if (!oa->buffer.memory)
		statistics->ggtt_faults++;
	sim_buffer_write(&oa->buffer, oa->report, size, faults->tail_ahead);
	statistics->written++;
}

/* All reports up to @now, or up to where the load's rates change or the context stops running. */
static void gen7_run(struct sim_oa *oa, u64 now)
{
	const struct sim_timeline *timeline = &oa->gpu->timeline;
	struct sim_statistics *statistics = &oa->gpu->statistics;
	u64 period = 2ULL << oa->exponent, end, n;

	sim_stream_active(timeline, oa->stream, oa->next, &end);
	end = min(end, now + 1);
	if (oa->full) {
		n = ((end - 1 - oa->next) >> (oa->exponent + 1)) + 1;
		statistics->generated += n;
		statistics->dropped += n;
		oa->next += n * period;
	} else {
		if (oa->next < oa->cursor.from || oa->next >= oa->cursor.to)
			gen7_seek(oa, oa->next);
		end = min(end, oa->cursor.to);
		for (; oa->next < end && !oa->full; oa->next += period)
			gen7_report(oa, oa->next);
	}
	oa->next = sim_stream_due(timeline, oa->stream, oa->next, oa->exponent);
}

/* Bring the unit up to tick @now. */
void gen7_advance(struct sim_gpu *gpu, u64 now)
{
	struct sim_oa *oa = gpu->oa;
	u32 last[ARRAY_SIZE(oa->report)];
	unsigned int i;

	sim_buffer_land(&oa->buffer);
	if (oa->next > now)
		return;

	if (oa->stale)
		gen7_reselect(oa);
	memcpy(last, oa->report, sizeof(last));
	while (oa->next <= now)
		gen7_run(oa, now);
	for (i = 2; i < ARRAY_SIZE(last); i++)
		if (oa->report[i] < last[i])
			oa->status |= OASTATUS1_COUNTER_OVERFLOW;
}
