// SPDX-License-Identifier: MIT
/* domains.c - domains: the OA units of a platform, each of which measures one set at a time */
#include <errno.h>
#include <string.h>

#include "base/sized.h"
#include "gpuoa-catalog.h"

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

	/* Domains are numbered in the order of their first sets. */
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
		if (set.format < 64)
			known.formats |= UINT64_C(1) << set.format;
	}
	if (!known.set_count)
		return -ERANGE;
	sized_give(desc, size, &known, sizeof(known));
	return 0;
}
