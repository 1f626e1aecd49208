// SPDX-License-Identifier: MIT
/* add_set.c - add sets defined by lists of registers */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/sized.h"
#include "definitions/language/names.h"
#include "definitions/load/from_table.h"
#include "extra/custom/custom.h"
#include "extra/custom/uuid.h"
#include "report/format.h"
#include "table/table.h"
#include "uapi/gpuoa.h"

#define ALL_APIS                                                                        \
	(GPUOA_API_IO | GPUOA_API_BB | GPUOA_API_OGL | GPUOA_API_OGL4 | GPUOA_API_OCL | \
	 GPUOA_API_VK | GPUOA_API_MEDIA)

/* State of adding a set: the request, the base set and the new set. */
struct addition {
	struct gpuoa_custom *custom;
	const struct complaint *complaint;
	const struct gpuoa_set_desc *desc;
	const struct gpuoa_register_list *lists;
	size_t count;
	const struct gpuoa_set *base;
	struct custom_set *set;
};

static int check_registers(const struct addition *at)
{
	size_t counts[GPUOA_REGISTER_FLEX + 1] = { 0 };

	for (size_t i = 0; i < at->count; i++) {
		const struct gpuoa_register_list *list = &at->lists[i];
		const int err = sized_check_reserved(list->reserved, RESERVED_WORDS(list), "list",
						     i, at->complaint);

		if (err)
			return err;
		if ((unsigned int)list->kind > GPUOA_REGISTER_FLEX)
			return COMPLAIN(at->complaint, -EINVAL, "list %zu is of no kind", i);
		if (list->count > GPUOA_MAX_REGISTERS ||
		    (counts[list->kind] += list->count) > GPUOA_MAX_REGISTERS)
			return COMPLAIN(at->complaint, -E2BIG,
					"the kernel takes %d registers of a kind at most",
					GPUOA_MAX_REGISTERS);
		for (size_t k = 0; k < list->count; k++)
			if (list->registers[k].address % 4)
				return COMPLAIN(at->complaint, -EINVAL,
						"0x%" PRIx32
						" is no register: 4 does not divide it",
						list->registers[k].address);
	}
	return 0;
}

static int copy_list(const struct addition *at, const struct gpuoa_register_list *from,
		     struct register_list **to)
{
	struct arena *arena = &at->custom->arena;
	struct register_list *list = arena_alloc(arena, sizeof(*list));
	char what[64];

	if (!list)
		return -ENOMEM;
	*to = list;
	list->kind = from->kind;
	list->count = (uint32_t)from->count;
	list->registers = arena_alloc(arena, from->count * sizeof(*list->registers) + 1);
	if (!list->registers)
		return -ENOMEM;
	if (from->count)
		memcpy(list->registers, from->registers, from->count * sizeof(*list->registers));
	snprintf(what, sizeof(what), "condition of registers");
	return custom_equation(at->custom, from->condition, what, &list->condition, at->complaint);
}

static int copy_lists(const struct addition *at)
{
	struct register_list **tail = &at->set->definition->registers;

	for (size_t i = 0; i < at->count; i++) {
		int err = copy_list(at, &at->lists[i], tail);

		if (err)
			return err;
		tail = &(*tail)->next;
	}
	return 0;
}

/* Returns the symbol of the set that already has this UUID, or NULL. */
static const char *owner_of(const struct gpuoa_custom *custom, const char *uuid)
{
	const struct gpuoa_set *set = gpuoa_platform_find_uuid(custom->platform, uuid);

	if (set)
		return table_string(&set->symbol);
	for (const struct custom_set *own = custom->sets; own; own = own->next)
		if (!strcmp(own->definition->uuid, uuid))
			return own->definition->symbol;
	return NULL;
}

static int choose_uuid(const struct addition *at)
{
	struct set_definition *set = at->set->definition;
	const char *uuid = at->desc->uuid, *owner;

	/* The set has the registers of the base set, and therefore also its UUID. */
	if (!at->count) {
		set->shares_uuid = true;
		return 0;
	}
	if (!uuid || !*uuid) {
		set->uuid = custom_uuid(at->custom, set);
		set->shares_uuid = true; /* Sets with equal registers have equal UUIDs. */
		return set->uuid ? 0 : -ENOMEM;
	}
	if (!uuid_is_valid(uuid))
		return COMPLAIN(at->complaint, -EINVAL,
				"a UUID has 8-4-4-4-12 hexadecimal digits, lower case");
	owner = owner_of(at->custom, uuid);
	if (owner)
		return COMPLAIN(at->complaint, -EEXIST, "set %s has this UUID", owner);
	set->uuid = custom_string(at->custom, uuid);
	return set->uuid ? 0 : -ENOMEM;
}

