// SPDX-License-Identifier: MIT
/* instances.c - create, configure, destroy and find instances of event descriptors */
#include <errno.h>
#include <string.h>

#include "base/sized.h"
#include "definitions/language/names.h"
#include "extra/custom/custom.h"

size_t gpuoa_custom_event_count(const struct gpuoa_custom *custom)
{
	return custom->prototypes.count;
}

static size_t count_options(const struct prototypes *prototypes, const struct prototype *prototype)
{
	size_t count = 0;

	while (prototype_option(prototypes, prototype, count))
		count++;
	return count;
}

int gpuoa_custom_describe_event(const struct gpuoa_custom *custom, size_t index,
				struct gpuoa_event_desc *desc, size_t size)
{
	const struct prototype *prototype = &custom->prototypes.all[index];
	struct gpuoa_event_desc known;

	if (index >= custom->prototypes.count)
		return -ERANGE;
	known = (struct gpuoa_event_desc){
		.symbol = prototype->symbol,
		.name = prototype->name,
		.description = prototype->description,
		.group = prototype->group,
		.units = prototype->units,
		.hw_unit = prototype->hw_unit,
		.domain = "OA",
		.type = prototype->type,
		.semantic = prototype->semantic,
		.option_count = count_options(&custom->prototypes, prototype),
		.reports = prototype->reports,
	};
	sized_give(desc, size, &known, sizeof(known));
	return 0;
}

int gpuoa_custom_describe_option(const struct gpuoa_custom *custom, size_t index, size_t option,
				 struct gpuoa_option_desc *desc, size_t size)
{
	const struct gpuoa_option_desc *known =
		index < custom->prototypes.count ?
			prototype_option(&custom->prototypes, &custom->prototypes.all[index],
					 option) :
			NULL;

	if (!known)
		return -ERANGE;
	sized_give(desc, size, known, sizeof(*known));
	return 0;
}

int gpuoa_custom_use_constants(struct gpuoa_custom *custom, const struct gpuoa_constants *constants)
{
	int err = 0;

	if (custom->prototypes.bank != BANK_PEC)
		return 0;
	for (int part = PART_XECORE; part < PARTS && !err; part++) {
		uint64_t mask;

		if (!gpuoa_constants_get(constants, part_mask_constant((enum part)part), &mask))
			err = prototypes_set_parts(&custom->prototypes, (enum part)part, mask,
						   &custom->arena);
	}
	return err;
}

static bool is_choice(const struct gpuoa_option_desc *desc, uint64_t value)
{
	for (size_t i = 0; i < desc->choice_count; i++)
		if (desc->choices[i].value == value)
			return true;
	return false;
}

/* Check combinations of options that differ from their defaults. */
static int check_together(const struct instance *instance, const struct complaint *complaint)
{
	const struct gpuoa_option_desc *first = NULL;

	for (size_t i = 0; i < OPTION_COUNT; i++) {
		const struct gpuoa_option_desc *desc = option_desc((enum gpuoa_option)i);

		if (!desc->normalization || !instance->values[i])
			continue;
		if (first && !(i == GPUOA_OPTION_BYTE && first->option == GPUOA_OPTION_AVERAGE))
			return COMPLAIN(complaint, -EINVAL,
					"%s and %s are normalizations: one is possible",
					first->symbol, desc->symbol);
		first = desc;
	}
	if (instance->values[GPUOA_OPTION_THREADS] && instance->values[GPUOA_OPTION_ROW])
		return COMPLAIN(complaint, -EINVAL,
				"threads and row are one field of the event: one is possible");
	if (instance->values[GPUOA_OPTION_EU] && instance->values[GPUOA_OPTION_INSTRUCTIONS])
		return COMPLAIN(complaint, -EINVAL,
				"eu and instructions are one field of the event: one is possible");
	return 0;
}

static int set_option(const struct gpuoa_custom *custom, struct instance *instance,
		      struct gpuoa_option_value value, const struct complaint *complaint)
{
	const struct gpuoa_option_desc *desc =
		prototype_find_option(&custom->prototypes, instance->prototype, value.option);

	if (!desc)
		return COMPLAIN(complaint, -EINVAL, "there is no option of number %d",
				(int)value.option);
	if (!(instance->prototype->options & 1u << value.option))
		return COMPLAIN(complaint, -EINVAL, "%s has no option %s",
				instance->prototype->symbol, desc->symbol);
	if (!is_choice(desc, value.value))
		return COMPLAIN(complaint, -EINVAL, "option %s of %s has no value %llu",
				desc->symbol, instance->prototype->symbol,
				(unsigned long long)value.value);
	instance->values[value.option] = value.value;
	return 0;
}

