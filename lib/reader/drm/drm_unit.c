// SPDX-License-Identifier: MIT
/* drm_unit.c - OA units that stock drivers provide through DRM nodes: naming and opening */
#define _GNU_SOURCE /* for versionsort() */
#include "reader/drm/drm_unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/nsec.h"
#include "base/sysfs.h"

#define DRM_DIR "/sys/class/drm"
#define CARD "card"
#define RENDER "renderD"

/* True if @name is @prefix followed by a number. This excludes connectors: "card0-DP-1". */
static bool is_numbered(const char *name, const char *prefix)
{
	const size_t length = strlen(prefix);

	return !strncmp(name, prefix, length) && name[length] &&
	       strspn(name + length, "0123456789") == strlen(name + length);
}

static int is_card(const struct dirent *entry)
{
	return is_numbered(entry->d_name, CARD) && strlen(entry->d_name) < DRM_CARD_SIZE;
}

/* True if driver @wanted is bound to the card, and the library has metrics for the card. */
static bool offers(const char *root, const char *card, const char *wanted)
{
	char path[PATH_MAX], driver[32];

	if (!sysfs_path(path, root, DRM_DIR "/%s/device/driver", card))
		return false;
	sysfs_link(path, driver, sizeof(driver));
	return !strcmp(driver, wanted) && sysfs_path(path, root, DRM_DIR "/%s/metrics", card) &&
	       !access(path, F_OK);
}

int drm_cards(const char *root, const char *driver, char (*cards)[DRM_CARD_SIZE], size_t max)
{
	struct dirent **entries = NULL;
	char path[PATH_MAX];
	int n = -1, count = 0;

	if (sysfs_path(path, root, DRM_DIR))
		n = scandir(path, &entries, is_card, versionsort);
	for (int i = 0; i < n; i++) {
		if (offers(root, entries[i]->d_name, driver)) {
			if ((size_t)count < max)
				strcpy(cards[count], entries[i]->d_name);
			count++;
		}
		free(entries[i]);
	}
	free(entries);
	return count;
}

/* Get the path in /sys of the device to which a DRM node belongs, without symbolic links. */
static bool device_path(const char *root, const char *node, char path[PATH_MAX])
{
	char link[PATH_MAX];

	return sysfs_path(link, root, DRM_DIR "/%s/device", node) && realpath(link, path);
}

void drm_card_parent(const char *root, const char *card, char *parent, size_t size)
{
	char path[PATH_MAX];

	*parent = '\0';
	if (device_path(root, card, path))
		snprintf(parent, size, "%s", strrchr(path, '/') + 1);
}

static int is_render(const struct dirent *entry)
{
	return is_numbered(entry->d_name, RENDER);
}

