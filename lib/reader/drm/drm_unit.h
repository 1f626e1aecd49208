/* SPDX-License-Identifier: MIT */
/*
 * drm_unit.h - OA units that stock drivers provide through DRM nodes: naming and opening
 *
 * The name of a unit consists of its driver and the number of the GPU's card node. If the unit is
 * not the first one of the GPU, its own number is appended: "xe:0" is the first unit of
 * /dev/dri/card0, "xe:0.1" the second.
 */
#ifndef GPUOA_LIB_READER_DRM_DRM_UNIT_H
#define GPUOA_LIB_READER_DRM_DRM_UNIT_H

#include <stddef.h>

#include "base/private.h"
#include "gpuoa-stream.h"
#include "reader/stream/unit.h"

#define DRM_CARD_SIZE 16

/* Base of all drivers' units. */
struct drm_unit {
	struct gpuoa_unit unit; /* .fd: the DRM node */
	char card[DRM_CARD_SIZE]; /* "card0": its directory in /sys/class/drm */
	uint32_t index; /* number of this unit among the units of its GPU */
};

/* Differences between the drivers. */
struct drm_driver {
	/* name of the kernel driver, at most 4 characters; unit names begin with it */
	const char *name;
	size_t unit_size; /* size of the driver's struct that begins with struct drm_unit */
	/*
	 * Count the units of a GPU; NULL: GPUs have one unit. If @root is not "", there is no
	 * driver to query.
	 */
	int (*count_units)(const char *root, const char *card);
	/* Query the driver, and fill in the rest of .desc. Returns 0 or -errno. */
	int (*describe)(struct drm_unit *unit);
};

/* Implement list() of struct backend. @root: "", or the directory below which a test has a /sys. */
int drm_unit_list(const struct drm_driver *driver, const char *root, char (*names)[UNIT_NAME_SIZE],
		  size_t max);

/* Implement open() of struct backend. */
int drm_unit_open(const struct drm_driver *driver, const char *name, struct gpuoa_unit **opened,
		  const struct complaint *complaint);

/* Implementations for struct backend. */
void drm_unit_parent(const char *unit, char *parent, size_t size);
void drm_unit_node(const char *unit, char *path, size_t size);
void drm_unit_close(struct gpuoa_unit *unit);

/* Get the name of the device that a unit belongs to, from the /sys below @root. */
void drm_unit_parent_below(const char *root, const char *unit, char *parent, size_t size);

/*
 * Read a frequency from a file of the card that contains it in MHz. Returns Hz, or 0 if there is no
 * such file.
 */
uint64_t drm_unit_frequency(const struct drm_unit *unit, const char *file);

/*
 * Return the error in ns of a clock pair, if the GPU's clock of @hz was read at some time in an
 * interval of @took ns and the CPU time is the middle of it: half of the interval, plus one tick.
 */
uint32_t drm_clock_error(uint64_t took, uint64_t hz);

/* Size of a buffer for the path of a node in /dev/dri */
#define DRM_NODE_SIZE 32

/*
 * List the card nodes ("card0") of GPUs that have metrics and driver @driver, sorted by number.
 * @root: "", or the directory below which a test has a /sys. Returns the number of nodes, which may
 * exceed @max.
 */
int drm_cards(const char *root, const char *driver, char (*cards)[DRM_CARD_SIZE], size_t max);

/* Get the name of the device of a card node; "" if there is none. */
void drm_card_parent(const char *root, const char *card, char *parent, size_t size);

/* Get the path of the node to open: the GPU's render node, or its card node if it has none. */
void drm_card_node(const char *card, char *path, size_t size);

/* Call ioctl(2), and repeat it if it is interrupted. Returns its result, or -errno. */
int drm_ioctl(int fd, unsigned long request, void *argument);

/*
 * Implement add_config() of struct backend. @add: performs the driver's ioctl; returns an id or
 * -errno.
 */
int drm_add_config(struct gpuoa_unit *unit, const struct unit_config *config, uint32_t *id,
		   int (*add)(struct gpuoa_unit *unit, const struct unit_config *config));

/* Implements list_configs() of struct backend. */
int drm_list_configs(struct gpuoa_unit *unit, struct registered_config **configs);

/*
 * Find a process that has a stream open, and set .process and .program. @stream: name that the
 * kernel gives to files of streams, "anon_inode:[i915_perf]". Returns false if there is no such
 * process that the caller may inspect. The GPU and unit of the stream are not checked, because they
 * cannot be determined.
 */
bool drm_user_find(const char *stream, struct gpuoa_unit_user *use) GPUOA_PRIVATE(drm_user_find);

#endif /* GPUOA_LIB_READER_DRM_DRM_UNIT_H */
