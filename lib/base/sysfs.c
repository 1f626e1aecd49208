// SPDX-License-Identifier: MIT
/* sysfs.c - read small files of /sys and /proc below a configurable root */
#include "base/sysfs.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool sysfs_path(char path[PATH_MAX], const char *root, const char *format, ...)
{
	const int before = snprintf(path, PATH_MAX, "%s", root);
	va_list arguments;
	int rest;

	if (before >= PATH_MAX)
		return false;
	va_start(arguments, format);
	rest = vsnprintf(path + before, PATH_MAX - (size_t)before, format, arguments);
	va_end(arguments);
	return before + rest < PATH_MAX;
}

bool sysfs_line(const char *path, char *line, size_t size)
{
	FILE *file = fopen(path, "re");
	bool found;

	*line = '\0';
	if (!file)
		return false;
	found = fgets(line, (int)size, file);
	fclose(file);
	line[strcspn(line, "\n")] = '\0';
	return found;
}

int64_t sysfs_number(const char *path)
{
	char line[32], *end;
	int64_t number;

	if (!sysfs_line(path, line, sizeof(line)))
		return SYSFS_NONE;
	errno = 0;
	number = strtoll(line, &end, 0);
	return end == line || errno ? SYSFS_NONE : number;
}

void sysfs_link(const char *path, char *name, size_t size)
{
	char target[PATH_MAX];

	*name = '\0';
	if (realpath(path, target))
		snprintf(name, size, "%s", strrchr(target, '/') + 1);
}
