/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gen8_oa.h - the OA unit of gen8, gen9 and gen11.
 */
#ifndef _GEN8_OA_H
#define _GEN8_OA_H

#include "mmio.h"

struct sim_oa_ops;

extern const struct sim_oa_ops sim_oa_gen8;
extern const struct sim_oa_ops sim_oa_gen9;
extern const struct sim_oa_ops sim_oa_gen11;
extern const struct sim_register_range sim_ranges_gen8[];
extern const struct sim_register_range sim_ranges_gen9[];

#endif /* _GEN8_OA_H */
