/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * oam.h - OA units of the media GT.
 */
#ifndef _OAM_OA_H
#define _OAM_OA_H

#include "mmio.h"
#include "oa.h"

#define OAM_N_MPEC 8

/* Indices of the first counter of each kind */
#define OAM_B OAM_N_MPEC
#define OAM_C (OAM_B + SIM_N_B)
#define OAM_CLOCK (OAM_C + SIM_N_C)
#define OAM_N_COUNTERS (OAM_CLOCK + 1)

extern const struct sim_oa_ops sim_oam_mtl;
extern const struct sim_oa_ops sim_oam_xe2_sag;
extern const struct sim_oa_ops sim_oam_xe2_scmi0;
extern const struct sim_oa_ops sim_oam_xe2_scmi1;
extern const struct sim_register_range sim_ranges_media_gt[];
extern const struct sim_register_range sim_ranges_oam_mtl[];
extern const struct sim_register_range sim_ranges_oam_xe2_scmi0[];
extern const struct sim_register_range sim_ranges_oam_xe2_sag[];
extern const struct sim_register_range sim_ranges_oam_xe2_scmi1[];

#endif /* _OAM_OA_H */
