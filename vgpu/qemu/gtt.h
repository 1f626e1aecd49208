/* SPDX-License-Identifier: MIT */
/*
 * gtt.h - page tables: where an address of the GPU leads in the guest's memory.
 */
#ifndef VGPU_GTT_H
#define VGPU_GTT_H

#include "vgpu/model/env.h"

struct vgpu;
struct vgpu_engine;

u32 *vgpu_ggtt(struct vgpu *vgpu, u64 address);
u32 *vgpu_ppgtt(struct vgpu_engine *engine, u64 address);

#endif /* VGPU_GTT_H */
