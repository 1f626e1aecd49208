/* SPDX-License-Identifier: MIT */
/* emit.h - the commands at the begin and end of a query */
#ifndef GPUOA_LIB_EXTRA_QUERY_EMIT_H
#define GPUOA_LIB_EXTRA_QUERY_EMIT_H

#include "extra/query/pool.h"

/*
 * Write the commands that begin or end a query. @address: GPU address of its slot; @id: report id.
 * Returns the number of dwords; if @dwords is NULL, they are only counted.
 */
size_t query_emit_begin(const struct gpuoa_query_pool *pool, uint64_t address, uint32_t id,
			uint32_t *dwords);
size_t query_emit_end(const struct gpuoa_query_pool *pool, uint64_t address, uint32_t id,
		      uint32_t *dwords);

#endif /* GPUOA_LIB_EXTRA_QUERY_EMIT_H */
