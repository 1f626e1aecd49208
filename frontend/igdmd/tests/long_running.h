/* SPDX-License-Identifier: MIT */
/* long_running.h - queries of long-running exec queues, such as those of Level Zero's driver */
#ifndef GPUOA_IGDMD_TESTS_LONG_RUNNING_H
#define GPUOA_IGDMD_TESTS_LONG_RUNNING_H

#include <stdbool.h>
#include <stdlib.h>
#include <sys/utsname.h>

/*
 * Return true if the kernel's xe enables the counters of such an exec queue. That of Linux 6.12
 * does not execute the batch that does it, so that queries return an error; that of 7.3 does.
 */
static inline bool xe_enables_counters(void)
{
	struct utsname system;

	return !uname(&system) && atoi(system.release) >= 7;
}

#endif /* GPUOA_IGDMD_TESTS_LONG_RUNNING_H */
