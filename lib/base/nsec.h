/* SPDX-License-Identifier: MIT */
/* nsec.h - time in nanoseconds */
#ifndef GPUOA_LIB_BASE_NSEC_H
#define GPUOA_LIB_BASE_NSEC_H

#include <stdint.h>
#include <time.h>

#define NSEC_PER_SEC INT64_C(1000000000)
#define NSEC_PER_MSEC INT64_C(1000000)
#define NSEC_PER_USEC INT64_C(1000)

/* Return the time of CLOCK_MONOTONIC. */
static inline uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * NSEC_PER_SEC + (uint64_t)now.tv_nsec;
}

#endif /* GPUOA_LIB_BASE_NSEC_H */
