/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pm.h - suspend, resume and reset of a virtual GPU.
 */
#ifndef _SIM_PM_H
#define _SIM_PM_H

struct sim_instance;

void sim_pm_init(struct sim_instance *instance);
void sim_pm_exit(struct sim_instance *instance);
void sim_pm_suspend(struct sim_instance *instance);
int sim_pm_resume(struct sim_instance *instance);
void sim_pm_reset(struct sim_instance *instance);

#endif /* _SIM_PM_H */
