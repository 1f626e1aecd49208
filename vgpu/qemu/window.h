/* SPDX-License-Identifier: MIT */
/*
 * window.h - lets the guest write the global page table as memory.
 */
#ifndef VGPU_WINDOW_H
#define VGPU_WINDOW_H

#include "vgpu/model/env.h"

struct vgpu;

/* Slot on the guest's bus of the device that shows the table */
#define VGPU_WINDOW_SLOT 0x1e

int vgpu_window_create(u32 size);
int vgpu_window_open(struct vgpu *vgpu, int fd);
void vgpu_window_missed(struct vgpu *vgpu, u32 address);

#endif /* VGPU_WINDOW_H */
