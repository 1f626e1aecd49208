// SPDX-License-Identifier: GPL-2.0-only
/*
 * sim_oa_under_test.c - the rest of the simulator's device model once more: GPUs and their OA
 * units.
 */
#include "../sim/model/advance.c"
#include "../sim/model/beside.c"
#include "../sim/model/create.c"
#include "../sim/model/gen12_oa.c"
#include "../sim/model/gen7_oa.c"
#include "../sim/model/gen8_counters.c"
#include "../sim/model/gen8_oa.c"
#include "../sim/model/mmio.c"
#include "../sim/model/oa_buffer.c"
#include "../sim/model/oa_counters.c"
#include "../sim/model/oa_expect.c"
#include "../sim/model/oa_report.c"
#include "../sim/model/oa_run.c"
#include "../sim/model/oa_selection.c"
#include "../sim/model/oam_oa.c"
#include "../sim/model/pin.c"
#include "../sim/model/platforms.c"
#include "../sim/model/power.c"
#include "../sim/model/slot.c"
#include "../sim/model/tick.c"
#include "../sim/model/truth.c"
#include "../sim/model/work.c"
#include "../sim/model/xe2_oa.c"
