// SPDX-License-Identifier: MIT
/*
 * lookup.c - find objects by the names that the user gave, and print hints if there is no such
 * object
 */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "common/lookup.h"
#include "common/tool.h"
#include "gpuoa-device.h"

#define NAME_MAX_LENGTH 64

static size_t min3(size_t a, size_t b, size_t c)
{
	const size_t ab = a < b ? a : b;

	return ab < c ? ab : c;
}

/* Return the Levenshtein distance of two names, ignoring case. */
static size_t distance(const char *a, const char *b)
{
	const size_t a_length = strlen(a), b_length = strlen(b);
	size_t row[NAME_MAX_LENGTH + 1];

	if (b_length > NAME_MAX_LENGTH)
		return a_length + b_length;
	for (size_t j = 0; j <= b_length; j++)
		row[j] = j;
	for (size_t i = 0; i < a_length; i++) {
		size_t diagonal = row[0];

		row[0] = i + 1;
		for (size_t j = 0; j < b_length; j++) {
			const bool differ = tolower((unsigned char)a[i]) !=
					    tolower((unsigned char)b[j]);
			const size_t here = min3(row[j] + 1, row[j + 1] + 1, diagonal + differ);

			diagonal = row[j + 1];
			row[j + 1] = here;
		}
	}
	return row[b_length];
}

struct suggestion suggest_begin(const char *wanted)
{
	return (struct suggestion){ .wanted = wanted, .distance = strlen(wanted) / 3 + 2 };
}

void suggest_offer(struct suggestion *suggestion, const char *name)
{
	const size_t length = strlen(suggestion->wanted);
	/* If one name is a prefix of the other, count the difference as one wrong letter. */
	const size_t d = length >= 3 && !strncasecmp(name, suggestion->wanted, length) ?
				 1 :
				 distance(suggestion->wanted, name);

	if (d >= suggestion->distance)
		return;
	suggestion->distance = d;
	suggestion->best = name;
}

void access_hint(const char *unit, int err, char *text, size_t size)
{
	struct gpuoa_access access[ACCESS_CHECKS_MAX];
	int count = 0;

	if (err == -EACCES || err == -EPERM)
		count = gpuoa_check_access(unit, access, sizeof(access[0]), ACCESS_CHECKS_MAX);
	for (int i = 0; i < count && i < ACCESS_CHECKS_MAX; i++) {
		if (access[i].verdict != GPUOA_ACCESS_DENIED)
			continue;
		snprintf(text, size, "%s -> %s", access[i].found, access[i].remedy);
		return;
	}
}

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

/* Find a set of this name, even if it is unavailable. A set of the domain is preferred. */
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
	/* If it is unknown whether the set is available, let the kernel decide. */
	if (gpuoa_set_available(set, domain, constants, why, sizeof(why)))
		return set;
	if (set_is_of_domain(set, domain))
		print_error("this GPU has no metric set '%s': it %s", symbol, why);
	else
		print_error("metric set '%s' %s; see 'gpuoa list' for the units", symbol, why);
	return NULL;
}
