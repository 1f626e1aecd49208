// SPDX-License-Identifier: GPL-2.0-only
/*
 * xe2.c - OA backend of OAG on Xe2 (Lunar Lake, Battlemage), with PEC counters and 64-bit headers.
 *
 * Registers and sequences follow drivers/gpu/drm/xe/xe_oa.c.
 */
#include <linux/bits.h>
#include <linux/kernel.h>

#include "gen12.h"
#include "gpuoa_report.h"

/* The GPU clock, then @count counters from PEC@first on. */
#define PEC_COUNTERS(name, bits, first, count)                 \
	static const struct gpuoa_counters name[] = {          \
		{ GPUOA_COUNTER_CLOCK, 64, 1, 24 },            \
		{ GPUOA_COUNTER_PEC(first), bits, count, 32 }, \
		{},                                            \
	}

PEC_COUNTERS(counters_pec64u64, 64, 0, 64);
PEC_COUNTERS(counters_pec64u32, 32, 0, 64);
PEC_COUNTERS(counters_pec32u64_g1, 64, 0, 32);
PEC_COUNTERS(counters_pec32u32_g1, 32, 0, 32);
PEC_COUNTERS(counters_pec32u64_g2, 64, 32, 32);
PEC_COUNTERS(counters_pec32u32_g2, 32, 32, 32);
PEC_COUNTERS(counters_pec36u64_g1_32_g2_4, 64, 0, 36);

static const struct gpuoa_counters counters_pec36u64_g1_4_g2_32[] = {
	{ GPUOA_COUNTER_CLOCK, 64, 1, 24 },
	{ GPUOA_COUNTER_PEC(0), 64, 4, 32 },
	{ GPUOA_COUNTER_PEC(32), 64, 32, 64 },
	{},
};

static const struct gpuoa_counters counters_pec64u64_b8_c8[] = {
	{ GPUOA_COUNTER_CLOCK, 64, 1, 24 },
	{ GPUOA_COUNTER_PEC(0), 64, 64, 32 },
	{ GPUOA_COUNTER_B(0), 32, 8, 544 },
	{ GPUOA_COUNTER_C(0), 32, 8, 576 },
	{},
};

#define XE2_FORMAT(id, code, size, name, counters, control)                       \
	{                                                                         \
		GPUOA_FORMAT_##id, code, size, name, &gpuoa_header_64, counters, control \
	}

static const struct gpuoa_format_desc xe2_formats[] = {
	XE2_FORMAT(PEC64U64, 1, 576, "PEC64u64", counters_pec64u64, XE2_OACONTROL_COUNTER_SIZE_64),
	XE2_FORMAT(PEC64U64_B8_C8, 1, 640, "PEC64u64_B8_C8", counters_pec64u64_b8_c8,
		   XE2_OACONTROL_COUNTER_SIZE_64 | XE2_OACONTROL_REPORT_BC),
	XE2_FORMAT(PEC64U32, 1, 320, "PEC64u32", counters_pec64u32, 0),
	XE2_FORMAT(PEC32U64_G1, 5, 320, "PEC32u64_G1", counters_pec32u64_g1,
		   XE2_OACONTROL_COUNTER_SIZE_64),
	XE2_FORMAT(PEC32U32_G1, 5, 192, "PEC32u32_G1", counters_pec32u32_g1, 0),
	XE2_FORMAT(PEC32U64_G2, 6, 320, "PEC32u64_G2", counters_pec32u64_g2,
		   XE2_OACONTROL_COUNTER_SIZE_64),
	XE2_FORMAT(PEC32U32_G2, 6, 192, "PEC32u32_G2", counters_pec32u32_g2, 0),
	XE2_FORMAT(PEC36U64_G1_32_G2_4, 3, 320, "PEC36u64_G1_32_G2_4",
		   counters_pec36u64_g1_32_g2_4,
		   XE2_OACONTROL_COUNTER_SIZE_64),
	XE2_FORMAT(PEC36U64_G1_4_G2_32, 4, 320, "PEC36u64_G1_4_G2_32",
		   counters_pec36u64_g1_4_g2_32,
		   XE2_OACONTROL_COUNTER_SIZE_64),
};

/*
 * The events of PEC counters are selected by separate registers. Metric definitions list these with
 * the boolean counters, and xe does not distinguish the lists, so both lists accept all of them.
 */
static const struct gpuoa_reg_range xe2_regs[] = {
	{ 0x2b2c, 0x2b2c },   /* OAG_OA_PESS */
	{ 0x5194, 0x5194 },   /* SYS_MEM_LAT_MEASURE_MERTF_GRP_3D */
	{ 0x8704, 0x8704 },   /* LMEM_LAT_MEASURE_MCFG_GRP */
	{ 0xb1bc, 0xb1bc },   /* L3_BANK_LAT_MEASURE_LBCF_GFX */
	{ 0xd0e0, 0xd0f4 },   /* VISACTL */
	{ 0xd900, 0xd91c },   /* OAG_OASTARTTRIG1..8 */
	{ 0xd920, 0xd93c },   /* OAG_OAREPORTTRIG1..8 */
	{ 0xd940, 0xd97c },   /* OAG_CEC0_0..CEC7_1 */
	{ 0xdc00, 0xdc3c },   /* OAG_SCEC0_0..SCEC7_1 */
	{ 0xdc40, 0xdc48 },   /* OAG_SPCTR_CNF, OAA_DBG, OAA_ENABLE */
	{ 0xdd00, 0xdd48 },   /* OAG_LCE0_0..OAA_LENABLE */
	{ 0xe18c, 0xe18c },   /* SAMPLER_MODE */
	{ 0xe590, 0xe590 },   /* TDL_LSC_LAT_MEASURE_TDL_GFX */
	{ 0x13000, 0x137fc }, /* PES0_PESL0..PES63_UPPER_PESL3 */
	{},
};

static const struct gpuoa_reg_mask xe2_no_masks[] = { {} };

static const struct gen12_variant xe2_oag = {
	GEN12_OAG_REGS,
	.control_bits = XE2_OAG_OACONTROL_PES_DISAG_EN,
	.debug_bits = XE2_DEBUG,
	.extended = true,
	.sqcnt1_bits = GEN12_5_SQCNT1,
};

const struct gpuoa_oa_ops gpuoa_oag_xe2 = {
	GEN12_OA_OPS,
	.variant = &xe2_oag,
	.formats = xe2_formats,
	.n_formats = ARRAY_SIZE(xe2_formats),
	.default_format = GPUOA_FORMAT_PEC64U64,
	.id = &gen12_5_id,
	.buffer_size_max = SZ_128M,
	.mux = xe2_regs,
	.boolean = xe2_regs,
	.flex = gpuoa_flex_regs,
	.masks = xe2_no_masks,
	.aliases = gpuoa_aliases_xe2,
	.filters_contexts = true,
	.needs_context = true,
	.context_runs = gpuoa_filter_by_switch,
};
