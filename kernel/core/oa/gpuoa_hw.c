// SPDX-License-Identifier: GPL-2.0-only
/* gpuoa_hw.c - helpers of the OA backends. */
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/moduleparam.h>
#include <linux/time64.h>

#include <gpuoa_regs.h>

#include "gpuoa_metric_set.h"
#include "gpuoa_oa.h"

/*
 * Timeout for a unit to respond. It is short because callers may run with interrupts disabled; code
 * that frees a buffer waits longer.
 */
#define GPUOA_HW_TIMEOUT_US 200

/*
 * Time the MUX takes to switch, us; overrides the default. i915 has the same parameter in debugfs,
 * noa_programming_delay.
 */
static unsigned int noa_delay_us;
module_param(noa_delay_us, uint, 0644);
MODULE_PARM_DESC(noa_delay_us,
		 "us for which the MUX is waited for; 0: as the GPU's driver or the platform says");

/**
 * gpuoa_hw_ops_valid() - Check the operations of a provider.
 * @oa: backend of the unit
 * @ops: operations
 *
 * A provider must implement all callbacks of one way to program the unit, and of exactly one kind
 * of buffer. A context that it returns must be released.
 *
 * Return: true if they are complete
 */
bool gpuoa_hw_ops_valid(const struct gpuoa_oa_ops *oa, const struct gpuoa_provider_ops *ops)
{
	bool programs = ops->configure && ops->unconfigure;
	bool owns = ops->buffer_get && ops->buffer_put;

	return (programs || (ops->rmw && (!oa->flex || ops->contexts_write))) &&
	       (owns || (ops->map && ops->unmap)) && !(owns && ops->map) &&
	       !ops->context_get == !ops->context_put;
}

/**
 * gpuoa_hw_settle_mux() - Wait until the MUX has switched.
 * @hw: OA unit
 *
 * Context: may sleep
 */
void gpuoa_hw_settle_mux(const struct gpuoa_hw *hw)
{
	u32 us = READ_ONCE(noa_delay_us) ?: hw->noa_delay_us;

	/* A posting read: it completes after the preceding writes. */
	hw->oa->tail(hw);
	fsleep(min_t(u32, us, USEC_PER_SEC));
}

/**
 * gpuoa_hw_wait_clear() - Wait until the hardware has cleared bits of a register.
 * @hw: OA unit
 * @reg: MMIO offset
 * @bits: bits to wait for
 *
 * Return: 0; -ETIMEDOUT after 200 us; -ENODEV at once if the GPU does not respond
 */
int gpuoa_hw_wait_clear(const struct gpuoa_hw *hw, u32 reg, u32 bits)
{
	unsigned int us;
	u32 value;

	for (us = 0; (value = gpuoa_hw_read(hw, reg)) & bits; us++) {
		if (value == GPUOA_HW_GONE)
			return -ENODEV;
		if (us == GPUOA_HW_TIMEOUT_US)
			return -ETIMEDOUT;
		udelay(1);
	}

	return 0;
}

/* EU counters get no names, because the events that they count depend on the configuration. */
const struct gpuoa_alias gpuoa_aliases_gen8[] = {
	{ "gpu-busy", GPUOA_COUNTER_A(0), "clocks" },
	{ "gpu-clocks", GPUOA_COUNTER_CLOCK, "clocks" },
	{},
};

const struct gpuoa_alias gpuoa_aliases_xe2[] = {
	{ "gpu-clocks", GPUOA_COUNTER_CLOCK, "clocks" },
	{},
};

/*
 * Flexible EU counter registers of gen8 and later. Each has a separate range, because the offsets
 * in between belong to other registers.
 */
const struct gpuoa_reg_range gpuoa_flex_regs[] = {
	{ EU_PERF_CNTL0, EU_PERF_CNTL0 },
	{ EU_PERF_CNTL1, EU_PERF_CNTL1 },
	{ EU_PERF_CNTL2, EU_PERF_CNTL2 },
	{ EU_PERF_CNTL3, EU_PERF_CNTL3 },
	{ EU_PERF_CNTL4, EU_PERF_CNTL4 },
	{ EU_PERF_CNTL5, EU_PERF_CNTL5 },
	{ EU_PERF_CNTL6, EU_PERF_CNTL6 },
	{},
};

static_assert(ARRAY_SIZE(gpuoa_flex_regs) == GPUOA_FLEX_REGS + 1);

/*
 * Get the last value written to a register. Return 0, which is the value of an unused counter, if
 * there is no write.
 */
static u32 flex_value(const struct gpuoa_reg_list *list, u32 address)
{
	u32 i = list->count;

	while (i--)
		if (list->regs[i].address == address)
			return list->regs[i].value;

	return 0;
}

/**
 * gpuoa_flex_values() - Compute the values of the flexible EU counter registers.
 * @set: configuration; NULL for the idle values
 * @regs: all of the registers, output, so that no value of another configuration remains
 */
void gpuoa_flex_values(const struct gpuoa_metric_set *set,
		       struct gpuoa_register regs[GPUOA_FLEX_REGS])
{
	u32 i;

	for (i = 0; i < GPUOA_FLEX_REGS; i++) {
		regs[i].address = gpuoa_flex_regs[i].first;
		regs[i].value = set ? flex_value(&set->flex, regs[i].address) : 0;
	}
}

/**
 * gpuoa_flex_write() - Program the flexible EU counters in all contexts.
 * @hw: OA unit with flexible EU counters
 * @set: configuration; NULL for the idle values
 *
 * Return: 0 or an error of the provider
 */
int gpuoa_flex_write(const struct gpuoa_hw *hw, const struct gpuoa_metric_set *set)
{
	struct gpuoa_register regs[GPUOA_FLEX_REGS];

	gpuoa_flex_values(set, regs);

	return hw->ops->contexts_write(hw->provider, regs, ARRAY_SIZE(regs));
}

/**
 * gpuoa_reason_is_timer() - Implement &gpuoa_oa_ops.is_timer_report by the report's reason.
 * @hw: OA unit
 * @report: report
 *
 * Return: true if the reason includes the timer
 */
bool gpuoa_reason_is_timer(const struct gpuoa_hw *hw, const void *report)
{
	return gpuoa_report_id_field(report, hw->oa->id->reason) & GPUOA_REASON_TIMER;
}
