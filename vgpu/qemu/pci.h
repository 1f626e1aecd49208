/* SPDX-License-Identifier: MIT */
/*
 * pci.h - the PCI device, and the protocol of QEMU's x-pci-proxy-dev.
 */
#ifndef _VGPU_PCI_H
#define _VGPU_PCI_H

#include "vgpu/model/env.h"

struct vgpu;

void vgpu_pci_init(struct vgpu *vgpu);
void vgpu_pci_interrupt(struct vgpu *vgpu);

int vgpu_proxy_serve(struct vgpu *vgpu, int socket);

#endif /* _VGPU_PCI_H */
