/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * oa_selection.h - what the registers of an OA unit make its counters count.
 */
#ifndef _SIM_OA_SELECTION_H
#define _SIM_OA_SELECTION_H

#include "oa.h"

void sim_oa_write_mux(struct sim_oa *oa, u32 reg, u32 value, bool begins);
const struct sim_selection *sim_oa_selection(struct sim_oa *oa);
const struct sim_selection *sim_oa_known(struct sim_oa *oa);

#endif /* _SIM_OA_SELECTION_H */
