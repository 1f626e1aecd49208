// SPDX-License-Identifier: MIT
/*
 * gpu_unit.c - OA units of simulated GPUs: PMU, debugfs and DRM node.
 */
#define _GNU_SOURCE
#include "gpu_unit.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim.h"

#define CLASS "/sys/class/gpuoa/gpuoa%u/%s"
#define MAX_UNITS 64

static bool read_word(unsigned int index, const char *file, char *word)
{
	char path[128];
	bool found;
	FILE *in;

	snprintf(path, sizeof(path), CLASS, index, file);
	in = fopen(path, "r");
	if (!in)
		return false;
	found = fscanf(in, "%31s", word) == 1;
	fclose(in);
	return found;
}

/* The directory for "gpuoa_sim.2" and "OAM0" is gpuoa_sim/2/oam0, or gpuoa_sim/2. */
static bool find_directories(struct gpu_unit *unit, const char *type)
{
	char path[128], target[PATH_MAX];
	size_t i, length;

	snprintf(path, sizeof(path), CLASS, unit->index, "device");
	if (!realpath(path, target) || !strrchr(target, '.'))
		return false;
	snprintf(unit->gpu, sizeof(unit->gpu), "/sys/kernel/debug/gpuoa_sim/%d",
		 atoi(strrchr(target, '.') + 1));
	length = snprintf(unit->debugfs, sizeof(unit->debugfs), "%s/%s", unit->gpu, type);
	for (i = length - strlen(type); i < length; i++)
		unit->debugfs[i] = tolower(unit->debugfs[i]);
	if (access(unit->debugfs, X_OK))
		strcpy(unit->debugfs, unit->gpu);
	return true;
}

bool gpu_unit_find(struct gpu_unit *unit, const char *platform, const char *type)
{
	char word[32], path[128];

	for (unit->index = 0; unit->index < MAX_UNITS; unit->index++) {
		if (!read_word(unit->index, "platform", word) || strcmp(word, platform) ||
		    !read_word(unit->index, "unit", word) || strcmp(word, type))
			continue;
		snprintf(path, sizeof(path), "/sys/bus/event_source/devices/gpuoa%u/type",
			 unit->index);
		unit->pmu_type = file_get(path);
		return find_directories(unit, type);
	}
	return false;
}

int gpu_unit_drm_open(const struct gpu_unit *unit)
{
	char path[300];
	struct dirent *entry;
	int fd = -ENODEV;
	DIR *dir;

	snprintf(path, sizeof(path), CLASS, unit->index, "device/drm");
	dir = opendir(path);
	if (!dir)
		return -ENODEV;
	while ((entry = readdir(dir))) {
		if (strncmp(entry->d_name, "renderD", 7))
			continue;
		snprintf(path, sizeof(path), "/dev/dri/%s", entry->d_name);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			fd = -errno;
	}
	closedir(dir);
	return fd;
}

int gpu_unit_set(const struct gpu_unit *unit, const char *file, const char *value)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", unit->gpu, file);
	return file_set(path, value);
}

uint64_t gpu_unit_tick(const struct gpu_unit *unit)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/tick", unit->gpu);
	return file_get(path);
}

/* In a file with two numbers per line, find the line that starts with @first. */
static uint32_t find_line(const char *path, uint32_t first)
{
	uint32_t a, b, found = 0;
	FILE *in = fopen(path, "r");

	if (!in)
		return 0;
	while (fscanf(in, "%i %i", (int *)&a, (int *)&b) == 2)
		if (a == first)
			found = b;
	fclose(in);
	return found;
}

uint32_t gpu_unit_register(const struct gpu_unit *unit, uint32_t reg)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/registers", unit->gpu);
	return find_line(path, reg);
}

int gpu_context_create(const struct gpu_unit *unit, int drm, struct gpu_context *context)
{
	uint32_t before[8];
	char path[128];
	int error;

	snprintf(path, sizeof(path), "%s/contexts", unit->gpu);
	for (context->slot = 0; context->slot < 8; context->slot++)
		before[context->slot] = find_line(path, context->slot);
	context->drm = drm;
	error = sim_context_create(drm, &context->handle);
	if (error)
		return error;
	for (context->slot = 0; context->slot < 8; context->slot++) {
		context->hw_id = find_line(path, context->slot);
		if (context->hw_id && !before[context->slot])
			return 0;
	}
	return -ENOENT;
}

int gpu_unit_reference(const struct gpu_unit *unit, uint64_t from, uint64_t to, unsigned int slot,
		       char *answer, unsigned int size)
{
	char path[128], question[80];
	unsigned int length = 0;
	int fd, error = 0;
	ssize_t n;

	snprintf(path, sizeof(path), "%s/reference", unit->debugfs);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	snprintf(question, sizeof(question), slot == GPU_UNIT_GLOBAL ? "%llu %llu" : "%llu %llu %u",
		 (unsigned long long)from, (unsigned long long)to, slot);
	if (write(fd, question, strlen(question)) < 0)
		error = -errno;
	while (!error && length < size - 1) {
		n = read(fd, answer + length, size - 1 - length);
		if (n < 0)
			error = -errno;
		if (n <= 0)
			break;
		length += n;
	}
	answer[length] = '\0';
	close(fd);
	return error;
}

uint64_t gpu_reference_counter(const char *answer, const char *name)
{
	char line[48];
	const char *found;

	snprintf(line, sizeof(line), "\ncounter %s ", name);
	found = strstr(answer, line);
	return found ? strtoull(found + strlen(line), NULL, 10) : UINT64_MAX;
}
