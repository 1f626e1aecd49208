/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gen7_regs.h - registers of Haswell's OA unit, for the backend and the simulator.
 *
 * Names and bits are those of the Haswell PRM and of drivers/gpu/drm/i915.
 */
#ifndef _GEN7_REGS_H
#define _GEN7_REGS_H

#include <linux/bits.h>

#include <gpuoa_regs.h>

#define RCS_TIMESTAMP 0x2358
#define RCS_TIMESTAMP_UDW 0x235c

#define OACONTROL 0x2360
#define OACONTROL_CONTEXT GENMASK(31, 12)
#define OACONTROL_TIMER_PERIOD GENMASK(11, 6)
#define OACONTROL_TIMER_ENABLE BIT(5)
#define OACONTROL_FORMAT GENMASK(4, 2)
#define OACONTROL_PER_CONTEXT_ENABLE BIT(1)
#define OACONTROL_ENABLE BIT(0)

#define OASTATUS1 0x2364
#define OASTATUS1_TAIL GENMASK(31, 6)
#define OASTATUS1_BUFFER_SIZE GENMASK(5, 3)
#define OASTATUS1_COUNTER_OVERFLOW BIT(2)
#define OASTATUS1_BUFFER_OVERFLOW BIT(1)
#define OASTATUS1_REPORT_LOST BIT(0)
#define OASTATUS1_STATUS GENMASK(2, 0)

#define OASTATUS2 0x2368
#define OASTATUS2_HEAD GENMASK(31, 6)
#define OASTATUS2_GGTT BIT(0)

#define OABUFFER 0x23b0
#define OABUFFER_BASE GENMASK(31, 6)

#define OASTARTTRIG1 0x2710
#define OASTARTTRIG2 0x2714
#define OASTARTTRIG6 0x2724
#define CEC0_0 0x2770

#define UCGCTL1 0x9400
#define CS_UNIT_CLOCK_GATE_DISABLE BIT(7)

#define MISCCPCTL 0x9424
#define DOP_CLOCK_GATE_ENABLE BIT(0)

#endif /* _GEN7_REGS_H */
