/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * freq.h - sysfs files of the GT clocks of the emulated xe device.
 */
#ifndef _SIM_XE_FREQ_H
#define _SIM_XE_FREQ_H

struct device;
struct sim_xe;

int sim_xe_freq_create(struct sim_xe *xe, struct device *dev);
void sim_xe_freq_remove(struct sim_xe *xe);

#endif /* _SIM_XE_FREQ_H */
