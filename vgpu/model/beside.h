/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * beside.h - registers that queries note beside reports: counters that no report has, and the
 * frequency of the GPU's clock.
 */
#ifndef _SIM_BESIDE_H
#define _SIM_BESIDE_H

#include "env.h"

struct sim_oa;
struct sim_selection;

/* Two counters of 44 bits, up to gen11. What they count is said in their upper dwords. */
#define SIM_PERFCNT_FIRST 0x91b8
#define SIM_PERFCNT_LAST 0x91c4
#define SIM_N_PERFCNT 2

#define SIM_RPSTAT 0xa01c

/* On gen12.7 */
#define SIM_OAG_A36 0xdb20
#define SIM_OAG_A37 0xdb28

void sim_perfcnt_select(struct sim_oa *oa, unsigned int first, struct sim_selection *selection);
u32 sim_perfcnt_read(struct sim_oa *oa, unsigned int first, u32 reg, u32 value);
u32 sim_rpstat_gen8(struct sim_oa *oa);
u32 sim_rpstat_gen9(struct sim_oa *oa);

#endif /* _SIM_BESIDE_H */
