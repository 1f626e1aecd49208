/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gen7_oa.h - Haswell's OA unit.
 */
#ifndef _GEN7_OA_H
#define _GEN7_OA_H

#include "mmio.h"

struct sim_oa_ops;

extern const struct sim_oa_ops sim_oa_gen7;
extern const struct sim_register_range sim_ranges_gen7[];
extern const struct sim_register_value sim_reset_gen7[];

#endif /* _GEN7_OA_H */
