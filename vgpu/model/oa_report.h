/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * oa_report.h - reports of an OA unit: filled in, and sent to its buffer.
 */
#ifndef _SIM_OA_REPORT_H
#define _SIM_OA_REPORT_H

#include "oa.h"

void sim_oa_write_report(struct sim_oa *oa, u64 tick, u32 reasons, u32 context);
void sim_oa_fill_for(struct sim_oa *oa, unsigned int slot, const struct sim_format *format, u64 now,
		     u32 *report);

#endif /* _SIM_OA_REPORT_H */
