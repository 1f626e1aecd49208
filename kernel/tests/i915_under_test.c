// SPDX-License-Identifier: GPL-2.0-only
/*
 * i915_under_test.c - includes the gpuoa_i915.ko files under test.
 */
#include "../i915/gpuoa_i915_decode.c"
#include "../i915/ids.c"
#include "../lease/lease_clock.c"
