/* SPDX-License-Identifier: MIT */
/* layout.h - what a pool needs: sizes, numbers of commands, how long a query may take. */
#ifndef GPUOA_LIB_QUERY_LAYOUT_H
#define GPUOA_LIB_QUERY_LAYOUT_H

#include "query/pool.h"

/* Fill in the description of a pool, and its own format, for reports of @format. */
void query_lay_out(struct gpuoa_query_pool *pool, const struct report_format *format);

/* Compute how long a query may be before a counter of its metrics may wrap twice. -ENOMEM. */
int query_measure(struct gpuoa_query_pool *pool);

#endif /* GPUOA_LIB_QUERY_LAYOUT_H */