static int set_options(const struct gpuoa_custom *custom, struct instance *instance,
		       const struct gpuoa_instance *given, const struct complaint *complaint)
{
	for (size_t i = 0; i < given->option_count; i++) {
		int err = set_option(custom, instance, given->options[i], complaint);

		for (size_t k = 0; k < i && !err; k++)
			if (given->options[k].option == given->options[i].option)
				err = COMPLAIN(complaint, -EINVAL, "option %s is here twice",
					       option_desc(given->options[i].option)->symbol);
		if (err)
			return err;
	}
	return check_together(instance, complaint);
}

static struct instance *find_instance(const struct gpuoa_custom *custom, uint64_t id)
{
	struct instance *instance = custom->instances;

	while (instance && instance->id != id)
		instance = instance->next;
	return instance;
}

static int set_text(struct gpuoa_custom *custom, const char *given, const char *what,
		    const char **text, const struct complaint *complaint)
{
	int err = given ? custom_check_text(given, what, complaint) : 0;

	if (err || !given)
		return err;
	*text = custom_string(custom, given);
	return *text ? 0 : -ENOMEM;
}

static int fill_in(struct gpuoa_custom *custom, struct instance *instance,
		   const struct gpuoa_instance *given, const struct complaint *complaint)
{
	int err = 0;

	if (given->symbol && !symbol_is_free(given->symbol))
		return COMPLAIN(
			complaint, -EINVAL,
			"a metric's symbol begins with a capital letter, has letters, digits "
			"and '_' only, and is no hardware counter");
	if (given->units && !*given->units)
		return COMPLAIN(complaint, -EINVAL, "the units are empty");
	err = set_text(custom, given->symbol, "the symbol", &instance->symbol, complaint);
	if (!err)
		err = set_text(custom, given->name, "the name", &instance->name, complaint);
	if (!err)
		err = set_text(custom, given->description, "the description",
			       &instance->description, complaint);
	if (!err)
		err = set_text(custom, given->units, "the units", &instance->units, complaint);
	return err ? err : set_options(custom, instance, given, complaint);
}

int gpuoa_custom_instantiate(struct gpuoa_custom *custom, size_t prototype,
			     const struct gpuoa_instance *instance, uint64_t *id, char *error,
			     size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct instance **tail = &custom->instances, *new;
	struct gpuoa_instance known;
	int err = sized_take(&known, sizeof(known), instance,
			     offsetof(struct gpuoa_instance, symbol), "the instance's members",
			     &complaint);

	if (err)
		return complaint_end(&complaint, err);
	if (prototype >= custom->prototypes.count)
		return COMPLAIN(&complaint, -ERANGE, "%s has %zu prototypes",
				gpuoa_platform_name(custom->platform), custom->prototypes.count);
	new = arena_alloc(&custom->arena, sizeof(*new));
	if (!new)
		return complaint_end(&complaint, -ENOMEM);
	new->prototype = &custom->prototypes.all[prototype];
	err = fill_in(custom, new, &known, &complaint);
	if (err)
		return complaint_end(&complaint, err);
	*id = new->id = ++custom->last_id;
	while (*tail)
		tail = &(*tail)->next;
	*tail = new;
	return 0;
}

int gpuoa_custom_set_option(struct gpuoa_custom *custom, uint64_t id,
			    struct gpuoa_option_value value, char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct instance *instance = find_instance(custom, id), changed;
	int err;

	if (!instance)
		return COMPLAIN(&complaint, -ENOENT, "there is no such instance");
	if (instance->set)
		return COMPLAIN(&complaint, -EBUSY, "it is in set %s: remove it there first",
				instance->set->definition->symbol);
	changed = *instance;
	err = set_option(custom, &changed, value, &complaint);
	if (!err)
		err = check_together(&changed, &complaint);
	if (!err)
		*instance = changed;
	return err;
}

int gpuoa_custom_destroy(struct gpuoa_custom *custom, uint64_t id)
{
	struct instance **link = &custom->instances;

	while (*link && (*link)->id != id)
		link = &(*link)->next;
	if (!*link)
		return -ENOENT;
	if ((*link)->set)
		return -EBUSY;
	*link = (*link)->next;
	return 0;
}

int gpuoa_custom_get_assignment(const struct gpuoa_custom *custom, uint64_t id, const char **set,
				const char **metric)
{
	const struct instance *instance = find_instance(custom, id);

	if (!instance)
		return -ENOENT;
	if (!instance->set)
		return -ENODATA;
	*set = instance->set->definition->symbol;
	*metric = instance->use->symbol;
	return 0;
}
