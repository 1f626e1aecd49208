// SPDX-License-Identifier: GPL-2.0-only
/*
 * workload.c - plausible workloads, defined in events per clock and converted to exact rates of a
 * GPU.
 */
#include "workload.h"

/* Shares and event counts are relative to this number of clocks. */
#define LOAD_CLOCKS 1024

/* Clocks are specified for a GPU with this maximum clock. */
#define LOAD_MAX_MHZ 1200

/**
 * struct load_stage - activity of a shader stage
 * @active: share of all EU cycles in which its threads execute
 * @stall: share of all EU cycles in which its threads wait
 * @cycles: active cycles of one thread
 */
struct load_stage {
	u16 active;
	u16 stall;
	u32 cycles;
};

/**
 * struct load_phase - a phase of a workload
 * @us: duration in us; 0 for the rest of the workload's period
 * @mhz: GPU clock in MHz, if the maximum is LOAD_MAX_MHZ
 * @stages: the shader stages
 * @events: the other signals, in events per LOAD_CLOCKS clocks
 */
struct load_phase {
	u32 us;
	u32 mhz;
	struct load_stage stages[SIM_N_STAGES];
	u32 events[SIM_UNDOCUMENTED];
};

/**
 * struct load - a workload
 * @cycles: length of the workload's period in rounds of all time slots
 * @n_phases: length of @phases
 * @phases: the phases
 */
struct load {
	unsigned int cycles;
	unsigned int n_phases;
	const struct load_phase *phases;
};

const char *const sim_workload_names[SIM_N_WORKLOADS] = { "idle", "steady", "frames", "compute" };

/* Idle, at a low clock */
static const struct load_phase idle_phases[] = {
	{ .mhz = 350 },
};

/* A constant 3D workload */
static const struct load_phase steady_phases[] = {
	{
		.mhz = 1000,
		.stages = {
			[SIM_VS] = { .active = 90, .stall = 40, .cycles = 120 },
			[SIM_HS] = { .active = 22, .stall = 9, .cycles = 310 },
			[SIM_DS] = { .active = 45, .stall = 20, .cycles = 95 },
			[SIM_CS] = { .active = 60, .stall = 35, .cycles = 800 },
			[SIM_GS] = { .active = 31, .stall = 13, .cycles = 140 },
			[SIM_PS] = { .active = 400, .stall = 150, .cycles = 210 },
		},
		.events = {
			[SIM_GPU_BUSY] = 950,
			[SIM_RASTERIZED] = 4100,
			[SIM_HIZ_FAILS] = 610,
			[SIM_EARLY_DEPTH_FAILS] = 330,
			[SIM_PS_KILLED] = 71,
			[SIM_ALPHA_FAILS] = 42,
			[SIM_STENCIL_FAILS] = 23,
			[SIM_DEPTH_FAILS] = 118,
			[SIM_WRITTEN] = 2900,
			[SIM_BLENDED] = 210,
			[SIM_SAMPLER0_BUSY] = 620,
			[SIM_SAMPLER1_BUSY] = 570,
			[SIM_SAMPLER0_BOTTLENECK] = 83,
			[SIM_SAMPLER1_BOTTLENECK] = 61,
			[SIM_SAMPLER0_TEXELS] = 540,
			[SIM_SAMPLER1_TEXELS] = 505,
			[SIM_SAMPLER0_L3] = 160,
			[SIM_SAMPLER1_L3] = 145,
			[SIM_SAMPLER_L2_MISSES] = 95,
			[SIM_GTI_DEPTH] = 75,
			[SIM_GTI_VF] = 33,
			[SIM_GTI_RCC] = 140,
			[SIM_GTI_L3] = 190,
			[SIM_GTI_READS] = 230,
			[SIM_GTI_WRITES] = 155,
			[SIM_UNTYPED_READS] = 66,
			[SIM_UNTYPED_WRITES] = 29,
			[SIM_TYPED_READS] = 38,
			[SIM_TYPED_WRITES] = 17,
			[SIM_TYPED_ATOMICS] = 6,
			[SIM_SLM_READS] = 52,
			[SIM_SLM_WRITES] = 27,
		},
	},
};

