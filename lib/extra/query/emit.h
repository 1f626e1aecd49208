/* SPDX-License-Identifier: MIT */
/* emit.h - the commands at the begin and end of a query */
#ifndef GPUOA_LIB_EXTRA_QUERY_EMIT_H
#define GPUOA_LIB_EXTRA_QUERY_EMIT_H

#include "extra/query/pool.h"

/*
 * Write commands for the slot at @address with report id @id. Returns the number of dwords; @dwords
 * may be NULL to only count them.
 */
size_t query_emit_begin(const struct gpuoa_query_pool *pool, uint64_t address, uint32_t id,
			uint32_t *dwords);
size_t query_emit_end(const struct gpuoa_query_pool *pool, uint64_t address, uint32_t id,
		      uint32_t *dwords);

#endif /* GPUOA_LIB_EXTRA_QUERY_EMIT_H */
