/* SPDX-License-Identifier: MIT */
/*
 * gpuoa-catalog.h - consecutive numbers for the metrics of several GPUs, and filtered lists
 *
 * For user interfaces and bindings. Part of libgpuoa-extra. Conventions are those of gpuoa.h.
 */
#ifndef GPUOA_CATALOG_H
#define GPUOA_CATALOG_H

#include "gpuoa.h"

#ifdef __cplusplus
extern "C" {
#endif

/** GPUOA_INDEX_NONE - Not a valid number of a metric, set or member. */
#define GPUOA_INDEX_NONE UINT32_MAX

/* ---- catalogs ------------------------------------------------------------------------------- */

/**
 * struct gpuoa_catalog - Consecutive numbers, from 0, for the sets and metrics of several members.
 *
 * A member is a platform (of a GPU or unit). The metrics of a set have consecutive numbers. Adding
 * a member does not change existing numbers.
 */
struct gpuoa_catalog;

/** gpuoa_catalog_new() - Create an empty catalog. -ENOMEM. */
GPUOA_API int gpuoa_catalog_new(struct gpuoa_catalog **catalog);

GPUOA_API void gpuoa_catalog_free(struct gpuoa_catalog *catalog);

/**
 * gpuoa_catalog_add() - Add all sets of a platform as a new member.
 * @platform: must outlive the catalog; may be added several times, for several GPUs
 *
 * Return: the number of the member, from 0. On error, the catalog is unchanged. -EOVERFLOW: too
 * many members, sets or metrics. -ENOMEM: out of memory.
 */
GPUOA_API int gpuoa_catalog_add(struct gpuoa_catalog *catalog,
				const struct gpuoa_platform *platform);

/**
 * gpuoa_catalog_add_missing() - Add the sets of a platform that a member does not have yet, as a
 * new member.
 * @member: member to extend; sets added to it before are not added again
 * @platform: must outlive the catalog
 *
 * For example, after gpuoa_custom_build(), this adds the new sets of the built platform to the
 * member that it was built from. Sets are equal if unit, UUID and number of metrics are equal.
 *
 * Return: the number of the new member, which may have no sets, or an error of gpuoa_catalog_add().
 * -ERANGE: @member is out of range.
 */
GPUOA_API int gpuoa_catalog_add_missing(struct gpuoa_catalog *catalog, uint32_t member,
					const struct gpuoa_platform *platform);

/** gpuoa_catalog_*_count() - Return the number of members, sets or metrics. */
GPUOA_API uint32_t gpuoa_catalog_member_count(const struct gpuoa_catalog *catalog);
GPUOA_API uint32_t gpuoa_catalog_set_count(const struct gpuoa_catalog *catalog);
GPUOA_API uint32_t gpuoa_catalog_metric_count(const struct gpuoa_catalog *catalog);

/**
 * gpuoa_catalog_get_*() - Return a member's platform, a set or a metric by number, or NULL if out
 * of range.
 */
GPUOA_API const struct gpuoa_platform *
gpuoa_catalog_get_platform(const struct gpuoa_catalog *catalog, uint32_t member);
GPUOA_API const struct gpuoa_set *gpuoa_catalog_get_set(const struct gpuoa_catalog *catalog,
							uint32_t set);
GPUOA_API const struct gpuoa_metric *gpuoa_catalog_get_metric(const struct gpuoa_catalog *catalog,
							      uint32_t metric);

/**
 * gpuoa_catalog_set_of() - Return the number of the set that has a metric; GPUOA_INDEX_NONE if out
 * of range.
 */
GPUOA_API uint32_t gpuoa_catalog_set_of(const struct gpuoa_catalog *catalog, uint32_t metric);

/**
 * gpuoa_catalog_first_metric() - Return the number of a set's first metric; GPUOA_INDEX_NONE if out
 * of range.
 */
GPUOA_API uint32_t gpuoa_catalog_first_metric(const struct gpuoa_catalog *catalog, uint32_t set);

/** gpuoa_catalog_metrics_of() - Return the number of metrics of a set; 0 if out of range. */
GPUOA_API uint32_t gpuoa_catalog_metrics_of(const struct gpuoa_catalog *catalog, uint32_t set);

/**
 * gpuoa_catalog_find() - Return the number of a metric of a member's platform; GPUOA_INDEX_NONE if
 * the member does not have it.
 */
GPUOA_API uint32_t gpuoa_catalog_find(const struct gpuoa_catalog *catalog, uint32_t member,
				      const struct gpuoa_metric *metric);

/**
 * gpuoa_catalog_to_local() - Convert a metric's number in the catalog to its number in a member.
 * @member: set to the member that has the metric; may be NULL
 *
 * Return: the number in the member, from 0. If @metric is out of range, it and @member are
 * GPUOA_INDEX_NONE.
 */
GPUOA_API uint32_t gpuoa_catalog_to_local(const struct gpuoa_catalog *catalog, uint32_t metric,
					  uint32_t *member);

/**
 * gpuoa_catalog_to_global() - Convert a metric's number in a member to its number in the catalog;
 * GPUOA_INDEX_NONE if either is out of range.
 */
GPUOA_API uint32_t gpuoa_catalog_to_global(const struct gpuoa_catalog *catalog, uint32_t member,
					   uint32_t local);

/* ---- views ---------------------------------------------------------------------------------- */

/**
 * struct gpuoa_view_options - Filter of a view. Zero-initialize, then set @size. Fields that are 0
 * do not filter.
 */
struct gpuoa_view_options {
	size_t size; /* sizeof(struct gpuoa_view_options), mandatory */
	/* mask of enum gpuoa_api: only metrics for any of these APIs; GPUOA_API_IO: streams */
	uint32_t apis;
	uint32_t usage; /* mask of enum gpuoa_usage: only metrics for any of these purposes */
	uint32_t tier; /* maximum tier of a metric; metrics without a tier are excluded */
	/* also include metrics that need counters which only begin/end queries have */
	bool queries;
	/*
	 * Include only metrics that are available on the GPU with these constants. Metrics that
	 * depend on a constant without value are excluded.
	 */
	const struct gpuoa_constants *constants;
};

/**
 * struct gpuoa_view - Some of the metrics of a set or platform, in the order of that set or
 * platform, numbered from 0.
 */
struct gpuoa_view;

/**
 * gpuoa_view_open() - View some metrics of a set, or (gpuoa_view_open_platform()) of all sets of a
 * platform.
 * @options: NULL: all metrics of streams; its constants are used by this call only
 * @view: result; close with gpuoa_view_close()
 *
 * Return: 0, or:
 * -EINVAL: @options->size is not set, or the constants are of another platform
 * -E2BIG: @options has nonzero fields that this library does not know
 * -ENOMEM: out of memory
 */
GPUOA_API int gpuoa_view_open(const struct gpuoa_set *set, const struct gpuoa_view_options *options,
			      struct gpuoa_view **view, char *error, size_t error_size);
GPUOA_API int gpuoa_view_open_platform(const struct gpuoa_platform *platform,
				       const struct gpuoa_view_options *options,
				       struct gpuoa_view **view, char *error, size_t error_size);

GPUOA_API void gpuoa_view_close(struct gpuoa_view *view);

/** gpuoa_view_count() - Return the number of metrics in a view. */
GPUOA_API size_t gpuoa_view_count(const struct gpuoa_view *view);

/**
 * gpuoa_view_get_metric() - Return metric @index of the view, or NULL if out of range.
 * gpuoa_metric_desc.index is its number in its set.
 */
GPUOA_API const struct gpuoa_metric *gpuoa_view_get_metric(const struct gpuoa_view *view,
							   size_t index);

/**
 * gpuoa_view_find() - Return the number of a metric in the view, or GPUOA_INDEX_NONE, in O(log n).
 */
GPUOA_API uint32_t gpuoa_view_find(const struct gpuoa_view *view,
				   const struct gpuoa_metric *metric);

/* ---- domains and plans ---------------------------------------------------------------------- */

/**
 * struct gpuoa_domain_desc - Description of a domain.
 *
 * A domain is an OA unit of the hardware, which measures one set at a time. Sets of different
 * domains can be measured together. Sets with the same UUID can also be measured together, because
 * they are different metrics of the same reports.
 */
struct gpuoa_domain_desc {
	const char *symbol; /* "OA", "OAM0" */
	const char *description; /* one line; static */
	size_t set_count;
	uint64_t formats; /* formats of the domain's sets: bit n is enum gpuoa_report_format n */
	uint32_t sampling; /* enum gpuoa_sampling of its sets */
};

/** gpuoa_platform_domain_count() - Return the number of domains of a platform. */
GPUOA_API size_t gpuoa_platform_domain_count(const struct gpuoa_platform *platform);

/**
 * gpuoa_platform_describe_domain() - Describe domain @index. @size is sizeof(*desc). -ERANGE if out
 * of range.
 */
GPUOA_API int gpuoa_platform_describe_domain(const struct gpuoa_platform *platform, size_t index,
					     struct gpuoa_domain_desc *desc, size_t size);

/**
 * gpuoa_plan_passes() - Compute the least number of runs of a workload that measure all given sets.
 * @sets: @count sets in any order, of any platforms, duplicates allowed
 * @gpus: @count numbers chosen by the caller: the GPU on which each set is measured; NULL: one GPU
 *   per platform
 * @pass_of: result: the run, from 0, in which each of the @count sets is measured
 *
 * Return: the number of runs; 0 for no sets.
 */
GPUOA_API size_t gpuoa_plan_passes(const struct gpuoa_set *const *sets, const uint32_t *gpus,
				   size_t count, size_t *pass_of);

/**
 * gpuoa_plan_sets() - Choose sets that together have all given metrics.
 * @constants: constants of the GPU: sets and metrics that are not available on it are not chosen;
 *   NULL: all are available
 * @symbols: @count symbols of metrics
 * @set_of: result: for each metric, the set to measure it with, or NULL if no set has it
 *
 * The set with most of the metrics not yet covered is chosen repeatedly.
 *
 * Return: the number of chosen sets, for gpuoa_plan_passes().
 */
GPUOA_API size_t gpuoa_plan_sets(const struct gpuoa_platform *platform,
				 const struct gpuoa_constants *constants,
				 const char *const *symbols, size_t count,
				 const struct gpuoa_set **set_of);

#ifdef __cplusplus
}
#endif

#endif /* GPUOA_CATALOG_H */
