/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * debugfs.h - the directories of virtual GPUs in debugfs.
 */
#ifndef _SIM_DEBUGFS_H
#define _SIM_DEBUGFS_H

struct sim_instance;

void sim_debugfs_init(void);
void sim_debugfs_exit(void);
void sim_debugfs_add(struct sim_instance *instance);

#endif /* _SIM_DEBUGFS_H */
