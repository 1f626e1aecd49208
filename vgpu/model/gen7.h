/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gen7.h - the OA unit of Haswell.
 */
#ifndef _SIM_GEN7_H
#define _SIM_GEN7_H

#include "mmio.h"
#include "oa.h"

#define GEN7_N_A 45

/* Indices of the first counter of each kind */
#define GEN7_A 0
#define GEN7_B GEN7_N_A
#define GEN7_C (GEN7_B + SIM_N_B)
#define GEN7_PERFCNT (GEN7_C + SIM_N_C)
#define GEN7_N_COUNTERS (GEN7_PERFCNT + SIM_N_PERFCNT)

extern const struct sim_source gen7_a[GEN7_N_A];

/**
 * struct gen7_set - a known configuration of the NOA multiplexer
 * @name: name of the metric set
 * @mux: sim_hash() over the set's multiplexer writes, in order
 * @cec: sim_hash() over CEC0_0..CEC7_1 of the set; 0 if its B counters do not use the comparators
 * @b: sources of the B counters
 * @c: sources of the C counters
 */
struct gen7_set {
	const char *name;
	u64 mux;
	u64 cec;
	struct sim_source b[SIM_N_B];
	struct sim_source c[SIM_N_C];
};

extern const struct gen7_set gen7_sets[];
extern const unsigned int gen7_n_sets;

/**
 * struct gen7_boolean - registers that select the inputs of the B counters
 * @starttrig2: OASTARTTRIG2, which controls B0..B3
 * @starttrig6: OASTARTTRIG6, which controls B4..B7
 * @cec: CEC0_0, CEC0_1, CEC1_0, ...
 */
struct gen7_boolean {
	u32 starttrig2;
	u32 starttrig6;
	u32 cec[2 * SIM_N_CECS];
};

void gen7_select(u64 mux, const struct gen7_boolean *boolean, struct sim_selection *selection);

extern const struct sim_bank gen7_banks[4];

/* Report formats, indexed by the format code in OACONTROL */
extern const struct sim_format gen7_formats[8];

extern const struct sim_oa_ops sim_oa_gen7;
extern const struct sim_register_range sim_ranges_gen7[];
extern const struct sim_register_value sim_reset_gen7[];

#endif /* _SIM_GEN7_H */
