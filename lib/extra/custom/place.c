// SPDX-License-Identifier: MIT
/* place.c - assign instances to sets with programmable counters */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/sized.h"
#include "definitions/language/names.h"
#include "definitions/load/from_table.h"
#include "extra/custom/custom.h"
#include "extra/custom/match.h"
#include "table/table.h"

#define NOBODY UINT32_MAX
#define FLEXIBLE_FIRST 7
#define FLEXIBLE_COUNT 14

bool match_add(struct match *match, uint64_t select, uint64_t counters)
{
	for (uint32_t i = 0; i < match->count; i++)
		if (match->events[i].select == select)
			return true;
	if (match->count == MATCH_MAX)
		return false;
	match->events[match->count].select = select;
	match->events[match->count].counters = counters;
	match->count++;
	return true;
}

static bool can_count(const struct match *match, uint32_t event, uint32_t counter)
{
	return match->events[event].counters >> counter & 1;
}

/*
 * Return the i-th counter to try. Counters 7 to 20, which are flexible, come last, because some
 * events need one of them.
 */
static uint32_t counter_at(uint32_t i)
{
	if (i < FLEXIBLE_FIRST)
		return i;
	return i < MATCH_MAX - FLEXIBLE_COUNT ? i + FLEXIBLE_COUNT :
						i - (MATCH_MAX - FLEXIBLE_COUNT) + FLEXIBLE_FIRST;
}

static void give(struct match *match, uint32_t *owners, uint32_t event, uint32_t counter)
{
	owners[counter] = event;
	match->events[event].counter = counter;
}

/*
 * Find a counter for an event: a free counter, or one whose event can move to another counter.
 * @tried: mask of the counters that this search has visited
 */
static bool find_counter(struct match *match, uint32_t *owners, uint32_t event, uint64_t *tried)
{
	for (uint32_t i = 0; i < MATCH_MAX; i++) {
		const uint32_t n = counter_at(i);

		if (!can_count(match, event, n) || owners[n] != NOBODY)
			continue;
		give(match, owners, event, n);
		return true;
	}
	for (uint32_t i = 0; i < MATCH_MAX; i++) {
		const uint32_t n = counter_at(i);
		const uint64_t bit = UINT64_C(1) << n;

		if (!can_count(match, event, n) || *tried & bit)
			continue;
		*tried |= bit;
		if (!find_counter(match, owners, owners[n], tried))
			continue;
		give(match, owners, event, n);
		return true;
	}
	return false;
}

bool match_solve(struct match *match)
{
	uint32_t owners[MATCH_MAX];

	for (uint32_t n = 0; n < MATCH_MAX; n++)
		owners[n] = NOBODY;
	for (uint32_t i = 0; i < match->count; i++) {
		uint64_t tried = 0;

		if (!find_counter(match, owners, i, &tried))
			return false;
	}
	return true;
}

uint32_t match_counter(const struct match *match, uint64_t select)
{
	uint32_t i = 0;

	while (match->events[i].select != select)
		i++;
	return match->events[i].counter;
}

uint32_t custom_selects(const struct gpuoa_custom *custom, const struct instance *instance,
			uint64_t *selects)
{
	const struct prototype *prototype = instance->prototype;
	const uint64_t *values = instance->values;
	uint64_t select = prototype->select;

	if (prototype->fixed)
		return 0;
	if (custom->prototypes.bank == BANK_PEC) {
		selects[0] = pec_select(prototype, values);
		return 1;
	}
	select |= values[GPUOA_OPTION_THREADS] << EU_COARSE_SHIFT;
	if (values[GPUOA_OPTION_ROW])
		select |= (EU_ROW0 + values[GPUOA_OPTION_ROW] - 1) << EU_COARSE_SHIFT;
	select |= values[GPUOA_OPTION_INSTRUCTIONS] << EU_FINE_SHIFT;
	if (values[GPUOA_OPTION_EU])
		select |= (EU_QUARTER0 + values[GPUOA_OPTION_EU] - 1) << EU_FINE_SHIFT;
	if (values[GPUOA_OPTION_EU] || !custom->prototypes.by_quarters) {
		selects[0] = select;
		return 1;
	}
	for (uint64_t i = 0; i < EU_QUARTERS; i++)
		selects[i] = select | (EU_QUARTER0 + i) << EU_FINE_SHIFT;
	return EU_QUARTERS;
}

