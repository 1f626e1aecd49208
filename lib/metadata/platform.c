// SPDX-License-Identifier: MIT
/* platform.c - platforms and their sets. */
#include <stdbool.h>
#include <string.h>

#include "gpuoa.h"
#include "table/table.h"

static const struct gpuoa_platform *platforms(void)
{
	return table_follow(&table_builtin()->platforms);
}

size_t gpuoa_platform_count(void)
{
	return table_builtin()->platform_count;
}

const struct gpuoa_platform *gpuoa_platform_get(size_t index)
{
	return index < gpuoa_platform_count() ? &platforms()[index] : NULL;
}

const struct gpuoa_platform *gpuoa_platform_find(const char *name)
{
	for (size_t i = 0; i < gpuoa_platform_count(); i++)
		if (!strcmp(gpuoa_platform_name(&platforms()[i]), name))
			return &platforms()[i];
	return NULL;
}

const char *gpuoa_platform_name(const struct gpuoa_platform *platform)
{
	return table_string(&platform->name);
}

const char *gpuoa_platform_title(const struct gpuoa_platform *platform)
{
	return table_string(&platform->title);
}

static const char *set_symbol(const void *platform, size_t number)
{
	return table_string(&platform_sets(platform)[number].symbol);
}

static const char *set_uuid(const void *platform, size_t number)
{
	return table_string(&platform_sets(platform)[number].uuid);
}

size_t gpuoa_platform_set_count(const struct gpuoa_platform *platform)
{
	return platform->set_count;
}

const struct gpuoa_set *gpuoa_platform_get_set(const struct gpuoa_platform *platform, size_t index)
{
	return index < platform->set_count ? &platform_sets(platform)[index] : NULL;
}

/* Is the set for @unit? @length is the length of @unit; 0 matches any unit. */
static bool set_is_of(const struct gpuoa_set *set, const char *unit, size_t length)
{
	const char *own = table_string(&set->unit);

	return !length || (strlen(own) == length && !memcmp(own, unit, length));
}

/*
 * Find the first set called @name, of @unit (see set_is_of()), that is available on a GPU;
 * @constants NULL: on any GPU.
 */
static const struct gpuoa_set *find_named(const struct gpuoa_platform *platform, const char *unit,
					  size_t length, const char *name,
					  const struct gpuoa_constants *constants)
{
	long number =
		table_index_find(table_follow(&platform->set_symbols), name, set_symbol, platform);
	const struct gpuoa_set *set = number < 0 ? NULL : &platform_sets(platform)[number];

	while (set && (!set_is_of(set, unit, length) ||
		       (constants && gpuoa_set_available(set, NULL, constants, NULL, 0) < 1)))
		set = table_follow(&set->same_symbol);
	return set;
}

/* As find_named(), but @symbol may have the unit as prefix: "OAM0/MediaSet1". */
static const struct gpuoa_set *find_symbol(const struct gpuoa_platform *platform,
					   const char *symbol,
					   const struct gpuoa_constants *constants)
{
	const char *slash = strchr(symbol, '/');

	if (!slash)
		return find_named(platform, "", 0, symbol, constants);
	if (slash == symbol)
		return NULL;
	return find_named(platform, symbol, slash - symbol, slash + 1, constants);
}

const struct gpuoa_set *gpuoa_platform_find_set(const struct gpuoa_platform *platform,
						const char *symbol, const char *domain,
						const struct gpuoa_constants *constants)
{
	const size_t length = domain ? strlen(domain) : 0;

	if (!length)
		return find_symbol(platform, symbol, constants);
	if (strchr(symbol, '/')) {
		if (strncmp(symbol, domain, length) || symbol[length] != '/')
			return NULL;
		symbol += length + 1;
	}
	return find_named(platform, domain, length, symbol, constants);
}

const struct gpuoa_set *gpuoa_platform_find_uuid(const struct gpuoa_platform *platform,
						 const char *uuid)
{
	long number =
		table_index_find(table_follow(&platform->set_uuids), uuid, set_uuid, platform);

	return number < 0 ? NULL : &platform_sets(platform)[number];
}
