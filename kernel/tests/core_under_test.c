// SPDX-License-Identifier: GPL-2.0-only
/*
 * core_under_test.c - the files of gpuoa.ko that the suites test, once more, so that gpuoa.ko has
 * nothing to export for them.
 */
#include "../core/attr.c"
#include "../core/exponent.c"
#include "../core/count.c"
#include "../core/filter.c"
#include "../core/hw.c"
#include "../core/landing.c"
#include "../core/metric_set.c"
#include "../core/oa_gen12.c"
#include "../core/oa_gen7.c"
#include "../core/oa_gen8.c"
#include "../core/oa_oam.c"
#include "../core/oa_xe2.c"
#include "../core/pace.c"
#include "../core/platform.c"
#include "../core/report.c"
#include "../core/ring.c"
#include "../core/test_sets.c"
#include "../core/thin.c"
