/* SPDX-License-Identifier: GPL-2.0-only */
/* gpuoa_oa.h - interface between the core and the OA backends of the hardware generations. */
#ifndef _GPUOA_OA_H
#define _GPUOA_OA_H

#include <linux/types.h>

#include <gpuoa_provider.h>

#include "gpuoa_report.h"
#include "uapi/gpuoa.h"

struct gpuoa_filter;
struct gpuoa_metric_set;

/*
 * Upper bound of the time the MUX takes to switch after CPU writes. The hardware has no status bit
 * for it. i915 slept 15 to 20 ms in all releases that wrote the MUX from the CPU (4.13 to 5.4,
 * Haswell to gen11), to avoid invalid reports. There is no data for later hardware, so the same
 * delay is used.
 */
#define GPUOA_NOA_DELAY_US 20000

/**
 * struct gpuoa_reg_range - range of whitelisted registers
 * @first: first MMIO offset
 * @last: last MMIO offset, inclusive
 */
struct gpuoa_reg_range {
	u32 first;
	u32 last;
};

/**
 * struct gpuoa_reg_mask - register bits that a user must not change
 * @address: MMIO offset
 * @mask: bits of the user's value that are forced to 0
 */
struct gpuoa_reg_mask {
	u32 address;
	u32 mask;
};

/**
 * struct gpuoa_hw - OA unit as used by its backend
 * @oa: backend
 * @ops: callbacks of the provider
 * @provider: argument of @ops
 * @format: report format
 * @exponent: timer exponent
 * @noa_delay_us: time the MUX takes to switch, us
 * @buffer: GPU address of the OABUFFER
 * @buffer_size: size of the OABUFFER, bytes
 * @first: offset of the first report in the OABUFFER, bytes
 * @filter: count for one context only
 * @context: hardware id of that context
 * @context_mask: bits of a report's context id to compare with @context
 * @context_handle: the provider's handle of the context; NULL if only the hardware id is known
 */
struct gpuoa_hw {
	const struct gpuoa_oa_ops *oa;
	const struct gpuoa_provider_ops *ops;
	void *provider;
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
	return hw->ops->read(hw->provider, reg);
}

static inline void gpuoa_hw_write(const struct gpuoa_hw *hw, u32 reg, u32 value)
{
	hw->ops->write(hw->provider, reg, value);
}

/* Available only if the core programs the unit itself instead of the provider. */
static inline void gpuoa_hw_rmw(const struct gpuoa_hw *hw, u32 reg, u32 clear, u32 set)
{
	hw->ops->rmw(hw->provider, reg, clear, set);
}

bool gpuoa_hw_ops_valid(const struct gpuoa_oa_ops *oa, const struct gpuoa_provider_ops *ops);
void gpuoa_hw_settle_mux(const struct gpuoa_hw *hw);
/* Register value read from a GPU that was removed or sleeps. */
#define GPUOA_HW_GONE (~0U)

int gpuoa_hw_wait_clear(const struct gpuoa_hw *hw, u32 reg, u32 bits);

/**
 * struct gpuoa_hw_status - status of the unit's buffer
 * @gone: the GPU does not respond: all bits read as 1; the other members are then undefined
 * @tail: hardware tail, offset from the start of the buffer
 * @overflow: the buffer was full
 * @lost: reports were dropped since the last call or, with &gpuoa_oa_ops.lost_latches, since the
 *	unit was started
 * @notes: other events since the last call, GPUOA_STATUS_*
 */
struct gpuoa_hw_status {
	bool gone;
	u32 tail;
	bool overflow;
	bool lost;
	u32 notes;
};

/**
 * struct gpuoa_alias - named counter, valid for the built-in configuration
 * @name: name of the perf event
 * @counter: enum gpuoa_counter
 * @unit: unit of the value
 */
struct gpuoa_alias {
	const char *name;
	u32 counter;
	const char *unit;
};

/**
 * struct gpuoa_oa_ops - OA backend of a hardware generation
 *
 * Callbacks only access registers and take no locks. Only @enable_metrics and @disable_metrics may
 * sleep.
 */
