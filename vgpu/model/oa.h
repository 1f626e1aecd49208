/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * oa.h - simulation of an OA unit: counters, report timing and buffer, common to all generations.
 */
#ifndef _SIM_OA_H
#define _SIM_OA_H

#include "buffer.h"
#include "select.h"
#include "env.h"
#include "timeline.h"

struct gpuoa_unit_desc;
struct sim_gpu;
struct sim_oa;

/**
 * DOC: Counters
 *
 * A counter counts a share of a signal. The kind of unit determines the signal of counters with a
 * fixed meaning; the registers written by the driver determine those of the others. Together they
 * are called a *selection*.
 *
 * Integrals of signals have SIM_FRACTION_BITS of fraction and shares have SIM_SHARE_BITS, so a
 * counter has SIM_COUNTER_BITS of fraction. In 64 bits, that leaves 40 for the integer part, enough
 * for all counters except those of 64 bits, for which the upper half is stored as well.
 */
#define SIM_SHARE_BITS 8
#define SIM_SHARE_ONE BIT(SIM_SHARE_BITS)
#define SIM_COUNTER_BITS (SIM_FRACTION_BITS + SIM_SHARE_BITS)

/**
 * struct sim_source - source of a counter
 * @signal: enum sim_signal
 * @share: part of the signal, in 1/SIM_SHARE_ONE; 0 for nothing
 */
struct sim_source {
	u8 signal;
	u16 share;
};

#define SIM_N_B SIM_N_CECS
#define SIM_N_C 8
#define SIM_MAX_COUNTERS 81

/**
 * struct sim_bank - counters that are numbered together
 * @name: "A", "B", "PEC"; printed without a number if @n is 1
 * @first: index of the first counter
 * @n: number of counters
 */
struct sim_bank {
	const char *name;
	u8 first;
	u8 n;
};

/**
 * struct sim_run - consecutive counters in a report
 * @first: index of the first counter
 * @n: number of counters
 * @bits: width of each in bits: 32, 40 or 64; the upper 8 of 40 bits are stored separately
 * @offset: byte offset of the first counter
 * @high: byte offset of the upper 8 bits of the first counter
 */
struct sim_run {
	u8 first;
	u8 n;
	u8 bits;
	u16 offset;
	u16 high;
};

#define SIM_MAX_RUNS 8

/**
 * struct sim_format - a report format
 * @size: size in bytes
 * @word: size in bytes of the report id and of the other fields of the header
 * @runs: the counters, including the GPU clock if the header has it
 */
struct sim_format {
	u32 size;
	u32 word;
	struct sim_run runs[SIM_MAX_RUNS];
};

/**
 * struct sim_selection - sources of all counters under a configuration
 * @name: name of the configuration, or NULL if there is none
 * @hash: hash of its multiplexer writes
 * @sources: source of each counter
 * @compared: bit n: B counter n counts the results of its comparator, see @patterns
 * @patterns: see sim_cec_count()
 */
struct sim_selection {
	const char *name;
	u64 hash;
	struct sim_source sources[SIM_MAX_COUNTERS];
	u8 compared;
	u8 patterns[SIM_N_CECS];
};

/* Reason bits of a report, gen8 and later. */
#define SIM_REASON_TIMER BIT(0)
#define SIM_REASON_TRIGGER1 BIT(1)
#define SIM_REASON_TRIGGER2 BIT(2)
#define SIM_REASON_SWITCH BIT(3)
#define SIM_REASON_GO BIT(4)
#define SIM_REASON_RATIO BIT(5)
#define SIM_REASON_MMIO BIT(6)

/* Slot of an unknown context */
#define SIM_UNKNOWN (SIM_GLOBAL + 1)

/**
 * struct sim_oa_ops - a kind of OA unit; all under &sim_gpu.lock
 * @banks: counters of the unit
 * @n_banks: length of @banks
 * @n_counters: number of counters in all banks
 * @first_b: index of B0
 * @mux_clocks: a counter of the multiplexer counts at most one event in this number of clocks.
 *   Metrics add up several of these counters, or scale one of them to all slices; this is the
 *   largest such factor in the platform's metric sets, so that metrics stay below their documented
 *   maximum
 * @default_format: initial report format
 * @batch_format: format of the reports of batches; NULL if it is that of the unit
 * @filters: the unit can count for a single context
 * @per_context: reports of a batch count its context only
 * @splits: a report that reaches the end of the buffer continues at its start
 * @variant: private data of the kind
 * @read: get the value of a SIM_REG_OA register with the stored value @value; the unit is advanced
 * @written: handle a write of @value to a register; @before is the previous value
 * @select: set the sources of the counters from the registers; @selection is zeroed
 * @reasons: get the SIM_REASON_* that are enabled, except the timer
 * @fill_header: write the header of the report except the timestamp. @context replaces the context
 *   id if @reasons has SIM_REASON_MMIO
 */
