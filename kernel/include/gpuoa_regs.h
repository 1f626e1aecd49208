/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gpuoa_regs.h - registers common to several generations, for the backends and the simulator.
 *
 * Names and bits are those of the PRMs and of drivers/gpu/drm/i915 and xe.
 */
#ifndef _GPUOA_REGS_H
#define _GPUOA_REGS_H

#include <linux/bits.h>
#include <linux/log2.h>
#include <linux/sizes.h>

/* Masked registers: the upper half of the written value selects the bits to change. */
#define MASKED_SET(bits) ((bits) << 16 | (bits))
#define MASKED_CLEAR(bits) ((bits) << 16)

/*
 * Convert a buffer size to the size field of OABUFFER (gen7: OASTATUS1). Sizes are 128 KiB..16 MiB
 * or, if OA_DEBUG selects large sizes, 1 MiB..128 MiB.
 */
static inline u32 oabuffer_size_code(u32 size)
{
	return ilog2(size > SZ_16M ? size / SZ_1M : size / SZ_128K);
}

/* The NOA network */
#define NOA_WRITE 0x9888
#define GDT_CHICKEN_BITS 0x9840
#define GT_NOA_ENABLE BIT(7)
#define RPM_CONFIG1 0x0d04
#define RPM_CONFIG1_NOA_ENABLE BIT(9) /* gen10 and later */

#define HALF_SLICE_CHICKEN2 0xe180
#define ST_PO_DISABLE BIT(13)
#define WAIT_FOR_RC6_EXIT 0x20cc
#define WAIT_FOR_RC6_EXIT_ENABLE BIT(0)

/* Flexible EU counters: events of A7..A20, in the render context's state (gen8 and later) */
#define EU_PERF_CNTL0 0xe458
#define EU_PERF_CNTL1 0xe558
#define EU_PERF_CNTL2 0xe658
#define EU_PERF_CNTL3 0xe758
#define EU_PERF_CNTL4 0xe45c
#define EU_PERF_CNTL5 0xe55c
#define EU_PERF_CNTL6 0xe65c

/* Report id of automatic reports, gen8 and later */
#define REPORT_ID_UNSLICE_RATIO GENMASK(8, 0) /* in steps of 100/6 MHz */
#define REPORT_ID_CONTEXT_VALID BIT(16) /* gen9 and later */
#define GEN8_REPORT_ID_CONTEXT_VALID BIT(25)
#define REPORT_ID_REASON GENMASK(24, 19)
#define GEN12_5_REPORT_ID_REASON GENMASK(25, 19)
#define GEN12_5_REPORT_ID_SOURCE GENMASK(31, 26)
#define REPORT_SOURCE_RCS 8
#define REPORT_SOURCE_CCS 9
#define REPORT_SOURCE_BCS 10

#endif /* _GPUOA_REGS_H */
