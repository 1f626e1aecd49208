// SPDX-License-Identifier: GPL-2.0-only
/*
 * xe2.c - OAG of Xe2: its registers, PEC counters and report formats.
 */
#include "gen12.h"
#include "gpu.h"
#include "platforms.h"
#include "xe2.h"

#define XE2_N_PEC 64

/* Indices of the first counter of each kind */
#define XE2_B XE2_N_PEC
#define XE2_C (XE2_B + SIM_N_B)
#define XE2_CLOCK (XE2_C + SIM_N_C)
#define XE2_N_COUNTERS (XE2_CLOCK + 1)

/* The event selects have two registers each, in two ranges: PEC0..31 and PEC32..63. */
#define PES0 0x13000
#define PES32 0x13300

const struct sim_register_range sim_ranges_xe2[] = {
	{ 0x5194, 0x5194, LOST, ~0 }, /* SYS_MEM_LAT_MEASURE_MERTF_GRP_3D */
	{ 0x8704, 0x8704, LOST, ~0 }, /* LMEM_LAT_MEASURE_MCFG_GRP */
	{ 0xb1bc, 0xb1bc, LOST, ~0 }, /* L3_BANK_LAT_MEASURE_LBCF_GFX */
	{ 0xd0e0, 0xd0f4, MUX, ~0 }, /* VISACTL */
	{ 0xe18c, 0xe18c, LOST, ~0 }, /* SAMPLER_MODE */
	{ 0xe590, 0xe590, LOST, ~0 }, /* TDL_LSC_LAT_MEASURE_TDL_GFX */
	{ PES0, 0x137fc, LOST, ~0 },  {},
};

static const struct sim_bank xe2_banks[] = {
	{ "PEC", 0, XE2_N_PEC },
	{ "B", XE2_B, SIM_N_B },
	{ "C", XE2_C, SIM_N_C },
	{ "clock", XE2_CLOCK, 1 },
};

/*
 * The two events of the test configuration occur in each clock, one in each Xe core and one in each
 * slice. A counter adds up all of them or selects one. The register fields are inferred from the
 * counters' names in the public metric sets; the counts are those that intel-gpu-tools' test of Xe2
 * reports expects.
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
	return (struct sim_source){ SIM_CLOCK, hweight64(parts) * SIM_SHARE_ONE };
}

/**
 * struct xe2_event - a known event
 * @number: event select
 * @share: part of the signal, in 1/SIM_SHARE_ONE
 * @signal: enum sim_signal
 */
struct xe2_event {
	u16 number;
	u16 share;
	u8 signal;
};

#define EVENT_PART(number_, signal_, share_)   \
	{                                      \
		number_, share_, SIM_##signal_ \
	}
#define EVENT(number_, signal_) EVENT_PART(number_, signal_, SIM_SHARE_ONE)

/* A memory request has 64 bytes; bytes of memory are counted in pairs, others individually. */
#define EVENT_BYTES (64 * SIM_SHARE_ONE)
#define EVENT_BYTE_PAIRS (32 * SIM_SHARE_ONE)

/*
 * The numbers are from the public metric sets, which name each counter that they configure. Events
 * of vector engines are summed over all engines. The stall reasons add up to EU_STALL. The shares
 * of EU_ACTIVE by instruction type and pipe are those of select.c.
 */
