// SPDX-License-Identifier: GPL-2.0-only
/*
 * sim_under_test.c - the files of the simulator that know no GPU, once more, so that gpuoa_sim.ko
 * has nothing to export for the suites.
 */
#include "../sim/model/buffer.c"
#include "../sim/model/cec.c"
#include "../sim/model/clock.c"
#include "../sim/model/cs.c"
#include "../sim/model/cs_registers.c"
#include "../sim/model/fraction.c"
#include "../sim/model/gen7_counters.c"
#include "../sim/model/gen7_truth.c"
#include "../sim/model/scene.c"
#include "../sim/model/select.c"
#include "../sim/model/timeline.c"
#include "../sim/owner.c"