static bool add_to_match(const struct gpuoa_custom *custom, const struct instance *instance,
			 struct match *match)
{
	uint64_t selects[EU_QUARTERS];
	const uint32_t count = custom_selects(custom, instance, selects);

	for (uint32_t i = 0; i < count; i++)
		if (!match_add(match, selects[i], instance->prototype->counters))
			return false;
	return true;
}

bool custom_match(const struct gpuoa_custom *custom, const struct custom_set *set,
		  const struct instance *also, struct match *match)
{
	match->count = 0;
	for (const struct instance *i = custom->instances; i; i = i->next)
		if ((i->set == set || i == also) && !add_to_match(custom, i, match))
			return false;
	return match_solve(match);
}

#define SYMBOL_SIZE 256

/* Add the metrics of the platform that every set of programmable counters contains. */
static int add_basics(struct gpuoa_custom *custom, struct set_definition *set)
{
	static const char *const basics[] = { "GpuTime", "GpuCoreClocks", "AvgGpuCoreFrequency" };
	const struct gpuoa_set *model = custom->prototypes.model;
	const struct source_file source = { .path = gpuoa_platform_name(custom->platform) };
	struct from_table from = {
		.arena = &custom->arena,
		.source = &source,
		.diagnostic = &custom->diagnostic,
	};
	struct metric_use **tail = &set->uses;

	for (size_t i = 0; i < sizeof(basics) / sizeof(basics[0]); i++) {
		const struct gpuoa_metric *metric = gpuoa_set_find_metric(model, basics[i]);
		struct metric_use *use;

		if (!metric)
			continue;
		use = arena_alloc(&custom->arena, sizeof(*use));
		if (!use || !from_table_attributes(&from, metric_definition(metric), &use->changes))
			return -ENOMEM;
		use->symbol = basics[i];
		use->is_whole = true;
		*tail = use;
		tail = &use->next;
	}
	return 0;
}

/* Create a set without instances, which is not in the builder's list yet. */
static struct custom_set *new_set(struct gpuoa_custom *custom, const char *symbol)
{
	const struct gpuoa_set *model = custom->prototypes.model;
	struct custom_set *set = arena_alloc(&custom->arena, sizeof(*set));
	struct set_definition *definition = arena_alloc(&custom->arena, sizeof(*definition));

	if (!set || !definition)
		return NULL;
	set->definition = definition;
	set->programmed = true;
	definition->symbol = custom_string(custom, symbol);
	definition->name = definition->symbol;
	definition->unit = "OA";
	definition->uuid = "";
	definition->format = model->format;
	definition->apis = model->apis;
	return definition->symbol && !add_basics(custom, definition) ? set : NULL;
}

static bool symbol_is_taken(const struct gpuoa_custom *custom, const char *symbol)
{
	return custom_find(custom, NULL, symbol) ||
	       gpuoa_platform_find_set(custom->platform, symbol, NULL, NULL);
}

/* Choose a symbol that is unique in the set. */
static const char *choose_symbol(struct gpuoa_custom *custom, const struct instance *instance,
				 const struct custom_set *set)
{
	const char *wanted = instance->symbol ? instance->symbol : instance->prototype->symbol;
	char symbol[SYMBOL_SIZE], own[PEC_NAME_SIZE];
	unsigned int number = 1;

	if (!instance->symbol && custom->prototypes.bank == BANK_PEC) {
		pec_symbol(instance->prototype, instance->values, own, sizeof(own));
		wanted = own;
	}
	snprintf(symbol, sizeof(symbol), "%s", wanted);
	while (custom_find_use(set, symbol))
		snprintf(symbol, sizeof(symbol), "%.*s_%u", SYMBOL_SIZE - 16, wanted, ++number);
	return custom_string(custom, symbol);
}

static int put_in(struct gpuoa_custom *custom, struct instance *instance, struct custom_set *set)
{
	struct metric_use **tail = &set->definition->uses, *use;

	use = arena_alloc(&custom->arena, sizeof(*use));
	if (!use)
		return -ENOMEM;
	use->symbol = choose_symbol(custom, instance, set);
	if (!use->symbol)
		return -ENOMEM;
	use->is_whole = true;
	while (*tail)
		tail = &(*tail)->next;
	*tail = use;
	instance->set = set;
	instance->use = use;
	return 0;
}

