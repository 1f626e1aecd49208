/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * instances.h - virtual GPUs come and go.
 */
#ifndef _SIM_INSTANCES_H
#define _SIM_INSTANCES_H

int sim_scene_find(const char *name);
int sim_instances_init(const char *platforms, unsigned int scene);
void sim_instances_exit(void);

#endif /* _SIM_INSTANCES_H */
