/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cec.h - the comparators (CEC) in front of the B counters.
 */
#ifndef _SIM_CEC_H
#define _SIM_CEC_H

#include "env.h"

#define SIM_N_CECS 8

/*
 * With the clock count on the NOA bus, what a comparator says of a clock depends on the count
 * modulo this. Bit n of a pattern is the answer for clocks with remainder n.
 */
#define SIM_CEC_PERIOD 6

void sim_cec_patterns(const u32 *registers, u8 *patterns);
u8 sim_cec_certain(const u32 *registers);
u64 sim_cec_count(u8 pattern, u64 clocks);

#endif /* _SIM_CEC_H */
