// SPDX-License-Identifier: GPL-2.0-only
/*
 * gen7_oa.c - Haswell's OA unit: what its registers do.
 */
#include "env.h"

#include <gen7_regs.h>

#include "gen7_counters.h"
#include "gen7_oa.h"
#include "gen7_truth.h"
#include "gpu.h"
#include "oa_buffer.h"
#include "oa_run.h"
#include "oa_selection.h"
#include "slot.h"

/* Timer reports carry some id that is not 0; the hardware does not tell a reason in it. */
#define GEN7_REPORT_ID 0x00080000

const struct sim_register_range sim_ranges_gen7[] = {
	{ 0x20cc, 0x20cc, SIM_REG_MASKED, ~0 },			/* WAIT_FOR_RC6_EXIT */
	{ RCS_TIMESTAMP, RCS_TIMESTAMP_UDW, SIM_REG_OA, 0 },
	{ OACONTROL, OASTATUS1, SIM_REG_OA | SIM_REG_VOLATILE, ~0 },
	{ OASTATUS2, OASTATUS2, SIM_REG_OA | SIM_REG_VOLATILE, OASTATUS2_HEAD | OASTATUS2_GGTT },
	{ OABUFFER, OABUFFER, SIM_REG_OA | SIM_REG_VOLATILE, OABUFFER_BASE | GENMASK(3, 0) },
	{ 0x2710, 0x2710, SIM_REG_OA | SIM_REG_VOLATILE, GENMASK(15, 0) },	/* STARTTRIG1 */
	{ OASTARTTRIG2, OASTARTTRIG2, SIM_REG_OA | SIM_REG_VOLATILE, (u32)~BIT(24) },
	{ 0x2718, 0x271c, SIM_REG_OA | SIM_REG_VOLATILE, ~0 },
	{ 0x2720, 0x2720, SIM_REG_OA | SIM_REG_VOLATILE, GENMASK(15, 0) },	/* STARTTRIG5 */
	{ OASTARTTRIG6, OASTARTTRIG6, SIM_REG_OA | SIM_REG_VOLATILE, (u32)~BIT(24) },
	{ 0x2728, 0x272c, SIM_REG_OA | SIM_REG_VOLATILE, ~0 },
	{ 0x2740, 0x275c, SIM_REG_OA | SIM_REG_VOLATILE, ~0 },	/* REPORTTRIG1..8 */
	{ CEC0_0, 0x27ac, SIM_REG_OA | SIM_REG_VOLATILE, ~0 },
	{ 0x91b8, 0x91cc, SIM_REG_MUX | SIM_REG_OA, ~0 },	/* OA_PERFCNT1..3 */
	{ UCGCTL1, UCGCTL1, SIM_REG_OA, ~0 },
	{ MISCCPCTL, MISCCPCTL, SIM_REG_OA, ~0 },
	{ 0x9800, 0x9888, SIM_REG_MUX | SIM_REG_OA, ~0 },	/* MICRO_BP0_0 .. NOA_WRITE */
	{ 0x9e80, 0x9ea4, SIM_REG_MUX | SIM_REG_OA, ~0 },	/* HSW_MBVID2_NOA0..9 */
	{ 0x9ec0, 0x9ec0, SIM_REG_MUX | SIM_REG_OA, ~0 },	/* HSW_MBVID2_MISR0 */
	{ 0xe180, 0xe180, SIM_REG_MASKED, ~0 },			/* HALF_SLICE_CHICKEN2 */
	{ 0x25100, 0x2ff90, SIM_REG_MUX | SIM_REG_OA, ~0 },	/* render NOA */
	{},
};

/*
 * Clock gating is on. Each of these two registers also has a bit that is not the OA driver's
 * business, so that one that forgets to preserve it is seen.
 */
const struct sim_register_value sim_reset_gen7[] = {
	{ UCGCTL1, BIT(5) },
	{ MISCCPCTL, DOP_CLOCK_GATE_ENABLE | BIT(1) },
	{},
};

/* The size stands in the register of the tail, whether it is written or not. */
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
		/* A context that doesn't exist never runs. */
		slot = sim_slot_find(oa->gpu, value & OACONTROL_CONTEXT);
		run.timer &= slot >= 0;
		run.stream = slot < 0 ? SIM_NOBODY : slot;
	}
	sim_oa_start(oa, &run);
}

/*
 * Each configuration begins by switching NOA on. A driver may have switched it off before, or not,
 * if what it had programmed until then never switched it on.
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
		return oa->base | sim_oa_tail(oa) | (value & OASTATUS1_BUFFER_SIZE) | oa->status;
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

/* B and C counters stand still with clock gating on and with NOA off. */
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

/* It reports nothing but its timer. */
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
	.print_metrics = gen7_print_metrics,
};
