/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * debugfs_files.h - files of debugfs: how a directory of them is made.
 */
#ifndef _SIM_DEBUGFS_FILES_H
#define _SIM_DEBUGFS_FILES_H

#include <linux/fs.h>
#include <linux/types.h>

struct dentry;

/**
 * struct sim_debugfs_file - a file of each instance; the end of a list has no name
 * @name: its name
 * @mode: its permissions
 * @fops: its operations
 * @simple: made by DEFINE_DEBUGFS_ATTRIBUTE(), which guards itself against removal
 */
struct sim_debugfs_file {
	const char *name;
	umode_t mode;
	const struct file_operations *fops;
	bool simple;
};

void sim_debugfs_add_files(struct dentry *dir, const struct sim_debugfs_file *files, void *data);

#endif /* _SIM_DEBUGFS_FILES_H */
