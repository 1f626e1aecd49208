/* SPDX-License-Identifier: MIT */
/* backends.h - the backends that provide OA units, in order of preference */
#ifndef GPUOA_LIB_READER_BACKENDS_BACKENDS_H
#define GPUOA_LIB_READER_BACKENDS_BACKENDS_H

#include "reader/stream/unit.h"

/* Returns the backend at @index, or NULL after the last one. */
const struct backend *backend_at(size_t index);

/*
 * Find the unit that a name refers to (see gpuoa_unit_open()) in the first backend that has it.
 * Returns 0, -ENOENT, or -ENODEV if there are no units at all.
 */
int backend_find(const char *name, const struct backend **backend, char unit[UNIT_NAME_SIZE]);

/*
 * Open unit @name of a backend; close it with gpuoa_unit_close(). Errors are those of
 * gpuoa_unit_open().
 */
int backend_open(const struct backend *backend, const char *name, struct gpuoa_unit **unit,
		 const struct complaint *complaint);

#endif /* GPUOA_LIB_READER_BACKENDS_BACKENDS_H */
