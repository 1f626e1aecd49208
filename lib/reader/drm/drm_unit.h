/* SPDX-License-Identifier: MIT */
/*
 * drm_unit.h - OA units that stock drivers provide through DRM nodes: naming and opening
 *
 * A unit's name is its driver and the number of its GPU's card node; further units of a GPU have
 * their number appended: "xe:0" is the first unit of /dev/dri/card0, "xe:0.1" the second.
 */
#ifndef GPUOA_LIB_READER_DRM_DRM_UNIT_H
#define GPUOA_LIB_READER_DRM_DRM_UNIT_H

#include <stddef.h>

#include "gpuoa-stream.h"
#include "reader/stream/unit.h"

#define DRM_CARD_SIZE 16

/* Base of all drivers' units. */
struct drm_unit {
	struct gpuoa_unit unit; /* .fd: the DRM node */
	char card[DRM_CARD_SIZE]; /* "card0": its directory in /sys/class/drm */
	uint32_t index; /* number of the unit among the GPU's units */
};

/* Differences between the drivers. */
struct drm_driver {
	/* name of the kernel driver and prefix of unit names, at most 4 characters */
	const char *name;
	size_t unit_size; /* size of the struct that begins with struct drm_unit */
	/*
	 * Count the units of a GPU; NULL: one. With a @root other than "" there is no driver to
	 * query.
	 */
	int (*count_units)(const char *root, const char *card);
	/* Query the driver to fill in the rest of .desc. Returns 0 or -errno */
	int (*describe)(struct drm_unit *unit);
};

/* Implement list() of struct backend. @root: "", or a directory where a test has its own /sys. */
int drm_unit_list(const struct drm_driver *driver, const char *root, char (*names)[UNIT_NAME_SIZE],
		  size_t max);

/* Implement open() of struct backend. */
int drm_unit_open(const struct drm_driver *driver, const char *name, struct gpuoa_unit **opened,
		  const struct complaint *complaint);

/* Implementations for struct backend. */
void drm_unit_parent(const char *unit, char *parent, size_t size);
void drm_unit_node(const char *unit, char *path, size_t size);
void drm_unit_close(struct gpuoa_unit *unit);

/* Get the name of the device that a unit belongs to, below @root. */
void drm_unit_parent_below(const char *root, const char *unit, char *parent, size_t size);

/*
 * Read a frequency from a file of the card that has it in MHz. Returns Hz, or 0 if there is none.
 */
uint64_t drm_unit_frequency(const struct drm_unit *unit, const char *file);

/*
 * Error in ns of a CPU time in the middle of an interval of @took ns in which the GPU's clock of
 * @hz was read: half of the interval plus one tick.
 */
uint32_t drm_clock_error(uint64_t took, uint64_t hz);

/* Size of a path of a node below /dev/dri. */
#define DRM_NODE_SIZE 32

/*
 * List card nodes ("card0") of GPUs with metrics and driver @driver, by number. @root: "", or a
 * directory in which a test has its own /sys. Returns the number of nodes, which may exceed @max.
 */
int drm_cards(const char *root, const char *driver, char (*cards)[DRM_CARD_SIZE], size_t max);

/* Get the device name of a card node; "" if there is none. */
void drm_card_parent(const char *root, const char *card, char *parent, size_t size);

/* Get the path of the node to open: the GPU's render node, or its card node if it has none. */
void drm_card_node(const char *card, char *path, size_t size);

/* Call ioctl(2), again if it is interrupted. Returns its result, or -errno */
int drm_ioctl(int fd, unsigned long request, void *argument);

/* Implement add_config() of struct backend. @add: the driver's ioctl; returns an id or -errno. */
int drm_add_config(struct gpuoa_unit *unit, const struct unit_config *config, uint32_t *id,
		   int (*add)(struct gpuoa_unit *unit, const struct unit_config *config));

/* Implements list_configs() of struct backend. */
int drm_list_configs(struct gpuoa_unit *unit, struct registered_config **configs);

/*
 * Find a process with an open stream, and set .process and .program. @stream: the kernel's name of
 * such files, "anon_inode:[i915_perf]". Returns false if there is none that this process may
 * inspect. The GPU and unit of a stream cannot be determined.
 */
bool drm_user_find(const char *stream, struct gpuoa_unit_user *use);

#endif /* GPUOA_LIB_READER_DRM_DRM_UNIT_H */
