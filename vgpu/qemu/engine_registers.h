/* SPDX-License-Identifier: MIT */
/*
 * engine_registers.h - the registers of engines; registers.h says which.
 */
#ifndef VGPU_ENGINE_REGISTERS_H
#define VGPU_ENGINE_REGISTERS_H

#include "mmio.h"

extern const struct vgpu_behaviour vgpu_engine_registers;

#endif /* VGPU_ENGINE_REGISTERS_H */
