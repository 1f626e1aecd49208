/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gen7_truth.h - reference values of Haswell's RenderBasic metrics.
 */
#ifndef _GEN7_TRUTH_H
#define _GEN7_TRUTH_H

#include "env.h"

struct gpuoa_unit_desc;
struct seq_file;

void gen7_print_metrics(struct seq_file *m, const struct gpuoa_unit_desc *desc, u64 ticks,
			const __uint128_t *from, const __uint128_t *to);

#endif /* _GEN7_TRUTH_H */
