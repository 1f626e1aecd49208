// SPDX-License-Identifier: GPL-2.0-only
/*
 * sim_oa_under_test.c - the simulated OA unit once more, in a world whose time the suites tell.
 */
/* First: it has a pr_fmt(). */
#include "../sim/sim_platforms.c"

#include "../sim/gen12_oa.c"
#include "../sim/gen7_oa.c"
#include "../sim/gen8_counters.c"
#include "../sim/gen8_oa.c"
#include "../sim/oam_oa.c"
#include "../sim/sim_mmio.c"
#include "../sim/sim_oa.c"
#include "../sim/xe2_oa.c"
#include "sim_oa_under_test.h"

u64 sim_test_now;
u8 *sim_test_memory;

unsigned int sim_test_interrupts;

u64 sim_now(const struct sim_gpu *gpu)
{
	return sim_test_now;
}

u8 *sim_ggtt_find(const struct sim_gpu *gpu, u64 address, u64 size)
{
	return address == SIM_TEST_BUFFER && size <= SIM_TEST_BUFFER_SIZE ? sim_test_memory : NULL;
}

int sim_slot_find(const struct sim_gpu *gpu, u32 hw_id)
{
	return hw_id == SIM_TEST_CONTEXT ? SIM_TEST_SLOT : -1;
}

u32 sim_slot_context(const struct sim_gpu *gpu, unsigned int slot)
{
	return slot < SIM_N_SLOTS ? (slot + 1) << 7 : 0;
}

void sim_half_full_expect(struct sim_oa *oa)
{
}

void sim_half_full_interrupt(struct sim_oa *oa)
{
	sim_test_interrupts++;
}

void sim_gpu_advance(struct sim_gpu *gpu)
{
	unsigned int i;

	for (i = 0; i < gpu->n_oa; i++)
		sim_oa_advance(&gpu->oa[i], sim_test_now);
}
