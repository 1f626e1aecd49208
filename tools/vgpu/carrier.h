/* SPDX-License-Identifier: MIT */
/*
 * carrier.h - the device model in this process: its time, its memory, and who runs on it.
 */
#ifndef VGPU_CARRIER_H
#define VGPU_CARRIER_H

#include "kernel/sim/model/env.h"

#include "kernel/sim/model/advance.h"
#include "kernel/sim/model/tick.h"

#include "mmio.h"

struct vgpu;
struct vgpu_engine;

/* What a command takes of the GPU's time */
#define VGPU_COMMAND_NS 10

/* Registers that the model answers for */
extern const struct vgpu_behaviour vgpu_model_registers;

int vgpu_carrier_init(struct vgpu *vgpu, unsigned int scene);
void vgpu_carrier_destroy(struct vgpu *vgpu);
void vgpu_time_burst(struct vgpu *vgpu, bool burst);
void vgpu_time_pass(struct vgpu *vgpu, u64 ns);
void vgpu_engine_runs(struct vgpu_engine *engine, u32 hw_id);
void vgpu_engine_stops(struct vgpu_engine *engine);
u32 vgpu_engine_report(struct vgpu_engine *engine, u32 id, u32 *report);
void vgpu_engine_works(struct vgpu_engine *engine, unsigned int scene, u64 clocks);
void vgpu_engine_draws(struct vgpu_engine *engine, u32 samples);
void vgpu_power_update(struct vgpu *vgpu);

/* RC6's residency */
extern const struct vgpu_behaviour vgpu_residency;

#endif /* VGPU_CARRIER_H */