static const struct xe2_event xe2_events[] = {
	EVENT_PART(0x0002, SAMPLER0_TEXELS, SIM_SHARE_ONE / 4), /* SAMPLER_2X2_READ */
	EVENT(0x0005, SAMPLER0_L3), /* SAMPLER_TEXTURE_CACHE_MISS */
	EVENT(0x0006, SAMPLER0_TEXELS), /* SAMPLER_TEXTURE_CACHE_ACCESS */
	EVENT(0x0400, PS_KILLED), /* SHADER_PIX_KILL */
	EVENT(0x0402, ALPHA_FAILS), /* POSTPS_ALPHA_TEST_FAIL */
	EVENT_PART(0x0600, EU_STALL, 20), /* XVE_SHARED_FUNCTION_ACCESS_HOLD */
	EVENT_PART(0x0601, EU_ACTIVE, 40), /* XVE_INST_EXECUTED_SEND_ALL */
	EVENT_PART(0x0602, EU_ACTIVE, 32), /* XVE_INST_EXECUTED_CONTROL_ALL */
	EVENT_PART(0x0603, EU_ACTIVE, 96), /* XVE_INST_EXECUTED_ALU1_ALL */
	EVENT(0x0604, EU_LOADED), /* XVE_THREADS_OCCUPANCY_ALL */
	EVENT(0x0605, EU_ACTIVE), /* XVE_ACTIVE */
	EVENT(0x0606, EU_STALL), /* XVE_STALL */
	EVENT(0x060b, EU_ACTIVE), /* XVE_INST_ISSUED_ALL */
	EVENT_PART(0x060c, EU_ACTIVE, 16), /* XVE_INST_EXECUTED_INT16 */
	EVENT_PART(0x060d, EU_ACTIVE, 40), /* XVE_INST_EXECUTED_INT32 */
	EVENT_PART(0x060e, EU_ACTIVE, 24), /* XVE_INST_EXECUTED_MATH */
	EVENT_PART(0x060f, EU_ACTIVE, 160), /* XVE_INST_EXECUTED_ALU0_ALL */
	EVENT_PART(0x0610, EU_ACTIVE, 80), /* XVE_INST_EXECUTED_FP32 */
	EVENT_PART(0x0611, EU_ACTIVE, 12), /* XVE_INST_EXECUTED_FP16 */
	EVENT_PART(0x0612, EU_ACTIVE, 4), /* XVE_INST_EXECUTED_FP64 */
	EVENT_PART(0x0614, EU_ACTIVE, 48), /* XVE_INST_EXECUTED_ALU2_ALL */
	EVENT_PART(0x0615, EU_ACTIVE, 20), /* XVE_INST_EXECUTED_XMX_FP16 */
	EVENT_PART(0x0616, EU_ACTIVE, 16), /* XVE_INST_EXECUTED_XMX_BF16 */
	EVENT_PART(0x0617, EU_ACTIVE, 12), /* XVE_INST_EXECUTED_XMX_INT8 */
	EVENT_PART(0x061a, EU_STALL, 8), /* XVE_STALL_INSTFETCH */
	EVENT_PART(0x061b, EU_STALL, 10), /* XVE_STALL_BARRIER */
	EVENT_PART(0x061c, EU_STALL, 150), /* XVE_STALL_SBID */
	EVENT_PART(0x061d, EU_STALL, 14), /* XVE_STALL_ALUWR */
	EVENT_PART(0x061e, EU_STALL, 30), /* XVE_STALL_SENDWR */
	EVENT_PART(0x061f, EU_STALL, 12), /* XVE_STALL_PIPESTALL */
	EVENT_PART(0x0620, EU_STALL, 8), /* XVE_STALL_CONTROL */
	EVENT_PART(0x0621, EU_STALL, 16), /* XVE_STALL_OTHER */
	EVENT_PART(0x0624, EU_ACTIVE, 80), /* XVE_MULTIPLE_PIPE_ACTIVE */
	EVENT_PART(0x0625, EU_ACTIVE, 64), /* XVE_PIPE_ALU0_AND_ALU1_ACTIVE */
	EVENT_PART(0x0626, EU_ACTIVE, 24), /* XVE_PIPE_ALU0_AND_ALU2_ACTIVE */
	EVENT_PART(0x0628, EU_STALL, 8), /* XVE_STALL_PS_DEPENDENCY */
	EVENT_PART(0x0a13, UNTYPED_READS, EVENT_BYTES), /* LOAD_STORE_CACHE_BYTE_READ */
	EVENT_PART(0x0a14, UNTYPED_WRITES, EVENT_BYTES), /* LOAD_STORE_CACHE_BYTE_WRITE */
	EVENT_PART(0x0a15, SLM_READS, EVENT_BYTES), /* SLM_BYTE_READ */
	EVENT_PART(0x0a16, SLM_WRITES, EVENT_BYTES), /* SLM_BYTE_WRITE */
	EVENT_PART(0x1801, STAGE_THREADS(SIM_CS), SIM_SHARE_ONE / 8), /* THREADGROUP_COUNT */
	EVENT_PART(0x1802, STAGE_THREADS(SIM_CS), SIM_SHARE_ONE / 16), /* ..., async */
	EVENT(0x4000, WRITTEN), /* PIXEL_WRITE */
	EVENT(0x4001, BLENDED), /* PIXEL_BLEND */
	EVENT_PART(0x4404, STAGE_THREADS(SIM_VS), 3 * SIM_SHARE_ONE), /* IA_PRIMITIVE */
	EVENT_PART(0x4405, STAGE_THREADS(SIM_VS), 8 * SIM_SHARE_ONE), /* IA_VERTEX */
	EVENT_PART(0x5000, GPU_BUSY, 16), /* COMMAND_PARSER_COPY_ENGINE_BUSY */
	EVENT_PART(0x5009, GPU_BUSY, 64), /* COMMAND_PARSER_COMPUTE_ENGINE_BUSY */
	EVENT_PART(0x5013, GPU_BUSY, 232), /* COMMAND_PARSER_RENDER_ENGINE_BUSY */
	EVENT(0x5a00, GPU_BUSY), /* GPU_BUSY */
	EVENT(0x5e02, GTI_READS), /* GPU_MEMORY_READ */
	EVENT(0x5e03, GTI_WRITES), /* GPU_MEMORY_WRITE */
	EVENT(0x5e06, GTI_READS), /* GPU_MEMORY_64B_TRANSACTION_READ */
	EVENT(0x5e07, GTI_WRITES), /* GPU_MEMORY_64B_TRANSACTION_WRITE */
	EVENT_PART(0x5e0a, GTI_READS, EVENT_BYTE_PAIRS), /* GPU_MEMORY_BYTE_READ */
	EVENT_PART(0x5e0b, GTI_WRITES, EVENT_BYTE_PAIRS), /* GPU_MEMORY_BYTE_WRITE */
	EVENT_PART(0x600f, GTI_L3, 4 * SIM_SHARE_ONE), /* L3_READ */
	EVENT_PART(0x6010, GTI_WRITES, 2 * SIM_SHARE_ONE), /* L3_WRITE */
	EVENT(0x6805, RASTERIZED), /* RASTERIZER_SAMPLE_OUTPUT */
};

static struct sim_source known_event(u32 low, u32 high)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(xe2_events) && !high; i++)
		if (xe2_events[i].number == low)
			return (struct sim_source){ xe2_events[i].signal, xe2_events[i].share };
	return gen12_event(low, high);
}

static struct sim_source xe2_event(const struct gpuoa_unit_desc *desc, u32 low, u32 high)
{
	switch (FIELD_GET(PES_EVENT, low)) {
	case TEST_EVENT_OF_XE_CORES:
		return test_event(low, desc->subslice_mask[0]);
	case TEST_EVENT_OF_SLICES:
		return test_event(low, desc->slice_mask);
	default:
		return known_event(low, high);
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

#define XE2_FORMAT(size_, ...)                                  \
	{                                                       \
		.size = (size_), .word = sizeof(u64), .runs = { \
			{ XE2_CLOCK, 1, 64, 24 },               \
			__VA_ARGS__                             \
		}                                               \
	}

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
	GEN12_OAG,     .trigger = OAG_MMIOTRIGGER, .format = xe2_format, .select = xe2_select,
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
