/* SPDX-License-Identifier: MIT */
/*
 * proxy.h - QEMU's protocol for devices in other processes.
 */
#ifndef VGPU_PROXY_H
#define VGPU_PROXY_H

struct vgpu;

int vgpu_proxy_serve(struct vgpu *vgpu, int socket);

#endif /* VGPU_PROXY_H */
