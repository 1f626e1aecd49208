/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * oa_debugfs.h - the directory of an OA unit in debugfs.
 */
#ifndef _SIM_OA_DEBUGFS_H
#define _SIM_OA_DEBUGFS_H

struct dentry;
struct sim_attached;

void sim_oa_debugfs_add(struct sim_attached *attached, struct dentry *dir);

#endif /* _SIM_OA_DEBUGFS_H */
