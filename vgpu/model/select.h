/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * select.h - what counters count where registers whose meaning nobody documents decide.
 */
#ifndef _SIM_SELECT_H
#define _SIM_SELECT_H

#include "env.h"

struct sim_source;

#define SIM_HASH_START 0xcbf29ce484222325ULL
u64 sim_hash(u64 hash, u32 reg, u32 value);
struct sim_source sim_source_of_hash(u64 hash, unsigned int clocks);

/* From gen12.5 on: the uppermost bit of an event's number, which has five */
#define SIM_EU_EVENT_UPPER BIT(12)
struct sim_source sim_source_of_eu_event(u32 event);
bool sim_cec_is_test(const u32 *registers);

#endif /* _SIM_SELECT_H */
