// SPDX-License-Identifier: GPL-2.0-only
/*
 * xe_under_test.c - includes the gpuoa_xe.ko files under test.
 */
#include "../xe/gpuoa_xe_decode.c"
#include "../xe/ids.c"
