// SPDX-License-Identifier: MIT
/*
 * i915_user.c - which program has a stream of i915-perf, as far as /proc tells
 */
#include "source/i915/i915_user.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/sysfs.h"

#define STREAM "anon_inode:[i915_perf]"

/* Has a process a file that is a stream? */
static bool has_stream(const char *process)
{
	char path[PATH_MAX], target[sizeof(STREAM)];
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
		found = size == (ssize_t)strlen(STREAM) && !memcmp(target, STREAM, (size_t)size);
	}
	closedir(files);
	return found;
}

bool i915_user_find(struct gpuoa_unit_use *use)
{
	DIR *processes = opendir("/proc");
	const struct dirent *entry;
	char path[PATH_MAX];
	bool found = false;

	while (processes && !found && (entry = readdir(processes))) {
		const unsigned long process = strtoul(entry->d_name, NULL, 10);

		if (!process || !has_stream(entry->d_name))
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
