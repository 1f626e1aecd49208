// SPDX-License-Identifier: GPL-2.0-only
/*
 * gen8_counters.c - what the counters of gen8 to gen12.7 count, and where reports of gen8 to
 * gen12.0 have them.
 */
#include "env.h"

#include <gpuoa_regs.h>

#include "gen8_counters.h"
#include "gpu.h"
#include "select.h"

#define WHOLE(signal_) { SIM_ ## signal_, SIM_SHARE_ONE }
#define PART(signal_, share_) { SIM_ ## signal_, share_ }
#define STAGE_THREADS(stage) { SIM_STAGE_THREADS(SIM_ ## stage), SIM_SHARE_ONE }
#define UNDOCUMENTED(n) { SIM_UNDOCUMENTED + (n), SIM_SHARE_ONE }

const struct sim_bank gen8_banks[GEN8_N_BANKS] = {
	{ "A", GEN8_A, GEN8_N_A },
	{ "B", GEN8_B, SIM_N_B },
	{ "C", GEN8_C, SIM_N_C },
	{ "clock", GEN8_CLOCK, 1 },
	{ "PERFCNT", GEN8_PERFCNT, SIM_N_PERFCNT },
};

/* A7..A20 are the flexible EU counters. Pixels are counted in quads. */
#define GEN8_FLEX 7
#define GEN8_N_FLEX 14

static const struct sim_source gen8_a[GEN8_N_A] = {
	[0] = WHOLE(GPU_BUSY),
	[1] = STAGE_THREADS(VS),
	[2] = STAGE_THREADS(HS),
	[3] = STAGE_THREADS(DS),
	[4] = STAGE_THREADS(CS),
	[5] = STAGE_THREADS(GS),
	[6] = STAGE_THREADS(PS),
	[21] = PART(RASTERIZED, SIM_SHARE_ONE / 4),
	[22] = PART(HIZ_FAILS, SIM_SHARE_ONE / 4),
	[23] = PART(EARLY_DEPTH_FAILS, SIM_SHARE_ONE / 4),
	[24] = PART(PS_KILLED, SIM_SHARE_ONE / 4),
	[25] = PART(DEPTH_FAILS, SIM_SHARE_ONE / 4),
	[26] = PART(WRITTEN, SIM_SHARE_ONE / 4),
	[27] = PART(BLENDED, SIM_SHARE_ONE / 4),
	[28] = WHOLE(SAMPLER0_TEXELS),
	[29] = WHOLE(SAMPLER_L2_MISSES),
	[30] = WHOLE(SLM_READS),
	[31] = WHOLE(SLM_WRITES),
	[32] = WHOLE(UNTYPED_READS),
	[33] = WHOLE(TYPED_ATOMICS),
	[34] = WHOLE(GTI_L3),
	[35] = UNDOCUMENTED(0),
	[36] = UNDOCUMENTED(1),
	[37] = UNDOCUMENTED(2),
};

/*
 * Each of these registers has two events, of twelve bits each; and above them from gen12.5 on, for
 * each of the two, the uppermost bit of its number.
 */
#define FLEX_EVENT_BITS 12
#define FLEX_UPPER_BITS 24

static const u32 flex_regs[GEN8_N_FLEX / 2] = {
	EU_PERF_CNTL0, EU_PERF_CNTL1, EU_PERF_CNTL2, EU_PERF_CNTL3,
	EU_PERF_CNTL4, EU_PERF_CNTL5, EU_PERF_CNTL6,
};

static void select_a(struct sim_oa *oa, struct sim_selection *selection, bool has_upper)
{
	struct sim_source *a = &selection->sources[GEN8_A];
	unsigned int i;

	memcpy(a, gen8_a, sizeof(gen8_a));
	for (i = 0; i < GEN8_N_FLEX; i++) {
		u32 events = sim_mmio_peek(oa->gpu, flex_regs[i / 2]);
		u32 event = events >> FLEX_EVENT_BITS * (i % 2) & GENMASK(FLEX_EVENT_BITS - 1, 0);

		if (has_upper && events & BIT(FLEX_UPPER_BITS + i % 2))
			event |= SIM_EU_EVENT_UPPER;
		a[GEN8_FLEX + i] = sim_source_of_eu_event(event);
	}
	selection->sources[GEN8_CLOCK] = (struct sim_source){ SIM_CLOCK, SIM_SHARE_ONE };
}

