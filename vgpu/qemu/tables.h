/* SPDX-License-Identifier: MIT */
/*
 * tables.h - tables of registers; each ends with {}.
 */
#ifndef VGPU_TABLES_H
#define VGPU_TABLES_H

#include "mmio.h"

extern const struct vgpu_rule vgpu_registers_stored[];
extern const struct vgpu_rule vgpu_registers_all[];
extern const struct vgpu_rule vgpu_registers_gen7[];
extern const struct vgpu_rule vgpu_registers_gen8[];
extern const struct vgpu_rule vgpu_registers_display[];
extern const struct vgpu_rule vgpu_registers_gen9[];
extern const struct vgpu_rule vgpu_registers_gen11[];
extern const struct vgpu_rule vgpu_registers_gen12[];

#endif /* VGPU_TABLES_H */
