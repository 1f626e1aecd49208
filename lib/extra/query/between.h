/* SPDX-License-Identifier: MIT */
/* between.h - use a stream's reports to analyze the time between a query's two reports */
#ifndef GPUOA_LIB_EXTRA_QUERY_BETWEEN_H
#define GPUOA_LIB_EXTRA_QUERY_BETWEEN_H

#include "extra/query/pool.h"

/* The reports of the hints between @begin and @end. */
struct query_between {
	const char *reports;
	size_t count;
	size_t size; /* size of each report in bytes */
	uint32_t format; /* enum gpuoa_report_format */
};

struct query_between query_between_find(const struct gpuoa_query_pool *pool,
					const struct gpuoa_query_hints *hints, const char *begin,
					const char *end);

/* Add flags and reasons found in the reports to the result. */
void query_between_note(const struct gpuoa_query_pool *pool, const struct query_between *between,
			struct gpuoa_query_result *result);

/*
 * True if the pool's reports count all contexts and the stream's reports identify them. Then
 * query_between_run() yields more precise values than the query's two reports alone.
 */
bool query_between_tells_contexts(const struct gpuoa_query_pool *pool,
				  const struct query_between *between);

/*
 * True if no counter can have wrapped unnoticed: none can have wrapped twice in @ticks, or the
 * reports in between show every wrap.
 */
bool query_between_excludes_wraps(const struct gpuoa_query_pool *pool,
				  const struct query_between *between, const char *begin,
				  const char *end, uint64_t ticks);

/*
 * Calculate the values over all intervals between these reports; @alone: only those intervals in
 * which the context of @begin ran.
 */
void query_between_run(struct gpuoa_query_pool *pool, const struct query_between *between,
		       const char *begin, const char *end, bool alone, union gpuoa_value *values);

#endif /* GPUOA_LIB_EXTRA_QUERY_BETWEEN_H */
