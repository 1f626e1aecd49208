/* SPDX-License-Identifier: MIT */
/*
 * i915_find.h - finds the GPUs of which i915 offers the OA unit, and the one that a name means
 *
 * A unit is called by the number of its GPU's card node: "i915:0" is that of /dev/dri/card0.
 */
#ifndef GPUOA_LIB_SOURCE_I915_I915_FIND_H
#define GPUOA_LIB_SOURCE_I915_I915_FIND_H

#include "source/stream/unit.h"

/* As of struct origin. @root: "" or where a test has its own /sys. */
int i915_list_below(const char *root, char (*names)[UNIT_NAME_SIZE], size_t max);
void i915_parent_below(const char *root, const char *unit, char *parent, size_t size);
int i915_list(char (*names)[UNIT_NAME_SIZE], size_t max);
int i915_find(const char *name, char unit[UNIT_NAME_SIZE]);
void i915_find_parent(const char *unit, char *parent, size_t size);

/* Directory in /sys/class/drm of a unit's card node: "card0". */
void i915_card(const char *unit, char *card, size_t size);

/* Path of the node that is opened: the GPU's render node, or its card node if it has none. */
void i915_node(const char *unit, char *path, size_t size);

#endif /* GPUOA_LIB_SOURCE_I915_I915_FIND_H */
