// SPDX-License-Identifier: MIT
/*
 * lookup.c - lookup of objects by the names that the user gave; prints an error if there is none
 */
#include <stdio.h>
#include <string.h>

#include "common/tool.h"
#include "common/lookup.h"
#include "common/suggest.h"

struct gpuoa_unit *lookup_unit(const char *device)
{
	struct gpuoa_unit *unit;
	char error[256];

	if (!gpuoa_unit_open(device, &unit, error, sizeof(error)))
		return unit;
	print_error("%s", error);
	return NULL;
}

const struct gpuoa_platform *lookup_unit_platform(const struct tool *tool,
						  const struct gpuoa_unit *unit)
{
	const struct gpuoa_platform *platform;
	struct gpuoa_unit_desc desc;

	gpuoa_unit_describe(unit, &desc, sizeof(desc));
	platform = definitions_find(tool, desc.platform);
	if (!platform)
		print_error(
			"%s: no metrics for platform '%s'; update gpuoa, or add some with -D FILE",
			desc.name, desc.platform);
	return platform;
}

const struct gpuoa_platform *lookup_platform(const struct tool *tool, const char *name)
{
	const struct gpuoa_platform *platform = definitions_find(tool, name);
	struct suggestion suggestion = suggest_begin(name);

	if (platform)
		return platform;
	for (size_t i = 0; (platform = definitions_platform(tool, i)); i++)
		suggest_offer(&suggestion, gpuoa_platform_name(platform));
	print_error("no metrics for a platform '%s'" SUGGEST_FORMAT "See 'gpuoa list platforms'",
		    name, SUGGEST_ARGS(suggestion));
	return NULL;
}

struct gpuoa_constants *lookup_constants(const struct gpuoa_platform *platform,
					 const struct gpuoa_unit_desc *unit)
{
	struct gpuoa_constants *constants;

	if (!gpuoa_constants_of_unit(unit, sizeof(*unit), platform, &constants))
		return constants;
	print_error("out of memory");
	return NULL;
}

bool set_is_of_domain(const struct gpuoa_set *set, const char *domain)
{
	struct gpuoa_set_desc desc;

	gpuoa_set_describe(set, &desc, sizeof(desc));
	return !*domain || !strcmp(desc.domain, domain);
}

static void suggest_set(const struct gpuoa_platform *platform, const char *domain,
			const char *symbol)
{
	struct suggestion suggestion = suggest_begin(symbol);

	for (size_t i = 0; i < gpuoa_platform_set_count(platform); i++) {
		const struct gpuoa_set *set = gpuoa_platform_get_set(platform, i);
		struct gpuoa_set_desc desc;

		gpuoa_set_describe(set, &desc, sizeof(desc));
		if (set_is_of_domain(set, domain))
			suggest_offer(&suggestion, desc.symbol);
	}
	print_error("%s has no metric set '%s'" SUGGEST_FORMAT "See 'gpuoa list sets'",
		    gpuoa_platform_title(platform), symbol, SUGGEST_ARGS(suggestion));
}

/* Find a set of this name whether available or not, preferably in the domain. */
static const struct gpuoa_set *find_any_set(const struct gpuoa_platform *platform,
					    const char *domain, const char *symbol)
{
	const struct gpuoa_set *set = gpuoa_platform_find_set(platform, symbol, domain, NULL);

	return set ? set : gpuoa_platform_find_set(platform, symbol, NULL, NULL);
}

const struct gpuoa_set *lookup_set(const struct gpuoa_platform *platform, const char *domain,
				   const char *symbol, const struct gpuoa_constants *constants)
{
	const struct gpuoa_set *set = gpuoa_platform_find_set(platform, symbol, domain, constants);
	char why[256];

	if (set)
		return set;
	set = find_any_set(platform, domain, symbol);
	if (!set) {
		suggest_set(platform, domain, symbol);
		return NULL;
	}
	/* If availability is unknown, let the kernel decide. */
	if (gpuoa_set_available(set, domain, constants, why, sizeof(why)))
		return set;
	if (set_is_of_domain(set, domain))
		print_error("this GPU has no metric set '%s': it %s", symbol, why);
	else
		print_error("metric set '%s' %s; see 'gpuoa list' for the units", symbol, why);
	return NULL;
}
