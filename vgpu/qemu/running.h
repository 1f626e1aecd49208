/* SPDX-License-Identifier: MIT */
/*
 * running.h - the context that runs on an engine: what the device model sees of it, and its clock.
 */
#ifndef VGPU_RUNNING_H
#define VGPU_RUNNING_H

#include "vgpu/model/env.h"

struct vgpu_engine;

void vgpu_engine_runs(struct vgpu_engine *engine, u32 hw_id);
void vgpu_engine_stops(struct vgpu_engine *engine);
void vgpu_engine_works(struct vgpu_engine *engine, unsigned int scene, u64 clocks);
void vgpu_engine_draws(struct vgpu_engine *engine, u32 samples);
u32 vgpu_engine_report(struct vgpu_engine *engine, u32 id, u32 *report);

void vgpu_clock_goes_on(struct vgpu_engine *engine);
u32 vgpu_clock_read(struct vgpu_engine *engine);
void vgpu_clock_set(struct vgpu_engine *engine, u32 value);

#endif /* VGPU_RUNNING_H */
