// SPDX-License-Identifier: MIT
/*
 * roles.c - find the common metrics of a set, such as busyness or memory traffic, on any GPU
 */
#include "common/roles.h"

#include <ctype.h>
#include <string.h>

#include "common/lookup.h"

#define WORDS 128

/*
 * Split a symbol into words: "XVE_STALL" becomes " xve stall ", and "EuStall" becomes " eu stall ".
 */
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

/*
 * Return how well a metric fits the activity @word of all EUs; 0: not at all. From Xe on, EUs are
 * called vector engines (XVE).
 */
static unsigned int fit_eu(const char *words, const char *word)
{
	if (!has_word(words, "eu") && !has_word(words, "xve"))
		return 0;
	if (!has_word(words, word) || has_word(words, "cycles"))
		return 0;
	switch (count_words(words)) {
	case 2:
		return 3; /* words of "EuActive": eu active */
	case 3:
		/* for example "EuThreadOccupancy": its words are eu thread occupancy */
		return has_word(words, "thread") ? 3 : 0;
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

/*
 * Only traffic through GTI is memory traffic; that of the GPU's caches and other memories is not.
 */
static unsigned int fit_memory(const char *words, const char *word)
{
	if (!has_word(words, word) || has_word(words, "slm") || has_word(words, "cache"))
		return 0;
	if (has_word(words, "gti") && count_words(words) == 3)
		return 4;
	return has_word(words, "memory") ? 2 : 0;
}

/*
 * Return whether a metric is a ratio of clocks. An uncertainty is in percent as well, but it is an
 * event.
 */
static bool is_share(const struct gpuoa_metric_desc *metric, const struct gpuoa_measure_desc *units)
{
	return units->quantity == GPUOA_QUANTITY_RATIO && units->relative &&
	       metric->semantic != GPUOA_SEMANTIC_EVENT;
}

static bool is_traffic(const struct gpuoa_measure_desc *units)
{
	return units->quantity == GPUOA_QUANTITY_BANDWIDTH ||
	       units->quantity == GPUOA_QUANTITY_DATA;
}

unsigned int role_fit(const struct gpuoa_metric_desc *metric, enum role role)
{
	struct gpuoa_measure_desc units;
	char words[WORDS];

	split(metric->symbol, words);
	gpuoa_measure_describe(metric->units, &units, sizeof(units));
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

bool role_is_share(const struct gpuoa_metric_desc *metric)
{
	struct gpuoa_measure_desc units;

	gpuoa_measure_describe(metric->units, &units, sizeof(units));
	return is_share(metric, &units);
}

void roles_find(const struct gpuoa_set *set, const bool *available, size_t roles[ROLE_COUNT])
{
	unsigned int best[ROLE_COUNT] = { 0 };
	const struct gpuoa_metric *metric;

	for (int role = 0; role < ROLE_COUNT; role++)
		roles[role] = ROLES_NO_METRIC;
	for (size_t i = 0; (metric = gpuoa_set_get_metric(set, i)); i++) {
		struct gpuoa_metric_desc desc;

		gpuoa_metric_describe(metric, &desc, sizeof(desc));
		for (int role = 0; role < ROLE_COUNT && available[i] && !desc.query_only; role++) {
			const unsigned int fit = role_fit(&desc, role);

			if (fit <= best[role])
				continue;
			best[role] = fit;
			roles[role] = i;
		}
	}
}

/* Return the number of roles that a set has on a GPU. */
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
			if (answered[role] || !role_fit(&desc, role))
				continue;
			answered[role] = true;
			count++;
		}
	}
	return count;
}

const struct gpuoa_set *roles_find_set(const struct gpuoa_platform *platform, const char *domain,
				       const struct gpuoa_constants *constants)
{
	const struct gpuoa_set *best = NULL;
	size_t most = 0;

	for (size_t i = 0; i < gpuoa_platform_set_count(platform); i++) {
		const struct gpuoa_set *set = gpuoa_platform_get_set(platform, i);
		struct gpuoa_set_desc desc;
		size_t count;

		gpuoa_set_describe(set, &desc, sizeof(desc));
		if (!(desc.sampling & GPUOA_SAMPLING_TIMER) || !set_is_of_domain(set, domain) ||
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