struct sim_oa_ops {
	const struct sim_bank *banks;
	unsigned int n_banks;
	unsigned int n_counters;
	unsigned int first_b;
	unsigned int mux_clocks;
	const struct sim_format *default_format;
	const struct sim_format *batch_format;
	bool filters;
	bool per_context;
	bool splits;
	const void *variant;

	u32 (*read)(struct sim_oa *oa, u32 reg, u32 value);
	void (*written)(struct sim_oa *oa, u32 reg, u32 value, u32 before, u32 flags);
	void (*select)(struct sim_oa *oa, struct sim_selection *selection);
	u32 (*reasons)(const struct sim_oa *oa);
	void (*fill_header)(struct sim_oa *oa, u32 reasons, u32 context);
};

/**
 * enum sim_setup - progress of the buffer's setup by the driver
 * @SIM_SETUP_NONE: not begun
 * @SIM_SETUP_HEAD: the head is written
 * @SIM_SETUP_BUFFER: the buffer's address is written; the tail is missing
 */
enum sim_setup {
	SIM_SETUP_NONE,
	SIM_SETUP_HEAD,
	SIM_SETUP_BUFFER,
};

/* Status bits, common to all generations */
#define SIM_STATUS_COUNTER_OVERFLOW BIT(2)
#define SIM_STATUS_BUFFER_OVERFLOW BIT(1)
#define SIM_STATUS_REPORT_LOST BIT(0)
#define SIM_STATUS_BITS GENMASK(2, 0)

/* sim_oa.wraps */
#define SIM_WRAP_HEAD BIT(0)
#define SIM_WRAP_TAIL BIT(1)

/**
 * struct sim_faults - injected faults
 * @tail_ahead: number of reports by which the tail runs ahead of memory
 * @land_late_us: delay in us until a report reaches memory
 * @torn_us: delay in us of all lines of a report except the first
 * @missing: number of due reports for which the tail moves but nothing is written
 * @zero_ids: number of due reports with an id of 0
 * @lose_reports: number of due reports to drop
 * @lose_triggers: number of MMIO triggers that find their queue full
 * @lose_interrupts: number of half-full events without an interrupt
 */
struct sim_faults {
	u32 tail_ahead;
	u32 land_late_us;
	u32 torn_us;
	u32 missing;
	u32 zero_ids;
	u32 lose_reports;
	u32 lose_triggers;
	u32 lose_interrupts;
};

/**
 * struct sim_oa_statistics - counts since the instance was created
 * @generated: reports due
 * @written: reports written
 * @dropped: reports due but not written: lost, or left out by @missing
 * @ggtt_faults: reports written to unmapped addresses
 * @half_full: number of times the buffer became half full
 */
struct sim_oa_statistics {
	u64 generated;
	u64 written;
	u64 dropped;
	u64 ggtt_faults;
	u64 half_full;
};

/**
 * struct sim_oa_run - configuration of report writing
 * @format: report format
 * @timer: the timer is enabled
 * @exponent: exponent of the timer period
 * @stream: SIM_GLOBAL, the slot of a single context, or SIM_NOBODY for a context that never runs
 */
struct sim_oa_run {
	const struct sim_format *format;
	bool timer;
	unsigned int exponent;
	unsigned int stream;
};

/**
 * struct sim_oa - OA unit; all under &sim_gpu.lock
 * @gpu: GPU of the unit
 * @ops: operations of this kind of unit
 * @index: index among the GPU's units
 * @base: GPU address of the buffer
 * @ggtt: @base is an address of the GGTT
 * @head: address last written to the head register
 * @buffer: the OABUFFER
 * @full: the buffer has overflowed: nothing is written until it is set up again
 * @setup: progress of the setup of the buffer
 * @status: SIM_STATUS_*
 * @running: reports are written, as specified by @run
 * @run: configuration of report writing
 * @next: first tick that is not yet simulated
 * @last_slot: slot of the context that ran before @next, or SIM_UNKNOWN
 * @last_mhz: the GPU clock before @next
 * @mux: hash of the multiplexer writes since NOA was disabled
 * @selection: sources of the counters; see @stale
 * @known: last selection that was configured or used in reports, even if the unit is disabled now
 * @has_counted: @known is valid
 * @stale: registers have changed since @selection was set
 * @cursor: position in the workload; valid for ticks from its @from to its @to
 * @low: value of each counter at the cursor's start, modulo 2^64, with SIM_COUNTER_BITS of
 *   fraction; includes @offset
 * @high: upper half of that value
 * @rate: increase of each counter per tick
 * @offset: difference between a counter's visible value and its count
 * @wrap: if not 0, the next report sets all counters to this many events before their wrap
 * @faults: injected faults
 * @frozen_tail: value of the tail register until @frozen_until
 * @frozen_until: tick at which the tail register is unfrozen; 0 if it is not frozen
 * @wraps: SIM_WRAP_*: pointers that have wrapped; only on hardware with these bits
 * @statistics: event counts
 * @report: the last report
 */
