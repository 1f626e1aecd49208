/* SPDX-License-Identifier: MIT */
/*
 * gpuoa-catalog.h - metrics in lists: flat numbers for those of several GPUs, views of a part of
 * them
 *
 * For user interfaces and bindings that number all metrics through. Rules of results, structs,
 * ownership and threads are those of gpuoa.h.
 */
#ifndef GPUOA_CATALOG_H
#define GPUOA_CATALOG_H

#include "gpuoa.h"

#ifdef __cplusplus
extern "C" {
#endif

/** No metric, set or member has this number. */
#define GPUOA_INDEX_NONE UINT32_MAX

/* ---- catalogs ------------------------------------------------------------------------------- */

/**
 * A catalog numbers the sets and metrics of one or several platforms (GPUs, units), its members:
 * from 0, without holes, the metrics of a set one after the other. What is added gets the next
 * numbers; those given before never change.
 */
struct gpuoa_catalog;

/** An empty catalog. -ENOMEM. */
GPUOA_API int gpuoa_catalog_new(struct gpuoa_catalog **catalog);

GPUOA_API void gpuoa_catalog_free(struct gpuoa_catalog *catalog);

/**
 * Add all sets of a platform, which must outlive the catalog; one platform may be added several
 * times, as there can be several such GPUs. Returns the number of the member, from 0, or -ENOMEM or
 * -EOVERFLOW; then nothing was added.
 */
GPUOA_API int gpuoa_catalog_add(struct gpuoa_catalog *catalog,
				const struct gpuoa_platform *platform);

/**
 * Add, as a new member, only those sets of a platform that a member and what was added to it before
 * lack: the platform that gpuoa_custom_build() makes of the member's has all sets of that, and
 * those that were scheduled. A set is the same if unit, UUID and number of metrics are. Returns the
 * number of the new member, which may have no set, or as gpuoa_catalog_add(). -ERANGE: there is no
 * @member.
 */
GPUOA_API int gpuoa_catalog_add_missing(struct gpuoa_catalog *catalog, uint32_t member,
					const struct gpuoa_platform *platform);

/** Numbers of members, sets and metrics. */
GPUOA_API uint32_t gpuoa_catalog_member_count(const struct gpuoa_catalog *catalog);
GPUOA_API uint32_t gpuoa_catalog_set_count(const struct gpuoa_catalog *catalog);
GPUOA_API uint32_t gpuoa_catalog_metric_count(const struct gpuoa_catalog *catalog);

/** Platform of a member, set, metric by number; NULL beyond the last one. */
GPUOA_API const struct gpuoa_platform *
gpuoa_catalog_get_platform(const struct gpuoa_catalog *catalog, uint32_t member);
GPUOA_API const struct gpuoa_set *gpuoa_catalog_get_set(const struct gpuoa_catalog *catalog,
							uint32_t set);
GPUOA_API const struct gpuoa_metric *gpuoa_catalog_get_metric(const struct gpuoa_catalog *catalog,
							      uint32_t metric);

/** Number of the set that has a metric; GPUOA_INDEX_NONE beyond the last one. */
GPUOA_API uint32_t gpuoa_catalog_set_of(const struct gpuoa_catalog *catalog, uint32_t metric);

/** Number of a set's first metric; GPUOA_INDEX_NONE beyond the last set. */
GPUOA_API uint32_t gpuoa_catalog_first_metric(const struct gpuoa_catalog *catalog, uint32_t set);

/** How many metrics a set has; 0 beyond the last set. */
GPUOA_API uint32_t gpuoa_catalog_metrics_of(const struct gpuoa_catalog *catalog, uint32_t set);

/** Number of a metric of a member's platform; GPUOA_INDEX_NONE if the member has no such metric. */
GPUOA_API uint32_t gpuoa_catalog_find(const struct gpuoa_catalog *catalog, uint32_t member,
				      const struct gpuoa_metric *metric);

/**
 * Number of a metric within its member, from 0. @member: out: the member; may be NULL. Both are
 * GPUOA_INDEX_NONE beyond the last metric.
 */
GPUOA_API uint32_t gpuoa_catalog_to_local(const struct gpuoa_catalog *catalog, uint32_t metric,
					  uint32_t *member);

/** The other way; GPUOA_INDEX_NONE if the member has no such metric, or there is no such member. */
GPUOA_API uint32_t gpuoa_catalog_to_global(const struct gpuoa_catalog *catalog, uint32_t member,
					   uint32_t local);

/* ---- views ---------------------------------------------------------------------------------- */

/** What a view lets through. Zero-initialize, then set @size; what else is 0 does not matter. */
struct gpuoa_view_options {
	size_t size; /* sizeof(struct gpuoa_view_options), must be set */
	uint32_t apis; /* enum gpuoa_api: for one of these. GPUOA_API_IO: what periodic streams have
			*/
	uint32_t usage; /* enum gpuoa_usage: good for one of these */
	uint32_t tier; /* of this tier or a better one; metrics without a tier are of none */
	bool queries; /* also what only begin/end queries have */
	const struct gpuoa_constants *constants; /* what is available on this GPU; not what nobody
						    can say of, for a constant has no value */
};

/** Some of the metrics of a set or platform, in their order, numbered from 0. */
struct gpuoa_view;

/**
 * View a set (gpuoa_view_open) or all sets of a platform. The options' constants are not needed any
 * more afterwards.
 *
 * @options: NULL for all that streams have
 *
 * -EINVAL: @options->size is not set, or the constants are another platform's. -E2BIG: @options is
 * longer than this library knows, and what it does not know is not 0. -ENOMEM.
 */
GPUOA_API int gpuoa_view_open(const struct gpuoa_set *set, const struct gpuoa_view_options *options,
			      struct gpuoa_view **view, char *error, size_t error_size);
GPUOA_API int gpuoa_view_open_platform(const struct gpuoa_platform *platform,
				       const struct gpuoa_view_options *options,
				       struct gpuoa_view **view, char *error, size_t error_size);

GPUOA_API void gpuoa_view_close(struct gpuoa_view *view);

/** How many metrics it has. */
GPUOA_API size_t gpuoa_view_count(const struct gpuoa_view *view);

/** Metric @index of the view; NULL beyond. Its number in its set is gpuoa_metric_desc.index. */
GPUOA_API const struct gpuoa_metric *gpuoa_view_get_metric(const struct gpuoa_view *view,
							   size_t index);

/** Number that a metric has in the view; GPUOA_INDEX_NONE if it is not in it. O(log n). */
GPUOA_API uint32_t gpuoa_view_find(const struct gpuoa_view *view,
				   const struct gpuoa_metric *metric);

#ifdef __cplusplus
}
#endif

#endif /* GPUOA_CATALOG_H */
