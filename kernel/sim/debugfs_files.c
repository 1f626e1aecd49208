// SPDX-License-Identifier: GPL-2.0-only
/*
 * debugfs_files.c - files of debugfs: makes a directory of them.
 */
#include <linux/debugfs.h>

#include "debugfs_files.h"

/**
 * sim_debugfs_add_files - make files
 * @dir: their directory
 * @files: the files; ends with {}
 * @data: what they are about
 */
void sim_debugfs_add_files(struct dentry *dir, const struct sim_debugfs_file *files, void *data)
{
	const struct sim_debugfs_file *file;

	for (file = files; file->name; file++) {
		if (file->simple)
			debugfs_create_file_unsafe(file->name, file->mode, dir, data, file->fops);
		else
			debugfs_create_file(file->name, file->mode, dir, data, file->fops);
	}
}