/**
 * gen8_select_a - what A counters and the clock count up to gen12.0
 * @oa: the unit
 * @selection: gets it
 *
 * The A counters and the clock count whatever is programmed.
 */
void gen8_select_a(struct sim_oa *oa, struct sim_selection *selection)
{
	select_a(oa, selection, false);
}

/**
 * gen12_5_select_a - what A counters and the clock count from gen12.5 on
 * @oa: the unit
 * @selection: gets it
 */
void gen12_5_select_a(struct sim_oa *oa, struct sim_selection *selection)
{
	select_a(oa, selection, true);
}

/* OASTARTTRIG2/6: bits that make a B counter count what its comparator says instead of a signal */
#define STARTTRIG_EVENT_SELECT(counter) BIT(28 + (counter) % 4)

/*
 * B counters of a test configuration count comparisons of the clock. So do those of others whose
 * comparators need not look at what the multiplexer shows.
 */
static void select_comparisons(struct sim_oa *oa, const struct sim_boolean_regs *regs,
			       const u32 *cec, struct sim_selection *selection)
{
	u32 triggers[] = {
		sim_mmio_peek(oa->gpu, regs->starttrig2),
		sim_mmio_peek(oa->gpu, regs->starttrig6),
	};
	bool test = sim_cec_is_test(cec);
	u8 certain = test ? U8_MAX : sim_cec_certain(cec);
	unsigned int i;

	if (test)
		selection->name = "TestOa";
	sim_cec_patterns(cec, selection->patterns);
	for (i = 0; i < SIM_N_B; i++)
		if (triggers[i / 4] & STARTTRIG_EVENT_SELECT(i) && certain & BIT(i))
			selection->compared |= BIT(i);
}

/**
 * sim_select_boolean - what B and C counters count
 * @oa: the unit
 * @regs: where the registers are that decide
 * @first: index of B0
 * @selection: gets it
 *
 * What B and C counters count, of which @first is the index of the first: a matter of the
 * multiplexer and of all that is programmed to compare its signals. Nothing, if nothing is.
 */
void sim_select_boolean(struct sim_oa *oa, const struct sim_boolean_regs *regs, unsigned int first,
			struct sim_selection *selection)
{
	u32 cec[2 * SIM_N_CECS], any = 0;
	u64 hash = selection->hash;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cec); i++) {
		cec[i] = sim_mmio_peek(oa->gpu, regs->cec + i * sizeof(u32));
		hash = sim_hash(hash, i, cec[i]);
		any |= cec[i];
	}
	if (selection->hash == SIM_HASH_START && !any)
		return;

	selection->name = "configured";
	for (i = 0; i < SIM_N_B + SIM_N_C; i++)
		selection->sources[first + i] =
			sim_source_of_hash(sim_hash(hash, i, 0), oa->ops->mux_clocks);
	select_comparisons(oa, regs, cec, selection);
}

#define GEN8_FORMAT(size_, ...) \
	{ .size = (size_), .word = sizeof(u32), .runs = { { GEN8_CLOCK, 1, 32, 12 }, __VA_ARGS__ } }

/*
 * In A12 and A12_B8_C8, A7 to A18 fill what lies between the header of 16 bytes and byte 64, to the
 * last byte. The format tables of intel-gpu-tools (tests/intel/perf.c) have A7 at byte 12, as on
 * Haswell, but its test of these formats takes the GPU's clock from there, and on real GPUs the B
 * counters of TestOa agree with that clock. So what begins there is not A7.
 */
const struct sim_format gen8_formats[8] = {
	/* A12 */
	[0] = GEN8_FORMAT(64, { GEN8_A + 7, 12, 32, 16 }),
	/* A12_B8_C8 */
	[2] = GEN8_FORMAT(128, { GEN8_A + 7, 12, 32, 16 }, { GEN8_B, 8, 32, 64 },
			  { GEN8_C, 8, 32, 96 }),
	/* A32u40_A4u32_B8_C8 */
	[5] = GEN8_FORMAT(256, { GEN8_A, 32, 40, 16, 160 }, { GEN8_A + 32, 4, 32, 144 },
			  { GEN8_B, 8, 32, 192 }, { GEN8_C, 8, 32, 224 }),
	/* C4_B8 */
	[7] = GEN8_FORMAT(64, { GEN8_C, 4, 32, 16 }, { GEN8_B, 8, 32, 32 }),
};
