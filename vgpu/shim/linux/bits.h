/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bits.h - bit masks, under their kernel names.
 */
#ifndef _SIM_HOST_BITS_H
#define _SIM_HOST_BITS_H

#define BIT(n) (1UL << (n))
#define GENMASK(high, low) (~0UL << (low) & ~0UL >> (63 - (high)))
#define BIT_ULL(n) (1ULL << (n))
#define GENMASK_ULL(high, low) (~0ULL << (low) & ~0ULL >> (63 - (high)))

#endif /* _SIM_HOST_BITS_H */
