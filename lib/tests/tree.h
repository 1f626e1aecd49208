/* SPDX-License-Identifier: MIT */
/*
 * tree.h - a directory that stands for the root of a machine, with the files that a test puts there
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

/* Path below the root, with the directories above it. */
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

/* A symbolic link; @target is below the root, too. */
static inline void tree_link(const char *path, const char *target)
{
	char whole[PATH_MAX], there[PATH_MAX];

	tree_path(path, whole);
	snprintf(there, sizeof(there), "%s/%s", tree_root, target);
	CHECK(!symlink(there, whole));
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
}

#endif /* GPUOA_LIB_TESTS_TREE_H */
