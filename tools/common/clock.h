/* SPDX-License-Identifier: MIT */
/* clock.h - time of CLOCK_MONOTONIC */
#ifndef GPUOA_TOOLS_COMMON_CLOCK_H
#define GPUOA_TOOLS_COMMON_CLOCK_H

#include <time.h>

#include "common/number.h"

static inline int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * NSEC_PER_SEC + now.tv_nsec;
}

static inline int64_t now_ms(void)
{
	return now_ns() / NSEC_PER_MSEC;
}

#endif /* GPUOA_TOOLS_COMMON_CLOCK_H */
