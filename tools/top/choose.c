// SPDX-License-Identifier: MIT
/*
 * choose.c - what of a set a person looks at first, told by what its metadata says
 */
#include <ctype.h>
#include <string.h>

#include "choose.h"
#include "lookup.h"

#define WORDS 128

/* "XVE_STALL", "EuStall" as " xve stall ", " eu stall ": words between spaces. */
static void split(const char *symbol, char *words)
{
	char last = '_';
	size_t n = 0;

	words[n++] = ' ';
	for (; *symbol && n < WORDS - 3; last = *symbol++) {
		const bool begins = isupper((unsigned char)*symbol) &&
				    !isupper((unsigned char)last);

		if ((*symbol == '_' || begins) && words[n - 1] != ' ')
			words[n++] = ' ';
		if (*symbol != '_')
			words[n++] = (char)tolower((unsigned char)*symbol);
	}
	words[n++] = ' ';
	words[n] = '\0';
}

static bool has_word(const char *words, const char *word)
{
	const size_t length = strlen(word);

	for (const char *at = words; (at = strstr(at, word)); at++)
		if (at[-1] == ' ' && at[length] == ' ')
			return true;
	return false;
}

static size_t count_words(const char *words)
{
	size_t n = 0;

	while (*++words)
		n += *words == ' ';
	return n;
}

/* Of the EUs as a whole? EUs are vector engines (XVE) from Xe on. */
static unsigned int fit_eu(const char *words, const char *word)
{
	if (!has_word(words, "eu") && !has_word(words, "xve"))
		return 0;
	if (!has_word(words, word) || has_word(words, "cycles"))
		return 0;
	switch (count_words(words)) {
	case 2:
		return 3; /* "eu active" */
	case 3:
		return has_word(words, "thread") ? 3 : 0; /* "eu thread occupancy" */
	case 4:
		return has_word(words, "threads") && has_word(words, "all") ? 2 : 0;
	default:
		return 0;
	}
}

static unsigned int fit_busy(const struct gpuoa_metric_desc *metric, const char *words)
{
	if (!has_word(words, "busy"))
		return 0;
	if (has_word(words, "gpu") && count_words(words) == 2)
		return 4;
	if (count_words(words) == 2 && !strncmp(metric->hw_unit, "gpu", 3))
		return 3;
	return has_word(words, "engine") || strstr(words, "engine") ? 2 : 0;
}

/* Memory is behind GTI; other caches and memories of the GPU are not meant. */
static unsigned int fit_memory(const char *words, const char *word)
{
	if (!has_word(words, word) || has_word(words, "slm") || has_word(words, "cache"))
		return 0;
	if (has_word(words, "gti") && count_words(words) == 3)
		return 4;
	return has_word(words, "memory") ? 2 : 0;
}

/* Shares of time. An uncertainty is no such share, though it is in percent. */
static bool is_share(const struct gpuoa_metric_desc *metric, const struct gpuoa_units_desc *units)
{
	return units->quantity == GPUOA_QUANTITY_RATIO && units->relative &&
	       metric->semantic != GPUOA_SEMANTIC_EVENT;
}

static bool is_traffic(const struct gpuoa_units_desc *units)
{
	return units->quantity == GPUOA_QUANTITY_BANDWIDTH ||
	       units->quantity == GPUOA_QUANTITY_DATA;
}

unsigned int choose_fit(const struct gpuoa_metric_desc *metric, enum role role)
{
	struct gpuoa_units_desc units;
	char words[WORDS];

	split(metric->symbol, words);
	gpuoa_units_describe(metric->units, &units, sizeof(units));
	if (role == ROLE_FREQUENCY)
		return units.quantity == GPUOA_QUANTITY_FREQUENCY ? 1 : 0;
	if (role == ROLE_READ || role == ROLE_WRITE)
		return is_traffic(&units) ?
			       fit_memory(words, role == ROLE_READ ? "read" : "write") :
			       0;
	if (!is_share(metric, &units))
		return 0;
	switch (role) {
	case ROLE_BUSY:
		return fit_busy(metric, words);
	case ROLE_ACTIVE:
		return fit_eu(words, "active");
	case ROLE_STALL:
		return fit_eu(words, "stall");
	case ROLE_OCCUPANCY:
		return fit_eu(words, "occupancy");
	default:
		return 0;
	}
}

uint64_t choose_rank(const struct gpuoa_metric_desc *metric)
{
	uint64_t depth = 0;

	for (const char *at = metric->group; (at = strchr(at, '/')); at++)
		depth++;
	return (uint64_t) !(metric->usage & GPUOA_USAGE_OVERVIEW) << 40 |
	       (uint64_t)(metric->tier ? metric->tier : 9) << 36 | (depth & 0xf) << 32 |
	       (metric->index & 0xffffffff);
}

bool choose_is_gauge(const struct gpuoa_metric_desc *metric)
{
	struct gpuoa_units_desc units;

	gpuoa_units_describe(metric->units, &units, sizeof(units));
	if (units.quantity == GPUOA_QUANTITY_FREQUENCY || is_share(metric, &units))
		return true;
	return is_traffic(&units) || *metric->max;
}

bool choose_is_rate(const struct gpuoa_metric_desc *metric)
{
	struct gpuoa_units_desc units;

	gpuoa_units_describe(metric->units, &units, sizeof(units));
	return (units.quantity == GPUOA_QUANTITY_COUNT || units.quantity == GPUOA_QUANTITY_DATA) &&
	       (metric->semantic == GPUOA_SEMANTIC_EVENT ||
		metric->semantic == GPUOA_SEMANTIC_THROUGHPUT);
}

/* How many questions does a set answer? */
static size_t count_roles(const struct gpuoa_set *set, const struct gpuoa_constants *constants)
{
	bool answered[ROLE_COUNT] = { false };
	size_t count = 0;

	for (size_t i = 0; gpuoa_set_get_metric(set, i); i++) {
		const struct gpuoa_metric *metric = gpuoa_set_get_metric(set, i);
		struct gpuoa_metric_desc desc;

		gpuoa_metric_describe(metric, &desc, sizeof(desc));
		if (desc.query_only || gpuoa_metric_available(metric, constants, NULL, 0) == 0)
			continue;
		for (int role = 0; role < ROLE_COUNT; role++) {
			if (answered[role] || !choose_fit(&desc, role))
				continue;
			answered[role] = true;
			count++;
		}
	}
	return count;
}

const struct gpuoa_set *choose_set(const struct gpuoa_platform *platform, const char *domain,
				   const struct gpuoa_constants *constants)
{
	const struct gpuoa_set *best = NULL;
	size_t most = 0;

	for (size_t i = 0; i < gpuoa_platform_set_count(platform); i++) {
		const struct gpuoa_set *set = gpuoa_platform_get_set(platform, i);
		size_t count;

		if (!set_is_of_domain(set, domain) ||
		    !gpuoa_set_available(set, domain, constants, NULL, 0))
			continue;
		count = count_roles(set, constants);
		if (best && count <= most)
			continue;
		best = set;
		most = count;
	}
	return best;
}
