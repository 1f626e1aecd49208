/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * oa.h - the interface between the core and the backend of a hardware generation.
 */
#ifndef _GPUOA_OA_H
#define _GPUOA_OA_H

#include <linux/types.h>

#include <gpuoa_host.h>
#include "report.h"
#include "uapi/gpuoa.h"

/*
 * How long the MUX takes to switch when the CPU writes it, at most. Nobody knows by what to tell
 * when it has: i915 slept for 15 to 20 ms in all the releases in which it wrote the MUX by the CPU
 * (4.13 to 5.4, Haswell to gen11), because invalid reports came otherwise. For later hardware there
 * is no other experience, so that waits as long.
 */
#define GPUOA_NOA_DELAY_US 20000

struct gpuoa_filter;
struct gpuoa_metric_set;
struct gpuoa_oa_ops;

/**
 * struct gpuoa_reg_range - registers of a whitelist
 * @first: first MMIO offset
 * @last: last MMIO offset, included
 */
struct gpuoa_reg_range {
	u32 first;
	u32 last;
};

/**
 * struct gpuoa_reg_mask - bits that a user must not change
 * @address: MMIO offset
 * @mask: these bits of the user's value are forced to 0
 */
struct gpuoa_reg_mask {
	u32 address;
	u32 mask;
};

/**
 * struct gpuoa_hw - an OA unit as its backend sees it
 * @oa: the backend
 * @ops: the host's services
 * @host: what they take
 * @format: report format
 * @exponent: timer exponent
 * @noa_delay_us: how long the MUX takes to switch
 * @buffer: GPU address of the OABUFFER
 * @buffer_size: its bytes
 * @first: where in it the first report goes, bytes
 * @filter: count for one context only
 * @context: hardware id of that context
 * @context_mask: bits of a report's context id that are compared with it
 * @context_handle: the host's handle of it; NULL: it is known by its hardware id alone
 */
struct gpuoa_hw {
	const struct gpuoa_oa_ops *oa;
	const struct gpuoa_host_ops *ops;
	void *host;
	const struct gpuoa_format_desc *format;
	u32 exponent;
	u32 noa_delay_us;
	u32 buffer;
	u32 buffer_size;
	u32 first;
	bool filter;
	u64 context;
	u32 context_mask;
	void *context_handle;
};

static inline u32 gpuoa_hw_read(const struct gpuoa_hw *hw, u32 reg)
{
	return hw->ops->read(hw->host, reg);
}

static inline void gpuoa_hw_write(const struct gpuoa_hw *hw, u32 reg, u32 value)
{
	hw->ops->write(hw->host, reg, value);
}

/* Only where core programs the unit */
static inline void gpuoa_hw_rmw(const struct gpuoa_hw *hw, u32 reg, u32 clear, u32 set)
{
	hw->ops->rmw(hw->host, reg, clear, set);
}

void gpuoa_hw_settle_mux(const struct gpuoa_hw *hw);
/* What a GPU that is gone from its bus, or sleeps, reads as. */
#define GPUOA_HW_GONE (~0U)

int gpuoa_hw_wait_clear(const struct gpuoa_hw *hw, u32 reg, u32 bits);

/**
 * struct gpuoa_hw_status - what the unit says of its buffer
 * @gone: the GPU does not answer: all bits read as ones; the rest means nothing then
 * @tail: offset of the hardware's tail from the start of the buffer
 * @overflow: the buffer was full
 * @lost: reports were dropped since the last time that this was asked, or, where
 *	&gpuoa_oa_ops.lost_latches, since the unit was started
 * @notes: what else it said since the last time, GPUOA_STATUS_*
 */
struct gpuoa_hw_status {
	bool gone;
	u32 tail;
	bool overflow;
	bool lost;
	u32 notes;
};

/**
 * struct gpuoa_alias - what a counter counts with the built-in configuration, in words
 * @name: for perf
 * @counter: enum gpuoa_counter
 * @unit: of the value
 */
struct gpuoa_alias {
	const char *name;
	u32 counter;
	const char *unit;
};

/**
 * struct gpuoa_oa_ops - a generation's backend
 *
 * No callback takes a lock or does anything but register accesses. None sleeps but @enable_metrics
 * and @disable_metrics.
 */
struct gpuoa_oa_ops {
	/** @formats: report formats, @n_formats of them */
	const struct gpuoa_format_desc *formats;
	/** @n_formats: number of @formats */
	u32 n_formats;
	/** @default_format: enum gpuoa_format */
	u32 default_format;
	/** @id: where the report id says why and for whom a report was written; NULL: nowhere */
	const struct gpuoa_id_layout *id;
	/** @variant: what tells units of the same backend apart; the backend's own */
	const void *variant;
	/** @exponent_max: largest timer exponent */
	u32 exponent_max;
	/** @buffer_size_min: bytes */
	u32 buffer_size_min;
	/** @buffer_size_max: bytes */
	u32 buffer_size_max;
	/**
	 * @splits_reports: a report that meets the end of the buffer is continued at the start.
	 * Else it is written to the start as a whole, and the rest of the buffer is not used.
	 */
	bool splits_reports;
	/** @noa_delay_us: how long the MUX takes to switch when the CPU writes it */
	u32 noa_delay_us;
	/** @id_is_never_0: reports with an id of 0 are spurious */
	bool id_is_never_0;
	/** @lost_latches: the unit can't forget that it lost reports until it is started again */
	bool lost_latches;
	/**
	 * @timer_alone: nothing but the timer makes reports, unless the host adds those of batches
	 */
	bool timer_alone;

