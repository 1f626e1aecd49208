/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * oa.h - the OA units of a virtual GPU: what all generations have in common.
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
 * A counter counts a share of a signal. Which signal that is follows from the kind of unit for
 * counters with a fixed meaning, and for the others from the registers that a driver has
 * programmed: a *selection*.
 *
 * Integrals of signals have SIM_FRACTION_BITS of fraction and shares SIM_SHARE_BITS, so a counter
 * has SIM_COUNTER_BITS of fraction. In 64 bits, that leaves 40 for the integer part: enough for
 * all counters but those of 64 bits, for which the upper half is kept as well.
 */
#define SIM_SHARE_BITS 8
#define SIM_SHARE_ONE BIT(SIM_SHARE_BITS)
#define SIM_COUNTER_BITS (SIM_FRACTION_BITS + SIM_SHARE_BITS)

/**
 * struct sim_source - what a counter counts
 * @signal: enum sim_signal
 * @share: part of it, in 1/SIM_SHARE_ONE; 0 is nothing
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
 * @name: "A", "B", "PEC"; alone if there is only one
 * @first: index of the first
 * @n: how many
 */
struct sim_bank {
	const char *name;
	u8 first;
	u8 n;
};

/**
 * struct sim_run - consecutive counters in a report
 * @first: index of the first counter
 * @n: how many
 * @bits: how wide each is: 32, 40 or 64; of 40 bits, the upper 8 stand elsewhere
 * @offset: byte offset of the first
 * @high: byte offset of the upper 8 bits of the first
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
 * @size: bytes
 * @word: bytes of the report id, and of each other field of the header
 * @runs: the counters, the GPU's clock too if the header has it
 */
struct sim_format {
	u32 size;
	u32 word;
	struct sim_run runs[SIM_MAX_RUNS];
};

/**
 * struct sim_selection - what the programmed configuration makes the counters count
 * @name: what it is called, or NULL: nothing was programmed
 * @hash: hash of its multiplexer writes
 * @sources: what each counter counts
 * @compared: bit n: B counter n counts what its comparator says instead; see @patterns
 * @patterns: see sim_cec_count()
 */
struct sim_selection {
	const char *name;
	u64 hash;
	struct sim_source sources[SIM_MAX_COUNTERS];
	u8 compared;
	u8 patterns[SIM_N_CECS];
};

/* Why a report is written: bits of the reason, gen8 and later. */
#define SIM_REASON_TIMER BIT(0)
#define SIM_REASON_TRIGGER1 BIT(1)
#define SIM_REASON_TRIGGER2 BIT(2)
#define SIM_REASON_SWITCH BIT(3)
#define SIM_REASON_GO BIT(4)
#define SIM_REASON_RATIO BIT(5)
#define SIM_REASON_MMIO BIT(6)

/* Slot of somebody who is not known. */
#define SIM_UNKNOWN (SIM_GLOBAL + 1)

/**
 * struct sim_oa_ops - a kind of OA unit; all under &sim_gpu.lock
 * @banks: its counters
 * @n_banks: how many
 * @n_counters: counters in all banks
 * @first_b: index of B0
 * @mux_clocks: clocks of which one at most is an event of a counter behind the multiplexer. Metrics
 *	add up several of these counters, or take one for those of all slices; the largest factor
 *	in the sets of the platform leaves them below what they call their maximum
 * @default_format: report format before anybody has set one
 * @batch_format: format of the reports that batches ask for; NULL: as the others
 * @filters: the unit can count for one context only
 * @per_context: what a batch reads is its own context's, whoever else ran
 * @splits: a report that meets the end of the buffer is continued at its start
 * @variant: the kind's own
 * @read: value of a SIM_REG_OA register whose stored value is @value; the unit has been advanced
 * @written: a register has been written: @value is what the driver wrote, @before what was there
 * @select: find out what the registers make the counters count; @selection is zeroed
 * @reasons: which of SIM_REASON_* it reports, of those that are not the timer
 * @fill_header: write what stands before the counters; the timestamp is there already. @context
 *	replaces the context id if @reasons has SIM_REASON_MMIO
 * @print_metrics: print metrics whose truth is known; NULL: none
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
	void (*print_metrics)(struct seq_file *m, const struct gpuoa_unit_desc *desc, u64 ticks,
			      const __uint128_t *from, const __uint128_t *to);
};

/**
 * enum sim_setup - how far the driver has come with the buffer registers
 * @SIM_SETUP_NONE: not begun
 * @SIM_SETUP_HEAD: head written
 * @SIM_SETUP_BUFFER: then the buffer's address; then comes the tail
 */
