// SPDX-License-Identifier: MIT
/* pmu_find.c - find the OA units of gpuoa.ko in sysfs */
#define _GNU_SOURCE /* for versionsort() */
#include "reader/pmu/pmu_find.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sysfs.h"

#define CLASS_DIR "/sys/class/gpuoa"
#define PMU_DIR "/sys/bus/event_source/devices"

static int is_unit(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && strlen(entry->d_name) < UNIT_NAME_SIZE;
}

int pmu_list(char (*names)[UNIT_NAME_SIZE], size_t max)
{
	struct dirent **entries;
	const int n = scandir(CLASS_DIR, &entries, is_unit, versionsort);

	if (n < 0)
		return errno == ENOENT ? 0 : -errno;
	for (int i = 0; i < n; i++) {
		if ((size_t)i < max)
			strcpy(names[i], entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	return n;
}

void pmu_find_parent(const char *unit, char *parent, size_t size)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), CLASS_DIR "/%s/device", unit);
	sysfs_link(path, parent, size);
}

void pmu_find_node(const char *unit, char *path, size_t size)
{
	snprintf(path, size, "/dev/%s", unit);
}

int pmu_find_cpu(const char *unit)
{
	char path[PATH_MAX];
	int cpu, found;
	FILE *file;

	snprintf(path, sizeof(path), PMU_DIR "/%s/cpumask", unit);
	file = fopen(path, "re");
	if (!file)
		return errno == ENOENT ? -ENODEV : -errno;
	found = fscanf(file, "%d", &cpu);
	fclose(file);
	return found == 1 && cpu >= 0 ? cpu : -EIO;
}
