// SPDX-License-Identifier: GPL-2.0-only
/*
 * sim_under_test.c - the files of gpuoa_sim.ko that the suites test, once more, so that it has
 * nothing to export for them.
 */
#include "../sim/gen7_counters.c"
#include "../sim/gen7_truth.c"
#include "../sim/sim_buffer.c"
#include "../sim/sim_cec.c"
#include "../sim/sim_clock.c"
#include "../sim/sim_cs.c"
#include "../sim/sim_cs_registers.c"
#include "../sim/sim_fraction.c"
#include "../sim/sim_load.c"
#include "../sim/sim_select.c"
#include "../sim/sim_timeline.c"
