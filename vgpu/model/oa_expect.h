/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * oa_expect.h - when a carrier should look at an OA unit again.
 */
#ifndef _SIM_OA_EXPECT_H
#define _SIM_OA_EXPECT_H

#include "oa.h"

void sim_oa_expect(struct sim_oa *oa);
u64 sim_oa_half_full_ns(const struct sim_oa *oa);
u64 sim_oa_landing_ns(const struct sim_oa *oa);

#endif /* _SIM_OA_EXPECT_H */
