// SPDX-License-Identifier: GPL-2.0-only
/*
 * sim_select.c - what counters count where registers whose meaning nobody documents decide: pure
 * logic.
 */
#include <linux/kernel.h>

#include "sim_oa.h"

/**
 * DOC: Hashes instead of networks
 *
 * The NOA multiplexer is a network of hundreds of register fields, and the events that PEC counters
 * take are numbers without names. So they are not simulated: a hash of what was programmed picks a
 * signal and a share of it. That is as exact as any other meaning, it differs between sets, and a
 * driver that programs something else, or in another order, gets other counts.
 */

/* FNV-1a, a register and a value at a time. */
u64 sim_hash(u64 hash, u32 reg, u32 value)
{
	const u64 prime = 0x100000001b3;

	return ((hash ^ reg) * prime ^ value) * prime;
}

/*
 * Signals that go up at most once in a clock, so that what a metric shows as a share of clocks
 * stays one.
 */
static const u8 unit_signals[] = {
	SIM_GPU_BUSY,
	SIM_SAMPLER0_BUSY,
	SIM_SAMPLER1_BUSY,
	SIM_SAMPLER0_BOTTLENECK,
	SIM_SAMPLER1_BOTTLENECK,
	SIM_SAMPLER0_TEXELS,
	SIM_SAMPLER1_TEXELS,
	SIM_SAMPLER0_L3,
	SIM_GTI_DEPTH,
	SIM_GTI_VF,
	SIM_GTI_RCC,
	SIM_GTI_L3,
	SIM_GTI_READS,
	SIM_GTI_WRITES,
	SIM_UNTYPED_READS,
	SIM_SLM_READS,
};

/* A signal and at least a sixteenth of it. */
struct sim_source sim_source_of_hash(u64 hash)
{
	hash ^= hash >> 29;
	return (struct sim_source) {
		.signal = unit_signals[hash % ARRAY_SIZE(unit_signals)],
		.share = SIM_SHARE_ONE / 16 + (hash >> 16) % (SIM_SHARE_ONE * 15 / 16),
	};
}

/*
 * Events of flexible EU counters. The low four bits say what: a pipe at work (0, 1, 2, both FPUs
 * 3), a thread executing (4), all threads waiting (5). The next four say for which stage: 0 all.
 */
struct sim_source sim_source_of_eu_event(u32 event)
{
	static const u16 shares[] = { 160, 96, 40, 64, SIM_SHARE_ONE, SIM_SHARE_ONE };
	static const u8 stages[] = { SIM_VS, SIM_HS, SIM_DS, SIM_CS, SIM_PS, SIM_GS };
	unsigned int what = event & 0xf, whose = event >> 4 & 0xf;
	struct sim_source source = { .signal = SIM_EU_ACTIVE };

	source.share = what < ARRAY_SIZE(shares) ? shares[what] : SIM_SHARE_ONE / 8;
	if (what == 5)
		source.signal = SIM_EU_STALL;
	if (whose && whose <= ARRAY_SIZE(stages))
		source.signal = what == 5 ? SIM_STAGE_STALL(stages[whose - 1]) :
					    SIM_STAGE_ACTIVE(stages[whose - 1]);
	return source;
}

/*
 * Are the comparators (CEC0_0, CEC0_1, CEC1_0, ...) programmed as the test configurations of all
 * generations do it, but for masks that make no difference? These make the multiplexer show them
 * the clock count.
 */
bool sim_cec_is_test(const u32 *registers)
{
	static const u32 test[SIM_N_CECS] = {
		0x000004, 0x000003, 0x000007, 0x100002, 0x100002, 0x100082, 0x1000c2, 0x100001,
	};
	unsigned int i;

	for (i = 0; i < SIM_N_CECS; i++)
		if (registers[2 * i] != test[i])
			return false;
	return true;
}
