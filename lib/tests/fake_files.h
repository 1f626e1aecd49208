/* SPDX-License-Identifier: MIT */
/*
 * fake_files.h - Files below /sys and /proc/sys are those of the temporary directory of tree.h
 *
 * Replaces the functions that read such files in the program that includes it. Without a temporary
 * directory, the files are those of the machine.
 */
#ifndef GPUOA_LIB_TESTS_FAKE_FILES_H
#define GPUOA_LIB_TESTS_FAKE_FILES_H

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>

#include "tree.h"

/* Return the path of a file in the tree, or a path outside of /sys unchanged. */
static const char *fake_path(const char *path, char whole[PATH_MAX])
{
	if (!*tree_root || (strncmp(path, "/sys/", 5) && strncmp(path, "/proc/sys/", 10)))
		return path;
	snprintf(whole, PATH_MAX, "%s%s", tree_root, path);
	return whole;
}

FILE *fopen(const char *path, const char *mode)
{
	static FILE *(*real)(const char *, const char *);
	char whole[PATH_MAX];

	if (!real)
		real = (FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen");
	return real(fake_path(path, whole), mode);
}

int scandir(const char *path, struct dirent ***entries, int (*filter)(const struct dirent *),
	    int (*compare)(const struct dirent **, const struct dirent **))
{
	static int (*real)(const char *, struct dirent ***, int (*)(const struct dirent *),
			   int (*)(const struct dirent **, const struct dirent **));
	char whole[PATH_MAX];

	if (!real)
		real = (int (*)(const char *, struct dirent ***, int (*)(const struct dirent *),
				int (*)(const struct dirent **,
					const struct dirent **)))dlsym(RTLD_NEXT, "scandir");
	return real(fake_path(path, whole), entries, filter, compare);
}

char *realpath(const char *path, char *target)
{
	static char *(*real)(const char *, char *);
	char whole[PATH_MAX];

	if (!real)
		real = (char *(*)(const char *, char *))dlsym(RTLD_NEXT, "realpath");
	return real(fake_path(path, whole), target);
}

int access(const char *path, int mode)
{
	char whole[PATH_MAX];

	return faccessat(AT_FDCWD, fake_path(path, whole), mode, 0);
}

#endif /* GPUOA_LIB_TESTS_FAKE_FILES_H */
