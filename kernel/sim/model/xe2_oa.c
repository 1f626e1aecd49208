// SPDX-License-Identifier: GPL-2.0-only
/*
 * xe2_oa.c - OAG of Xe2: its registers, what PEC counters count, how reports show them.
 */
#include "gen12_oa.h"
#include "gpu.h"
#include "platforms.h"
#include "xe2_oa.h"

#define XE2_N_PEC 64

/* Index of a counter among all of them. */
#define XE2_B XE2_N_PEC
#define XE2_C (XE2_B + SIM_N_B)
#define XE2_CLOCK (XE2_C + SIM_N_C)
#define XE2_N_COUNTERS (XE2_CLOCK + 1)

/* Event selects, of two registers each: PEC0..31, then PEC32..63 */
#define PES0 0x13000
#define PES32 0x13300

const struct sim_register_range sim_ranges_xe2[] = {
	{ 0x5194, 0x5194, LOST, ~0 },	/* SYS_MEM_LAT_MEASURE_MERTF_GRP_3D */
	{ 0x8704, 0x8704, LOST, ~0 },	/* LMEM_LAT_MEASURE_MCFG_GRP */
	{ 0xb1bc, 0xb1bc, LOST, ~0 },	/* L3_BANK_LAT_MEASURE_LBCF_GFX */
	{ 0xd0e0, 0xd0f4, MUX, ~0 },	/* VISACTL */
	{ 0xe18c, 0xe18c, LOST, ~0 },	/* SAMPLER_MODE */
	{ 0xe590, 0xe590, LOST, ~0 },	/* TDL_LSC_LAT_MEASURE_TDL_GFX */
	{ PES0, 0x137fc, LOST, ~0 },
	{},
};

static const struct sim_bank xe2_banks[] = {
	{ "PEC", 0, XE2_N_PEC },
	{ "B", XE2_B, SIM_N_B },
	{ "C", XE2_C, SIM_N_C },
	{ "clock", XE2_CLOCK, 1 },
};

/*
 * The two events of the test configuration are seen in each clock: one in each Xe core, one in each
 * slice. A counter adds up what all of them see, or takes one of them. Where a register says so
 * follows from what the public metric sets call their counters; how much is counted is what
 * intel-gpu-tools' test of Xe2 reports expects.
 */
#define PES_EVENT GENMASK(15, 0)
#define PES_ONE_ONLY BIT(16)
#define PES_ONE GENMASK(27, 20)
#define TEST_EVENT_OF_XE_CORES 0x3e00
#define TEST_EVENT_OF_SLICES 0x7e00

static struct sim_source test_event(u32 select, u64 parts)
{
	if (select & PES_ONE_ONLY)
		parts &= BIT_ULL(FIELD_GET(PES_ONE, select) % 64);
	return (struct sim_source) { SIM_CLOCK, hweight64(parts) * SIM_SHARE_ONE };
}

static struct sim_source xe2_event(const struct gpuoa_unit_desc *desc, u32 low, u32 high)
{
	switch (FIELD_GET(PES_EVENT, low)) {
	case TEST_EVENT_OF_XE_CORES:
		return test_event(low, desc->subslice_mask);
	case TEST_EVENT_OF_SLICES:
		return test_event(low, desc->slice_mask);
	default:
		return gen12_event(low, high);
	}
}

static void xe2_select(struct sim_oa *oa, struct sim_selection *selection)
{
	unsigned int i;

	for (i = 0; i < XE2_N_PEC; i++) {
		u32 pes = i < 32 ? PES0 + i * sizeof(u64) : PES32 + (i - 32) * sizeof(u64);

		selection->sources[i] = xe2_event(&oa->gpu->platform->desc,
						  sim_mmio_peek(oa->gpu, pes),
						  sim_mmio_peek(oa->gpu, pes + sizeof(u32)));
		if (selection->sources[i].share)
			selection->name = "configured";
	}
	selection->sources[XE2_CLOCK] = (struct sim_source){ SIM_CLOCK, SIM_SHARE_ONE };
}

#define XE2_FORMAT(size_, ...) \
	{ .size = (size_), .word = sizeof(u64), .runs = { { XE2_CLOCK, 1, 64, 24 }, __VA_ARGS__ } }

static const struct sim_format pec64u64 = XE2_FORMAT(576, { 0, 64, 64, 32 });
static const struct sim_format pec64u64_b8_c8 =
	XE2_FORMAT(640, { 0, 64, 64, 32 }, { XE2_B, 16, 32, 544 });
static const struct sim_format pec64u32 = XE2_FORMAT(320, { 0, 64, 32, 32 });
static const struct sim_format pec32u64_g1 = XE2_FORMAT(320, { 0, 32, 64, 32 });
static const struct sim_format pec32u32_g1 = XE2_FORMAT(192, { 0, 32, 32, 32 });
static const struct sim_format pec32u64_g2 = XE2_FORMAT(320, { 32, 32, 64, 32 });
static const struct sim_format pec32u32_g2 = XE2_FORMAT(192, { 32, 32, 32, 32 });
static const struct sim_format pec36u64_g1_32_g2_4 = XE2_FORMAT(320, { 0, 36, 64, 32 });
static const struct sim_format pec36u64_g1_4_g2_32 =
	XE2_FORMAT(320, { 0, 4, 64, 32 }, { 32, 32, 64, 64 });

static const struct sim_format *xe2_format(u32 control)
{
	bool wide = control & XE2_OACONTROL_COUNTER_SIZE_64;

	switch (control >> OAG_OACONTROL_FORMAT_SHIFT & 0x7) {
	case 1:
		if (!wide)
			return &pec64u32;
		return control & XE2_OACONTROL_REPORT_BC ? &pec64u64_b8_c8 : &pec64u64;
	case 3:
		return &pec36u64_g1_32_g2_4;
	case 4:
		return &pec36u64_g1_4_g2_32;
	case 5:
		return wide ? &pec32u64_g1 : &pec32u32_g1;
	case 6:
		return wide ? &pec32u64_g2 : &pec32u32_g2;
	default:
		return NULL;
	}
}

static const struct gen12_unit oag_xe2 = {
	GEN12_OAG,
	.trigger = OAG_MMIOTRIGGER,
	.format = xe2_format,
	.select = xe2_select,
	.large = true,
};

const struct sim_oa_ops sim_oag_xe2 = {
	GEN12_OA,
	.banks = xe2_banks,
	.n_banks = ARRAY_SIZE(xe2_banks),
	.n_counters = XE2_N_COUNTERS,
	.first_b = XE2_B,
	.mux_clocks = 1,
	.default_format = &pec64u64,
	.batch_format = &pec64u64,
	.per_context = true,
	.variant = &oag_xe2,
	.fill_header = gen12_5_fill_header,
};