enum sim_setup {
	SIM_SETUP_NONE,
	SIM_SETUP_HEAD,
	SIM_SETUP_BUFFER,
};

/* Status bits, where all generations have them. */
#define SIM_STATUS_COUNTER_OVERFLOW BIT(2)
#define SIM_STATUS_BUFFER_OVERFLOW BIT(1)
#define SIM_STATUS_REPORT_LOST BIT(0)
#define SIM_STATUS_BITS GENMASK(2, 0)

/* sim_oa.wraps */
#define SIM_WRAP_HEAD BIT(0)
#define SIM_WRAP_TAIL BIT(1)

/**
 * struct sim_faults - what shall go wrong
 * @tail_ahead: reports by which the tail runs ahead of memory
 * @land_late_us: us after which a report reaches memory
 * @torn_us: us after which all lines of a report but the first one do
 * @holes: due reports for which the tail will move but which will never be written
 * @zero_ids: due reports that will have 0 for an id
 * @lose_reports: due reports that the unit will still drop
 * @lose_triggers: MMIO triggers that will still find their queue full
 * @lose_interrupts: interrupts that nobody will hear of
 */
struct sim_faults {
	u32 tail_ahead;
	u32 land_late_us;
	u32 torn_us;
	u32 holes;
	u32 zero_ids;
	u32 lose_reports;
	u32 lose_triggers;
	u32 lose_interrupts;
};

/**
 * struct sim_oa_statistics - since the instance was made
 * @generated: reports that were due
 * @written: reports written
 * @dropped: reports due but not written: lost, or holes
 * @ggtt_faults: reports written to addresses where no memory is
 * @half_full: times that the buffer became half full
 */
struct sim_oa_statistics {
	u64 generated;
	u64 written;
	u64 dropped;
	u64 ggtt_faults;
	u64 half_full;
};

/**
 * struct sim_oa_run - what makes a unit write reports
 * @format: report format
 * @timer: the timer is on
 * @exponent: of the timer
 * @stream: for whom: SIM_GLOBAL, a slot, or SIM_UNKNOWN, who never runs
 */
struct sim_oa_run {
	const struct sim_format *format;
	bool timer;
	unsigned int exponent;
	unsigned int stream;
};

/**
 * struct sim_oa - OA unit; all under &sim_gpu.lock
 * @gpu: where it is
 * @ops: its kind
 * @index: which of the GPU's units it is
 * @base: GPU address of the buffer
 * @ggtt: that is an address of the GGTT
 * @head: address that was last written as the buffer's head
 * @buffer: the OABUFFER
 * @full: the buffer overflowed: nothing is written until it is set up again
 * @setup: progress of the setup of the buffer
 * @status: SIM_STATUS_*
 * @running: reports are written, as @run says
 * @run: see there
 * @next: tick that has not been looked at yet: the unit has been advanced up to here
 * @last_slot: whose context ran before @next, or SIM_UNKNOWN
 * @last_mhz: the GPU's clock before @next
 * @mux: hash of the multiplexer writes since NOA was switched off
 * @selection: what the counters count; see @stale
 * @known: the last selection that was programmed or reported, also after the unit has been switched
 *	off
 * @has_counted: there is one
 * @stale: registers have changed since @selection was made from them
 * @cursor: where in the load we are; valid for ticks from its @from up to its @to
 * @low: value of each counter at the cursor's start, modulo 2^64, with SIM_COUNTER_BITS of
 *	fraction; @offset is in it
 * @high: its upper half
 * @rate: what a tick adds to it
 * @offset: what a counter shows more than it has counted
 * @wrap: if not 0, the next report shall show all counters as many events before their wrap
 * @faults: what shall go wrong
 * @frozen_tail: what the tail register shows until @frozen_until
 * @frozen_until: tick; 0: it shows the tail
 * @wraps: on hardware that has them: pointers that have gone over the end of the buffer
 * @statistics: what has happened
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

/* For what writes reports */

/**
 * struct sim_oa_buffer - the buffer, as registers tell
 * @base: GPU address
 * @size: bytes
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

/* For the GPU and its carrier */
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
