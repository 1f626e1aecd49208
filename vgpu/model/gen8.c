// SPDX-License-Identifier: GPL-2.0-only
/*
 * gen8.c - the OA units of gen8 to gen11.
 */
#include "env.h"

#include <gen7_regs.h>
#include <gen8_regs.h>
#include <gpuoa_regs.h>

#include "gen8.h"
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
#define STAGE_THREADS(stage)                                  \
	{                                                     \
		SIM_STAGE_THREADS(SIM_##stage), SIM_SHARE_ONE \
	}
#define UNDOCUMENTED(n)                               \
	{                                             \
		SIM_UNDOCUMENTED + (n), SIM_SHARE_ONE \
	}

const struct sim_bank gen8_banks[GEN8_N_BANKS] = {
	{ "A", GEN8_A, GEN8_N_A },
	{ "B", GEN8_B, SIM_N_B },
	{ "C", GEN8_C, SIM_N_C },
	{ "clock", GEN8_CLOCK, 1 },
	{ "PERFCNT", GEN8_PERFCNT, SIM_N_PERFCNT },
};

/*
 * Sources of the A counters. A7..A20 are the flexible EU counters. Pixels are counted in groups of
 * four.
 */
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
 * Each register selects two events of twelve bits. From gen12.5 on, the bits above are the most
 * significant bit of each event.
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
 * gen8_select_a() - Set the sources of the A counters and the clock, up to gen12.0.
 * @oa: the unit
 * @selection: set to the sources
 *
 * These counters count under any configuration.
 */
void gen8_select_a(struct sim_oa *oa, struct sim_selection *selection)
{
	select_a(oa, selection, false);
}

/**
 * gen12_5_select_a() - Set the sources of the A counters and the clock, from gen12.5 on.
 * @oa: the unit
 * @selection: set to the sources
 */
void gen12_5_select_a(struct sim_oa *oa, struct sim_selection *selection)
{
	select_a(oa, selection, true);
}

/* OASTARTTRIG2/6: bits that make a B counter count comparator results instead of a signal */
#define STARTTRIG_EVENT_SELECT(counter) BIT(28 + (counter) % 4)

/*
 * The B counters of a test configuration compare the clock. So do those of other configurations if
 * the comparators' result does not depend on the multiplexer's signals.
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
 * sim_select_boolean() - Set the sources of the B and C counters.
 * @oa: the unit
 * @regs: MMIO offsets of the controlling registers
 * @first: index of B0
 * @selection: set to the sources
 *
 * The sources depend on the multiplexer and the comparators; there are none if neither is
 * configured.
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

#define GEN8_FORMAT(size_, ...)                                 \
	{                                                       \
		.size = (size_), .word = sizeof(u32), .runs = { \
			{ GEN8_CLOCK, 1, 32, 12 },              \
			__VA_ARGS__                             \
		}                                               \
	}

/*
 * In A12 and A12_B8_C8, A7 to A18 occupy bytes 16 to 63, directly after the header. The format
 * tables of intel-gpu-tools (tests/intel/perf.c) have A7 at byte 12, as on Haswell, but their test
 * of these formats reads the GPU clock from there, and on real GPUs the B counters of TestOa agree
 * with that clock. So byte 12 is not A7.
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

/**
 * struct gen8_variant - differences between the generations with these registers
 * @debug: OA_DEBUG exists
 * @context_valid: bit of the report id that marks the context id as valid
 * @noa: register that enables the NOA network
 * @noa_enable: enable bit in @noa
 * @rpstat: get the value of RPSTAT
 */
struct gen8_variant {
	bool debug;
	u32 context_valid;
	u32 noa;
	u32 noa_enable;
	u32 (*rpstat)(struct sim_oa *oa);
};

#define OAREPORTTRIG2 0x2744
#define OAREPORTTRIG6 0x2754
#define REPORT_TRIGGER_ENABLE BIT(31)
#define REPORT_TRIGGER_INVERT_D0 BIT(22)

/* Registers of the counters. A driver can read all of them, and write A20 to mark a report. */
#define COUNTER_A0 0x2800
#define COUNTER_A20 0x28a0
#define COUNTER_A32 0x2900
#define COUNTER_CLOCK 0x2910
#define COUNTER_B0 0x2920
#define COUNTER_C0 0x2940
#define COUNTER_LAST 0x295c

#define OA SIM_REG_OA
#define LOST (SIM_REG_OA | SIM_REG_VOLATILE)
#define MUX (SIM_REG_OA | SIM_REG_MUX)

const struct sim_register_range sim_ranges_gen8[] = {
	{ 0x0d00, 0x0d2c, MUX, ~0 }, /* RPM_CONFIG0, 1, NOA_CONFIG0..8 */
	{ 0x20cc, 0x20cc, SIM_REG_MASKED, ~0 }, /* WAIT_FOR_RC6_EXIT */
	{ RCS_TIMESTAMP, RCS_TIMESTAMP_UDW, OA, 0 },
	{ GEN8_OACTXCONTROL, GEN8_OACTXCONTROL, LOST, GENMASK(7, 0) },
	{ GEN8_OABUFFER_UDW, GEN8_OABUFFER_UDW, LOST, ~0 },
	{ 0x2710, 0x272c, LOST, ~0 }, /* OASTARTTRIG1..8 */
	{ 0x2740, 0x275c, LOST, ~0 }, /* OAREPORTTRIG1..8 */
	{ CEC0_0, 0x27ac, LOST, ~0 },
	{ COUNTER_A0, COUNTER_LAST, OA, 0 },
	{ GEN8_OACONTROL, GEN8_OACONTROL, LOST, ~0 },
	{ GEN8_OASTATUS, GEN8_OABUFFER, LOST, ~0 },
	{ 0x91b8, 0x91dc, MUX, ~0 }, /* OA_PERFCNT1..4 */
	{ 0x9800, 0x9888, MUX, ~0 }, /* MICRO_BP0_0 .. NOA_WRITE */
	{ SIM_RPSTAT, SIM_RPSTAT, OA, 0 },
	{ HALF_SLICE_CHICKEN2, HALF_SLICE_CHICKEN2, SIM_REG_MASKED, ~0 },
	{ EU_PERF_CNTL0, EU_PERF_CNTL4, OA, ~0 },
	{ EU_PERF_CNTL1, EU_PERF_CNTL5, OA, ~0 },
	{ EU_PERF_CNTL2, EU_PERF_CNTL6, OA, ~0 },
	{ EU_PERF_CNTL3, EU_PERF_CNTL3, OA, ~0 },
	{},
};

/* Registers added by gen9 */
const struct sim_register_range sim_ranges_gen9[] = {
	{ GEN9_OA_DEBUG, GEN9_OA_DEBUG, LOST | SIM_REG_MASKED, ~0 },
	{},
};

static struct sim_oa_buffer gen8_buffer(u32 value)
{
	return (struct sim_oa_buffer){
		.base = value & GEN8_OABUFFER_BASE,
		.size = SZ_128K << FIELD_GET(GEN8_OABUFFER_SIZE, value),
		.ggtt = value & GEN8_OABUFFER_GGTT,
	};
}

static void gen8_write_control(struct sim_oa *oa, u32 value)
{
	u32 timer = sim_mmio_peek(oa->gpu, GEN8_OACTXCONTROL);
	const struct sim_oa_run run = {
		.format = &gen8_formats[FIELD_GET(GEN8_OACONTROL_FORMAT, value)],
		.timer = timer & GEN8_OACTXCONTROL_TIMER_ENABLE,
		.exponent = FIELD_GET(GEN8_OACTXCONTROL_TIMER_PERIOD, timer),
		.stream = SIM_GLOBAL,
	};

	/* Some format codes are unused. */
	if (value & GEN8_OACONTROL_COUNTER_ENABLE && run.format->size)
		sim_oa_start(oa, &run);
	else
		sim_oa_stop(oa);
}

static void gen8_write_trigger(struct sim_oa *oa, u32 reason, u32 value, u32 before)
{
	if (value & REPORT_TRIGGER_ENABLE && value & ~before & REPORT_TRIGGER_INVERT_D0)
		sim_oa_trigger(oa, reason, 0);
}

static void gen8_write_other(struct sim_oa *oa, u32 reg, u32 value, u32 flags)
{
	const struct gen8_variant *variant = oa->ops->variant;
	bool begins = reg == variant->noa && !(value & variant->noa_enable);

	if (flags & SIM_REG_MUX)
		sim_oa_write_mux(oa, reg, value, begins);
	oa->stale = true;
}

#define STATUS_WRAPS (GEN8_OASTATUS_HEAD_POINTER_WRAP | GEN8_OASTATUS_TAIL_POINTER_WRAP)

/* Get the wrap bits, which show the pointers that have wrapped since the buffer was set up. */
static u32 gen8_wraps(const struct sim_oa *oa)
{
	return FIELD_PREP(STATUS_WRAPS, oa->wraps);
}

/*
 * If the driver writes the status register of a running unit without setting both wrap bits, the
 * unit loses its tail and continues at the start of the buffer.
 */
static void gen8_write_status(struct sim_oa *oa, u32 value)
{
	oa->status = value & SIM_STATUS_BITS;
	if (oa->running && (value & STATUS_WRAPS) != STATUS_WRAPS)
		oa->buffer.tail = 0;
}

static void gen8_written(struct sim_oa *oa, u32 reg, u32 value, u32 before, u32 flags)
{
	const struct sim_oa_buffer buffer = gen8_buffer(value);

	switch (reg) {
	case GEN8_OACONTROL:
		gen8_write_control(oa, value);
		break;
	case GEN8_OASTATUS:
		gen8_write_status(oa, value);
		break;
	case GEN8_OAHEADPTR:
		sim_oa_write_head(oa, value);
		break;
	case GEN8_OABUFFER:
		sim_oa_write_buffer(oa, &buffer);
		break;
	case GEN8_OATAILPTR:
		sim_oa_write_tail(oa, value);
		break;
	case OAREPORTTRIG2:
		gen8_write_trigger(oa, SIM_REASON_TRIGGER1, value, before);
		break;
	case OAREPORTTRIG6:
		gen8_write_trigger(oa, SIM_REASON_TRIGGER2, value, before);
		break;
	case COUNTER_A20:
		sim_oa_set_counter(oa, GEN8_A + 20, value);
		break;
	default:
		gen8_write_other(oa, reg, value, flags);
	}
}

static u32 gen8_read_counter(struct sim_oa *oa, u32 reg)
{
	u64 value;

	if (reg >= COUNTER_C0)
		return sim_oa_counter(oa, GEN8_C + (reg - COUNTER_C0) / 4);
	if (reg >= COUNTER_B0)
		return sim_oa_counter(oa, GEN8_B + (reg - COUNTER_B0) / 4);
	if (reg >= COUNTER_CLOCK)
		return reg == COUNTER_CLOCK ? sim_oa_counter(oa, GEN8_CLOCK) : 0;
	if (reg >= COUNTER_A32)
		return sim_oa_counter(oa, GEN8_A + 32 + (reg - COUNTER_A32) / 4);
	value = sim_oa_counter(oa, GEN8_A + (reg - COUNTER_A0) / 8);
	return reg & 4 ? value >> 32 & 0xff : value;
}

static u32 gen8_read(struct sim_oa *oa, u32 reg, u32 value)
{
	const struct gen8_variant *variant = oa->ops->variant;

	switch (reg) {
	case GEN8_OASTATUS:
		return oa->status | gen8_wraps(oa);
	case GEN8_OATAILPTR:
		return oa->base + sim_oa_tail(oa);
	case RCS_TIMESTAMP:
		return lower_32_bits(sim_oa_timestamp(oa));
	case RCS_TIMESTAMP_UDW:
		return upper_32_bits(sim_oa_timestamp(oa));
	case COUNTER_A0 ... COUNTER_LAST:
		return gen8_read_counter(oa, reg);
	case SIM_PERFCNT_FIRST ... SIM_PERFCNT_LAST:
		return sim_perfcnt_read(oa, GEN8_PERFCNT, reg, value);
	case SIM_RPSTAT:
		return variant->rpstat(oa);
	default:
		return value;
	}
}

static void gen8_select(struct sim_oa *oa, struct sim_selection *selection)
{
	static const struct sim_boolean_regs regs = { OASTARTTRIG2, OASTARTTRIG6, CEC0_0 };

	gen8_select_a(oa, selection);
	sim_select_boolean(oa, &regs, GEN8_B, selection);
	sim_perfcnt_select(oa, GEN8_PERFCNT, selection);
}

static u32 gen8_reasons(const struct sim_oa *oa)
{
	const struct gen8_variant *variant = oa->ops->variant;
	u32 debug = sim_mmio_peek(oa->gpu, GEN9_OA_DEBUG);
	u32 reasons = SIM_REASON_SWITCH | SIM_REASON_GO | SIM_REASON_RATIO;

	if (!variant->debug)
		return SIM_REASON_SWITCH | SIM_REASON_GO;
	if (debug & GEN9_OA_DEBUG_DISABLE_CTX_SWITCH_REPORTS)
		reasons &= ~SIM_REASON_SWITCH;
	if (debug & GEN9_OA_DEBUG_DISABLE_GO_1_0_REPORTS)
		reasons &= ~SIM_REASON_GO;
	if (debug & GEN9_OA_DEBUG_DISABLE_CLK_RATIO_REPORTS)
		reasons &= ~SIM_REASON_RATIO;
	return reasons;
}

/*
 * Get the bits of the report id with the clock ratios. The slice clock ratio is split into two
 * fields.
 */
static u32 gen8_ratio(const struct sim_oa *oa)
{
	u32 ratio = sim_ratio(oa->cursor.mhz);

	if (!(sim_mmio_peek(oa->gpu, GEN9_OA_DEBUG) & GEN9_OA_DEBUG_INCLUDE_CLK_RATIO))
		return 0;
	return FIELD_PREP(REPORT_ID_UNSLICE_RATIO, ratio) | ratio >> 7 << 9 | ratio << 25;
}

static void gen8_fill_header(struct sim_oa *oa, u32 reasons, u32 context)
{
	const struct gen8_variant *variant = oa->ops->variant;
	unsigned int slot = oa->cursor.slot;

	oa->report[0] = FIELD_PREP(REPORT_ID_REASON, reasons) | gen8_ratio(oa);
	if (slot < SIM_N_SLOTS)
		oa->report[0] |= variant->context_valid;
	oa->report[2] = sim_slot_context(oa->gpu, slot);
}

#define GEN8_OA                                                                      \
	.banks = gen8_banks, .n_banks = GEN8_N_BANKS, .n_counters = GEN8_N_COUNTERS, \
	.first_b = GEN8_B, .default_format = &gen8_formats[5], .read = gen8_read,    \
	.written = gen8_written, .select = gen8_select, .reasons = gen8_reasons,     \
	.fill_header = gen8_fill_header

static const struct gen8_variant gen8_variant = {
	.context_valid = GEN8_REPORT_ID_CONTEXT_VALID,
	.noa = GDT_CHICKEN_BITS,
	.noa_enable = GT_NOA_ENABLE,
	.rpstat = sim_rpstat_gen8,
};

static const struct gen8_variant gen9_variant = {
	.debug = true,
	.context_valid = REPORT_ID_CONTEXT_VALID,
	.noa = GDT_CHICKEN_BITS,
	.noa_enable = GT_NOA_ENABLE,
	.rpstat = sim_rpstat_gen9,
};

static const struct gen8_variant gen11_variant = {
	.debug = true,
	.context_valid = REPORT_ID_CONTEXT_VALID,
	.noa = RPM_CONFIG1,
	.noa_enable = RPM_CONFIG1_NOA_ENABLE,
	.rpstat = sim_rpstat_gen9,
};

const struct sim_oa_ops sim_oa_gen8 = { GEN8_OA, .variant = &gen8_variant, .mux_clocks = 16 };
const struct sim_oa_ops sim_oa_gen9 = { GEN8_OA, .variant = &gen9_variant, .mux_clocks = 8 };
const struct sim_oa_ops sim_oa_gen11 = { GEN8_OA, .variant = &gen11_variant, .mux_clocks = 16 };
