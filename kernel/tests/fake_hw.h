/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fake_hw.h - a host whose registers remember what was done to them, in order.
 */
#ifndef _FAKE_HW_H
#define _FAKE_HW_H

#include <kunit/test.h>

#include "../core/oa/oa.h"

#define FAKE_MAX_EVENTS 96
#define FAKE_MAX_REGS 32

/**
 * enum fake_how - how a register was written
 * @FAKE_WRITE: by MMIO
 * @FAKE_RMW: by MMIO, under the host's lock
 * @FAKE_CONTEXTS: in all contexts
 * @FAKE_CONTEXT: in one context
 */
enum fake_how {
	FAKE_WRITE,
	FAKE_RMW,
	FAKE_CONTEXTS,
	FAKE_CONTEXT,
};

/**
 * struct fake_event - one write
 * @how: enum fake_how
 * @reg: MMIO offset
 * @value: what was written
 * @at: when, CLOCK_MONOTONIC ns
 * @reads: so many registers had been read before
 */
struct fake_event {
	enum fake_how how;
	u32 reg;
	u32 value;
	u64 at;
	u32 reads;
};

/**
 * struct fake_hw - an OA unit without hardware
 * @hw: as its backend sees it
 * @events: what was written
 * @n_events: how much
 * @seen: how much of it was looked at
 * @regs: registers that keep their value
 * @n_regs: how many
 * @reads: how many registers were read
 * @slow: this register reads as @slow_value for a while, then as 0, whatever is written
 * @slow_value: see @slow
 * @slow_reads: for so many reads
 * @context_error: what the host says to writes of context state
 */
struct fake_hw {
	struct gpuoa_hw hw;
	struct fake_event events[FAKE_MAX_EVENTS];
	u32 n_events;
	u32 seen;
	struct gpuoa_register regs[FAKE_MAX_REGS];
	u32 n_regs;
	u32 reads;
	u32 slow;
	u32 slow_value;
	u32 slow_reads;
	int context_error;
};

struct fake_hw *fake_hw_new(struct kunit *test, const struct gpuoa_oa_ops *oa, u32 format);
u32 *fake_reg(struct fake_hw *fake, u32 reg);
void fake_next(struct kunit *test, const struct fake_event *expected, u32 count);
void fake_end(struct kunit *test);

/* What was written next, in order. */
#define FAKE_NEXT(test, ...)                                                  \
	do {                                                                  \
		static const struct fake_event expected_[] = { __VA_ARGS__ }; \
		fake_next(test, expected_, ARRAY_SIZE(expected_));            \
	} while (0)

/* The same, and that was all. */
#define FAKE_LAST(test, ...)                  \
	do {                                  \
		FAKE_NEXT(test, __VA_ARGS__); \
		fake_end(test);               \
	} while (0)

#endif /* _FAKE_HW_H */
