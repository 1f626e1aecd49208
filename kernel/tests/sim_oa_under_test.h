/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sim_oa_under_test.h - the world in which the suites see the simulated OA unit.
 */
#ifndef _SIM_OA_UNDER_TEST_H
#define _SIM_OA_UNDER_TEST_H

#include <linux/sizes.h>
#include <linux/types.h>

/* There is memory at one address, and one context. */
#define SIM_TEST_BUFFER 0x2000000
#define SIM_TEST_BUFFER_SIZE SZ_128K
#define SIM_TEST_CONTEXT 0x1234000
#define SIM_TEST_SLOT 2

extern u64 sim_test_now;
extern u8 *sim_test_memory;

/* Number of interrupts of buffers that have become half full */
extern unsigned int sim_test_interrupts;

#endif /* _SIM_OA_UNDER_TEST_H */
