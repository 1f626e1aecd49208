/* SPDX-License-Identifier: MIT */
/*
 * xe_find.h - finds the OA units that xe offers, and the one that a name means
 *
 * A unit is called by the number of its GPU's card node, and the others of a
 * GPU by their number there: "xe:0" is the first one of /dev/dri/card0,
 * "xe:0.1" the second.
 */
#ifndef GPUOA_LIB_SOURCE_XE_XE_FIND_H
#define GPUOA_LIB_SOURCE_XE_XE_FIND_H

#include "source/stream/unit.h"

/* As of struct origin. */
int xe_list(char (*names)[UNIT_NAME_SIZE], size_t max);
int xe_find(const char *name, char unit[UNIT_NAME_SIZE]);
void xe_find_parent(const char *unit, char *parent, size_t size);

/* Path of the DRM node that is opened for a unit. */
void xe_node(const char *unit, char *path, size_t size);

/* Card node ("card0") and number of a unit. */
void xe_place(const char *unit, char *card, size_t size, uint32_t *index);

#endif /* GPUOA_LIB_SOURCE_XE_XE_FIND_H */
