// SPDX-License-Identifier: MIT
/* plan.c - choose the sets that measure given metrics, and count the runs that measure them */
#include <stdbool.h>
#include <string.h>

#include "gpuoa-catalog.h"
#include "gpuoa.h"
#include "table/table.h"

/* The sets to measure, and the GPU for each of them */
struct plan {
	const struct gpuoa_set *const *sets;
	const uint32_t *gpus; /* NULL: one GPU per platform */
};

static bool in_one_domain(const struct plan *plan, size_t a, size_t b)
{
	const struct gpuoa_set *one = plan->sets[a], *two = plan->sets[b];

	if (plan->gpus && plan->gpus[a] != plan->gpus[b])
		return false;
	return set_platform(one) == set_platform(two) && one->domain == two->domain;
}

/*
 * True if two sets are different metrics of one register configuration, which user definitions
 * allow. One run measures both.
 */
static bool in_one_configuration(const struct plan *plan, size_t a, size_t b)
{
	const struct gpuoa_set *one = plan->sets[a], *two = plan->sets[b];

	return in_one_domain(plan, a, b) && one->format == two->format &&
	       !strcmp(table_string(&one->uuid), table_string(&two->uuid));
}

/* Return the index of the first set that has the same configuration as set @number has. */
static size_t first_like(const struct plan *plan, size_t number)
{
	size_t i = 0;

	while (!in_one_configuration(plan, i, number))
		i++;
	return i;
}

size_t gpuoa_plan_passes(const struct gpuoa_set *const *sets, const uint32_t *gpus, size_t count,
			 size_t *pass_of)
{
	const struct plan plan = { .sets = sets, .gpus = gpus };
	size_t passes = 0;

	for (size_t i = 0; i < count; i++) {
		size_t first = first_like(&plan, i);

		pass_of[i] = first < i ? pass_of[first] : 0;
		if (first < i)
			continue;
		for (size_t j = 0; j < i; j++)
			if (in_one_domain(&plan, j, i) && first_like(&plan, j) == j)
				pass_of[i]++;
		if (pass_of[i] >= passes)
			passes = pass_of[i] + 1;
	}
	return passes;
}

static bool has_metric(const struct gpuoa_set *set, const char *symbol,
		       const struct gpuoa_constants *constants)
{
	const struct gpuoa_metric *metric = gpuoa_set_find_metric(set, symbol);

	if (!metric)
		return false;
	if (!constants)
		return !metric_definition(metric)->query_only;
	return gpuoa_metric_available(metric, constants, NULL, 0) > 0;
}

/* The requested metrics; for each of them, the chosen set, or NULL. */
struct search {
	const struct gpuoa_constants *constants;
	const char *const *symbols;
	size_t count;
	const struct gpuoa_set **set_of;
};

/* Count the metrics in a set for which no set has been chosen yet. */
static size_t count_found(const struct search *search, const struct gpuoa_set *set)
{
	size_t found = 0;

	if (search->constants && gpuoa_set_available(set, NULL, search->constants, NULL, 0) <= 0)
		return 0;
	for (size_t i = 0; i < search->count; i++)
		found += !search->set_of[i] &&
			 has_metric(set, search->symbols[i], search->constants);
	return found;
}

static void take(const struct search *search, const struct gpuoa_set *set)
{
	for (size_t i = 0; i < search->count; i++)
		if (!search->set_of[i] && has_metric(set, search->symbols[i], search->constants))
			search->set_of[i] = set;
}

static const struct gpuoa_set *best_set(const struct gpuoa_platform *platform,
					const struct search *search)
{
	const struct gpuoa_set *sets = platform_sets(platform), *best = NULL;
	size_t most = 0;

	for (uint32_t i = 0; i < platform->set_count; i++) {
		size_t found = count_found(search, &sets[i]);

		if (found > most) {
			most = found;
			best = &sets[i];
		}
	}
	return best;
}

size_t gpuoa_plan_sets(const struct gpuoa_platform *platform,
		       const struct gpuoa_constants *constants, const char *const *symbols,
		       size_t count, const struct gpuoa_set **set_of)
{
	const struct search search = { constants, symbols, count, set_of };
	const struct gpuoa_set *set;
	size_t chosen = 0;

	for (size_t i = 0; i < count; i++)
		set_of[i] = NULL;
	while ((set = best_set(platform, &search))) {
		take(&search, set);
		chosen++;
	}
	return chosen;
}
