/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * limits.h - what users may do, as the administrator says: sysctls dev.gpuoa.*.
 */
#ifndef _GPUOA_LIMITS_H
#define _GPUOA_LIMITS_H

#include <linux/types.h>

bool gpuoa_may_observe(void);
bool gpuoa_may_observe_own(void);
unsigned int gpuoa_max_sample_rate(void);
int gpuoa_limits_init(void);
void gpuoa_limits_exit(void);

#endif /* _GPUOA_LIMITS_H */
