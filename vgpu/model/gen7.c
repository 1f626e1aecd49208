// SPDX-License-Identifier: GPL-2.0-only
/*
 * gen7.c - the OA unit of Haswell.
 */
#include "env.h"

#include <gen7_regs.h>

#include "gen7.h"
#include "gpu.h"
#include "oa.h"
#include "select.h"

#define WHOLE(signal_)                       \
	{                                    \
		SIM_##signal_, SIM_SHARE_ONE \
	}
#define PART(signal_, share_)         \
	{                             \
		SIM_##signal_, share_ \
	}
#define STAGE_ACTIVE(stage)                                  \
	{                                                    \
		SIM_STAGE_ACTIVE(SIM_##stage), SIM_SHARE_ONE \
	}
#define STAGE_STALL(stage)                                  \
	{                                                   \
		SIM_STAGE_STALL(SIM_##stage), SIM_SHARE_ONE \
	}
#define STAGE_THREADS(stage)                                  \
	{                                                     \
		SIM_STAGE_THREADS(SIM_##stage), SIM_SHARE_ONE \
	}
#define UNDOCUMENTED(n)                               \
	{                                             \
		SIM_UNDOCUMENTED + (n), SIM_SHARE_ONE \
	}

const struct sim_source gen7_a[GEN7_N_A] = {
	[0] = WHOLE(EU_ACTIVE),	   [1] = WHOLE(EU_STALL),     [2] = STAGE_ACTIVE(VS),
	[3] = STAGE_STALL(VS),	   [4] = UNDOCUMENTED(0),     [5] = STAGE_THREADS(VS),
	[6] = UNDOCUMENTED(1),	   [7] = STAGE_ACTIVE(HS),    [8] = STAGE_STALL(HS),
	[9] = UNDOCUMENTED(2),	   [10] = STAGE_THREADS(HS),  [11] = UNDOCUMENTED(3),
	[12] = STAGE_ACTIVE(DS),   [13] = STAGE_STALL(DS),    [14] = UNDOCUMENTED(4),
	[15] = STAGE_THREADS(DS),  [16] = UNDOCUMENTED(5),    [17] = STAGE_ACTIVE(CS),
	[18] = STAGE_STALL(CS),	   [19] = UNDOCUMENTED(6),    [20] = STAGE_THREADS(CS),
	[21] = UNDOCUMENTED(7),	   [22] = STAGE_ACTIVE(GS),   [23] = STAGE_STALL(GS),
	[24] = UNDOCUMENTED(8),	   [25] = STAGE_THREADS(GS),  [26] = UNDOCUMENTED(9),
	[27] = STAGE_ACTIVE(PS),   [28] = STAGE_STALL(PS),    [29] = UNDOCUMENTED(10),
	[30] = STAGE_THREADS(PS),  [31] = UNDOCUMENTED(11),   [32] = WHOLE(RASTERIZED),
	[33] = WHOLE(HIZ_FAILS),   [34] = UNDOCUMENTED(12),   [35] = WHOLE(EARLY_DEPTH_FAILS),
	[36] = WHOLE(PS_KILLED),   [37] = WHOLE(ALPHA_FAILS), [38] = WHOLE(STENCIL_FAILS),
	[39] = WHOLE(DEPTH_FAILS), [40] = WHOLE(WRITTEN),     [41] = WHOLE(GPU_BUSY),
	[42] = UNDOCUMENTED(13),   [43] = UNDOCUMENTED(14),   [44] = UNDOCUMENTED(15),
};

/*
 * The multiplexer is a network of hundreds of undocumented register fields. So it is not simulated;
 * instead, a configuration is recognized by its hash. To add one, program it and read its hash from
 * `mux` in debugfs.
 */
const struct gen7_set gen7_sets[] = {
	{
		.name = "RenderBasic",
		.mux = 0xdb03b0112d647e5e,
		.b = {
			WHOLE(SAMPLER0_BUSY), WHOLE(SAMPLER1_BUSY),
			WHOLE(SAMPLER0_BOTTLENECK), WHOLE(SAMPLER1_BOTTLENECK),
			WHOLE(SAMPLER0_TEXELS), WHOLE(SAMPLER1_TEXELS),
			WHOLE(SAMPLER0_L3), WHOLE(SAMPLER1_L3),
		},
		.c = {
			WHOLE(GTI_DEPTH), WHOLE(GTI_VF), WHOLE(CLOCK), WHOLE(GTI_RCC),
			WHOLE(GTI_L3), WHOLE(BLENDED), WHOLE(GTI_READS), WHOLE(GTI_WRITES),
		},
	},
	{
		.name = "ComputeBasic",
		.mux = 0x985cd2f8d86b3f92,
		.b = {
			PART(UNTYPED_READS, 131), PART(UNTYPED_READS, 125),
			PART(UNTYPED_WRITES, 130), PART(UNTYPED_WRITES, 126),
			PART(TYPED_READS, 129), PART(TYPED_READS, 127),
			PART(TYPED_WRITES, 133), PART(TYPED_WRITES, 123),
		},
		.c = {
			[0] = PART(TYPED_ATOMICS, 140), [1] = PART(TYPED_ATOMICS, 116),
			[2] = WHOLE(CLOCK),
			[4] = PART(SLM_WRITES, 132), [5] = PART(SLM_WRITES, 124),
			[6] = PART(SLM_READS, 134), [7] = PART(SLM_READS, 122),
		},
	},
	{
		.name = "ComputeExtended",
		.mux = 0x45c3f2b8e3c1cc1d,
		.cec = 0x8df4ad11c1b14933,
		.b = {
			PART(UNTYPED_READS, 512), PART(UNTYPED_WRITES, 480),
			PART(TYPED_READS, 640), PART(TYPED_WRITES, 600),
			PART(TYPED_ATOMICS, 60), PART(TYPED_ATOMICS, 250),
			PART(TYPED_ATOMICS, 20), WHOLE(CLOCK),
		},
		.c = {
			[0] = WHOLE(TYPED_WRITES), [1] = WHOLE(UNTYPED_WRITES),
			[2] = WHOLE(TYPED_READS), [3] = WHOLE(UNTYPED_READS),
			[4] = WHOLE(TYPED_ATOMICS),
		},
	},
	{
		.name = "MemoryReads",
		.mux = 0x2cf8321bf8febb4c,
		.cec = 0x828b72ebb8cd356d,
		.b = {
			PART(GTI_READS, 6), WHOLE(GTI_VF), PART(GTI_READS, 3), WHOLE(GTI_RCC),
			PART(GTI_RCC, 22), PART(GTI_DEPTH, 40), PART(GTI_DEPTH, 16),
			PART(GTI_DEPTH, 128),
		},
		.c = {
			[4] = WHOLE(GTI_L3), [5] = PART(GTI_READS, 512), [6] = PART(GTI_READS, 470),
			[7] = WHOLE(CLOCK),
		},
	},
	{
		.name = "MemoryWrites",
		.mux = 0x280c88285399ed04,
		.cec = 0x16d161ec142ecafd,
		.b = {
			PART(GTI_WRITES, 4), PART(GTI_WRITES, 2), PART(GTI_WRITES, 9),
			PART(GTI_RCC, 200), PART(GTI_RCC, 18), PART(GTI_DEPTH, 33),
			PART(GTI_DEPTH, 13), PART(GTI_DEPTH, 100),
		},
		.c = {
			[4] = PART(GTI_L3, 88), [5] = WHOLE(GTI_WRITES),
			[6] = PART(GTI_WRITES, 120),
			[7] = WHOLE(CLOCK),
		},
	},
	{
		.name = "SamplerBalance",
		.mux = 0xf61f3c0f348979a5,
		.b = { [7] = WHOLE(CLOCK) },
		.c = {
			[4] = PART(SAMPLER_L2_MISSES, 60), [5] = PART(SAMPLER_L2_MISSES, 66),
			[6] = PART(SAMPLER_L2_MISSES, 63), [7] = PART(SAMPLER_L2_MISSES, 67),
		},
	},
	{
		/* gpuoa's test configuration: it only enables the multiplexer. */
		.name = "TestOa",
		.mux = 0xd9b88096c83b8ad,
		.c = { [2] = WHOLE(CLOCK) },
	},
};

const unsigned int gen7_n_sets = ARRAY_SIZE(gen7_sets);

/* OASTARTTRIG2/6: bits that make a B counter count comparator results instead of a signal */
#define STARTTRIG_EVENT_SELECT(counter) BIT(28 + (counter) % 4)

static u64 gen7_cec_hash(const u32 *cec)
{
	const u32 cec0_0 = 0x2770;
	u64 hash = SIM_HASH_START;
	unsigned int i;

	for (i = 0; i < 2 * SIM_N_CECS; i++)
		hash = sim_hash(hash, cec0_0 + 4 * i, cec[i]);
	return hash;
}

/**
 * gen7_select_nothing() - Set the sources of an unconfigured unit.
 * @selection: set to the sources
 *
 * A counters always count.
 */
static void gen7_select_nothing(struct sim_selection *selection)
{
	memcpy(&selection->sources[GEN7_A], gen7_a, sizeof(gen7_a));
}

static const struct gen7_set *gen7_find(u64 mux)
{
	unsigned int i;

	for (i = 0; i < gen7_n_sets; i++)
		if (gen7_sets[i].mux == mux)
			return &gen7_sets[i];
	return NULL;
}

/**
 * gen7_select() - Set the sources of a configured unit.
 * @mux: hash of the multiplexer writes
 * @boolean: registers of the boolean counters
 * @selection: set to the sources
 *
 * Metric sets with comparators apply them to signals that are not simulated. The result is known
 * only for the set's own comparator program. Any other program counts clocks, as the test
 * configurations do.
 */
void gen7_select(u64 mux, const struct gen7_boolean *boolean, struct sim_selection *selection)
{
	const struct gen7_set *set = gen7_find(mux);
	bool known = set && set->cec == gen7_cec_hash(boolean->cec);
	unsigned int i;

	gen7_select_nothing(selection);
	sim_cec_patterns(boolean->cec, selection->patterns);
	for (i = 0; i < SIM_N_B; i++) {
		u32 trigger = i < 4 ? boolean->starttrig2 : boolean->starttrig6;
		bool event = trigger & STARTTRIG_EVENT_SELECT(i);

		if (event && !known)
			selection->compared |= BIT(i);
		else if (set && event == !!set->cec)
			selection->sources[GEN7_B + i] = set->b[i];
	}
	if (set)
		memcpy(&selection->sources[GEN7_C], set->c, sizeof(set->c));
	if (set || selection->compared)
		selection->name = set ? set->name : "unknown";
}

const struct sim_bank gen7_banks[] = {
	{ "A", GEN7_A, GEN7_N_A },
	{ "B", GEN7_B, SIM_N_B },
	{ "C", GEN7_C, SIM_N_C },
	{ "PERFCNT", GEN7_PERFCNT, SIM_N_PERFCNT },
};

#define GEN7_FORMAT(size_, ...)                                               \
	{                                                                     \
		.size = (size_), .word = sizeof(u32), .runs = { __VA_ARGS__ } \
	}

/*
 * The offsets of A29_B8_C8, of the A counters of B4_C8_A16 and of the B counters of C4_B8 are
 * undocumented and inferred from the other formats.
 */
const struct sim_format gen7_formats[8] = {
	/* A13 */
	GEN7_FORMAT(64, { GEN7_A, 13, 32, 12 }),
	/* A29 */
	GEN7_FORMAT(128, { GEN7_A, 29, 32, 12 }),
	/* A13_B8_C8 */
	GEN7_FORMAT(128, { GEN7_A, 13, 32, 12 }, { GEN7_B, 8, 32, 64 }, { GEN7_C, 8, 32, 96 }),
	/* A29_B8_C8 */
	GEN7_FORMAT(192, { GEN7_A, 29, 32, 12 }, { GEN7_B, 8, 32, 128 }, { GEN7_C, 8, 32, 160 }),
	/* B4_C8 */
	GEN7_FORMAT(64, { GEN7_B, 4, 32, 16 }, { GEN7_C, 8, 32, 32 }),
	/* A45_B8_C8 */
	GEN7_FORMAT(256, { GEN7_A, 45, 32, 12 }, { GEN7_B, 8, 32, 192 }, { GEN7_C, 8, 32, 224 }),
	/* B4_C8_A16 */
	GEN7_FORMAT(128, { GEN7_B, 4, 32, 16 }, { GEN7_C, 8, 32, 32 }, { GEN7_A + 29, 16, 32, 64 }),
	/* C4_B8 */
	GEN7_FORMAT(64, { GEN7_C, 4, 32, 16 }, { GEN7_B, 8, 32, 32 }),
};

/* Timer reports have an arbitrary nonzero id without a reason. */
#define GEN7_REPORT_ID 0x00080000

const struct sim_register_range sim_ranges_gen7[] = {
	{ 0x20cc, 0x20cc, SIM_REG_MASKED, ~0 }, /* WAIT_FOR_RC6_EXIT */
	{ RCS_TIMESTAMP, RCS_TIMESTAMP_UDW, SIM_REG_OA, 0 },
	{ OACONTROL, OASTATUS1, SIM_REG_OA | SIM_REG_VOLATILE, ~0 },
	{ OASTATUS2, OASTATUS2, SIM_REG_OA | SIM_REG_VOLATILE, OASTATUS2_HEAD | OASTATUS2_GGTT },
	{ OABUFFER, OABUFFER, SIM_REG_OA | SIM_REG_VOLATILE, OABUFFER_BASE | GENMASK(3, 0) },
	{ 0x2710, 0x2710, SIM_REG_OA | SIM_REG_VOLATILE, GENMASK(15, 0) }, /* STARTTRIG1 */
	{ OASTARTTRIG2, OASTARTTRIG2, SIM_REG_OA | SIM_REG_VOLATILE, (u32)~BIT(24) },
	{ 0x2718, 0x271c, SIM_REG_OA | SIM_REG_VOLATILE, ~0 },
	{ 0x2720, 0x2720, SIM_REG_OA | SIM_REG_VOLATILE, GENMASK(15, 0) }, /* STARTTRIG5 */
	{ OASTARTTRIG6, OASTARTTRIG6, SIM_REG_OA | SIM_REG_VOLATILE, (u32)~BIT(24) },
	{ 0x2728, 0x272c, SIM_REG_OA | SIM_REG_VOLATILE, ~0 },
	{ 0x2740, 0x275c, SIM_REG_OA | SIM_REG_VOLATILE, ~0 }, /* REPORTTRIG1..8 */
	{ CEC0_0, 0x27ac, SIM_REG_OA | SIM_REG_VOLATILE, ~0 },
	{ 0x91b8, 0x91cc, SIM_REG_MUX | SIM_REG_OA, ~0 }, /* OA_PERFCNT1..3 */
	{ UCGCTL1, UCGCTL1, SIM_REG_OA, ~0 },
	{ MISCCPCTL, MISCCPCTL, SIM_REG_OA, ~0 },
	{ 0x9800, 0x9888, SIM_REG_MUX | SIM_REG_OA, ~0 }, /* MICRO_BP0_0 .. NOA_WRITE */
	{ 0x9e80, 0x9ea4, SIM_REG_MUX | SIM_REG_OA, ~0 }, /* HSW_MBVID2_NOA0..9 */
	{ 0x9ec0, 0x9ec0, SIM_REG_MUX | SIM_REG_OA, ~0 }, /* HSW_MBVID2_MISR0 */
	{ 0xe180, 0xe180, SIM_REG_MASKED, ~0 }, /* HALF_SLICE_CHICKEN2 */
	{ 0x25100, 0x2ff90, SIM_REG_MUX | SIM_REG_OA, ~0 }, /* render NOA */
	{},
};

/*
 * Values after a reset: clock gating is enabled. In each of these registers, a bit that the OA
 * driver does not own is set as well, so that tests detect a driver that does not preserve it.
 */
const struct sim_register_value sim_reset_gen7[] = {
	{ UCGCTL1, BIT(5) },
	{ MISCCPCTL, DOP_CLOCK_GATE_ENABLE | BIT(1) },
	{},
};

/* Get the location of the buffer from the registers. The size is a field of the tail register. */
static struct sim_oa_buffer gen7_buffer(const struct sim_oa *oa)
{
	u32 oastatus1 = sim_mmio_peek(oa->gpu, OASTATUS1);

	return (struct sim_oa_buffer){
		.base = sim_mmio_peek(oa->gpu, OABUFFER) & OABUFFER_BASE,
		.size = SZ_128K << FIELD_GET(OASTATUS1_BUFFER_SIZE, oastatus1),
		.ggtt = sim_mmio_peek(oa->gpu, OASTATUS2) & OASTATUS2_GGTT,
	};
}

static void gen7_write_tail(struct sim_oa *oa, u32 value)
{
	const struct sim_oa_buffer buffer = gen7_buffer(oa);

	oa->status = value & OASTATUS1_STATUS;
	sim_oa_place(oa, &buffer);
	sim_oa_write_tail(oa, value & OASTATUS1_TAIL);
}

static void gen7_write_control(struct sim_oa *oa, u32 value)
{
	struct sim_oa_run run = {
		.format = &gen7_formats[FIELD_GET(OACONTROL_FORMAT, value)],
		.timer = value & OACONTROL_TIMER_ENABLE,
		.exponent = FIELD_GET(OACONTROL_TIMER_PERIOD, value),
		.stream = SIM_GLOBAL,
	};
	int slot;

	if (!(value & OACONTROL_ENABLE)) {
		sim_oa_stop(oa);
		return;
	}
	if (value & OACONTROL_PER_CONTEXT_ENABLE) {
		/* A context that does not exist never runs. */
		slot = sim_slot_find(oa->gpu, value & OACONTROL_CONTEXT);
		run.timer &= slot >= 0;
		run.stream = slot < 0 ? SIM_NOBODY : slot;
	}
	sim_oa_start(oa, &run);
}

/*
 * Each configuration begins by enabling NOA. A driver may or may not disable it first, depending on
 * whether the preceding configuration enabled it.
 */
static void gen7_write_mux(struct sim_oa *oa, u32 reg, u32 value, u32 before)
{
	bool on = value & GT_NOA_ENABLE;

	if (reg == GDT_CHICKEN_BITS && !(on && before & GT_NOA_ENABLE))
		sim_oa_write_mux(oa, reg, value, true);
	if (reg != GDT_CHICKEN_BITS || on)
		sim_oa_write_mux(oa, reg, value, false);
}

static void gen7_written(struct sim_oa *oa, u32 reg, u32 value, u32 before, u32 flags)
{
	const struct sim_oa_buffer buffer = gen7_buffer(oa);

	switch (reg) {
	case OACONTROL:
		gen7_write_control(oa, value);
		break;
	case OASTATUS1:
		gen7_write_tail(oa, value);
		break;
	case OASTATUS2:
		sim_oa_write_head(oa, value & OASTATUS2_HEAD);
		break;
	case OABUFFER:
		sim_oa_write_buffer(oa, &buffer);
		break;
	default:
		if (flags & SIM_REG_MUX)
			gen7_write_mux(oa, reg, value, before);
		oa->stale = true;
	}
}

static u32 gen7_read(struct sim_oa *oa, u32 reg, u32 value)
{
	switch (reg) {
	case OASTATUS1:
		return (oa->base + sim_oa_tail(oa)) | (value & OASTATUS1_BUFFER_SIZE) |
		       oa->status;
	case RCS_TIMESTAMP:
		return lower_32_bits(sim_oa_timestamp(oa));
	case RCS_TIMESTAMP_UDW:
		return upper_32_bits(sim_oa_timestamp(oa));
	case SIM_PERFCNT_FIRST ... SIM_PERFCNT_LAST:
		return sim_perfcnt_read(oa, GEN7_PERFCNT, reg, value);
	default:
		return value;
	}
}

/* B and C counters do not count while clocks are gated or NOA is disabled. */
static void gen7_select_now(struct sim_oa *oa, struct sim_selection *selection)
{
	struct sim_gpu *gpu = oa->gpu;
	struct gen7_boolean boolean;
	unsigned int i;

	if (sim_mmio_peek(gpu, MISCCPCTL) & DOP_CLOCK_GATE_ENABLE ||
	    !(sim_mmio_peek(gpu, UCGCTL1) & CS_UNIT_CLOCK_GATE_DISABLE) ||
	    !(sim_mmio_peek(gpu, GDT_CHICKEN_BITS) & GT_NOA_ENABLE)) {
		gen7_select_nothing(selection);
		return;
	}

	boolean.starttrig2 = sim_mmio_peek(gpu, OASTARTTRIG2);
	boolean.starttrig6 = sim_mmio_peek(gpu, OASTARTTRIG6);
	for (i = 0; i < ARRAY_SIZE(boolean.cec); i++)
		boolean.cec[i] = sim_mmio_peek(gpu, CEC0_0 + i * sizeof(u32));
	gen7_select(oa->mux, &boolean, selection);
	sim_perfcnt_select(oa, GEN7_PERFCNT, selection);
}

/* Haswell has timer reports only. */
static u32 gen7_reasons(const struct sim_oa *oa)
{
	return 0;
}

static void gen7_fill_header(struct sim_oa *oa, u32 reasons, u32 context)
{
	oa->report[0] = GEN7_REPORT_ID;
}

const struct sim_oa_ops sim_oa_gen7 = {
	.banks = gen7_banks,
	.n_banks = ARRAY_SIZE(gen7_banks),
	.n_counters = GEN7_N_COUNTERS,
	.first_b = GEN7_B,
	.default_format = &gen7_formats[5],
	.filters = true,
	.splits = true,
	.read = gen7_read,
	.written = gen7_written,
	.select = gen7_select_now,
	.reasons = gen7_reasons,
	.fill_header = gen7_fill_header,
};
