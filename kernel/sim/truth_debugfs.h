/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * truth_debugfs.h - debugfs `truth`.
 */
#ifndef _SIM_TRUTH_DEBUGFS_H
#define _SIM_TRUTH_DEBUGFS_H

#include <linux/fs.h>

extern const struct file_operations sim_truth_fops;

#endif /* _SIM_TRUTH_DEBUGFS_H */