void drm_card_node(const char *card, char *path, size_t size)
{
	char wanted[PATH_MAX], device[PATH_MAX];
	struct dirent **entries = NULL;
	int n;

	snprintf(path, size, "/dev/dri/%s", card);
	n = scandir(DRM_DIR, &entries, is_render, versionsort);
	for (int i = 0; i < n; i++) {
		if (device_path("", card, wanted) && device_path("", entries[i]->d_name, device) &&
		    !strcmp(wanted, device))
			snprintf(path, size, "/dev/dri/%s", entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
}

int drm_ioctl(int fd, unsigned long request, void *argument)
{
	int ret;

	do {
		ret = ioctl(fd, request, argument);
	} while (ret < 0 && (errno == EINTR || errno == EAGAIN));
	return ret < 0 ? -errno : ret;
}

/* Returns the driver's id of a configuration, or a negative value if it is not registered. */
static int64_t find_id(const struct gpuoa_unit *opened, const char *uuid)
{
	const struct drm_unit *unit = (const struct drm_unit *)opened;
	char path[PATH_MAX];

	if (!sysfs_path(path, "", "/sys/class/drm/%s/metrics/%s/id", unit->card, uuid))
		return -1;
	return sysfs_number(path);
}

int drm_add_config(struct gpuoa_unit *unit, const struct unit_config *config, uint32_t *id,
		   int (*add)(struct gpuoa_unit *unit, const struct unit_config *config))
{
	int64_t known;
	int ret;

	*id = 0;
	if (strlen(config->uuid) != UUID_LENGTH)
		return -EINVAL;
	ret = add(unit, config);
	if (ret > 0) {
		*id = (uint32_t)ret;
		return 0;
	}
	if (ret != -EADDRINUSE)
		return ret ? ret : -EIO;
	known = find_id(unit, config->uuid);
	if (known <= 0)
		return -EADDRINUSE;
	*id = (uint32_t)known;
	return -EEXIST;
}

int drm_list_configs(struct gpuoa_unit *opened, struct registered_config **configs)
{
	const struct drm_unit *unit = (const struct drm_unit *)opened;
	char path[PATH_MAX];

	if (!sysfs_path(path, "", "/sys/class/drm/%s/metrics", unit->card))
		return -ENODEV;
	return unit_configs_below(path, configs);
}

/* True if a process has an open stream of this kind. */
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

#define CARD "card"

static void name_unit(char name[UNIT_NAME_SIZE], const char *driver, const char *card,
		      unsigned int index)
{
	const char *number = card + strlen(CARD);

	if (index)
		snprintf(name, UNIT_NAME_SIZE, "%.4s:%.6s.%u", driver, number, index % 100);
	else
		snprintf(name, UNIT_NAME_SIZE, "%.4s:%.6s", driver, number);
}

/* Split the name of a unit into its card node and its number on that card. Returns the number. */
static uint32_t place_unit(const char *unit, char card[DRM_CARD_SIZE])
{
	const char *number = strchr(unit, ':') + 1;
	const size_t digits = strcspn(number, ".");

	snprintf(card, DRM_CARD_SIZE, CARD "%.*s", (int)digits, number);
	return number[digits] ? (uint32_t)strtoul(number + digits + 1, NULL, 10) : 0;
}

int drm_unit_list(const struct drm_driver *driver, const char *root, char (*names)[UNIT_NAME_SIZE],
		  size_t max)
{
	const int room = drm_cards(root, driver->name, NULL, 0);
	char(*cards)[DRM_CARD_SIZE] = calloc((size_t)room + 1, sizeof(*cards));
	size_t count = 0;
	int n;

	if (!cards)
		return -ENOMEM;
	n = drm_cards(root, driver->name, cards, (size_t)room);
	for (int i = 0; i < n && i < room; i++) {
		const int units = driver->count_units ? driver->count_units(root, cards[i]) : 1;

		for (int j = 0; j < units; j++, count++)
			if (count < max)
				name_unit(names[count], driver->name, cards[i], (unsigned int)j);
	}
	free(cards);
	return (int)count;
}

void drm_unit_parent_below(const char *root, const char *unit, char *parent, size_t size)
{
	char card[DRM_CARD_SIZE];

	place_unit(unit, card);
	drm_card_parent(root, card, parent, size);
}

void drm_unit_parent(const char *unit, char *parent, size_t size)
{
	drm_unit_parent_below("", unit, parent, size);
}

void drm_unit_node(const char *unit, char *path, size_t size)
{
	char card[DRM_CARD_SIZE];

	place_unit(unit, card);
	drm_card_node(card, path, size);
}

static int open_node(const char *name, const struct complaint *complaint)
{
	char node[DRM_NODE_SIZE];
	int fd;

	drm_unit_node(name, node, sizeof(node));
	fd = open(node, O_RDWR | O_CLOEXEC);
	if (fd >= 0)
		return fd;
	switch (errno) {
	case EACCES:
		return COMPLAIN(
			complaint, -EACCES,
			"may not open %s for %s: be in the group that it belongs to, such as 'render'",
			node, name);
	case ENOENT:
		return COMPLAIN(
			complaint, -ENOENT,
			"%s has no %s: if this is a container, hand the device to it ('--device %s')",
			name, node, node);
	default:
		return COMPLAIN(complaint, -errno, "cannot open %s for %s: %s", node, name,
				strerror(errno));
	}
}

int drm_unit_open(const struct drm_driver *driver, const char *name, struct gpuoa_unit **opened,
		  const struct complaint *complaint)
{
	struct drm_unit *unit = calloc(1, driver->unit_size);
	struct gpuoa_unit_desc *desc;
	int err;

	if (!unit)
		return -ENOMEM;
	desc = &unit->unit.desc;
	unit->index = place_unit(name, unit->card);
	strcpy(desc->name, name);
	drm_unit_parent(name, desc->parent, sizeof(desc->parent));
	unit->unit.fd = open_node(name, complaint);
	if (unit->unit.fd < 0) {
		err = unit->unit.fd;
		free(unit);
		return err;
	}
	err = driver->describe(unit);
	if (err) {
		drm_unit_close(&unit->unit);
		return COMPLAIN(complaint, err, "%s: %s cannot describe it: %s", name, driver->name,
				strerror(-err));
	}
	*opened = &unit->unit;
	return 0;
}

void drm_unit_close(struct gpuoa_unit *unit)
{
	close(unit->fd);
	free(unit);
}

uint64_t drm_unit_frequency(const struct drm_unit *unit, const char *file)
{
	char path[PATH_MAX];
	int64_t mhz = SYSFS_NONE;

	if (sysfs_path(path, "", "/sys/class/drm/%s/%s", unit->card, file))
		mhz = sysfs_number(path);
	return mhz > 0 ? (uint64_t)mhz * 1000000 : 0;
}

uint32_t drm_clock_error(uint64_t took, uint64_t hz)
{
	const uint64_t error = took / 2 + NSEC_PER_SEC / hz + 1;

	return error > UINT32_MAX ? UINT32_MAX : (uint32_t)error;
}
