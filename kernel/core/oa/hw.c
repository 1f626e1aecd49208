// SPDX-License-Identifier: GPL-2.0-only
/*
 * hw.c - what backends of several generations need.
 */
#include <linux/delay.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/moduleparam.h>
#include <linux/time64.h>

#include <gpuoa_regs.h>

#include "metric_set.h"
#include "oa.h"

/*
 * How long a unit may take to obey. Interrupts are off meanwhile; those who free what it writes to
 * wait longer.
 */
#define GPUOA_HW_TIMEOUT_US 200

/* As i915's noa_programming_delay in debugfs, for those who doubt the default */
static unsigned int noa_delay_us;
module_param(noa_delay_us, uint, 0644);
MODULE_PARM_DESC(noa_delay_us,
		 "us for which the MUX is waited for; 0: as the GPU's driver or the platform says");

/**
 * gpuoa_hw_settle_mux - wait until the MUX has switched
 * @hw: the unit
 *
 * Context: may sleep
 */
void gpuoa_hw_settle_mux(const struct gpuoa_hw *hw)
{
	u32 us = READ_ONCE(noa_delay_us) ?: hw->noa_delay_us;

	/* A read is answered when the writes before it have arrived. */
	hw->oa->tail(hw);
	fsleep(min_t(u32, us, USEC_PER_SEC));
}

/**
 * gpuoa_hw_wait_clear - wait until the hardware has cleared bits of a register
 * @hw: the unit
 * @reg: MMIO offset
 * @bits: the bits
 *
 * Return: 0; -ETIMEDOUT after 200 us; -ENODEV at once if the GPU does not answer
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

/* EU counters are not among them: what those count is configured. */
const struct gpuoa_alias gpuoa_aliases_gen8[] = {
	{ "gpu-busy", GPUOA_COUNTER_A(0), "clocks" },
	{ "gpu-clocks", GPUOA_COUNTER_CLOCK, "clocks" },
	{},
};

const struct gpuoa_alias gpuoa_aliases_xe2[] = {
	{ "gpu-clocks", GPUOA_COUNTER_CLOCK, "clocks" },
	{},
};

/* Gen8 and later. Each stands alone: what lies in between is something else. */
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

/* The last write to a register counts. Event 0 is what an idle one is set to. */
static u32 flex_value(const struct gpuoa_reg_list *list, u32 address)
{
	u32 i = list->count;

	while (i--)
		if (list->regs[i].address == address)
			return list->regs[i].value;

	return 0;
}

/**
 * gpuoa_flex_values - what the flexible EU counters are to be set to
 * @set: what for; NULL: nobody uses them any more
 * @regs: out: all of them, so that nothing is left of another configuration
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
 * gpuoa_flex_write - program the flexible EU counters, in all contexts
 * @hw: the unit, which has them
 * @set: what for; NULL: nobody uses them any more
 *
 * Return: 0 or what the host says
 */
int gpuoa_flex_write(const struct gpuoa_hw *hw, const struct gpuoa_metric_set *set)
{
	struct gpuoa_register regs[GPUOA_FLEX_REGS];

	gpuoa_flex_values(set, regs);

	return hw->ops->contexts_write(hw->host, regs, ARRAY_SIZE(regs));
}

/**
 * gpuoa_reason_is_timer - &gpuoa_oa_ops.is_timer_report where reports have a reason
 * @hw: the unit
 * @report: the report
 *
 * Return: true if the timer is among the reasons
 */
bool gpuoa_reason_is_timer(const struct gpuoa_hw *hw, const void *report)
{
	return gpuoa_report_id_field(report, hw->oa->id->reason) & GPUOA_REASON_TIMER;
}
