/* SPDX-License-Identifier: MIT */
/* layout.h - compute a pool's sizes, command counts and the maximum duration of a query */
#ifndef GPUOA_LIB_EXTRA_QUERY_LAYOUT_H
#define GPUOA_LIB_EXTRA_QUERY_LAYOUT_H

#include "extra/query/pool.h"

/* Fill in the pool's description and its own format, which extends @format. */
void query_lay_out(struct gpuoa_query_pool *pool, const struct report_format *format);

/*
 * Compute how long a query can last before a counter of its metrics may wrap twice. Returns 0 or
 * -ENOMEM.
 */
int query_measure(struct gpuoa_query_pool *pool);

#endif /* GPUOA_LIB_EXTRA_QUERY_LAYOUT_H */
