/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * gpu.h - a virtual GPU: its OA units, clock, power state, context slots and batch work.
 */
#ifndef _SIM_GPU_H
#define _SIM_GPU_H

#include "env.h"
#include "mmio.h"
#include "timeline.h"

struct sim_device_host;
struct sim_gpu;
struct sim_oa;
struct sim_platform;
struct sim_segment;

/* Step of the pinned GPU clock, MHz. As on hardware, the clock can only be a multiple of a step. */
#define SIM_PIN_STEP_MHZ 50
#define SIM_N_PINS 64

/**
 * struct sim_device_host - callbacks of the device host, called under &sim_gpu.lock
 * @clock: get the CPU time in ns; monotonic
 * @memory: get the CPU address of [address, address + size) in the GGTT; NULL if the range is not
 *   mapped completely
 * @half_full: raise the interrupt of a buffer that has become half full; may be NULL
 * @expect: sim_oa_half_full_ns() or sim_oa_landing_ns() of a unit has changed; may be NULL
 * @unknown: a register that does not exist was accessed; may be NULL
 */
struct sim_device_host {
	u64 (*clock)(const struct sim_gpu *gpu);
	u8 *(*memory)(const struct sim_gpu *gpu, u64 address, u64 size);
	void (*half_full)(struct sim_oa *oa);
	void (*expect)(struct sim_oa *oa);
	void (*unknown)(struct sim_gpu *gpu, u32 reg);
};

/**
 * struct sim_statistics - counts since the GPU was created
 * @asleep_accesses: accesses to registers and the clock without a wake reference
 * @unknown_accesses: accesses to registers that do not exist
 */
struct sim_statistics {
	u64 asleep_accesses;
	u64 unknown_accesses;
};

/**
 * struct sim_gpu - a virtual GPU
 * @platform: the simulated GPU
 * @device_host: device host
 * @lock: protects all following members. Innermost: it is taken in hard interrupts and inside perf.
 *   Functions of the model are called with it held unless documented otherwise
 * @mmio: register file
 * @clock: timestamp clock of the GPU
 * @world: parameters of the workloads
 * @workloads: the workloads, at the pinned clock if it is pinned
 * @work: profiles of batch work, at the pinned clock if it is pinned
 * @pins: workloads followed by batch profiles, for each clock step in use; entry 0 is not pinned
 * @timeline: when which workload ran. The device host serializes writers, so a caller that excludes
 *   writers may read it without @lock
 * @batch_runs: a batch runs exclusively
 * @interrupted: the segment to continue after the batch
 * @oa: the OA units
 * @n_oa: number of OA units
 * @awake: number of wake references
 * @dead: the GPU does not respond: registers read as all ones, and writes are ignored
 * @slots: hardware id of the context in each slot, 0 if the slot is free
 * @statistics: event counts
 */
struct sim_gpu {
	const struct sim_platform *platform;
	const struct sim_device_host *device_host;

	raw_spinlock_t lock; /* see above */
	struct sim_mmio mmio;
	struct sim_clock clock;
	struct sim_world world;
	struct sim_workload *workloads;
	struct sim_workload *work;
	struct sim_workload *pins[SIM_N_PINS];
	struct sim_timeline timeline;
	bool batch_runs;
	struct sim_segment interrupted;
	struct sim_oa *oa;
	unsigned int n_oa;
	unsigned int awake;
	bool dead;
	u32 slots[SIM_N_SLOTS];
	struct sim_statistics statistics;
};

int sim_gpu_create(struct sim_gpu *gpu, const struct sim_platform *platform,
		   const struct sim_device_host *device_host, unsigned int workload);
void sim_gpu_destroy(struct sim_gpu *gpu);

void sim_gpu_advance(struct sim_gpu *gpu);
void sim_gpu_change(struct sim_gpu *gpu, const struct sim_segment *segment);
void sim_gpu_slow(struct sim_gpu *gpu, u64 slowdown);
void sim_gpu_set_workload(struct sim_gpu *gpu, unsigned int workload);
const char *sim_gpu_workload(const struct sim_gpu *gpu);
void sim_gpu_set_offset(struct sim_gpu *gpu, u64 offset);
void sim_gpu_wrap_timestamp(struct sim_gpu *gpu, u64 ms);
u32 sim_gpu_snapshot(struct sim_gpu *gpu, unsigned int slot, u32 id, u32 *report);
u64 sim_gpu_timestamp(struct sim_gpu *gpu);
u64 sim_gpu_read_timestamp(struct sim_gpu *gpu);

u64 sim_now(const struct sim_gpu *gpu);
u64 sim_us_to_ticks(const struct sim_gpu *gpu, u32 us);
u64 sim_gpu_wait(struct sim_gpu *gpu, u64 tick);

int sim_slot_find(const struct sim_gpu *gpu, u32 hw_id);
u32 sim_slot_context(const struct sim_gpu *gpu, unsigned int slot);
void sim_slot_set(struct sim_gpu *gpu, unsigned int slot, u32 hw_id);

void sim_gpu_get(struct sim_gpu *gpu);
void sim_gpu_put(struct sim_gpu *gpu);
void sim_gpu_reset(struct sim_gpu *gpu);
void sim_gpu_reset_gt(struct sim_gpu *gpu, unsigned int gt);
void sim_gpu_set_dead(struct sim_gpu *gpu, bool dead);

int sim_gpu_pin_prepare(struct sim_gpu *gpu, u32 mhz);
int sim_gpu_pin(struct sim_gpu *gpu, u32 *mhz);

u64 sim_batch_begin(struct sim_gpu *gpu, unsigned int slot);
void sim_batch_report(struct sim_gpu *gpu, bool begin);
void sim_batch_end(struct sim_gpu *gpu, bool report);
int sim_work(struct sim_gpu *gpu, unsigned int slot, unsigned int profile, u64 clocks,
	     u64 *end_tick);
void sim_draw(struct sim_gpu *gpu, unsigned int slot, u32 samples, u64 *end_tick);
void sim_work_cut(struct sim_gpu *gpu);

#endif /* _SIM_GPU_H */
