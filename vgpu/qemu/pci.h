/* SPDX-License-Identifier: MIT */
/*
 * pci.h - the device on the guest's bus.
 */
#ifndef VGPU_PCI_H
#define VGPU_PCI_H

#include "vgpu/model/env.h"

struct vgpu;

void vgpu_pci_init(struct vgpu *vgpu);
void vgpu_pci_reset(struct vgpu *vgpu);
u32 vgpu_pci_read(struct vgpu *vgpu, u32 at, unsigned int size);
void vgpu_pci_write(struct vgpu *vgpu, u32 at, unsigned int size, u32 value);
void vgpu_pci_interrupt(struct vgpu *vgpu);
u64 vgpu_bar_read(struct vgpu *vgpu, u64 address, unsigned int size);
void vgpu_bar_write(struct vgpu *vgpu, u64 address, unsigned int size, u64 value);

#endif /* VGPU_PCI_H */