struct sim_oa {
	struct sim_gpu *gpu;
	const struct sim_oa_ops *ops;
	unsigned int index;

	u32 base;
	bool ggtt;
	u32 head;
	struct sim_buffer buffer;
	bool full;
	enum sim_setup setup;
	u32 status;

	bool running;
	struct sim_oa_run run;
	u64 next;
	unsigned int last_slot;
	unsigned int last_mhz;

	u64 mux;
	struct sim_selection selection;
	struct sim_selection known;
	bool has_counted;
	bool stale;

	struct sim_cursor cursor;
	u64 low[SIM_MAX_COUNTERS];
	u64 high[SIM_MAX_COUNTERS];
	u64 rate[SIM_MAX_COUNTERS];
	u64 offset[SIM_MAX_COUNTERS];
	u32 wrap;

	struct sim_faults faults;
	u32 frozen_tail;
	u64 frozen_until;
	u32 wraps;
	struct sim_oa_statistics statistics;
	u32 report[SIM_MAX_REPORT / sizeof(u32)];
};

void sim_oa_write_mux(struct sim_oa *oa, u32 reg, u32 value, bool begins);
const struct sim_selection *sim_oa_selection(struct sim_oa *oa);
const struct sim_selection *sim_oa_known(struct sim_oa *oa);

u64 sim_counter_value(const struct sim_selection *selection, unsigned int counter,
		      unsigned int first_b, const __uint128_t *sum);
u64 sim_oa_counter(struct sim_oa *oa, unsigned int counter);
unsigned int sim_oa_mhz(struct sim_oa *oa);
void sim_oa_set_counter(struct sim_oa *oa, unsigned int counter, u64 value);

/* Buffer registers */

/**
 * struct sim_oa_buffer - location of the buffer, as specified by registers
 * @base: GPU address
 * @size: size in bytes
 * @ggtt: @base is an address of the GGTT
 */
struct sim_oa_buffer {
	u32 base;
	u32 size;
	bool ggtt;
};

void sim_oa_place(struct sim_oa *oa, const struct sim_oa_buffer *where);
void sim_oa_write_head(struct sim_oa *oa, u32 address);
void sim_oa_write_buffer(struct sim_oa *oa, const struct sim_oa_buffer *buffer);
void sim_oa_write_tail(struct sim_oa *oa, u32 address);
void sim_oa_unmapped(struct sim_oa *oa, u64 address, u64 size);
int sim_oa_overflow(struct sim_oa *oa);
void sim_oa_freeze_tail(struct sim_oa *oa, u32 us);
u32 sim_oa_tail(const struct sim_oa *oa);

void sim_oa_expect(struct sim_oa *oa);
u64 sim_oa_half_full_ns(const struct sim_oa *oa);
u64 sim_oa_landing_ns(const struct sim_oa *oa);

/* These functions are called by the GPU and its device host only. */
void sim_oa_init(struct sim_oa *oa, struct sim_gpu *gpu, const struct sim_oa_ops *ops);
void sim_oa_advance(struct sim_oa *oa, u64 now);
void sim_oa_sleep(struct sim_oa *oa);
void sim_oa_reset(struct sim_oa *oa);
void sim_oa_retime(struct sim_oa *oa);
void sim_oa_slot_changed(struct sim_oa *oa, unsigned int slot);
u32 sim_oa_report_for(struct sim_oa *oa, unsigned int slot, u32 id, u32 *report);

/* For the kinds of units */
void sim_oa_start(struct sim_oa *oa, const struct sim_oa_run *run);
void sim_oa_stop(struct sim_oa *oa);
void sim_oa_trigger(struct sim_oa *oa, u32 reason, u32 value);
u64 sim_oa_timestamp(const struct sim_oa *oa);

#endif /* _SIM_OA_H */
