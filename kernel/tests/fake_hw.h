/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fake_hw.h - fake provider that records all register writes in order.
 */
#ifndef _FAKE_HW_H
#define _FAKE_HW_H

#include <kunit/test.h>

#include "../core/oa/gpuoa_oa.h"

#define FAKE_MAX_EVENTS 96
#define FAKE_MAX_REGS 32

/**
 * enum fake_how - kind of a register write
 * @FAKE_WRITE: MMIO write
 * @FAKE_RMW: MMIO read-modify-write under the provider's lock
 * @FAKE_CONTEXTS: write to the state of all contexts
 * @FAKE_CONTEXT: write to the state of one context
 */
enum fake_how {
	FAKE_WRITE,
	FAKE_RMW,
	FAKE_CONTEXTS,
	FAKE_CONTEXT,
};

/**
 * struct fake_event - one recorded write
 * @how: kind of write
 * @reg: MMIO offset
 * @value: written value
 * @at: time of the write, CLOCK_MONOTONIC ns
 * @reads: number of register reads before the write
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
 * @hw: the unit as the backend sees it
 * @events: recorded writes
 * @n_events: number of entries in @events
 * @seen: number of entries that were already checked
 * @regs: register file
 * @n_regs: number of entries in @regs
 * @reads: number of register reads
 * @slow: offset of a register that reads as @slow_value for @slow_reads reads, then as 0
 * @slow_value: value that @slow reads as
 * @slow_reads: remaining reads before @slow reads as 0
 * @context_error: return value of writes to context state
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

/* Expect these writes next, in this order. */
#define FAKE_NEXT(test, ...)                                                  \
	do {                                                                  \
		static const struct fake_event expected_[] = { __VA_ARGS__ }; \
		fake_next(test, expected_, ARRAY_SIZE(expected_));            \
	} while (0)

/* Expect these writes next, and no others. */
#define FAKE_LAST(test, ...)                  \
	do {                                  \
		FAKE_NEXT(test, __VA_ARGS__); \
		fake_end(test);               \
	} while (0)

#endif /* _FAKE_HW_H */
