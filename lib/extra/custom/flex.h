/* SPDX-License-Identifier: MIT */
/* flex.h - the registers that select the events of programmed counters */
#ifndef GPUOA_LIB_EXTRA_CUSTOM_FLEX_H
#define GPUOA_LIB_EXTRA_CUSTOM_FLEX_H

#include <stdint.h>

/*
 * Registers EU_PERF_CNTL0 to 6 hold the events of A7 and A8, of A9 and A10, and so on, in twelve
 * bits each.
 */
#define FLEX_REGISTERS 7
#define FLEX_EVENT_BITS 12

/*
 * Since gen12.5, events have a fifth bit. Those of both events are above the twelve bits of each.
 */
#define FLEX_UPPER_BIT 24

extern const uint32_t flex_registers[FLEX_REGISTERS];

/*
 * Return the address of the two dwords that select the event of counter PEC n of Xe2. For PEC32 to
 * PEC63 there are three copies: for OAG, and for the reports of render and of compute contexts.
 */
static inline uint32_t pec_register(uint32_t n, uint32_t copy)
{
	return n < 32 ? 0x13000 + 8 * n : 0x13300 + 0x200 * copy + 8 * (n - 32);
}

static inline uint32_t pec_copies(uint32_t n)
{
	return n < 32 ? 1 : 3;
}

#define PEC_REGISTERS_MAX (2 * (32 + 3 * 32))

#endif /* GPUOA_LIB_EXTRA_CUSTOM_FLEX_H */
