/* SPDX-License-Identifier: MIT */
/*
 * origins.h - the origins of OA units, in the order in which they are asked for a GPU
 */
#ifndef GPUOA_LIB_SOURCE_ORIGINS_ORIGINS_H
#define GPUOA_LIB_SOURCE_ORIGINS_ORIGINS_H

#include "source/stream/unit.h"

/* The @index-th one, from 0; NULL beyond the last. */
const struct origin *origin_at(size_t index);

/*
 * The unit that a name means (see gpuoa_unit_open()), and its origin: the first that has one.
 * -ENOENT; -ENODEV: there is no unit at all.
 */
int origin_find(const char *name, const struct origin **origin, char unit[UNIT_NAME_SIZE]);

/* Open the unit @name of an origin, to be closed by gpuoa_unit_close(). As gpuoa_unit_open(). */
int origin_open(const struct origin *origin, const char *name, struct gpuoa_unit **unit,
		const struct complaint *complaint);

#endif /* GPUOA_LIB_SOURCE_ORIGINS_ORIGINS_H */
