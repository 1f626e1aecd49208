/* SPDX-License-Identifier: MIT */
/*
 * device_host.h - device host of the model in this process: its time, memory and registers.
 */
#ifndef VGPU_DEVICE_HOST_H
#define VGPU_DEVICE_HOST_H

#include "vgpu/model/env.h"

#include "mmio.h"

struct vgpu;

/* GPU time that a command takes */
#define VGPU_COMMAND_NS 10

int vgpu_device_host_init(struct vgpu *vgpu, unsigned int workload);
void vgpu_device_host_destroy(struct vgpu *vgpu);
u64 vgpu_time_cpu(void);
void vgpu_time_burst(struct vgpu *vgpu, bool burst);
void vgpu_time_pass(struct vgpu *vgpu, u64 ns);

#endif /* VGPU_DEVICE_HOST_H */
