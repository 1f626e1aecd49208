/* SPDX-License-Identifier: MIT */
/*
 * xe_query.h - what xe tells of a GPU and of its OA units
 */
#ifndef GPUOA_LIB_SOURCE_XE_XE_QUERY_H
#define GPUOA_LIB_SOURCE_XE_XE_QUERY_H

#include <stddef.h>
#include <stdint.h>

#include "source/xe/xe.h"

/* Answer of a query, to be freed. NULL: *err says why. */
void *xe_query(int fd, uint32_t query, size_t *size, int *err);

/* How many OA units there are that have engines. -errno */
int xe_query_units(int fd);

/*
 * Fill in .id, .engine and what .desc tells of the unit itself, with an open file, the drm.index-th
 * of them. -ENOENT
 */
int xe_query_unit(struct xe_unit *unit);

#endif /* GPUOA_LIB_SOURCE_XE_XE_QUERY_H */