	/** @mux: registers of the NOA multiplexer that a user may write; ends with { 0, 0 } */
	const struct gpuoa_reg_range *mux;
	/** @boolean: likewise for boolean counters */
	const struct gpuoa_reg_range *boolean;
	/** @flex: likewise for flexible EU counters; NULL if the hardware has none */
	const struct gpuoa_reg_range *flex;
	/** @masks: bits that stay the kernel's; ends with { 0, 0 } */
	const struct gpuoa_reg_mask *masks;

	/** @aliases: counters of which this is known; ends with {}. Time is one on each unit */
	const struct gpuoa_alias *aliases;

	/** @filters_contexts: can count for one context only */
	bool filters_contexts;
	/**
	 * @isolates_contexts: and while it does, nobody can read counters of others: neither by
	 * reports nor by commands in a batch
	 */
	bool isolates_contexts;
	/** @context_mask: bits of a context's hardware id that it compares; 0: the host knows */
	u32 context_mask;
	/** @needs_context: to do so it programs the context, by &gpuoa_host_ops.context_write */
	bool needs_context;
	/**
	 * @context_runs: does the filter's context run, alone, from @report on? Called for each
	 * report. NULL: the hardware filters
	 */
	bool (*context_runs)(struct gpuoa_filter *filter, const void *report);

	/**
	 * @enable_metrics: let the counters see what @set selects. Sleeps until the MUX has
	 * switched. 0, or what the host says; then, too, @disable_metrics is called
	 */
	int (*enable_metrics)(const struct gpuoa_hw *hw, const struct gpuoa_metric_set *set);

	/** @disable_metrics: undo @enable_metrics */
	void (*disable_metrics)(const struct gpuoa_hw *hw);

	/** @start: begin to write reports, the first one to &gpuoa_hw.first */
	void (*start)(const struct gpuoa_hw *hw);

	/**
	 * @stop: begin no more reports; those that were begun may still be on their way. -ETIMEDOUT
	 * if the unit does not obey, -ENODEV if the GPU does not answer
	 */
	int (*stop)(const struct gpuoa_hw *hw);

	/** @status: how is the buffer? */
	void (*status)(const struct gpuoa_hw *hw, struct gpuoa_hw_status *status);

	/** @tail: offset of the hardware's tail, and nothing else is touched */
	u32 (*tail)(const struct gpuoa_hw *hw);

	/** @runs: is the unit on? It is after @start, unless the GPU was reset */
	bool (*runs)(const struct gpuoa_hw *hw);

	/** @set_head: the reports before this offset were read */
	void (*set_head)(const struct gpuoa_hw *hw, u32 head);

	/** @is_timer_report: was @report written by the timer? */
	bool (*is_timer_report)(const struct gpuoa_hw *hw, const void *report);
};

/* Gen8 to gen12.7; from Xe2 on */
extern const struct gpuoa_alias gpuoa_aliases_gen8[];
extern const struct gpuoa_alias gpuoa_aliases_xe2[];

/* Flexible EU counters */
#define GPUOA_FLEX_REGS 7
extern const struct gpuoa_reg_range gpuoa_flex_regs[];
void gpuoa_flex_values(const struct gpuoa_metric_set *set,
		       struct gpuoa_register regs[GPUOA_FLEX_REGS]);
int gpuoa_flex_write(const struct gpuoa_hw *hw, const struct gpuoa_metric_set *set);

bool gpuoa_reason_is_timer(const struct gpuoa_hw *hw, const void *report);

extern const struct gpuoa_oa_ops gpuoa_oa_gen7;
extern const struct gpuoa_oa_ops gpuoa_oa_bdw;
extern const struct gpuoa_oa_ops gpuoa_oa_chv;
extern const struct gpuoa_oa_ops gpuoa_oa_gen9;
extern const struct gpuoa_oa_ops gpuoa_oa_gen11;
extern const struct gpuoa_oa_ops gpuoa_oag_gen12;
extern const struct gpuoa_oa_ops gpuoa_oag_dg2;
extern const struct gpuoa_oa_ops gpuoa_oag_mtl;
extern const struct gpuoa_oa_ops gpuoa_oam_mtl;
extern const struct gpuoa_oa_ops gpuoa_oag_xe2;
extern const struct gpuoa_oa_ops gpuoa_oam_xe2_sag;
extern const struct gpuoa_oa_ops gpuoa_oam_xe2_scmi0;
extern const struct gpuoa_oa_ops gpuoa_oam_xe2_scmi1;

#endif /* _GPUOA_OA_H */