struct gpuoa_oa_ops {
	/** @formats: report formats */
	const struct gpuoa_format_desc *formats;
	/** @n_formats: number of @formats */
	u32 n_formats;
	/** @default_format: enum gpuoa_format */
	u32 default_format;
	/** @id: layout of the report id; NULL if it has no fields */
	const struct gpuoa_id_layout *id;
	/** @variant: private data of the backend for this unit type */
	const void *variant;
	/** @exponent_max: largest timer exponent */
	u32 exponent_max;
	/** @buffer_size_min: minimum buffer size, bytes */
	u32 buffer_size_min;
	/** @buffer_size_max: maximum buffer size, bytes */
	u32 buffer_size_max;
	/**
	 * @splits_reports: a report that crosses the end of the buffer continues at its start.
	 * Otherwise the whole report is written at the start, and the end of the buffer stays
	 * unused.
	 */
	bool splits_reports;
	/** @noa_delay_us: time the MUX takes to switch after CPU writes, us */
	u32 noa_delay_us;
	/** @id_is_never_0: reports with an id of 0 are spurious */
	bool id_is_never_0;
	/** @lost_latches: the lost flag cannot be cleared until the unit is restarted */
	bool lost_latches;
	/**
	 * @timer_alone: only the timer causes reports, unless the provider adds reports at batch
	 * boundaries
	 */
	bool timer_alone;

	/** @mux: NOA multiplexer registers that a user may write; terminated by { 0, 0 } */
	const struct gpuoa_reg_range *mux;
	/** @boolean: boolean counter registers that a user may write; terminated by { 0, 0 } */
	const struct gpuoa_reg_range *boolean;
	/**
	 * @flex: flexible EU counter registers that a user may write; terminated by { 0, 0 }; NULL
	 * if the hardware has none
	 */
	const struct gpuoa_reg_range *flex;
	/** @masks: register bits reserved for the kernel; terminated by { 0, 0 } */
	const struct gpuoa_reg_mask *masks;

	/**
	 * @aliases: named counters, terminated by {}; the timestamp is available on every unit and
	 * not listed
	 */
	const struct gpuoa_alias *aliases;

	/** @filters_contexts: the unit can count for one context only */
	bool filters_contexts;
	/**
	 * @isolates_contexts: while the unit counts for one context, neither reports nor commands
	 * in a batch can read counters of other contexts
	 */
	bool isolates_contexts;
	/**
	 * @context_mask: bits of a context's hardware id that the unit compares; 0: set by the
	 * provider
	 */
	u32 context_mask;
	/**
	 * @needs_context: to filter for a context, registers in the context's state are written by
	 * &gpuoa_provider_ops.context_write
	 */
	bool needs_context;
	/**
	 * @context_runs: check whether the filter's context runs alone from @report on. Called for
	 * each report. NULL if the hardware filters.
	 */
	bool (*context_runs)(struct gpuoa_filter *filter, const void *report);

	/**
	 * @enable_metrics: program the counters for @set. Sleeps until the MUX has switched.
	 * Returns 0 or an error of the provider; after an error, @disable_metrics is also called.
	 */
	int (*enable_metrics)(const struct gpuoa_hw *hw, const struct gpuoa_metric_set *set);

	/** @disable_metrics: undo @enable_metrics */
	void (*disable_metrics)(const struct gpuoa_hw *hw);

	/** @start: start writing reports, the first one at &gpuoa_hw.first */
	void (*start)(const struct gpuoa_hw *hw);

	/**
	 * @stop: stop starting new reports; started ones may still be written. Returns -ETIMEDOUT
	 * if the unit does not stop, -ENODEV if the GPU does not respond.
	 */
	int (*stop)(const struct gpuoa_hw *hw);

	/** @status: read the status of the buffer */
	void (*status)(const struct gpuoa_hw *hw, struct gpuoa_hw_status *status);

	/** @tail: read the hardware tail, an offset in bytes, without side effects */
	u32 (*tail)(const struct gpuoa_hw *hw);

	/** @runs: check whether the unit is enabled; false after @start if the GPU was reset */
	bool (*runs)(const struct gpuoa_hw *hw);

	/** @set_head: mark reports before this offset as read */
	void (*set_head)(const struct gpuoa_hw *hw, u32 head);

	/** @is_timer_report: check whether the timer caused @report */
	bool (*is_timer_report)(const struct gpuoa_hw *hw, const void *report);
};

/* Named counters of gen8 to gen12.7, and of Xe2 and later */
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
extern const struct gpuoa_oa_ops gpuoa_oam_xe3_sag;
extern const struct gpuoa_oa_ops gpuoa_oam_xe3_scmi0;

#endif /* _GPUOA_OA_H */
