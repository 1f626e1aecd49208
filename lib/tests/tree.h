/* SPDX-License-Identifier: MIT */
/*
 * tree.h - A temporary directory that takes the place of the root directory; the test creates the
 * files in it.
 */
#ifndef GPUOA_LIB_TESTS_TREE_H
#define GPUOA_LIB_TESTS_TREE_H

#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"

static char tree_root[64];

static inline void tree_begin(void)
{
	strcpy(tree_root, "/tmp/gpuoa-tree-XXXXXX");
	CHECK(mkdtemp(tree_root));
}

/* Get the path of a file in the tree, and create the directories that contain the file. */
static inline void tree_path(const char *path, char whole[PATH_MAX])
{
	snprintf(whole, PATH_MAX, "%s/%s", tree_root, path);
	for (char *slash = whole + strlen(tree_root) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(whole, 0755);
		*slash = '/';
	}
}

static inline void tree_file(const char *path, const char *text)
{
	char whole[PATH_MAX];
	FILE *file;

	tree_path(path, whole);
	file = fopen(whole, "w");
	if (CHECK(file)) {
		CHECK(fputs(text, file) >= 0);
		CHECK(!fclose(file));
	}
}

/* Create a symbolic link in the tree. @target: path in the tree */
static inline void tree_link(const char *path, const char *target)
{
	char whole[PATH_MAX], there[PATH_MAX];

	tree_path(path, whole);
	snprintf(there, sizeof(there), "%s/%s", tree_root, target);
	CHECK(!symlink(there, whole));
}

#define TREE_PCI "sys/bus/pci/devices/"

/* Add a PCI device to the tree. The ids are given as the text of the device's files. */
static inline void tree_pci(const char *name, const char *vendor, const char *device,
			    const char *class)
{
	char path[128];

	snprintf(path, sizeof(path), TREE_PCI "%s/vendor", name);
	tree_file(path, vendor);
	snprintf(path, sizeof(path), TREE_PCI "%s/device", name);
	tree_file(path, device);
	snprintf(path, sizeof(path), TREE_PCI "%s/class", name);
	tree_file(path, class);
}

static inline void tree_driver(const char *name, const char *driver)
{
	char path[128], target[128];

	snprintf(target, sizeof(target), "sys/bus/pci/drivers/%s/module", driver);
	tree_file(target, "");
	*strrchr(target, '/') = '\0';
	snprintf(path, sizeof(path), TREE_PCI "%s/driver", name);
	tree_link(path, target);
}

/*
 * Add a DRM node to the tree. @node: its name, such as "card0". @dev: its device number as a line
 * of text, "226:0\n". @device: directory of the device
 */
static inline void tree_node(const char *node, const char *dev, const char *device)
{
	char path[128];

	snprintf(path, sizeof(path), "sys/class/drm/%s/dev", node);
	tree_file(path, dev);
	snprintf(path, sizeof(path), "sys/class/drm/%s/device", node);
	tree_link(path, device);
}

static inline int tree_remove(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static inline void tree_end(void)
{
	CHECK(!nftw(tree_root, tree_remove, 16, FTW_DEPTH | FTW_PHYS));
	*tree_root = '\0';
}

#endif /* GPUOA_LIB_TESTS_TREE_H */
