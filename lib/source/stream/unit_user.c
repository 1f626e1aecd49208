// SPDX-License-Identifier: MIT
/*
 * unit_user.c - who else uses a unit: /proc
 */
#include "source/stream/unit_user.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_open_in(long process, const char *device)
{
	const struct dirent *entry;
	char path[64], target[64];
	bool found = false;
	DIR *fds;

	snprintf(path, sizeof(path), "/proc/%ld/fd", process);
	fds = opendir(path);
	if (!fds)
		return false;
	while (!found && (entry = readdir(fds))) {
		const ssize_t n = readlinkat(dirfd(fds), entry->d_name, target, sizeof(target) - 1);

		if (n <= 0)
			continue;
		target[n] = '\0';
		found = !strcmp(target, device);
	}
	closedir(fds);
	return found;
}

static void name_process(long process, char *text, size_t size)
{
	char path[64], name[32] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%ld/comm", process);
	file = fopen(path, "re");
	if (file) {
		if (!fgets(name, sizeof(name), file))
			name[0] = '\0';
		fclose(file);
	}
	name[strcspn(name, "\n")] = '\0';
	snprintf(text, size, " by %s (process %ld)", *name ? name : "a program", process);
}

bool unit_user_find(const char *unit, char *text, size_t size)
{
	DIR *processes = opendir("/proc");
	const struct dirent *entry;
	char device[64];
	bool found = false;

	if (!processes)
		return false;
	snprintf(device, sizeof(device), "/dev/%s", unit);
	while (!found && (entry = readdir(processes))) {
		const long process = strtol(entry->d_name, NULL, 10);

		found = process > 0 && process != getpid() && is_open_in(process, device);
		if (found)
			name_process(process, text, size);
	}
	closedir(processes);
	return found;
}
