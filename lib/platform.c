// SPDX-License-Identifier: MIT
/* platform.c - platforms and their sets. */
#include <string.h>

#include "gpuoa.h"
#include "table.h"

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

static const struct gpuoa_set *
platform_sets(const struct gpuoa_platform *platform)
{
	return table_follow(&platform->sets);
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

const struct gpuoa_set *
gpuoa_platform_set(const struct gpuoa_platform *platform, size_t index)
{
	return index < platform->set_count ? &platform_sets(platform)[index] :
					     NULL;
}

const struct gpuoa_set *
gpuoa_platform_find_set(const struct gpuoa_platform *platform,
			const char *symbol)
{
	long number = table_index_find(table_follow(&platform->set_symbols),
				       symbol, set_symbol, platform);

	return number < 0 ? NULL : &platform_sets(platform)[number];
}

const struct gpuoa_set *
gpuoa_platform_find_uuid(const struct gpuoa_platform *platform,
			 const char *uuid)
{
	long number = table_index_find(table_follow(&platform->set_uuids), uuid,
				       set_uuid, platform);

	return number < 0 ? NULL : &platform_sets(platform)[number];
}
