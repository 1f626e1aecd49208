// SPDX-License-Identifier: GPL-2.0-only
/*
 * sim_under_test.c - includes the simulator files that do not depend on a GPU, so that gpuoa_sim.ko
 * need not export their functions.
 */
#include "vgpu/model/buffer.c"
#include "vgpu/model/select.c"
#include "vgpu/model/timeline.c"
#include "vgpu/model/cs.c"
#include "vgpu/model/workload.c"
#include "../sim/owner.c"
