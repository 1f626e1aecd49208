/* SPDX-License-Identifier: MIT */
/*
 * kselftest_harness.h - the kernel's harness, with test timeouts scaled by timeout_scale().
 *
 * The tests include this file, which includes the harness unpacked from the kernel's source.
 */
#ifndef GPUOA_SELFTEST_HARNESS_H
#define GPUOA_SELFTEST_HARNESS_H

#include <unistd.h>

#include "wait.h"

static inline unsigned int scaled_alarm(unsigned int seconds)
{
	return alarm(seconds * timeout_scale());
}

#define alarm scaled_alarm
#include_next <kselftest_harness.h>
#undef alarm

#endif
