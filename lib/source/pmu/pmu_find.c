// SPDX-License-Identifier: MIT
/*
 * pmu_find.c - finds the OA units of gpuoa.ko in sysfs, and the one that a name means
 */
#define _GNU_SOURCE /* versionsort */
#include "source/pmu/pmu_find.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#define CLASS_DIR "/sys/class/gpuoa"
#define DEV_DIR "/dev/"
#define PMU_DIR "/sys/bus/event_source/devices"

static int is_unit(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && strlen(entry->d_name) < UNIT_NAME_SIZE;
}

/*
 * Names of all units, in the order of their numbers, to be freed by
 * free_entries(). Returns how many; NULL and 0 if there is no such class.
 */
static int scan_units(struct dirent ***entries)
{
	const int n = scandir(CLASS_DIR, entries, is_unit, versionsort);

	if (n >= 0)
		return n;
	*entries = NULL;
	return errno == ENOENT ? 0 : -errno;
}

static void free_entries(struct dirent **entries, int n)
{
	for (int i = 0; i < n; i++)
		free(entries[i]);
	free(entries);
}

int pmu_list(char (*names)[UNIT_NAME_SIZE], size_t max)
{
	struct dirent **entries;
	const int n = scan_units(&entries);

	for (int i = 0; entries && i < n && (size_t)i < max; i++)
		strcpy(names[i], entries[i]->d_name);
	free_entries(entries, n);
	return n;
}

/* The device that a unit belongs to, as a path without symbolic links. */
static bool parent_path(const char *unit, char path[PATH_MAX])
{
	char link[PATH_MAX];

	snprintf(link, sizeof(link), CLASS_DIR "/%s/device", unit);
	return realpath(link, path);
}

void pmu_find_parent(const char *unit, char *parent, size_t size)
{
	char path[PATH_MAX];

	*parent = '\0';
	if (parent_path(unit, path))
		snprintf(parent, size, "%s", strrchr(path, '/') + 1);
}

/* The device behind a device node, as a path without symbolic links. */
static bool node_path(const char *node, char path[PATH_MAX])
{
	char link[64];
	struct stat st;

	if (stat(node, &st) || !S_ISCHR(st.st_mode))
		return false;
	snprintf(link, sizeof(link), "/sys/dev/char/%u:%u/device", major(st.st_rdev),
		 minor(st.st_rdev));
	return realpath(link, path);
}

/* Does @name mean this unit and no other? */
static bool is_called(const char *unit, const char *name)
{
	if (!strncmp(name, DEV_DIR, strlen(DEV_DIR)))
		name += strlen(DEV_DIR);
	return !strcmp(unit, name);
}

/* Does @name mean the device that the unit belongs to? */
static bool belongs_to(const char *unit, const char *name)
{
	char parent[PATH_MAX], device[PATH_MAX];

	if (!parent_path(unit, parent))
		return false;
	if (strchr(name, '/'))
		return node_path(name, device) && !strcmp(parent, device);
	return !strcmp(strrchr(parent, '/') + 1, name);
}

/*
 * A device may have several units: they all belong to it, but only one can be called by its own
 * name.
 */
static const struct dirent *find_entry(struct dirent **entries, int n, const char *name)
{
	if (!name)
		return n ? entries[0] : NULL;
	for (int i = 0; i < n; i++)
		if (is_called(entries[i]->d_name, name))
			return entries[i];
	for (int i = 0; i < n; i++)
		if (belongs_to(entries[i]->d_name, name))
			return entries[i];
	return NULL;
}

int pmu_find(const char *name, char unit[UNIT_NAME_SIZE])
{
	struct dirent **entries;
	const int n = scan_units(&entries);
	const struct dirent *found;

	if (!entries)
		return n < 0 ? n : -ENODEV;
	found = find_entry(entries, n, name);
	if (found)
		strcpy(unit, found->d_name);
	free_entries(entries, n);
	if (found)
		return 0;
	return n ? -ENOENT : -ENODEV;
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