/* A game at 62.5 Hz: geometry, then pixels, then idle at a low clock until the next frame */
static const struct load_phase frames_phases[] = {
	{
		.us = 3500,
		.mhz = 1150,
		.stages = {
			[SIM_VS] = { .active = 420, .stall = 170, .cycles = 120 },
			[SIM_HS] = { .active = 64, .stall = 28, .cycles = 310 },
			[SIM_DS] = { .active = 110, .stall = 36, .cycles = 95 },
			[SIM_GS] = { .active = 48, .stall = 22, .cycles = 140 },
		},
		.events = {
			[SIM_GPU_BUSY] = 1010,
			[SIM_SAMPLER0_BUSY] = 40,
			[SIM_SAMPLER1_BUSY] = 36,
			[SIM_SAMPLER0_TEXELS] = 14,
			[SIM_SAMPLER1_TEXELS] = 12,
			[SIM_SAMPLER0_L3] = 9,
			[SIM_SAMPLER1_L3] = 8,
			[SIM_SAMPLER_L2_MISSES] = 7,
			[SIM_GTI_VF] = 210,
			[SIM_GTI_L3] = 120,
			[SIM_GTI_READS] = 180,
			[SIM_GTI_WRITES] = 44,
			[SIM_UNTYPED_READS] = 25,
		},
	},
	{
		.us = 7250,
		.mhz = 1150,
		.stages = {
			[SIM_VS] = { .active = 12, .stall = 5, .cycles = 120 },
			[SIM_CS] = { .active = 70, .stall = 44, .cycles = 800 },
			[SIM_PS] = { .active = 640, .stall = 205, .cycles = 260 },
		},
		.events = {
			[SIM_GPU_BUSY] = 1024,
			[SIM_RASTERIZED] = 6300,
			[SIM_HIZ_FAILS] = 980,
			[SIM_EARLY_DEPTH_FAILS] = 520,
			[SIM_PS_KILLED] = 130,
			[SIM_ALPHA_FAILS] = 64,
			[SIM_STENCIL_FAILS] = 37,
			[SIM_DEPTH_FAILS] = 215,
			[SIM_WRITTEN] = 4400,
			[SIM_BLENDED] = 370,
			[SIM_SAMPLER0_BUSY] = 900,
			[SIM_SAMPLER1_BUSY] = 870,
			[SIM_SAMPLER0_BOTTLENECK] = 170,
			[SIM_SAMPLER1_BOTTLENECK] = 140,
			[SIM_SAMPLER0_TEXELS] = 810,
			[SIM_SAMPLER1_TEXELS] = 760,
			[SIM_SAMPLER0_L3] = 240,
			[SIM_SAMPLER1_L3] = 220,
			[SIM_SAMPLER_L2_MISSES] = 150,
			[SIM_GTI_DEPTH] = 130,
			[SIM_GTI_VF] = 4,
			[SIM_GTI_RCC] = 260,
			[SIM_GTI_L3] = 280,
			[SIM_GTI_READS] = 340,
			[SIM_GTI_WRITES] = 290,
			[SIM_UNTYPED_READS] = 90,
			[SIM_UNTYPED_WRITES] = 41,
			[SIM_TYPED_READS] = 57,
			[SIM_TYPED_WRITES] = 30,
			[SIM_TYPED_ATOMICS] = 11,
			[SIM_SLM_READS] = 80,
			[SIM_SLM_WRITES] = 45,
		},
	},
	{ .mhz = 600 },
};

