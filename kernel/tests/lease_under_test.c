// SPDX-License-Identifier: GPL-2.0-only
/*
 * lease_under_test.c - the files of gpuoa_i915.ko that the suites test, once more.
 */
#include "../i915/clock.c"
#include "../i915/ids.c"
#include "../i915/proof.c"
#include "../i915/pte.c"
