// SPDX-License-Identifier: MIT
/* drm_user.c - find the process that uses a stream of a stock driver, by means of /proc */
#include "reader/drm/drm_user.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sysfs.h"

/* True if the process has an open stream. */
static bool has_stream(const char *process, const char *stream)
{
	char path[PATH_MAX], target[64];
	const struct dirent *entry;
	bool found = false;
	ssize_t size;
	DIR *files;

	snprintf(path, sizeof(path), "/proc/%s/fd", process);
	files = opendir(path);
	if (!files)
		return false;
	while (!found && (entry = readdir(files))) {
		size = readlinkat(dirfd(files), entry->d_name, target, sizeof(target));
		found = size == (ssize_t)strlen(stream) && !memcmp(target, stream, (size_t)size);
	}
	closedir(files);
	return found;
}

bool drm_user_find(const char *stream, struct gpuoa_unit_user *use)
{
	DIR *processes = opendir("/proc");
	const struct dirent *entry;
	char path[PATH_MAX];
	bool found = false;

	while (processes && !found && (entry = readdir(processes))) {
		const unsigned long process = strtoul(entry->d_name, NULL, 10);

		if (!process || !has_stream(entry->d_name, stream))
			continue;
		found = true;
		use->process = (uint32_t)process;
		snprintf(path, sizeof(path), "/proc/%lu/comm", process);
		sysfs_line(path, use->program, sizeof(use->program));
	}
	if (processes)
		closedir(processes);
	return found;
}
