/* SPDX-License-Identifier: MIT */
/* emit.h - the commands that begin and end a query. */
#ifndef GPUOA_LIB_QUERY_EMIT_H
#define GPUOA_LIB_QUERY_EMIT_H

#include "query/pool.h"

/* Commands for the slot at @address; reports get this id. @dwords NULL: just count them. */
size_t query_emit_begin(const struct gpuoa_query_pool *pool, uint64_t address, uint32_t id,
			uint32_t *dwords);
size_t query_emit_end(const struct gpuoa_query_pool *pool, uint64_t address, uint32_t id,
		      uint32_t *dwords);

#endif /* GPUOA_LIB_QUERY_EMIT_H */
