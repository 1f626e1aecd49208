// SPDX-License-Identifier: GPL-2.0-only
/*
 * oa_counters.c - the counters of an OA unit: what they show, in registers and in reports.
 */
#include "gpu.h"
#include "oa_counters.h"
#include "oa_selection.h"
#include "tick.h"

/* B counters that count comparisons: an exact function of the number of clocks. */
static u64 comparisons(const struct sim_selection *selection, unsigned int b, __uint128_t clocks)
{
	return sim_cec_count(selection->patterns[b], clocks >> SIM_FRACTION_BITS);
}

static bool is_compared(const struct sim_selection *selection, unsigned int counter,
			unsigned int first_b)
{
	return counter >= first_b && counter < first_b + SIM_N_B &&
	       selection->compared & BIT(counter - first_b);
}

/**
 * sim_counter_value - what a counter has counted
 * @selection: what counters count
 * @counter: its index
 * @first_b: index of B0
 * @sum: integrals of the signals
 *
 * Return: events
 */
u64 sim_counter_value(const struct sim_selection *selection, unsigned int counter,
		      unsigned int first_b, const __uint128_t *sum)
{
	const struct sim_source *source = &selection->sources[counter];

	if (is_compared(selection, counter, first_b))
		return comparisons(selection, counter - first_b, sum[SIM_CLOCK]);
	return sum[source->signal] * source->share >> SIM_COUNTER_BITS;
}

/**
 * sim_oa_settle - the cursor has moved: what are the counters there, and how fast do they count?
 * @oa: the unit
 */
void sim_oa_settle(struct sim_oa *oa)
{
	const struct sim_cursor *cursor = &oa->cursor;
	unsigned int i;

	for (i = 0; i < oa->ops->n_counters; i++) {
		const struct sim_source *source = &oa->selection.sources[i];
		__uint128_t value = cursor->sum[source->signal] * source->share;

		value += (__uint128_t)oa->offset[i] << SIM_COUNTER_BITS;
		oa->low[i] = value;
		oa->high[i] = value >> 64;
		oa->rate[i] = cursor->rate[source->signal] * source->share;
	}
}

/**
 * sim_oa_seek - move the cursor
 * @oa: the unit
 * @tick: where to
 */
void sim_oa_seek(struct sim_oa *oa, u64 tick)
{
	sim_cursor_seek(&oa->gpu->timeline, oa->run.stream, tick, &oa->cursor);
	sim_oa_settle(oa);
}

/* Counters @ticks after the cursor's start, modulo 2^40. */
static u64 oa_short(const struct sim_oa *oa, unsigned int counter, u64 ticks)
{
	return (oa->low[counter] + oa->rate[counter] * ticks) >> SIM_COUNTER_BITS;
}

static u64 oa_long(const struct sim_oa *oa, unsigned int counter, u64 ticks)
{
	__uint128_t start = (__uint128_t)oa->high[counter] << 64 | oa->low[counter];

	return (start + (__uint128_t)oa->rate[counter] * ticks) >> SIM_COUNTER_BITS;
}

static u64 oa_compared(const struct sim_oa *oa, unsigned int counter, u64 ticks)
{
	const struct sim_cursor *cursor = &oa->cursor;
	__uint128_t sum = cursor->sum[SIM_CLOCK] + (__uint128_t)cursor->rate[SIM_CLOCK] * ticks;

	return comparisons(&oa->selection, counter - oa->ops->first_b, sum) + oa->offset[counter];
}

static u64 oa_value(const struct sim_oa *oa, unsigned int counter, u64 ticks)
{
	return is_compared(&oa->selection, counter, oa->ops->first_b) ?
		       oa_compared(oa, counter, ticks) :
		       oa_long(oa, counter, ticks);
}

/**
 * sim_oa_counter - what a counter shows now
 * @oa: the unit
 * @counter: its index
 *
 * Return: events, modulo 2^64
 */
u64 sim_oa_counter(struct sim_oa *oa, unsigned int counter)
{
	sim_oa_selection(oa);
	sim_oa_seek(oa, sim_now(oa->gpu));
	return oa_value(oa, counter, 0);
}

/**
 * sim_oa_mhz - frequency of the GPU's clock now
 * @oa: the unit
 *
 * Return: MHz
 */
unsigned int sim_oa_mhz(struct sim_oa *oa)
{
	sim_oa_seek(oa, sim_now(oa->gpu));
	return oa->cursor.mhz;
}

/**
 * sim_oa_set_counter - let a counter show another value now, and count on from there
 * @oa: the unit
 * @counter: its index
 * @value: the value, modulo 2^64
 */
void sim_oa_set_counter(struct sim_oa *oa, unsigned int counter, u64 value)
{
	oa->offset[counter] += value - sim_oa_counter(oa, counter);
	sim_oa_settle(oa);
}

static void fill_32(const struct sim_oa *oa, const struct sim_run *run, u64 ticks, void *report)
{
	u32 *value = report + run->offset;
	unsigned int i;

	for (i = 0; i < run->n; i++)
		value[i] = oa_short(oa, run->first + i, ticks);
}

static void fill_40(const struct sim_oa *oa, const struct sim_run *run, u64 ticks, void *report)
{
	u32 *value = report + run->offset;
	u8 *high = report + run->high;
	unsigned int i;

	for (i = 0; i < run->n; i++) {
		u64 whole = oa_short(oa, run->first + i, ticks);

		value[i] = whole;
		high[i] = whole >> 32;
	}
}

static void fill_64(const struct sim_oa *oa, const struct sim_run *run, u64 ticks, void *report)
{
	u64 *value = report + run->offset;
	unsigned int i;

	for (i = 0; i < run->n; i++)
		value[i] = oa_long(oa, run->first + i, ticks);
}

static void fill_compared(const struct sim_oa *oa, const struct sim_run *run, u64 ticks,
			  void *report)
{
	u32 *value = report + run->offset;
	unsigned int i;

	for (i = 0; i < run->n; i++)
		if (is_compared(&oa->selection, run->first + i, oa->ops->first_b))
			value[i] = oa_compared(oa, run->first + i, ticks);
}

/* Counters as a report shows them @ticks after the cursor's start. */
static void fill_run(const struct sim_oa *oa, const struct sim_run *run, u64 ticks, void *report)
{
	if (run->bits == 32)
		fill_32(oa, run, ticks, report);
	else if (run->bits == 40)
		fill_40(oa, run, ticks, report);
	else
		fill_64(oa, run, ticks, report);
	if (oa->selection.compared)
		fill_compared(oa, run, ticks, report);
}

/**
 * sim_oa_fill_counters - write the counters into the unit's report
 * @oa: the unit
 * @ticks: after the cursor's start
 */
void sim_oa_fill_counters(struct sim_oa *oa, u64 ticks)
{
	const struct sim_format *format = oa->run.format;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(format->runs) && format->runs[i].n; i++)
		fill_run(oa, &format->runs[i], ticks, oa->report);
}

/**
 * sim_oa_wrap_counters - let each counter stand &sim_oa.wrap events before its wrap
 * @oa: the unit
 * @ticks: after the cursor's start
 *
 * Undocumented counters wrap too; those that stand still just stand somewhere else.
 */
void sim_oa_wrap_counters(struct sim_oa *oa, u64 ticks)
{
	unsigned int i;

	for (i = 0; i < oa->ops->n_counters; i++)
		oa->offset[i] -= oa_value(oa, i, ticks) + oa->wrap;
	oa->wrap = 0;
	sim_oa_settle(oa);
}
