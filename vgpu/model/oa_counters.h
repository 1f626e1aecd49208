/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * oa_counters.h - the counters of an OA unit: what they show.
 */
#ifndef _SIM_OA_COUNTERS_H
#define _SIM_OA_COUNTERS_H

#include "oa.h"

u64 sim_counter_value(const struct sim_selection *selection, unsigned int counter,
		      unsigned int first_b, const __uint128_t *sum);
u64 sim_oa_counter(struct sim_oa *oa, unsigned int counter);
unsigned int sim_oa_mhz(struct sim_oa *oa);
void sim_oa_set_counter(struct sim_oa *oa, unsigned int counter, u64 value);

/* For what writes reports */
void sim_oa_settle(struct sim_oa *oa);
void sim_oa_seek(struct sim_oa *oa, u64 tick);
void sim_oa_fill_counters(struct sim_oa *oa, u64 ticks);
void sim_oa_wrap_counters(struct sim_oa *oa, u64 ticks);

#endif /* _SIM_OA_COUNTERS_H */
