/* SPDX-License-Identifier: MIT */
/*
 * reset.h - resets of engines, and of all of the GPU.
 */
#ifndef VGPU_RESET_H
#define VGPU_RESET_H

#include "mmio.h"

extern const struct vgpu_behaviour vgpu_gdrst;

#endif /* VGPU_RESET_H */
