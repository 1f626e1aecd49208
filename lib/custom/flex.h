/* SPDX-License-Identifier: MIT */
/* flex.h - the registers that say what programmed counters count. */
#ifndef GPUOA_LIB_CUSTOM_FLEX_H
#define GPUOA_LIB_CUSTOM_FLEX_H

#include <stdint.h>

/* EU_PERF_CNTL0..6 have the events of A7 and A8, of A9 and A10, ... of twelve bits each, */
#define FLEX_REGISTERS 7
#define FLEX_EVENT_BITS 12

/* and above them, from gen12.5 on, the fifth bit of the event of each. */
#define FLEX_UPPER_BIT 24

extern const uint32_t flex_registers[FLEX_REGISTERS];

/*
 * The event of counter PEC n of Xe2: two dwords. PEC32 to PEC63 have three copies: of OAG, and of
 * the reports of render and compute contexts.
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

#endif /* GPUOA_LIB_CUSTOM_FLEX_H */
