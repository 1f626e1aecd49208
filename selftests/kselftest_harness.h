/* SPDX-License-Identifier: MIT */
/*
 * kselftest_harness.h - the kernel's harness, whose limit for a test grows where all takes longer.
 *
 * The tests find this file before the harness itself, which is unpacked from the kernel's source.
 */
#ifndef GPUOA_SELFTEST_HARNESS_H
#define GPUOA_SELFTEST_HARNESS_H

#include <unistd.h>

#include "wait.h"

static inline unsigned int patient_alarm(unsigned int seconds)
{
	return alarm(seconds * slowness());
}

#define alarm patient_alarm
#include_next <kselftest_harness.h>
#undef alarm

#endif
