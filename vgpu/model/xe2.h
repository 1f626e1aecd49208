/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * xe2.h - OAG of Xe2.
 */
#ifndef _XE2_OA_H
#define _XE2_OA_H

#include "mmio.h"

struct sim_oa_ops;

extern const struct sim_oa_ops sim_oag_xe2;
extern const struct sim_register_range sim_ranges_xe2[];

#endif /* _XE2_OA_H */
