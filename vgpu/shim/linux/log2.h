/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log2.h - logarithms, under their kernel names.
 */
#ifndef _SIM_HOST_LOG2_H
#define _SIM_HOST_LOG2_H

#define ilog2(n) (63 - __builtin_clzll(n))

#endif /* _SIM_HOST_LOG2_H */
