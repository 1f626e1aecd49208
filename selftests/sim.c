// SPDX-License-Identifier: MIT
/*
 * sim.c - the simulator's debugfs files, and its DRM node.
 */
#define _GNU_SOURCE
#include "sim.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "uapi/gpuoa_sim.h"

#define ANSWER_SIZE (1 << 16)

uint64_t file_get(const char *path)
{
	FILE *file = fopen(path, "r");
	unsigned long long value = UINT64_MAX;

	if (!file)
		return UINT64_MAX;
	if (fscanf(file, "%lli", (long long *)&value) != 1)
		value = UINT64_MAX;
	fclose(file);
	return value;
}

int file_set(const char *path, const char *value)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int result = 0;

	if (fd < 0)
		return -errno;
	if (write(fd, value, strlen(value)) < 0)
		result = -errno;
	close(fd);
	return result;
}

uint64_t sim_get(const char *file)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/kernel/debug/gpuoa_sim/0/%s", file);
	return file_get(path);
}

int sim_set(const char *file, const char *value)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/kernel/debug/gpuoa_sim/0/%s", file);
	return file_set(path, value);
}

uint64_t file_reference(const char *path, const char *question, const char *counter)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	unsigned long long value = UINT64_MAX;
	char line[64], *answer, *found;
	size_t used = 0;
	ssize_t n;

	if (fd < 0)
		return UINT64_MAX;
	answer = calloc(1, ANSWER_SIZE);
	if (answer && write(fd, question, strlen(question)) > 0) {
		while ((n = read(fd, answer + used, ANSWER_SIZE - 1 - used)) > 0)
			used += n;
		snprintf(line, sizeof(line), "counter %s ", counter);
		found = strstr(answer, line);
		if (found)
			value = strtoull(found + strlen(line), NULL, 10);
	}
	free(answer);
	close(fd);
	return value;
}

uint64_t sim_reference(uint32_t from, uint32_t to, const char *counter)
{
	char question[32];

	snprintf(question, sizeof(question), "%u %u", from, to);
	return file_reference("/sys/kernel/debug/gpuoa_sim/0/reference", question, counter);
}

uint64_t unit_get(const char *file)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/class/gpuoa/gpuoa0/%s", file);
	return file_get(path);
}

static int is_sim(int fd)
{
	char name[16] = "";
	struct drm_version version = { .name = name, .name_len = sizeof(name) - 1 };

	return !ioctl(fd, DRM_IOCTL_VERSION, &version) && !strcmp(name, "gpuoa_sim");
}

int sim_drm_open(void)
{
	char path[32];
	int minor, fd;

	for (minor = 128; minor < 192; minor++) {
		snprintf(path, sizeof(path), "/dev/dri/renderD%d", minor);
		fd = open(path, O_RDWR | O_CLOEXEC);
		if (fd < 0)
			continue;
		if (is_sim(fd))
			return fd;
		close(fd);
	}
	return -ENODEV;
}

int sim_drm_open_number(unsigned int number)
{
	char pattern[64], path[32];
	glob_t found;
	int fd;

	snprintf(pattern, sizeof(pattern), "/sys/bus/platform/devices/gpuoa_sim.%u/drm/renderD*",
		 number);
	if (glob(pattern, 0, NULL, &found))
		return -ENODEV;
	snprintf(path, sizeof(path), "/dev/dri/%s", strrchr(found.gl_pathv[0], '/') + 1);
	globfree(&found);
	fd = open(path, O_RDWR | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int sim_context_create(int drm_fd, uint32_t *handle)
{
	struct drm_gpuoa_sim_context context = {};

	if (ioctl(drm_fd, DRM_IOCTL_GPUOA_SIM_CONTEXT_CREATE, &context))
		return -errno;
	*handle = context.handle;
	return 0;
}

int sim_context_destroy(int drm_fd, uint32_t handle)
{
	struct drm_gpuoa_sim_context context = { .handle = handle };

	return ioctl(drm_fd, DRM_IOCTL_GPUOA_SIM_CONTEXT_DESTROY, &context) ? -errno : 0;
}
