/* SPDX-License-Identifier: MIT */
/* xe_query.h - query xe for the OA units of a GPU */
#ifndef GPUOA_LIB_READER_XE_XE_QUERY_H
#define GPUOA_LIB_READER_XE_XE_QUERY_H

#include <stddef.h>
#include <stdint.h>

#include "reader/xe/xe.h"

/* Run a query. Returns its result, to be freed by the caller, or NULL and sets *err. */
void *xe_query(int fd, uint32_t query, size_t *size, int *err);

/* Returns the number of OA units with engines, or -errno. */
int xe_query_units(int fd);

/*
 * Fill in .id, .engine and the unit's members of .desc for the unit at drm.index; its file must be
 * open. Returns 0 or -errno; -ENOENT: no such unit
 */
int xe_query_unit(struct xe_unit *unit);

#endif /* GPUOA_LIB_READER_XE_XE_QUERY_H */
