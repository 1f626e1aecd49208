/* SPDX-License-Identifier: MIT */
/*
 * engines.h - engines at work.
 */
#ifndef VGPU_ENGINES_H
#define VGPU_ENGINES_H

#include "vgpu/model/env.h"

struct vgpu;
struct vgpu_engine;

int vgpu_engines_init(struct vgpu *vgpu);
bool vgpu_engines_run(struct vgpu *vgpu);
void vgpu_engine_reset(struct vgpu_engine *engine);

#endif /* VGPU_ENGINES_H */
