/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sizes.h - sizes, under their kernel names.
 */
#ifndef _SIM_HOST_SIZES_H
#define _SIM_HOST_SIZES_H

#define SZ_4K 0x1000
#define SZ_64K 0x10000
#define SZ_128K 0x20000
#define SZ_256K 0x40000
#define SZ_1M 0x100000
#define SZ_2M 0x200000
#define SZ_4M 0x400000
#define SZ_8M 0x800000
#define SZ_16M 0x1000000
#define SZ_1G 0x40000000

#endif /* _SIM_HOST_SIZES_H */
