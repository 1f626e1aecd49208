// SPDX-License-Identifier: MIT
/* domains.c - domains: the OA units of a platform, each of which measures one set at a time. */
#include "metadata/domains.h"

#include <errno.h>
#include <string.h>

#include "base/sized.h"

static const char *set_unit(const struct gpuoa_set *set)
{
	return table_string(&set->unit);
}

size_t gpuoa_platform_domain_count(const struct gpuoa_platform *platform)
{
	const struct gpuoa_set *sets = platform_sets(platform);
	size_t count = 0;

	/* Domains are numbered in the order of their first sets. */
	for (uint32_t i = 0; i < platform->set_count; i++)
		count += sets[i].domain == count;
	return count;
}

/* Return the first set of a domain, or NULL. */
static const struct gpuoa_set *domain_begin(const struct gpuoa_platform *platform, size_t index)
{
	const struct gpuoa_set *sets = platform_sets(platform);

	for (uint32_t i = 0; i < platform->set_count; i++)
		if (sets[i].domain == index)
			return &sets[i];
	return NULL;
}

static bool tells_reasons(const struct gpuoa_set *set)
{
	for (uint32_t i = 0; i < set->info_count; i++)
		if (!strcmp(table_string(&set_infos(set)[i].symbol), "ReportReason"))
			return true;
	return false;
}

/*
 * Batches can request reports of unit OA (render and compute) with every set, with or without API
 * BB: only some platforms' definitions use BB.
 */
uint32_t set_sampling(const struct gpuoa_set *set)
{
	uint32_t sampling = 0;

	if (!set->apis || (set->apis & GPUOA_API_IO))
		sampling |= GPUOA_SAMPLING_TIMER | GPUOA_SAMPLING_TRACER;
	if (!strcmp(set_unit(set), "OA"))
		sampling |= GPUOA_SAMPLING_QUERY;
	/* Reports of Haswell have no reason: all are written by the timer. */
	if (tells_reasons(set))
		sampling |= GPUOA_SAMPLING_TRIGGER;
	return sampling;
}

static const char *describe_unit(const char *unit)
{
	static const char *const units[][2] = {
		{ "OA", "render and compute engines and all that they share" },
		{ "OAM0", "media engines of the first media slice" },
		{ "OAM1", "media engines of the second media slice" },
		{ "OAMG", "media engines, those of all media slices" },
		{ "OAMERT", "traffic to memory, whoever causes it" },
	};

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(units[i][0], unit))
			return units[i][1];
	return "";
}

int gpuoa_platform_describe_domain(const struct gpuoa_platform *platform, size_t index,
				   struct gpuoa_domain_desc *desc, size_t size)
{
	const struct gpuoa_set *first = domain_begin(platform, index);
	const struct gpuoa_set *sets = platform_sets(platform);
	struct gpuoa_domain_desc known;

	if (!first)
		return -ERANGE;
	known = (struct gpuoa_domain_desc){
		.symbol = set_unit(first),
		.description = describe_unit(set_unit(first)),
	};
	for (uint32_t i = 0; i < platform->set_count; i++) {
		if (sets[i].domain != index)
			continue;
		known.set_count++;
		known.sampling |= set_sampling(&sets[i]);
		if (sets[i].format < 64)
			known.formats |= UINT64_C(1) << sets[i].format;
	}
	sized_give(desc, size, &known, sizeof(known));
	return 0;
}
