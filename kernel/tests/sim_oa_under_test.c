// SPDX-License-Identifier: GPL-2.0-only
/*
 * sim_oa_under_test.c - includes the simulator's GPUs and OA units.
 */
#include "vgpu/model/gpu.c"
#include "vgpu/model/mmio.c"
#include "vgpu/model/gen12.c"
#include "vgpu/model/gen7.c"
#include "vgpu/model/gen8.c"
#include "vgpu/model/oa.c"
#include "vgpu/model/oam.c"
#include "vgpu/model/platforms.c"
#include "vgpu/model/reference.c"
#include "vgpu/model/xe2.c"
