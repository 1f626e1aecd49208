// SPDX-License-Identifier: MIT
/* catalog.c - consecutive numbers for the sets and metrics of several platforms */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/sized.h"
#include "gpuoa-catalog.h"
#include "table/table.h"

struct catalog_source {
	const struct gpuoa_platform *platform;
	uint32_t first_set;
	uint32_t first_metric;
	/* number of the member that this one extends; of this one if it extends none */
	uint32_t base;
};

struct catalog_set {
	const struct gpuoa_set *set;
	uint32_t source;
	uint32_t first_metric;
};

struct gpuoa_catalog {
	struct catalog_source *sources;
	struct catalog_set *sets; /* in ascending order of first_metric */
	uint32_t source_count;
	uint32_t set_count;
	uint32_t metric_count;
};

int gpuoa_catalog_new(struct gpuoa_catalog **catalog)
{
	*catalog = calloc(1, sizeof(**catalog));
	return *catalog ? 0 : -ENOMEM;
}

void gpuoa_catalog_free(struct gpuoa_catalog *catalog)
{
	if (!catalog)
		return;
	free(catalog->sources);
	free(catalog->sets);
	free(catalog);
}

/* Allocate space for one more member and its sets, without adding them. */
static int reserve(struct gpuoa_catalog *catalog, const struct gpuoa_platform *platform)
{
	size_t source_count = catalog->source_count + (size_t)1;
	size_t set_count = catalog->set_count + (size_t)platform->set_count;
	struct catalog_source *sources = realloc(catalog->sources, source_count * sizeof(*sources));
	struct catalog_set *sets;

	if (!sources)
		return -ENOMEM;
	catalog->sources = sources;
	/* Allocate at least one element, because realloc() of size 0 may return NULL. */
	sets = realloc(catalog->sets, (set_count + 1) * sizeof(*sets));
	if (!sets)
		return -ENOMEM;
	catalog->sets = sets;
	return 0;
}

static bool is_same_set(const struct gpuoa_set *a, const struct gpuoa_set *b)
{
	return !strcmp(table_string(&a->unit), table_string(&b->unit)) &&
	       !strcmp(table_string(&a->uuid), table_string(&b->uuid)) &&
	       a->metric_count == b->metric_count;
}

/* Returns whether member @base, or a member that extends it, has a set equal to this one. */
static bool has_set(const struct gpuoa_catalog *catalog, uint32_t base, const struct gpuoa_set *set)
{
	for (uint32_t i = 0; i < catalog->set_count; i++)
		if (catalog->sets[i].source < catalog->source_count &&
		    catalog->sources[catalog->sets[i].source].base == base &&
		    is_same_set(catalog->sets[i].set, set))
			return true;
	return false;
}

/*
 * Add a new member with the sets of a platform that member @base does not have. If @base is the new
 * member, all sets are added.
 */
static int add(struct gpuoa_catalog *catalog, const struct gpuoa_platform *platform, uint32_t base)
{
	const uint32_t source = catalog->source_count, end = catalog->set_count;
	const uint32_t first_metric = catalog->metric_count;
	int err;

	if (source >= INT32_MAX || platform->set_count >= GPUOA_INDEX_NONE - catalog->set_count)
		return -EOVERFLOW;
	err = reserve(catalog, platform);
	if (err)
		return err;
	for (uint32_t i = 0; i < platform->set_count; i++) {
		const struct gpuoa_set *set = &platform_sets(platform)[i];

		if (base != source && has_set(catalog, base, set))
			continue;
		if (set->metric_count >= GPUOA_INDEX_NONE - catalog->metric_count)
			goto overflow;
		/*
		 * .source_count does not include the new member yet, so that has_set() does not
		 * compare its sets with each other.
		 */
		catalog->sets[catalog->set_count++] = (struct catalog_set){
			.set = set,
			.source = source,
			.first_metric = catalog->metric_count,
		};
		catalog->metric_count += set->metric_count;
	}
	catalog->sources[catalog->source_count++] = (struct catalog_source){
		.platform = platform,
		.first_set = end,
		.first_metric = first_metric,
		.base = base,
	};
	return (int)source;
overflow:
	catalog->set_count = end;
	catalog->metric_count = first_metric;
	return -EOVERFLOW;
}

int gpuoa_catalog_add(struct gpuoa_catalog *catalog, const struct gpuoa_platform *platform)
{
	return add(catalog, platform, catalog->source_count);
}

int gpuoa_catalog_add_missing(struct gpuoa_catalog *catalog, uint32_t member,
			      const struct gpuoa_platform *platform)
{
	if (member >= catalog->source_count)
		return -ERANGE;
	return add(catalog, platform, catalog->sources[member].base);
}

uint32_t gpuoa_catalog_member_count(const struct gpuoa_catalog *catalog)
{
	return catalog->source_count;
}

uint32_t gpuoa_catalog_set_count(const struct gpuoa_catalog *catalog)
{
	return catalog->set_count;
}

uint32_t gpuoa_catalog_metric_count(const struct gpuoa_catalog *catalog)
{
	return catalog->metric_count;
}

const struct gpuoa_platform *gpuoa_catalog_get_platform(const struct gpuoa_catalog *catalog,
							uint32_t source)
{
	return source < catalog->source_count ? catalog->sources[source].platform : NULL;
}

