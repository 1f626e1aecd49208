/* SPDX-License-Identifier: MIT */
/* nsec.h - units of time in nanoseconds */
#ifndef GPUOA_LIB_BASE_NSEC_H
#define GPUOA_LIB_BASE_NSEC_H

#include <stdint.h>

#define NSEC_PER_SEC INT64_C(1000000000)
#define NSEC_PER_MSEC INT64_C(1000000)
#define NSEC_PER_USEC INT64_C(1000)

#endif /* GPUOA_LIB_BASE_NSEC_H */
