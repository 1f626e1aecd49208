// SPDX-License-Identifier: GPL-2.0-only
/*
 * oa.c - simulation of an OA unit: counters, report timing and buffer, common to all generations.
 */
#include "gpu.h"
#include "oa.h"
#include "select.h"

/**
 * sim_oa_write_mux() - Handle a write to a multiplexer register.
 * @oa: the unit
 * @reg: MMIO offset
 * @value: the written value
 * @begins: this write begins a configuration, which resets its hash
 */
void sim_oa_write_mux(struct sim_oa *oa, u32 reg, u32 value, bool begins)
{
	oa->mux = begins ? SIM_HASH_START : sim_hash(oa->mux, reg, value);
	oa->stale = true;
}

/**
 * sim_oa_selection() - Get the current sources of the counters, from the registers.
 * @oa: the unit
 *
 * Return: the selection
 */
const struct sim_selection *sim_oa_selection(struct sim_oa *oa)
{
	struct sim_selection *selection = &oa->selection;

	if (!oa->stale)
		return selection;
	oa->stale = false;
	oa->cursor.to = 0;
	memset(selection, 0, sizeof(*selection));
	selection->hash = oa->mux;
	oa->ops->select(oa, selection);
	if (selection->name || oa->running) {
		oa->known = *selection;
		oa->has_counted = true;
	}
	return selection;
}

/**
 * sim_oa_known() - Get the last relevant selection, for reference values.
 * @oa: the unit
 *
 * This is the last selection that was configured or that reports were written with, since some
 * metric sets need no configuration. If there is none, it is the current one.
 *
 * Return: the selection
 */
const struct sim_selection *sim_oa_known(struct sim_oa *oa)
{
	const struct sim_selection *selection = sim_oa_selection(oa);

	return oa->has_counted ? &oa->known : selection;
}

/* B counters that count comparator results are an exact function of the number of clocks. */
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
 * sim_counter_value() - Compute the value of a counter.
 * @selection: sources of the counters
 * @counter: index of the counter
 * @first_b: index of B0
 * @sum: integrals of the signals
 *
 * Return: number of events
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
 * sim_oa_settle() - Compute the counters' values and rates at the cursor.
 * @oa: the unit
 */
static void sim_oa_settle(struct sim_oa *oa)
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
 * sim_oa_seek() - Move the cursor to a tick.
 * @oa: the unit
 * @tick: the tick
 */
static void sim_oa_seek(struct sim_oa *oa, u64 tick)
{
	sim_cursor_seek(&oa->gpu->timeline, oa->run.stream, tick, &oa->cursor);
	sim_oa_settle(oa);
}

/* Get the counter value @ticks after the cursor's start, modulo 2^40. */
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
 * sim_oa_counter() - Get the current value of a counter.
 * @oa: the unit
 * @counter: index of the counter
 *
 * Return: number of events, modulo 2^64
 */
u64 sim_oa_counter(struct sim_oa *oa, unsigned int counter)
{
	sim_oa_selection(oa);
	sim_oa_seek(oa, sim_now(oa->gpu));
	return oa_value(oa, counter, 0);
}

/**
 * sim_oa_mhz() - Get the current GPU clock.
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
 * sim_oa_set_counter() - Set the current value of a counter.
 * @oa: the unit
 * @counter: index of the counter
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

/* Write counters into a report, @ticks after the cursor's start. */
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
 * sim_oa_fill_counters() - Write all counters into the unit's report.
 * @oa: the unit
 * @ticks: ticks after the cursor's start
 */
static void sim_oa_fill_counters(struct sim_oa *oa, u64 ticks)
{
	const struct sim_format *format = oa->run.format;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(format->runs) && format->runs[i].n; i++)
		fill_run(oa, &format->runs[i], ticks, oa->report);
}

/**
 * sim_oa_wrap_counters() - Set all counters to &sim_oa.wrap events before their wrap.
 * @oa: the unit
 * @ticks: ticks after the cursor's start
 *
 * This includes undocumented counters, and those that do not count.
 */
static void sim_oa_wrap_counters(struct sim_oa *oa, u64 ticks)
{
	unsigned int i;

	for (i = 0; i < oa->ops->n_counters; i++)
		oa->offset[i] -= oa_value(oa, i, ticks) + oa->wrap;
	oa->wrap = 0;
	sim_oa_settle(oa);
}

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
	else if (oa->gpu->device_host->half_full)
		oa->gpu->device_host->half_full(oa);
}

