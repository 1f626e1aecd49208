// SPDX-License-Identifier: GPL-2.0-only
/*
 * oam.c - OA units of the media GT: their registers, counters and report formats.
 */
#include "gen12.h"
#include "gpu.h"
#include "oam.h"

/*
 * Registers of the media GT that do not belong to one of its units. NOA belongs to the first unit.
 */
const struct sim_register_range sim_ranges_media_gt[] = {
	{ MEDIA_GT_BASE + RPM_CONFIG1, MEDIA_GT_BASE + RPM_CONFIG1, MUX, ~0, 1 },
	{ MEDIA_GT_BASE + SQCNT1, MEDIA_GT_BASE + SQCNT1, 0, ~0 },
	{ OAM_COMPRESSION_T3_CONTROL, OAM_COMPRESSION_T3_CONTROL, 0, ~0 },
	{ MEDIA_GT_BASE + OA_TLB_INV_CR, MEDIA_GT_BASE + OA_TLB_INV_CR, 0, 0 },
	{},
};

/* Registers of unit @unit at @base */
#define OAM_RANGES(base, unit)                                                                  \
	{                                                                                       \
		{ (base), (base) + 0x7c, LOST, ~0, unit }, /* triggers, comparators */          \
			{ (base) + OAM_CONTROL, (base) + OAM_CONTROL, LOST, ~0, unit },         \
			{ (base) + OAM_DEBUG, (base) + OAM_DEBUG, LOST | MASKED, ~0, unit },    \
			{ (base) + OAM_STATUS, (base) + OAM_BUFFER, LOST, ~0, unit },           \
			{ (base) + OAM_CONTEXT_CONTROL, (base) + OAM_CONTEXT_CONTROL, LOST, ~0, \
			  unit },                                                               \
			{ (base) + OAM_MMIO_TRG, (base) + OAM_MMIO_TRG, OA, ~0, unit },         \
			{ (base) + OAM_MPES0, (base) + OAM_MPES0 + 0x3c, LOST, ~0, unit }, {},  \
	}

const struct sim_register_range sim_ranges_oam_mtl[] = OAM_RANGES(MTL_OAM_BASE, 1);
const struct sim_register_range sim_ranges_oam_xe2_scmi0[] = OAM_RANGES(XE2_OAM_SCMI0_BASE, 1);
const struct sim_register_range sim_ranges_oam_xe2_sag[] = OAM_RANGES(XE2_OAM_SAG_BASE, 2);
const struct sim_register_range sim_ranges_oam_xe2_scmi1[] = OAM_RANGES(XE2_OAM_SCMI1_BASE, 3);

static const struct sim_bank oam_banks[] = {
	{ "MPEC", 0, OAM_N_MPEC },
	{ "B", OAM_B, SIM_N_B },
	{ "C", OAM_C, SIM_N_C },
	{ "clock", OAM_CLOCK, 1 },
};

static const struct sim_format mpec8u64_b8_c8 = {
	.size = 192,
	.word = sizeof(u64),
	.runs = {
		{ OAM_CLOCK, 1, 64, 24 },
		{ 0, OAM_N_MPEC, 64, 32 },
		{ OAM_B, 8, 32, 96 },
		{ OAM_C, 8, 32, 128 },
	},
};

static const struct sim_format mpec8u32_b8_c8 = {
	.size = 128,
	.word = sizeof(u64),
	.runs = {
		{ OAM_CLOCK, 1, 64, 24 },
		{ 0, OAM_N_MPEC, 32, 32 },
		{ OAM_B, 8, 32, 64 },
		{ OAM_C, 8, 32, 96 },
	},
};

static const struct sim_format *oam_format(u32 control)
{
	switch (control >> OAM_CONTROL_FORMAT_SHIFT & 0x7) {
	case 1:
		return &mpec8u64_b8_c8;
	case 2:
		return &mpec8u32_b8_c8;
	default:
		return NULL;
	}
}

/* Each MPEC counter has an event select of two registers. */
static void oam_select(struct sim_oa *oa, struct sim_selection *selection)
{
	const struct gen12_unit *unit = oa->ops->variant;
	u32 mpes = unit->control - OAM_CONTROL + OAM_MPES0;
	unsigned int i;

	for (i = 0; i < OAM_N_MPEC; i++) {
		u32 low = sim_mmio_peek(oa->gpu, mpes + i * sizeof(u64));
		u32 high = sim_mmio_peek(oa->gpu, mpes + i * sizeof(u64) + sizeof(u32));

		selection->sources[i] = gen12_event(low, high);
		if (selection->sources[i].share)
			selection->name = "configured";
	}
	selection->sources[OAM_CLOCK] = (struct sim_source){ SIM_CLOCK, SIM_SHARE_ONE };
}

#define OAM_UNIT(base)                                                                   \
	{                                                                                \
		.control = (base) + OAM_CONTROL, .debug = (base) + OAM_DEBUG,            \
		.status = (base) + OAM_STATUS, .head = (base) + OAM_HEAD_POINTER,        \
		.tail = (base) + OAM_TAIL_POINTER, .buffer = (base) + OAM_BUFFER,        \
		.timer = (base) + OAM_CONTEXT_CONTROL, .trigger = (base) + OAM_MMIO_TRG, \
		.noa = MEDIA_GT_BASE + RPM_CONFIG1,                                      \
		.boolean = { (base) + 0x04, (base) + 0x14, (base) + OAM_CEC0_0 },        \
		.format_shift = OAM_CONTROL_FORMAT_SHIFT, .format = oam_format,          \
		.select = oam_select, .large = true,                                     \
	}

static const struct gen12_unit oam_mtl = OAM_UNIT(MTL_OAM_BASE);
static const struct gen12_unit oam_xe2_sag = OAM_UNIT(XE2_OAM_SAG_BASE);
static const struct gen12_unit oam_xe2_scmi0 = OAM_UNIT(XE2_OAM_SCMI0_BASE);
static const struct gen12_unit oam_xe2_scmi1 = OAM_UNIT(XE2_OAM_SCMI1_BASE);

#define OAM_OPS                                                                    \
	GEN12_OA, .banks = oam_banks, .n_banks = ARRAY_SIZE(oam_banks),            \
		  .n_counters = OAM_N_COUNTERS, .first_b = OAM_B, .mux_clocks = 1, \
		  .default_format = &mpec8u64_b8_c8, .splits = true,               \
		  .fill_header = gen12_5_fill_header

const struct sim_oa_ops sim_oam_mtl = { OAM_OPS, .variant = &oam_mtl };
const struct sim_oa_ops sim_oam_xe2_sag = { OAM_OPS, .variant = &oam_xe2_sag };
const struct sim_oa_ops sim_oam_xe2_scmi0 = { OAM_OPS, .variant = &oam_xe2_scmi0 };
const struct sim_oa_ops sim_oam_xe2_scmi1 = { OAM_OPS, .variant = &oam_xe2_scmi1 };
