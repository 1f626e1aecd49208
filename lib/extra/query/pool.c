// SPDX-License-Identifier: MIT
/* pool.c - describe and close query pools */
#include "extra/query/pool.h"

#include <errno.h>
#include <stdlib.h>

#include "base/sized.h"

void gpuoa_query_pool_close(struct gpuoa_query_pool *pool)
{
	if (!pool)
		return;
	programmed_put(pool->programmed);
	gpuoa_calc_close(pool->calc);
	free(pool->longest);
	free(pool->queries);
	free(pool->scratch);
	free(pool->row);
	free(pool);
}

void gpuoa_query_pool_describe(const struct gpuoa_query_pool *pool, struct gpuoa_query_desc *desc,
			       size_t size)
{
	sized_give(desc, size, &pool->desc, sizeof(pool->desc));
}

const struct gpuoa_calc *gpuoa_query_calc(const struct gpuoa_query_pool *pool)
{
	return pool->calc;
}

int query_check(const struct gpuoa_query_pool *pool, uint32_t query,
		const struct complaint *complaint)
{
	if (query >= pool->options.count)
		return COMPLAIN(complaint, -ERANGE, "there is no query %u: the pool has %u", query,
				pool->options.count);
	return 0;
}