const struct gpuoa_set *gpuoa_catalog_get_set(const struct gpuoa_catalog *catalog, uint32_t set)
{
	return set < catalog->set_count ? catalog->sets[set].set : NULL;
}

uint32_t gpuoa_catalog_set_of(const struct gpuoa_catalog *catalog, uint32_t metric)
{
	uint32_t first = 0, last = catalog->set_count;

	if (metric >= catalog->metric_count)
		return GPUOA_INDEX_NONE;
	while (last - first > 1) {
		uint32_t middle = first + (last - first) / 2;

		if (catalog->sets[middle].first_metric <= metric)
			first = middle;
		else
			last = middle;
	}
	return first;
}

const struct gpuoa_metric *gpuoa_catalog_get_metric(const struct gpuoa_catalog *catalog,
						    uint32_t metric)
{
	uint32_t number = gpuoa_catalog_set_of(catalog, metric);
	const struct catalog_set *set;

	if (number == GPUOA_INDEX_NONE)
		return NULL;
	set = &catalog->sets[number];
	return gpuoa_set_get_metric(set->set, metric - set->first_metric);
}

uint32_t gpuoa_catalog_first_metric(const struct gpuoa_catalog *catalog, uint32_t set)
{
	return set < catalog->set_count ? catalog->sets[set].first_metric : GPUOA_INDEX_NONE;
}

uint32_t gpuoa_catalog_metrics_of(const struct gpuoa_catalog *catalog, uint32_t set)
{
	return set < catalog->set_count ? catalog->sets[set].set->metric_count : 0;
}

uint32_t gpuoa_catalog_find(const struct gpuoa_catalog *catalog, uint32_t source,
			    const struct gpuoa_metric *metric)
{
	const struct gpuoa_set *set = metric_set(metric);
	uint32_t number;

	if (gpuoa_catalog_get_platform(catalog, source) != set_platform(set))
		return GPUOA_INDEX_NONE;
	/*
	 * Search the member's sets, because a member that extends another one may have only some
	 * sets of its platform.
	 */
	for (number = catalog->sources[source].first_set;
	     number < catalog->set_count && catalog->sets[number].source == source; number++)
		if (catalog->sets[number].set == set)
			return catalog->sets[number].first_metric + metric_index(metric);
	return GPUOA_INDEX_NONE;
}

uint32_t gpuoa_catalog_to_local(const struct gpuoa_catalog *catalog, uint32_t metric,
				uint32_t *source)
{
	uint32_t set = gpuoa_catalog_set_of(catalog, metric);
	uint32_t found = set < catalog->set_count ? catalog->sets[set].source : GPUOA_INDEX_NONE;

	if (source)
		*source = found;
	return found == GPUOA_INDEX_NONE ? found : metric - catalog->sources[found].first_metric;
}

uint32_t gpuoa_catalog_to_global(const struct gpuoa_catalog *catalog, uint32_t source,
				 uint32_t local)
{
	uint32_t first, end;

	if (source >= catalog->source_count)
		return GPUOA_INDEX_NONE;
	first = catalog->sources[source].first_metric;
	end = source + 1 < catalog->source_count ? catalog->sources[source + 1].first_metric :
						   catalog->metric_count;
	return local < end - first ? first + local : GPUOA_INDEX_NONE;
}

static struct gpuoa_set_desc describe(const struct gpuoa_platform *platform, size_t index)
{
	struct gpuoa_set_desc desc;

	gpuoa_set_describe(gpuoa_platform_get_set(platform, index), &desc, sizeof(desc));
	return desc;
}

size_t gpuoa_platform_domain_count(const struct gpuoa_platform *platform)
{
	const size_t sets = gpuoa_platform_set_count(platform);
	size_t count = 0;

	/* Domains are numbered in the order in which sets first use them. */
	for (size_t i = 0; i < sets; i++)
		count += describe(platform, i).domain_index == count;
	return count;
}

static const char *describe_unit(const char *unit)
{
	static const char *const units[][2] = {
		{ "OA", "render and compute engines and all that they share" },
		{ "OAM0", "media engines of the first media slice" },
		{ "OAM1", "media engines of the second media slice" },
		{ "OAMG", "media engines, those of all media slices" },
		{ "OAMERT", "traffic to memory from all sources" },
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(units[i][0], unit))
			return units[i][1];
	return "";
}

int gpuoa_platform_describe_domain(const struct gpuoa_platform *platform, size_t index,
				   struct gpuoa_domain_desc *desc, size_t size)
{
	const size_t sets = gpuoa_platform_set_count(platform);
	struct gpuoa_domain_desc known = { .set_count = 0 };

	for (size_t i = 0; i < sets; i++) {
		const struct gpuoa_set_desc set = describe(platform, i);

		if (set.domain_index != index)
			continue;
		known.symbol = set.domain;
		known.description = describe_unit(set.domain);
		known.set_count++;
		known.sampling |= set.sampling;
		known.formats |= UINT64_C(1) << set.format;
	}
	if (!known.set_count)
		return -ERANGE;
	sized_give(desc, size, &known, sizeof(known));
	return 0;
}
