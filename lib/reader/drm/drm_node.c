// SPDX-License-Identifier: MIT
/* drm_node.c - DRM nodes of GPUs in /sys/class/drm and /dev/dri */
#define _GNU_SOURCE /* for versionsort() */
#include "reader/drm/drm_node.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/sysfs.h"

#define DRM_DIR "/sys/class/drm"
#define CARD "card"
#define RENDER "renderD"

/* True if @name is @prefix and a number. Connectors have more: "card0-DP-1". */
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

/* True if the card uses driver @wanted and has metrics. */
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

/* Path of the device of a node in /sys/class/drm, without symbolic links. */
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