int gpuoa_custom_assign(struct gpuoa_custom *custom, uint64_t id, const char *symbol, char *error,
			size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct instance *instance = custom->instances;
	struct custom_set *set = custom_find(custom, NULL, symbol), *new = NULL;
	struct match match;
	int err;

	while (instance && instance->id != id)
		instance = instance->next;
	if (!instance)
		return COMPLAIN(&complaint, -ENOENT, "there is no such instance");
	if (instance->set)
		return COMPLAIN(&complaint, -EBUSY, "it is in set %s already",
				instance->set->definition->symbol);
	if (!symbol_is_valid(symbol))
		return COMPLAIN(
			&complaint, -EINVAL,
			"a set's symbol begins with a capital letter, and has letters, digits "
			"and '_' only");
	if (set ? !set->programmed : symbol_is_taken(custom, symbol))
		return COMPLAIN(&complaint, -EEXIST, "set %s has registers of its own", symbol);
	if (!set)
		set = new = new_set(custom, symbol);
	if (!set)
		return complaint_end(&complaint, -ENOMEM);
	if (!custom_match(custom, set, instance, &match))
		return COMPLAIN(&complaint, -ENOSPC,
				"set %s has no counters left for %s: its instances take %" PRIu32
				" counters with it",
				symbol, instance->prototype->symbol, match.count);
	err = put_in(custom, instance, set);
	if (!err && new)
		custom_append(custom, new);
	return complaint_end(&complaint, err);
}

/* State of scheduling instances into new sets */
struct pack {
	struct gpuoa_custom *custom;
	const char *prefix;
	uint32_t max_sets;
	/* list of the new sets, which are not in the builder's list yet */
	struct custom_set *first;
	struct custom_set *last;
	uint32_t count;
	uint32_t number; /* number at the end of the last symbol that was tried */
};

static struct custom_set *begin_set(struct pack *pack)
{
	char symbol[SYMBOL_SIZE];
	struct custom_set *set;

	do
		snprintf(symbol, sizeof(symbol), "%s%" PRIu32, pack->prefix, ++pack->number);
	while (symbol_is_taken(pack->custom, symbol));
	set = new_set(pack->custom, symbol);
	if (!set)
		return NULL;
	if (pack->last)
		pack->last->next = set;
	else
		pack->first = set;
	pack->last = set;
	pack->count++;
	return set;
}

static int pack_instance(struct pack *pack, struct instance *instance)
{
	struct custom_set *set = pack->first;
	struct match match;

	while (set && !custom_match(pack->custom, set, instance, &match))
		set = set->next;
	if (!set && pack->max_sets && pack->count == pack->max_sets)
		return -ENOSPC;
	if (!set)
		set = begin_set(pack);
	return set ? put_in(pack->custom, instance, set) : -ENOMEM;
}

static int pack_all(struct pack *pack)
{
	struct custom_set *set, *next;
	int err = 0;

	for (struct instance *i = pack->custom->instances; i && !err; i = i->next)
		if (!i->set)
			err = pack_instance(pack, i);
	for (set = pack->first; set; set = next) {
		next = set->next;
		set->next = NULL;
		if (err)
			custom_displace(pack->custom, set, NULL);
		else
			custom_append(pack->custom, set);
	}
	return err;
}

int gpuoa_custom_schedule(struct gpuoa_custom *custom, const struct gpuoa_schedule_options *options,
			  char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct gpuoa_schedule_options known;
	struct pack pack = { .custom = custom };
	int err = sized_take(&known, sizeof(known), options,
			     offsetof(struct gpuoa_schedule_options, prefix), "the options",
			     &complaint);

	if (err)
		return complaint_end(&complaint, err);
	pack.prefix = known.prefix ? known.prefix : "Custom";
	pack.max_sets = known.max_sets;
	if (known.counters == GPUOA_COUNTERS_DENSE)
		return COMPLAIN(&complaint, -EOPNOTSUPP,
				"no hardware that is known has dense counters");
	if (known.counters != GPUOA_COUNTERS_NORMAL)
		return COMPLAIN(&complaint, -EINVAL, "counters are normal or dense");
	if (!symbol_is_valid(pack.prefix) || strlen(pack.prefix) > SYMBOL_SIZE - 16)
		return COMPLAIN(
			&complaint, -EINVAL,
			"a set's symbol begins with a capital letter, and has letters, digits "
			"and '_' only");
	err = pack_all(&pack);
	if (err == -ENOSPC)
		return COMPLAIN(&complaint, err,
				"%" PRIu32 " sets have too few counters for all instances",
				pack.max_sets);
	return err ? complaint_end(&complaint, err) : (int)pack.count;
}
