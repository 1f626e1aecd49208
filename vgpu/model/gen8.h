/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gen8.h - the OA units of gen8 to gen11.
 */
#ifndef _SIM_GEN8_H
#define _SIM_GEN8_H

#include "mmio.h"
#include "oa.h"

/* Number of A counters of gen12.5; earlier generations have two less. */
#define GEN8_N_A 38

/* Indices of the first counter of each kind */
#define GEN8_A 0
#define GEN8_B GEN8_N_A
#define GEN8_C (GEN8_B + SIM_N_B)
#define GEN8_CLOCK (GEN8_C + SIM_N_C)
#define GEN8_PERFCNT (GEN8_CLOCK + 1)
#define GEN8_N_COUNTERS (GEN8_PERFCNT + SIM_N_PERFCNT)

/* Gen12 has no counters apart from those in reports. */
#define GEN12_N_COUNTERS GEN8_PERFCNT

#define GEN8_N_BANKS 5
#define GEN12_N_BANKS 4
extern const struct sim_bank gen8_banks[GEN8_N_BANKS];

/* Report formats of gen8 to gen12.0, indexed by the format code in OACONTROL */
extern const struct sim_format gen8_formats[8];

/**
 * struct sim_boolean_regs - MMIO offsets of the registers that select the inputs of B and C
 * counters
 * @starttrig2: OASTARTTRIG2, which controls B0..B3
 * @starttrig6: OASTARTTRIG6, which controls B4..B7
 * @cec: CEC0_0; CEC0_1, CEC1_0, ... follow
 */
struct sim_boolean_regs {
	u32 starttrig2;
	u32 starttrig6;
	u32 cec;
};

void gen8_select_a(struct sim_oa *oa, struct sim_selection *selection);
void gen12_5_select_a(struct sim_oa *oa, struct sim_selection *selection);
void sim_select_boolean(struct sim_oa *oa, const struct sim_boolean_regs *regs, unsigned int first,
			struct sim_selection *selection);

/* Clock ratio in steps of 100/6 MHz */
static inline u32 sim_ratio(unsigned int mhz)
{
	return (mhz * 6 + 50) / 100;
}

extern const struct sim_oa_ops sim_oa_gen8;
extern const struct sim_oa_ops sim_oa_gen9;
extern const struct sim_oa_ops sim_oa_gen11;
extern const struct sim_register_range sim_ranges_gen8[];
extern const struct sim_register_range sim_ranges_gen9[];

#endif /* _SIM_GEN8_H */
