/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fraction.h - exact fractions of numbers of up to 128 bits.
 */
#ifndef _SIM_FRACTION_H
#define _SIM_FRACTION_H

#include "env.h"

struct seq_file;

__uint128_t sim_div(__uint128_t numerator, __uint128_t denominator);
void sim_put_metric(struct seq_file *m, const char *name, __uint128_t numerator,
		    __uint128_t denominator);

#endif /* _SIM_FRACTION_H */