/* Advance the tail and write the report, subject to the injected faults. */
static void oa_send(struct sim_oa *oa, u64 tick)
{
	struct sim_faults *faults = &oa->faults;
	u32 size = oa->run.format->size;
	u32 before = oa->buffer.tail;

	/* Earlier reports that are due reach memory first. */
	sim_buffer_land_late(&oa->buffer, tick);
	if (faults->zero_ids) {
		faults->zero_ids--;
		memset(oa->report, 0, oa->run.format->word);
	}
	if (!oa->buffer.memory)
		oa->statistics.ggtt_faults++;
	if (faults->missing) {
		faults->missing--;
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
 * sim_oa_write_report() - Write a report that is due.
 * @oa: the unit, with its cursor in the interval that includes @tick
 * @tick: time of the report
 * @reasons: SIM_REASON_*
 * @context: replaces the context id if @reasons has SIM_REASON_MMIO
 */
static void sim_oa_write_report(struct sim_oa *oa, u64 tick, u32 reasons, u32 context)
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
 * sim_oa_fill_for() - Create a report for the context in a slot.
 * @oa: the unit, unchanged except for the cursor
 * @slot: the slot
 * @format: report format
 * @now: the present tick
 * @report: set to the report
 */
static void sim_oa_fill_for(struct sim_oa *oa, unsigned int slot, const struct sim_format *format,
			    u64 now, u32 *report)
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

static u32 oa_offset(const struct sim_oa *oa, u32 address)
{
	return (address - oa->base) & (oa->buffer.size - 1) & ~(SIM_LINE - 1);
}

/**
 * sim_oa_place() - Set the location of the buffer.
 * @oa: the unit
 * @where: address, a multiple of 64 (i915 aligns its buffers to their size, xe does not), and size
 */
void sim_oa_place(struct sim_oa *oa, const struct sim_oa_buffer *where)
{
	struct sim_buffer *buffer = &oa->buffer;

	/* Pending reports for the old location arrive first. */
	if (oa->base != where->base || buffer->size != where->size)
		sim_buffer_land_all(buffer);
	oa->base = where->base;
	oa->ggtt = where->ggtt;
	buffer->size = where->size;
	buffer->length = where->size;
	buffer->memory = NULL;
	buffer->head = oa_offset(oa, oa->head);
}

/**
 * sim_oa_attach() - Look up the memory of the buffer.
 * @oa: the unit, about to start
 *
 * Addresses of a context's address space are not supported, since that would need its page tables.
 * If the unit does not split reports, the end of the buffer after the last whole report is unused.
 */
static void sim_oa_attach(struct sim_oa *oa)
{
	struct sim_buffer *buffer = &oa->buffer;

	buffer->memory = NULL;
	if (oa->ggtt)
		buffer->memory = oa->gpu->device_host->memory(oa->gpu, oa->base, buffer->size);
	buffer->word = oa->run.format->word;
	buffer->length = buffer->size;
	if (!oa->ops->splits)
		buffer->length -= buffer->size % oa->run.format->size;
}

/**
 * sim_oa_write_head() - Handle a write to the head register.
 * @oa: the unit
 * @address: GPU address
 *
 * While the unit runs, this frees consumed reports; otherwise it begins the setup of the buffer.
 */
void sim_oa_write_head(struct sim_oa *oa, u32 address)
{
	if (!oa->running)
		oa->setup = SIM_SETUP_HEAD;
	oa->head = address;
	if (oa->running && oa_offset(oa, address) < oa->buffer.head)
		oa->wraps |= SIM_WRAP_HEAD;
	oa->buffer.head = oa_offset(oa, address);
	sim_oa_expect(oa);
}

/**
 * sim_oa_write_buffer() - Handle a write to the buffer register.
 * @oa: the unit
 * @buffer: location of the buffer
 */
void sim_oa_write_buffer(struct sim_oa *oa, const struct sim_oa_buffer *buffer)
{
	if (oa->setup != SIM_SETUP_HEAD)
		oa->status |= SIM_STATUS_BUFFER_OVERFLOW;
	oa->setup = oa->setup == SIM_SETUP_HEAD ? SIM_SETUP_BUFFER : SIM_SETUP_NONE;
	sim_oa_place(oa, buffer);
}

/**
 * sim_oa_write_tail() - Handle a write to the tail register, which ends the setup of the buffer.
 * @oa: the unit
 * @address: GPU address
 */
void sim_oa_write_tail(struct sim_oa *oa, u32 address)
{
	if (oa->setup != SIM_SETUP_BUFFER)
		oa->status |= SIM_STATUS_BUFFER_OVERFLOW;
	oa->setup = SIM_SETUP_NONE;
	oa->full = false;
	oa->wraps = 0;
	oa->frozen_until = 0;
	oa->buffer.tail = oa_offset(oa, address);
}

/**
 * sim_oa_unmapped() - Handle the removal of a mapping.
 * @oa: the unit, advanced to the present
 * @address: GPU address
 * @size: size in bytes
 */
void sim_oa_unmapped(struct sim_oa *oa, u64 address, u64 size)
{
	if (oa->base >= address && oa->base < address + size) {
		sim_buffer_land_all(&oa->buffer);
		oa->buffer.memory = NULL;
	}
}

/**
 * sim_oa_overflow() - Act as if the buffer were full.
 * @oa: the unit, advanced to the present
 *
 * Return: 0, or -ENODATA if the unit is stopped
 */
int sim_oa_overflow(struct sim_oa *oa)
{
	if (!oa->running)
		return -ENODATA;
	oa->full = true;
	oa->status |= SIM_STATUS_BUFFER_OVERFLOW;
	return 0;
}

/**
 * sim_oa_freeze_tail() - Freeze the tail register while reports arrive.
 * @oa: the unit, advanced to the present
 * @us: duration in us
 */
void sim_oa_freeze_tail(struct sim_oa *oa, u32 us)
{
	oa->frozen_tail = oa->buffer.tail;
	oa->frozen_until = sim_now(oa->gpu) + sim_us_to_ticks(oa->gpu, us);
}

/**
 * sim_oa_tail() - Get the value of the tail register.
 * @oa: the unit, advanced to the present
 *
 * Return: offset in the buffer
 */
u32 sim_oa_tail(const struct sim_oa *oa)
{
	return sim_now(oa->gpu) < oa->frozen_until ? oa->frozen_tail : oa->buffer.tail;
}

/* Upper bound of a workload's changes of context or clock per second */
#define CHANGES_HZ 2000

/* Minimum time between two calls from the device host, at low and at high report rates */
#define SLOW_NS NSEC_PER_MSEC
#define FAST_NS (10 * NSEC_PER_USEC)

/* Get the minimum time for @reports reports at a rate of @hz, in ns of CPU time. */
static u64 reports_ns(const struct sim_gpu *gpu, u64 reports, u64 hz)
{
	return sim_clock_wait(&gpu->clock, div64_u64(reports * gpu->world.frequency, hz));
}

/**
 * sim_oa_half_full_ns() - Get the minimum time until the buffer is half full.
 * @oa: the unit
 *
 * This considers the timer and the workload. A burst of batch reports can be faster.
 *
 * Return: ns of CPU time; U64_MAX if it is half full already or the unit is stopped
 */
u64 sim_oa_half_full_ns(const struct sim_oa *oa)
{
	u32 used = sim_buffer_used(&oa->buffer), half = oa->buffer.size / 2;
	const struct sim_gpu *gpu = oa->gpu;
	u64 hz = 1, reports, ns;

	if (!oa->running || oa->full || used >= half)
		return U64_MAX;
	reports = DIV_ROUND_UP(half - used, oa->run.format->size);
	if (oa->run.timer)
		hz += gpu->world.frequency >> (oa->run.exponent + 1);
	ns = clamp_t(u64, reports_ns(gpu, 1, hz), FAST_NS, SLOW_NS);
	if (oa->ops->reasons(oa))
		hz += CHANGES_HZ;

	return max(ns, reports_ns(gpu, reports, hz));
}

/**
 * sim_oa_landing_ns() - Get the time until the next late report arrives in memory.
 * @oa: the unit
 *
 * Return: ns of CPU time; U64_MAX if none is pending
 */
u64 sim_oa_landing_ns(const struct sim_oa *oa)
{
	u64 now = sim_now(oa->gpu), lands = sim_buffer_lands(&oa->buffer);

	if (lands == U64_MAX)
		return U64_MAX;

	return lands > now ? sim_clock_wait(&oa->gpu->clock, lands - now) : 0;
}

/**
 * sim_oa_expect() - Notify the device host: sim_oa_half_full_ns() or sim_oa_landing_ns() has
 * changed.
 * @oa: the unit
 */
void sim_oa_expect(struct sim_oa *oa)
{
	if (oa->gpu->device_host->expect)
		oa->gpu->device_host->expect(oa);
}

/**
 * DOC: A lazy unit
 *
 * Nothing is simulated between two register accesses. Each access to the unit first simulates it up
 * to the present: all reports that were due since the last access are written, with their exact
 * timestamps and counter values. To the driver it looks as if the unit had been running all the
 * time, even if the CPU is late.
 *
 * If the driver violates a rule of the hardware, the unit reacts as hardware does:
 *
 * - B and C counters do not count while the multiplexer is disabled or its clock is gated;
 * - buffer registers written in the wrong order set the buffer overflow bit without an overflow;
 * - reports for unmapped addresses are lost.
 *
 * When a report does not fit between tail and head, the overflow bit is set and nothing is written
 * until the driver sets up the buffer again. (Real hardware also has an overwrite mode, which no
 * driver uses.)
 *
 * When a report makes tail minus head reach half of the buffer's size, the unit raises an
 * interrupt, and not again until the driver has moved the head so that the difference is smaller. A
 * lazy unit does not notice this without an access. So it reports the earliest possible time to its
 * device host, which can access the unit at that time.
 *
 * Status bits stay set until the driver writes them. The counter overflow bit is set when a counter
 * of the report format wraps in its lower 32 bits.
 */

/**
 * sim_oa_init() - Initialize a stopped unit.
 * @oa: the unit, zeroed
 * @gpu: GPU of the unit
 * @ops: operations of this kind of unit
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
 * sim_oa_timestamp() - Get the visible timestamp.
 * @oa: the unit
 *
 * Return: ticks, including the visible offset
 */
u64 sim_oa_timestamp(const struct sim_oa *oa)
{
	u64 now = sim_now(oa->gpu);

	return now + sim_timeline_offset(&oa->gpu->timeline, now);
}

/*
 * Get the first timer report at or after @tick; U64_MAX if the timer is off or the filter excludes
 * the cursor's interval.
 */
static u64 oa_timer_due(const struct sim_oa *oa, u64 tick)
{
	unsigned int stream = oa->run.stream;

	if (!oa->run.timer || (stream != SIM_GLOBAL && stream != oa->cursor.slot))
		return U64_MAX;
	return sim_timer_due(tick, oa->cursor.offset, oa->run.exponent);
}

/* Get the reasons for a report at the beginning of the cursor's interval. */
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

/* Count reports that are due but cannot be written. */
static void oa_skip(struct sim_oa *oa, u64 due, u64 end)
{
	u64 n;

	if (due >= end)
		return;
	n = ((end - 1 - due) >> (oa->run.exponent + 1)) + 1;
	oa->statistics.generated += n;
	oa->statistics.dropped += n;
}

/* Write all timer reports due from oa->next to @end, which is within the cursor's interval. */
static void oa_run_timer(struct sim_oa *oa, u64 end)
{
	const u64 period = 2ULL << oa->run.exponent;
	u64 due = oa_timer_due(oa, oa->next);

	for (; due < end && !oa->full; due += period)
		sim_oa_write_report(oa, due, SIM_REASON_TIMER, 0);
	oa_skip(oa, due, end);
	oa->next = end;
}

/* Enter the interval that begins at oa->next; its events may coincide with the timer. */
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
 * sim_oa_advance() - Simulate a unit up to the present.
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
 * sim_oa_start() - Start writing reports with the next tick.
 * @oa: the unit
 * @run: the reports to write
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
 * sim_oa_stop() - Stop writing reports.
 * @oa: the unit
 */
void sim_oa_stop(struct sim_oa *oa)
{
	sim_buffer_land(&oa->buffer, sim_now(oa->gpu));
	oa->running = false;
}

/**
 * sim_oa_sleep() - Reset the state that is lost in power-down.
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
 * sim_oa_reset() - Reset the unit; pending reports are lost.
 * @oa: the unit, advanced to the present; its registers are already reset
 */
void sim_oa_reset(struct sim_oa *oa)
{
	oa->buffer.n_pending = 0;
	sim_oa_sleep(oa);
	oa->mux = SIM_HASH_START;
}

/**
 * sim_oa_slot_changed() - Handle the assignment of a slot to another context.
 * @oa: the unit, advanced to the present
 * @slot: the slot
 *
 * A unit that filters on the previous context stops writing reports.
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
 * sim_oa_retime() - Handle a change of the timeline.
 * @oa: the unit, advanced to the change
 */
void sim_oa_retime(struct sim_oa *oa)
{
	oa->cursor.to = 0;
}

/**
 * sim_oa_trigger() - Write a triggered report at the tick to which the unit is advanced.
 * @oa: the unit
 * @reason: SIM_REASON_*
 * @value: context id of the report if the reason is SIM_REASON_MMIO
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
 * sim_oa_report_for() - Create the report of an MI_REPORT_PERF_COUNT command.
 * @oa: the unit
 * @slot: time slot of the batch's context
 * @id: report id in the command
 * @report: buffer of SIM_MAX_REPORT bytes
 *
 * Return: size of the report in bytes
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
