/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * debugfs.h - /sys/kernel/debug/gpuoa_sim/<n>/: state, exact counts and fault injection.
 */
#ifndef _SIM_DEBUGFS_H
#define _SIM_DEBUGFS_H

#include <linux/fs.h>
#include <linux/types.h>

struct dentry;
struct sim_attached;
struct sim_instance;

/**
 * struct sim_debugfs_file - a file in an instance's directory; an entry without a name ends a list
 * @name: file name
 * @mode: file mode
 * @fops: file operations
 * @simple: defined by DEFINE_DEBUGFS_ATTRIBUTE(), which guards itself against removal
 */
struct sim_debugfs_file {
	const char *name;
	umode_t mode;
	const struct file_operations *fops;
	bool simple;
};

extern const struct file_operations sim_reference_fops;

void sim_debugfs_init(void);
void sim_debugfs_exit(void);
void sim_debugfs_add(struct sim_instance *instance);

#endif /* _SIM_DEBUGFS_H */
