/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sim_debugfs.h - files of debugfs: what a GPU and its OA units share to make them.
 */
#ifndef _SIM_DEBUGFS_H
#define _SIM_DEBUGFS_H

#include <linux/fs.h>
#include <linux/types.h>

struct dentry;
struct sim_oa;

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
void sim_oa_debugfs_add(struct sim_oa *oa, struct dentry *dir);

/* sim_truth.c */
extern const struct file_operations sim_truth_fops;

#endif /* _SIM_DEBUGFS_H */
