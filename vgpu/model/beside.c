// SPDX-License-Identifier: GPL-2.0-only
/*
 * beside.c - registers that queries note beside reports: counters that no report has, and the
 * frequency of the GPU's clock.
 */
#include "beside.h"
#include "gen8_counters.h"
#include "gpu.h"
#include "oa_counters.h"
#include "select.h"

/* In the upper dword of a counter, above its value: what it counts */
#define PERFCNT_EVENT GENMASK(31, 12)
#define PERFCNT_VALUE GENMASK(11, 0)

static unsigned int perfcnt_number(u32 reg)
{
	return (reg - SIM_PERFCNT_FIRST) / sizeof(u64);
}

/**
 * sim_perfcnt_select - what these counters count
 * @oa: the unit that they belong to
 * @first: index of the first one
 * @selection: gets it
 *
 * At most one event in a clock. Nothing, if nothing is programmed.
 */
void sim_perfcnt_select(struct sim_oa *oa, unsigned int first, struct sim_selection *selection)
{
	unsigned int i;

	for (i = 0; i < SIM_N_PERFCNT; i++) {
		u32 reg = SIM_PERFCNT_FIRST + i * sizeof(u64) + sizeof(u32);
		u32 event = sim_mmio_peek(oa->gpu, reg) & PERFCNT_EVENT;

		if (event)
			selection->sources[first + i] =
				sim_source_of_hash(sim_hash(SIM_HASH_START, reg, event), 1);
	}
}

/**
 * sim_perfcnt_read - what one of their registers shows now
 * @oa: the unit that they belong to
 * @first: index of the first counter
 * @reg: MMIO offset
 * @value: what is stored there
 *
 * Return: half of a counter, with what it counts in the upper one
 */
u32 sim_perfcnt_read(struct sim_oa *oa, unsigned int first, u32 reg, u32 value)
{
	u64 count = sim_oa_counter(oa, first + perfcnt_number(reg));

	if (!(reg & 4))
		return lower_32_bits(count);

	return (value & PERFCNT_EVENT) | (upper_32_bits(count) & PERFCNT_VALUE);
}

/**
 * sim_rpstat_gen8 - the frequency of the GPU's clock, as gen8 shows it
 * @oa: the unit that sees the load
 *
 * Return: value of RPSTAT: steps of 50 MHz
 */
u32 sim_rpstat_gen8(struct sim_oa *oa)
{
	return FIELD_PREP(GENMASK(13, 7), sim_oa_mhz(oa) / 50);
}

/**
 * sim_rpstat_gen9 - the frequency of the GPU's clock, as gen9 to gen12 show it
 * @oa: the unit that sees the load
 *
 * Return: value of RPSTAT: steps of 50/3 MHz
 */
u32 sim_rpstat_gen9(struct sim_oa *oa)
{
	return FIELD_PREP(GENMASK(31, 23), sim_ratio(sim_oa_mhz(oa)));
}
