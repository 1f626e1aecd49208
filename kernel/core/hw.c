// SPDX-License-Identifier: GPL-2.0-only
/*
 * hw.c - register accesses that all backends need.
 */
#include <linux/delay.h>
#include <linux/errno.h>

#include "oa.h"

/* How long a unit may take to obey. */
#define GPUOA_HW_TIMEOUT_US 1000

/**
 * gpuoa_hw_wait_clear - wait until the hardware has cleared bits of a register
 * @hw: the unit
 * @reg: MMIO offset
 * @bits: the bits
 *
 * Return: 0, or -ETIMEDOUT after a millisecond
 */
int gpuoa_hw_wait_clear(const struct gpuoa_hw *hw, u32 reg, u32 bits)
{
	unsigned int us;

	for (us = 0; gpuoa_hw_read(hw, reg) & bits; us++) {
		if (us == GPUOA_HW_TIMEOUT_US)
			return -ETIMEDOUT;
		udelay(1);
	}

	return 0;
}
