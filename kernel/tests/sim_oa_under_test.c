// SPDX-License-Identifier: GPL-2.0-only
/*
 * sim_oa_under_test.c - the rest of the simulator's device model once more: GPUs and their OA
 * units.
 */
#include "vgpu/model/advance.c"
#include "vgpu/model/beside.c"
#include "vgpu/model/create.c"
#include "vgpu/model/gen12_oa.c"
#include "vgpu/model/gen7_oa.c"
#include "vgpu/model/gen8_counters.c"
#include "vgpu/model/gen8_oa.c"
#include "vgpu/model/mmio.c"
#include "vgpu/model/oa_buffer.c"
#include "vgpu/model/oa_counters.c"
#include "vgpu/model/oa_expect.c"
#include "vgpu/model/oa_report.c"
#include "vgpu/model/oa_run.c"
#include "vgpu/model/oa_selection.c"
#include "vgpu/model/oam_oa.c"
#include "vgpu/model/pin.c"
#include "vgpu/model/platforms.c"
#include "vgpu/model/power.c"
#include "vgpu/model/slot.c"
#include "vgpu/model/tick.c"
#include "vgpu/model/truth.c"
#include "vgpu/model/work.c"
#include "vgpu/model/xe2_oa.c"
