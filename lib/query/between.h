/* SPDX-License-Identifier: MIT */
/* between.h - what a stream's reports tell of the time between a query's two. */
#ifndef GPUOA_LIB_QUERY_BETWEEN_H
#define GPUOA_LIB_QUERY_BETWEEN_H

#include "query/pool.h"

/* Those reports of the hints that lie between @begin and @end */
struct query_between {
	const char *reports;
	size_t count;
	size_t size; /* of each */
	uint32_t format; /* enum gpuoa_report_format */
};

struct query_between query_between_find(const struct gpuoa_query_pool *pool,
					const struct gpuoa_query_hints *hints, const char *begin,
					const char *end);

/* Add to the result what they tell. */
void query_between_note(const struct gpuoa_query_pool *pool, const struct query_between *between,
			struct gpuoa_query_result *result);

/*
 * Do reports of this pool count for all that runs, and do these tell who that was? Then values are
 * those of query_between_run() instead of the query's two reports alone.
 */
bool query_between_tells_contexts(const struct gpuoa_query_pool *pool,
				  const struct query_between *between);

/*
 * Can no counter of a query of @ticks have wrapped twice, or, if it has, do the reports in between
 * show each time?
 */
bool query_between_excludes_wraps(const struct gpuoa_query_pool *pool,
				  const struct query_between *between, const char *begin,
				  const char *end, uint64_t ticks);

/*
 * Values of the sum of the intervals between all these reports; @alone: of those in which the
 * context of @begin ran.
 */
void query_between_run(struct gpuoa_query_pool *pool, const struct query_between *between,
		       const char *begin, const char *end, bool alone, union gpuoa_value *values);

#endif /* GPUOA_LIB_QUERY_BETWEEN_H */
