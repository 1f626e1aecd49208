// SPDX-License-Identifier: GPL-2.0-only
/*
 * core_under_test.c - includes the gpuoa.ko files under test, so that gpuoa.ko need not export
 * their functions.
 */
#include "../core/oa/gen7.c"
#include "../core/oa/gen8.c"
#include "../core/oa/gpuoa_gen12.c"
#include "../core/oa/gpuoa_report.c"
#include "../core/oa/hw.c"
#include "../core/oa/metric_set.c"
#include "../core/oa/platform.c"
#include "../core/stream/attr.c"
#include "../core/stream/count.c"
#include "../core/stream/landing.c"
#include "../core/stream/pace.c"
#include "../core/stream/pieces.c"
#include "../core/stream/ring.c"
#include "../core/stream/thin.c"
