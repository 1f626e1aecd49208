/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * select.h - counter sources selected by multiplexer, event and comparator registers.
 */
#ifndef _SIM_SELECT_H
#define _SIM_SELECT_H

#include "env.h"

struct sim_source;

#define SIM_HASH_START 0xcbf29ce484222325ULL
u64 sim_hash(u64 hash, u32 reg, u32 value);
struct sim_source sim_source_of_hash(u64 hash, unsigned int clocks);

/* Fifth and most significant bit of an event number, gen12.5 and later */
#define SIM_EU_EVENT_UPPER BIT(12)
struct sim_source sim_source_of_eu_event(u32 event);
bool sim_cec_is_test(const u32 *registers);

#define SIM_N_CECS 8

/*
 * With the clock count on the NOA bus, the result of a comparator depends on the remainder of the
 * count after division by this number. Bit n of a pattern is the result for remainder n.
 */
#define SIM_CEC_PERIOD 6

void sim_cec_patterns(const u32 *registers, u8 *patterns);
u8 sim_cec_certain(const u32 *registers);
u64 sim_cec_count(u8 pattern, u64 clocks);

#endif /* _SIM_SELECT_H */