/* Copy the first of @given, @of_base and @otherwise that is not NULL. */
static int choose_text(const struct addition *at, const char *given, const char *of_base,
		       const char *otherwise, const char *what, const char **text)
{
	const char *choice = given ? given : of_base ? of_base : otherwise;
	int err = custom_check_text(choice, what, at->complaint);

	if (err)
		return err;
	*text = custom_string(at->custom, choice);
	return *text ? 0 : -ENOMEM;
}

/* Check symbols, domain and APIs. */
static int check_names(const struct addition *at)
{
	const struct gpuoa_set_desc *desc = at->desc;

	if (!desc->symbol || !symbol_is_valid(desc->symbol))
		return COMPLAIN(
			at->complaint, -EINVAL,
			"a set's symbol begins with a capital letter, and has letters, digits "
			"and '_' only");
	if (desc->domain && !symbol_is_valid(desc->domain))
		return COMPLAIN(at->complaint, -EINVAL,
				"a domain is the name of an OA unit: OA, OAM0");
	if (desc->apis & ~(uint32_t)ALL_APIS)
		return COMPLAIN(at->complaint, -EINVAL, "the mask of APIs has unknown bits");
	if (desc->format && !format_get(desc->format))
		return COMPLAIN(at->complaint, -EINVAL, "%u is no report format",
				(unsigned int)desc->format);
	if (!desc->format && !at->base)
		return COMPLAIN(at->complaint, -EINVAL, "set %s lacks a report format",
				desc->symbol);
	if (!at->count && !at->base)
		return COMPLAIN(at->complaint, -EINVAL, "set %s lacks registers", desc->symbol);
	if (at->base && set_platform(at->base) != at->custom->platform)
		return COMPLAIN(at->complaint, -EINVAL, "the base of %s is of another platform",
				desc->symbol);
	return 0;
}

static int check_new(const struct addition *at)
{
	const struct gpuoa_custom *custom = at->custom;
	const struct set_definition *set = at->set->definition;
	char name[256];

	if (snprintf(name, sizeof(name), "%s/%s", set->unit, set->symbol) >= (int)sizeof(name))
		return COMPLAIN(at->complaint, -EINVAL, "the set's symbol is too long");
	if (custom_find(custom, NULL, name) ||
	    gpuoa_platform_find_set(custom->platform, set->symbol, set->unit, NULL))
		return COMPLAIN(at->complaint, -EEXIST, "%s has a set %s already", set->unit,
				set->symbol);
	return 0;
}

static int fill_in(const struct addition *at)
{
	const struct gpuoa_set_desc *desc = at->desc;
	struct set_definition *set = at->set->definition;
	const struct set_definition base = *set; /* all 0 without a base */
	int err;

	set->apis = desc->apis ? desc->apis : base.apis;
	set->format = desc->format ? desc->format : base.format;
	err = choose_text(at, desc->symbol, NULL, "", "the symbol", &set->symbol);
	if (!err)
		err = choose_text(at, desc->name, NULL, desc->symbol, "the name", &set->name);
	if (!err)
		err = choose_text(at, desc->domain, base.unit, "OA", "the domain", &set->unit);
	if (!err)
		err = check_new(at);
	if (!err && desc->availability)
		err = custom_equation(at->custom, desc->availability, "condition of the set",
				      &set->availability, at->complaint);
	if (!err && at->count) {
		set->registers = NULL;
		err = copy_lists(at);
	}
	return err ? err : choose_uuid(at);
}

static int begin(struct addition *at)
{
	struct gpuoa_custom *custom = at->custom;
	const struct source_file *source = &(struct source_file){ .path = "base" };
	struct from_table from = {
		.arena = &custom->arena,
		.source = source,
		.diagnostic = &custom->diagnostic,
	};

	at->set = arena_alloc(&custom->arena, sizeof(*at->set));
	if (!at->set)
		return -ENOMEM;
	at->set->definition = at->base ? from_table_set(&from, at->base) :
					 arena_alloc(&custom->arena, sizeof(*at->set->definition));
	return at->set->definition ? 0 : -ENOMEM;
}

int gpuoa_custom_add_set(struct gpuoa_custom *custom, const struct gpuoa_set_desc *desc,
			 size_t size, const struct gpuoa_register_list *lists, size_t count,
			 const struct gpuoa_set *base, char *error, size_t error_size)
{
	const struct complaint complaint = complaint_begin(error, error_size);
	struct gpuoa_set_desc known;
	struct addition at = {
		.custom = custom,
		.complaint = &complaint,
		.desc = &known,
		.lists = lists,
		.count = count,
		.base = base,
	};
	int err;

	err = sized_take_desc(&known, sizeof(known), desc, size, "fields of the set", &complaint);
	if (!err)
		err = check_names(&at);
	if (!err)
		err = check_registers(&at);
	if (!err)
		err = begin(&at);
	if (!err)
		err = fill_in(&at);
	if (!err)
		custom_append(custom, at.set);
	return complaint_end(&complaint, err);
}
