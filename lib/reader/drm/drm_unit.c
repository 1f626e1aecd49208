// SPDX-License-Identifier: MIT
/* drm_unit.c - OA units that stock drivers provide through DRM nodes: naming and opening */
#include "reader/drm/drm_unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/nsec.h"
#include "base/sysfs.h"

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

/* Split a unit's name into its card node and, as return value, its number on that card. */
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
