/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * paranoid.h - permission to observe other processes on the GPU.
 */
#ifndef _SIM_XE_PARANOID_H
#define _SIM_XE_PARANOID_H

#include <linux/types.h>

int sim_xe_paranoid_init(void);
void sim_xe_paranoid_exit(void);
bool sim_xe_may_observe(void);

#endif /* _SIM_XE_PARANOID_H */
