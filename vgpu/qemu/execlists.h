/* SPDX-License-Identifier: MIT */
/*
 * execlists.h - execlists: submission of contexts, and the current context of an engine.
 */
#ifndef _VGPU_EXECLISTS_H
#define _VGPU_EXECLISTS_H

#include "vgpu/model/env.h"

struct vgpu_engine;

void vgpu_execlists_submit(struct vgpu_engine *engine, u64 descriptor);
bool vgpu_execlists_preempt(struct vgpu_engine *engine);

void vgpu_engine_runs(struct vgpu_engine *engine, u32 hw_id);
void vgpu_engine_stops(struct vgpu_engine *engine);
void vgpu_engine_works(struct vgpu_engine *engine, unsigned int workload, u64 clocks);
void vgpu_engine_draws(struct vgpu_engine *engine, u32 samples);
u32 vgpu_engine_report(struct vgpu_engine *engine, u32 id, u32 *report);

void vgpu_clock_goes_on(struct vgpu_engine *engine);
u32 vgpu_clock_read(struct vgpu_engine *engine);
void vgpu_clock_set(struct vgpu_engine *engine, u32 value);

#endif /* _VGPU_EXECLISTS_H */
