// SPDX-License-Identifier: GPL-2.0-only
/*
 * core_under_test.c - includes the gpuoa.ko files under test, so that gpuoa.ko need not export
 * their functions.
 */
#include "../core/oa/gpuoa_gen12.c"
#include "../core/oa/gpuoa_gen7.c"
#include "../core/oa/gpuoa_gen8.c"
#include "../core/oa/gpuoa_hw.c"
#include "../core/oa/gpuoa_metric_set.c"
#include "../core/oa/gpuoa_report.c"
#include "../core/oa/platform.c"
#include "../core/stream/gpuoa_attr.c"
#include "../core/stream/gpuoa_count.c"
#include "../core/stream/gpuoa_poll_interval.c"
#include "../core/stream/gpuoa_ring.c"
#include "../core/stream/gpuoa_sample.c"
#include "../core/stream/gpuoa_tail_check.c"
