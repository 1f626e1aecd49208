/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * slot.h - hardware contexts as OA units see them: who has which time slot.
 */
#ifndef _SIM_SLOT_H
#define _SIM_SLOT_H

#include "env.h"

struct sim_gpu;

int sim_slot_find(const struct sim_gpu *gpu, u32 hw_id);
u32 sim_slot_context(const struct sim_gpu *gpu, unsigned int slot);
void sim_slot_set(struct sim_gpu *gpu, unsigned int slot, u32 hw_id);

#endif /* _SIM_SLOT_H */
