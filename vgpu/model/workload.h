/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * workload.h - workloads of a virtual GPU, as exact functions of time.
 */
#ifndef _SIM_WORKLOAD_H
#define _SIM_WORKLOAD_H

#include "env.h"

/**
 * DOC: The load model
 *
 * A *signal* is an event that an OA counter can count: clocks, EU cycles, texels. A *workload* is
 * the load of the GPU: each signal has a constant rate during each of a few *phases*, which repeat
 * indefinitely. Hardware contexts take turns in *slots* of equal length; a phase in which the GPU
 * is idle belongs to no context. Each context scales the rates by its weight, so that contexts
 * differ in their load.
 *
 * Phases and slots overlap, so a workload consists of *pieces*, each with one context and a
 * constant rate of each signal. The length of a workload is a multiple of a round of all slots, so
 * the pieces repeat with it, and the integral of a signal from the start of the workload has a
 * closed form, both for all contexts together and for each of them. So the exact difference of a
 * counter between two points in time can be computed afterwards, by code that shares nothing with
 * the path of a report.
 *
 * Time is in ticks of the OA timestamp clock. Integrals are fixed-point numbers with
 * SIM_FRACTION_BITS of fraction; a rate is the increase per tick. These rates *define* the
 * workload, so nothing is rounded except the counter itself, which shows the integer part.
 */
#define SIM_FRACTION_BITS 16

/**
 * enum sim_stage - shader stages, in the order of their hardware counters
 * @SIM_VS: vertex
 * @SIM_HS: tessellation control
 * @SIM_DS: tessellation evaluation
 * @SIM_CS: compute
 * @SIM_GS: geometry
 * @SIM_PS: pixel
 * @SIM_N_STAGES: number of stages
 */
enum sim_stage {
	SIM_VS,
	SIM_HS,
	SIM_DS,
	SIM_CS,
	SIM_GS,
	SIM_PS,
	SIM_N_STAGES,
};

/*
 * Signals of a stage: cycles in which its threads execute, cycles in which they wait, resident
 * threads (an eighth of their number in each cycle, as in hardware), and threads started.
 */
#define SIM_STAGE_ACTIVE(stage) (SIM_STAGES + 4 * (stage))
#define SIM_STAGE_STALL(stage) (SIM_STAGES + 4 * (stage) + 1)
#define SIM_STAGE_LOADED(stage) (SIM_STAGES + 4 * (stage) + 2)
#define SIM_STAGE_THREADS(stage) (SIM_STAGES + 4 * (stage) + 3)

#define SIM_N_UNDOCUMENTED 16

/*
 * Signals that counters can count. If no other unit is given, an event is a request of a cache
 * line.
 */
enum sim_signal {
	SIM_CLOCK,
	SIM_GPU_BUSY,
	SIM_EU_ACTIVE,
	SIM_EU_STALL,
	SIM_EU_LOADED,
	SIM_STAGES,
	SIM_STAGES_END = SIM_STAGES + 4 * SIM_N_STAGES,

	/* samples */
	SIM_RASTERIZED = SIM_STAGES_END,
	SIM_HIZ_FAILS,
	SIM_EARLY_DEPTH_FAILS,
	SIM_PS_KILLED,
	SIM_ALPHA_FAILS,
	SIM_STENCIL_FAILS,
	SIM_DEPTH_FAILS,
	SIM_WRITTEN,
	SIM_BLENDED,

	/* clocks and events of the two samplers */
	SIM_SAMPLER0_BUSY,
	SIM_SAMPLER1_BUSY,
	SIM_SAMPLER0_BOTTLENECK,
	SIM_SAMPLER1_BOTTLENECK,
	SIM_SAMPLER0_TEXELS,
	SIM_SAMPLER1_TEXELS,
	SIM_SAMPLER0_L3,
	SIM_SAMPLER1_L3,
	SIM_SAMPLER_L2_MISSES,

