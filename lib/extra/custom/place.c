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
#include "extra/custom/selects.h"
#include "table/table.h"

#define SYMBOL_SIZE 256

/* Add the platform's metrics that every programmed set contains. */
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

/* Create a set without instances, not yet linked to the others. */
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

/* State while instances are scheduled into new sets. */
struct pack {
	struct gpuoa_custom *custom;
	const char *prefix;
	uint32_t max_sets;
	struct custom_set *first; /* list of new sets, not yet linked to the others */
	struct custom_set *last;
	uint32_t count;
	uint32_t number; /* suffix of the last symbol that was tried */
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
