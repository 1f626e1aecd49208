/* SPDX-License-Identifier: MIT */
/*
 * drm_unit.h - units that a stock driver offers by a DRM node: their names, and how they are opened
 *
 * A unit is called by its driver and the number of its GPU's card node, the others of a GPU by
 * their number there as well: "xe:0" is the first one of /dev/dri/card0, "xe:0.1" the second.
 */
#ifndef GPUOA_LIB_SOURCE_DRM_DRM_UNIT_H
#define GPUOA_LIB_SOURCE_DRM_DRM_UNIT_H

#include "source/drm/drm_node.h"
#include "source/stream/unit.h"

/* What the units of all drivers begin with. */
struct drm_unit {
	struct gpuoa_unit unit; /* .fd: of the DRM node */
	char card[DRM_CARD_SIZE]; /* "card0": its directory in /sys/class/drm */
	uint32_t index; /* its number among those of the GPU */
};

/* What differs between the drivers. */
struct drm_driver {
	const char *name; /* as the kernel and names of units have it, 4 characters at most */
	size_t unit_size; /* of what begins with struct drm_unit */
	/* Units of a GPU; NULL: one. Below another @root than "" there is nobody to ask. */
	int (*count_units)(const char *root, const char *card);
	/* Fill in the rest of .desc by asking the driver. 0 or -errno */
	int (*describe)(struct drm_unit *unit);
};

/* As list() of struct origin. @root: "" or where a test has its own /sys. */
int drm_unit_list(const struct drm_driver *driver, const char *root, char (*names)[UNIT_NAME_SIZE],
		  size_t max);

/* As open() of struct origin. */
int drm_unit_open(const struct drm_driver *driver, const char *name, struct gpuoa_unit **opened,
		  const struct complaint *complaint);

/* To be those of struct origin. */
void drm_unit_parent(const char *unit, char *parent, size_t size);
void drm_unit_node(const char *unit, char *path, size_t size);
void drm_unit_close(struct gpuoa_unit *unit);

/* Name of the device that a unit belongs to, below a root. */
void drm_unit_parent_below(const char *root, const char *unit, char *parent, size_t size);

/* A clock rate, Hz, from a file of the card that has it in MHz; 0: there is none. */
uint64_t drm_unit_frequency(const struct drm_unit *unit, const char *file);

/*
 * How far the CPU's time may be wrong that is in the middle of @took ns in which the GPU's clock,
 * of @hz, was read: half of that, and a tick. ns
 */
uint32_t drm_clock_error(uint64_t took, uint64_t hz);

#endif /* GPUOA_LIB_SOURCE_DRM_DRM_UNIT_H */