/* Compute kernels of 14.5 ms, 1.5 ms apart */
static const struct load_phase compute_phases[] = {
	{
		.us = 14500,
		.mhz = 1200,
		.stages = {
			[SIM_CS] = { .active = 760, .stall = 190, .cycles = 5000 },
		},
		.events = {
			[SIM_GPU_BUSY] = 1024,
			[SIM_SAMPLER0_BUSY] = 120,
			[SIM_SAMPLER1_BUSY] = 118,
			[SIM_SAMPLER0_BOTTLENECK] = 5,
			[SIM_SAMPLER1_BOTTLENECK] = 4,
			[SIM_SAMPLER0_TEXELS] = 110,
			[SIM_SAMPLER1_TEXELS] = 108,
			[SIM_SAMPLER0_L3] = 44,
			[SIM_SAMPLER1_L3] = 43,
			[SIM_SAMPLER_L2_MISSES] = 20,
			[SIM_GTI_L3] = 400,
			[SIM_GTI_READS] = 380,
			[SIM_GTI_WRITES] = 300,
			[SIM_UNTYPED_READS] = 310,
			[SIM_UNTYPED_WRITES] = 200,
			[SIM_TYPED_READS] = 120,
			[SIM_TYPED_WRITES] = 85,
			[SIM_TYPED_ATOMICS] = 33,
			[SIM_SLM_READS] = 290,
			[SIM_SLM_WRITES] = 180,
		},
	},
	{ .mhz = 800 },
};

static const struct load loads[SIM_N_WORKLOADS] = {
	{ .cycles = 1, .n_phases = ARRAY_SIZE(idle_phases), .phases = idle_phases },
	{ .cycles = 1, .n_phases = ARRAY_SIZE(steady_phases), .phases = steady_phases },
	{ .cycles = 2, .n_phases = ARRAY_SIZE(frames_phases), .phases = frames_phases },
	{ .cycles = 2, .n_phases = ARRAY_SIZE(compute_phases), .phases = compute_phases },
};

/*
 * Load of a context relative to the workload, in 1/WEIGHT_ONE; indexed by slot modulo SIM_N_WEIGHTS
 */
#define WEIGHT_ONE 8

static const u32 weights[SIM_N_WEIGHTS] = { 8, 5, 6, 3 };

/* Number of threads on a busy EU; every EU has at least seven. */
#define LOADED_THREADS 5

/* EU signals are summed over all EUs, as the hardware does. */
static void load_build_stages(u64 *rate, const struct load_phase *load, u64 clock, u32 weight)
{
	unsigned int s;

	for (s = 0; s < SIM_N_STAGES; s++) {
		const struct load_stage *stage = &load->stages[s];
		u64 active = clock * stage->active * weight / (LOAD_CLOCKS * WEIGHT_ONE);
		u64 stall = clock * stage->stall * weight / (LOAD_CLOCKS * WEIGHT_ONE);

		rate[SIM_STAGE_ACTIVE(s)] = active;
		rate[SIM_STAGE_STALL(s)] = stall;
		rate[SIM_STAGE_LOADED(s)] = (active + stall) * LOADED_THREADS / 8;
		if (stage->cycles)
			rate[SIM_STAGE_THREADS(s)] = div_u64(active, stage->cycles);
		rate[SIM_EU_ACTIVE] += active;
		rate[SIM_EU_STALL] += stall;
		rate[SIM_EU_LOADED] += rate[SIM_STAGE_LOADED(s)];
	}
}

static u32 load_mhz(const struct load_phase *load, const struct sim_world *world)
{
	return world->pinned_mhz ?: load->mhz * world->max_mhz / LOAD_MAX_MHZ;
}

static void load_build_phase(u64 *rate, const struct load_phase *load,
			     const struct sim_world *world, u32 weight)
{
	u64 hz = (u64)load_mhz(load, world) * USEC_PER_SEC;
	u64 clock = div64_u64(hz << SIM_FRACTION_BITS, world->frequency);
	unsigned int i;

	for (i = 0; i < SIM_UNDOCUMENTED; i++)
		rate[i] = clock * load->events[i] * weight / (LOAD_CLOCKS * WEIGHT_ONE);
	for (i = 0; i < SIM_N_UNDOCUMENTED; i++)
		rate[SIM_UNDOCUMENTED + i] = clock * (i + 1) / LOAD_CLOCKS;
	rate[SIM_CLOCK] = clock;
	load_build_stages(rate, load, clock * world->n_eus, weight);
}

