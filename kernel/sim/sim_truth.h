/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sim_truth.h - exact arithmetic for what a reader of reports should have found.
 */
#ifndef _SIM_TRUTH_H
#define _SIM_TRUTH_H

#include <linux/types.h>

struct seq_file;

__uint128_t sim_div(__uint128_t numerator, __uint128_t denominator);
void sim_put_metric(struct seq_file *m, const char *name, __uint128_t numerator,
		    __uint128_t denominator);

#endif /* _SIM_TRUTH_H */
