// SPDX-License-Identifier: GPL-2.0-only
/*
 * sim_under_test.c - the files of the simulator that know no GPU, once more, so that gpuoa_sim.ko
 * has nothing to export for the suites.
 */
#include "vgpu/model/buffer.c"
#include "vgpu/model/select.c"
#include "vgpu/model/timeline.c"
#include "vgpu/model/cs.c"
#include "vgpu/model/fraction.c"
#include "vgpu/model/gen7_truth.c"
#include "vgpu/model/scene.c"
#include "../sim/owner.c"
