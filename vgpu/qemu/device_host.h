/* SPDX-License-Identifier: MIT */
/*
 * carrier.h - the device model in this process: its time, its memory, and its registers.
 */
#ifndef VGPU_CARRIER_H
#define VGPU_CARRIER_H

#include "vgpu/model/env.h"

#include "mmio.h"

struct vgpu;

/* What a command takes of the GPU's time */
#define VGPU_COMMAND_NS 10

int vgpu_carrier_init(struct vgpu *vgpu, unsigned int scene);
void vgpu_carrier_destroy(struct vgpu *vgpu);
u64 vgpu_time_cpu(void);
void vgpu_time_burst(struct vgpu *vgpu, bool burst);
void vgpu_time_pass(struct vgpu *vgpu, u64 ns);

#endif /* VGPU_CARRIER_H */
