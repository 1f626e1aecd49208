/* SPDX-License-Identifier: MIT */
/*
 * power.h - RC6: the GPU sleeps when it may and nobody needs it.
 */
#ifndef VGPU_POWER_H
#define VGPU_POWER_H

#include "vgpu/model/env.h"

#include "mmio.h"

struct vgpu;

void vgpu_power_update(struct vgpu *vgpu);

/* RC6's residency */
extern const struct vgpu_behaviour vgpu_residency;

#endif /* VGPU_POWER_H */
