/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * oa_run.h - an OA unit at work.
 */
#ifndef _SIM_OA_RUN_H
#define _SIM_OA_RUN_H

#include "oa.h"

/* For the GPU and its carrier */
void sim_oa_init(struct sim_oa *oa, struct sim_gpu *gpu, const struct sim_oa_ops *ops);
void sim_oa_advance(struct sim_oa *oa, u64 now);
void sim_oa_sleep(struct sim_oa *oa);
void sim_oa_reset(struct sim_oa *oa);
void sim_oa_retime(struct sim_oa *oa);
void sim_oa_slot_changed(struct sim_oa *oa, unsigned int slot);
u32 sim_oa_report_for(struct sim_oa *oa, unsigned int slot, u32 id, u32 *report);

/* For the kinds of units */
void sim_oa_start(struct sim_oa *oa, const struct sim_oa_run *run);
void sim_oa_stop(struct sim_oa *oa);
void sim_oa_trigger(struct sim_oa *oa, u32 reason, u32 value);
u64 sim_oa_timestamp(const struct sim_oa *oa);

#endif /* _SIM_OA_RUN_H */