static void load_build_rates(struct sim_workload *workload, const struct load *load,
			     const struct sim_world *world)
{
	unsigned int p, w;

	for (p = 0; p < load->n_phases; p++)
		for (w = 0; w < SIM_N_WEIGHTS; w++)
			load_build_phase(workload->rates[p][w], &load->phases[p], world,
					 weights[w]);
}

static void load_total(u64 *total, const struct sim_piece *piece)
{
	unsigned int i;

	for (i = 0; i < SIM_N_SIGNALS; i++)
		total[i] += piece->rate[i] * piece->ticks;
}

static void load_add_piece(struct sim_workload *workload, const struct sim_piece *piece)
{
	workload->pieces[workload->n_pieces++] = *piece;
	workload->ticks += piece->ticks;
	load_total(workload->total[piece->slot], piece);
	load_total(workload->total[SIM_GLOBAL], piece);
}

/* Split a phase at the boundaries of slots. */
static void load_cut_phase(struct sim_workload *workload, unsigned int p,
			   const struct load_phase *load, u64 ticks, const struct sim_world *world)
{
	u64 done, slot, part;

	while (ticks) {
		slot = div64_u64_rem(workload->ticks, world->slot_ticks, &done) % SIM_N_SLOTS;
		part = min(ticks, world->slot_ticks - done);
		load_add_piece(workload,
			       &(struct sim_piece){
				       .ticks = part,
				       .slot = load->events[SIM_GPU_BUSY] ? slot : SIM_NOBODY,
				       .mhz = load_mhz(load, world),
				       .rate = workload->rates[p][slot % SIM_N_WEIGHTS],
			       });
		ticks -= part;
	}
}

/**
 * sim_workload_build() - Build a workload.
 * @workload: memory for the workload
 * @which: index of the workload
 * @world: parameters of the GPU
 */
void sim_workload_build(struct sim_workload *workload, unsigned int which,
			const struct sim_world *world)
{
	const struct load *load = &loads[which];
	u64 all = load->cycles * SIM_N_SLOTS * world->slot_ticks, ticks;
	unsigned int p;

	memset(workload, 0, sizeof(*workload));
	workload->name = sim_workload_names[which];
	load_build_rates(workload, load, world);
	for (p = 0; p < load->n_phases; p++) {
		ticks = div_u64(world->frequency * load->phases[p].us, USEC_PER_SEC);
		load_cut_phase(workload, p, &load->phases[p], ticks ?: all - workload->ticks,
			       world);
	}
}

/**
 * sim_work_build() - Build the profile of a batch's work: a workload's first phase, or a draw.
 * @workload: memory for the profile
 * @which: index of the workload, or SIM_WORK_DRAW or SIM_WORK_DRAW_REST
 * @world: parameters of the GPU
 */
void sim_work_build(struct sim_workload *workload, unsigned int which,
		    const struct sim_world *world)
{
	const bool draws = which >= SIM_N_WORKLOADS;
	const unsigned int like = draws ? SIM_WORKLOAD_STEADY : which;
	const u64 samples = which == SIM_WORK_DRAW ? SIM_DRAW_SAMPLES : SIM_DRAW_REST_SAMPLES;
	const struct load *load = &loads[like];

	memset(workload, 0, sizeof(*workload));
	workload->name = sim_workload_names[like];
	load_build_rates(workload, load, world);
	if (draws)
		workload->rates[0][0][SIM_WRITTEN] = samples << SIM_FRACTION_BITS;
	load_add_piece(workload, &(struct sim_piece){
					 .ticks = world->slot_ticks,
					 .slot = 0,
					 .mhz = load_mhz(&load->phases[0], world),
					 .rate = workload->rates[0][0],
				 });
}