	/* memory interface (GTI) */
	SIM_GTI_DEPTH,
	SIM_GTI_VF,
	SIM_GTI_RCC,
	SIM_GTI_L3,
	SIM_GTI_READS,
	SIM_GTI_WRITES,

	/* data port */
	SIM_UNTYPED_READS,
	SIM_UNTYPED_WRITES,
	SIM_TYPED_READS,
	SIM_TYPED_WRITES,
	SIM_TYPED_ATOMICS,
	SIM_SLM_READS,
	SIM_SLM_WRITES,

	/*
	 * Undocumented hardware counters also count, so that no two fields of a report are equal.
	 */
	SIM_UNDOCUMENTED,
	SIM_N_SIGNALS = SIM_UNDOCUMENTED + SIM_N_UNDOCUMENTED,
};

#define SIM_N_SLOTS 8

/* Values used in place of a slot, for no context and for all contexts */
#define SIM_NOBODY SIM_N_SLOTS
#define SIM_GLOBAL (SIM_N_SLOTS + 1)

/* Number of streams with separate integrals: each slot, SIM_NOBODY and SIM_GLOBAL */
#define SIM_N_STREAMS (SIM_N_SLOTS + 2)

#define SIM_MAX_PHASES 3
#define SIM_MAX_PIECES 24
#define SIM_N_WEIGHTS 4

/**
 * struct sim_piece - an interval of constant rates, for one context
 * @ticks: duration in ticks
 * @slot: slot of the context, or SIM_NOBODY
 * @mhz: the GPU clock in MHz
 * @rate: increase of each signal per tick, fixed-point
 */
struct sim_piece {
	u64 ticks;
	unsigned int slot;
	unsigned int mhz;
	const u64 *rate;
};

/**
 * struct sim_workload - a workload: phases that repeat
 * @name: name in the module parameter and in debugfs
 * @ticks: duration of all pieces in ticks
 * @n_pieces: number of pieces
 * @pieces: the pieces, in temporal order
 * @total: increase of each signal over all pieces, fixed-point, for each stream
 * @rates: rates of each phase, for each weight
 */
struct sim_workload {
	const char *name;
	u64 ticks;
	unsigned int n_pieces;
	struct sim_piece pieces[SIM_MAX_PIECES];
	u64 total[SIM_N_STREAMS][SIM_N_SIGNALS];
	u64 rates[SIM_MAX_PHASES][SIM_N_WEIGHTS][SIM_N_SIGNALS];
};

#define SIM_N_WORKLOADS 4
#define SIM_WORKLOAD_IDLE 0
#define SIM_WORKLOAD_STEADY 1
#define SIM_WORKLOAD_FRAMES 2
#define SIM_WORKLOAD_COMPUTE 3

/*
 * Profiles of batch work: the first phase of each workload; and draws, with an exact number of
 * samples written per tick
 */
#define SIM_WORK_DRAW SIM_N_WORKLOADS
#define SIM_WORK_DRAW_REST (SIM_N_WORKLOADS + 1)
#define SIM_N_WORKS (SIM_N_WORKLOADS + 2)
#define SIM_DRAW_SAMPLES 256
#define SIM_DRAW_REST_SAMPLES 1

extern const char *const sim_workload_names[SIM_N_WORKLOADS];

/**
 * struct sim_world - parameters of workloads
 * @frequency: frequency of the timestamp clock in Hz
 * @slot_ticks: length of a slot in ticks
 * @min_mhz: minimum GPU clock in MHz
 * @max_mhz: maximum GPU clock in MHz
 * @pinned_mhz: pinned GPU clock in MHz; 0 to use that of the workload
 * @n_eus: number of EUs
 */
struct sim_world {
	u64 frequency;
	u64 slot_ticks;
	u32 min_mhz;
	u32 max_mhz;
	u32 pinned_mhz;
	u32 n_eus;
};

void sim_workload_build(struct sim_workload *workload, unsigned int which,
			const struct sim_world *world);
void sim_work_build(struct sim_workload *workload, unsigned int which,
		    const struct sim_world *world);

#endif /* _SIM_WORKLOAD_H */
